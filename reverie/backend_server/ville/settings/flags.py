"""Settings as flags of command lines."""

import argparse
from collections.abc import Collection

from ville.settings.model import FIELDS, marks_of
from ville.settings.older_names import RENAMED

FLAGS = tuple(name for name in FIELDS if "flag" in marks_of(name))
"""Settings that can be given on the command line."""


def add_flags(parser: argparse.ArgumentParser, names: Collection[str]) -> None:
    """Add these settings to a command line as flags, also by their older names. A flag that is not given is None."""
    for name in names:
        action: str | type[argparse.Action] = "store"
        if FIELDS[name].annotation is bool:
            action = argparse.BooleanOptionalAction if FIELDS[name].default else "store_true"
        parser.add_argument(_flag(name), help=FIELDS[name].description, action=action, default=None)
    for older, name in RENAMED.items():
        if name in names:
            parser.add_argument(_flag(older), dest=name, help=argparse.SUPPRESS)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
