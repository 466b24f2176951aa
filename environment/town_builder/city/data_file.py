"""Reads the data of cities: names, districts, homes, works, lives."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).with_name("data")


@cache
def read_data(name: str) -> Any:
    """Return the content of a data file, by its name without `.yaml`. Everybody gets the same: do not change it."""
    return yaml.safe_load((DATA / f"{name}.yaml").read_text(encoding="utf-8"))
