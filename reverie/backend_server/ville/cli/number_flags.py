"""Kinds of numbers that flags of command lines take, for `type` of argparse."""

import argparse
from collections.abc import Callable
from math import isfinite


def count_of(what: str, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a number of things, from 1 to `most`; it raises ArgumentTypeError for anything else."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= (most or int(text)):
            give = f"1 to {most:,}" if most else "1 or more"
            raise argparse.ArgumentTypeError(f"'{text}' is not a number of {what}; give {give}")
        return int(text)

    return read


def positive_number(text: str) -> float:
    """Return a finite number above 0. Raises ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not isfinite(value) or value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value
