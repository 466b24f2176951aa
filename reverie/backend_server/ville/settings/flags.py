"""Settings as flags of command lines."""

import argparse
from collections.abc import Collection
from typing import Any

from ville.settings.model import FIELDS, marks_of
from ville.settings.older_names import RENAMED

FLAGS = tuple(name for name in FIELDS if "flag" in marks_of(name))
"""Settings that can be given on the command line."""


def add_flags(parser: argparse.ArgumentParser, names: Collection[str]) -> None:
    """Add these settings to a command line as flags, also by their older names. A flag that is not given is None."""
    for name in names:
        switch: dict[str, Any] = {"default": None}
        if FIELDS[name].annotation is bool:
            switch["action"] = argparse.BooleanOptionalAction if FIELDS[name].default else "store_true"
        parser.add_argument(_flag(name), help=FIELDS[name].description, **switch)
    for older, name in RENAMED.items():
        if name in names:
            parser.add_argument(_flag(older), dest=name, help=argparse.SUPPRESS)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
