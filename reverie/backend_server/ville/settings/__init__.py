"""Settings of a run, from flags, the environment, .env, utils.py and defaults."""

from ville.settings.load import load_settings
from ville.settings.model import FIELDS, FLAGS, LIMITS, WALLET, Secret, Settings, add_flags, settable_by

__all__ = ["FIELDS", "FLAGS", "LIMITS", "WALLET", "Secret", "Settings", "add_flags", "load_settings", "settable_by"]
