"""Settings of a run, from flags, environment, .env, utils.py and defaults."""

from ville.settings.load import load_settings
from ville.settings.model import SPECS, Secret, Settings, add_flags

__all__ = ["SPECS", "Secret", "Settings", "add_flags", "load_settings"]
