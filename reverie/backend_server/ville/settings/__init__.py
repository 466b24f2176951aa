"""Settings of a run, from flags, the environment, .env, utils.py and defaults."""

from ville.settings.flags import FLAGS, add_flags
from ville.settings.load import load_settings
from ville.settings.model import FIELDS, LIMITS, WALLET, Settings, settable_by
from ville.settings.setting_types import Secret

__all__ = ["FIELDS", "FLAGS", "LIMITS", "WALLET", "Secret", "Settings", "add_flags", "load_settings", "settable_by"]
