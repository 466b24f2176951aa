"""Settings of a run, from flags, the environment, .env, utils.py and defaults."""

from ville.settings.flags import FLAGS, add_flags
from ville.settings.load import Place, load_settings, setting_places, settings_stamp
from ville.settings.model import FIELDS, LIMITS, WALLET, Settings, settable_by
from ville.settings.setting_types import Secret

__all__ = [
    "FIELDS", "FLAGS", "LIMITS", "WALLET", "Place", "Secret", "Settings", "add_flags", "load_settings",
    "settable_by", "setting_places", "settings_stamp",
]  # fmt: skip
