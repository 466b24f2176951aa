"""Settings of a run, from flags, the environment, .env, utils.py and defaults."""

from ville.settings.load import load_settings
from ville.settings.model import FIELDS, Secret, Settings, add_flags

__all__ = ["FIELDS", "Secret", "Settings", "add_flags", "load_settings"]
