"""The home, in which settings are found. Tests put another one here."""

from ville.home import HOME

__all__ = ["HOME"]
