"""Ways of speaking, by the traits in the description of a person."""

import re
from pathlib import Path
from typing import TypedDict

import yaml

from ville.persona.memory_structures.identity import Identity

FILE = Path(__file__).with_suffix(".yaml")
MOST = 3
"""Ways that are named of one person."""


class _Manners(TypedDict):
    """The file of ways of speaking."""

    ways: dict[str, list[str]]
    talkative: list[str]
    quiet: list[str]


_MANNERS: _Manners = yaml.safe_load(FILE.read_text("utf-8"))


def way_of_speaking(identity: Identity) -> str:
    """Return how a person speaks: `warmly, asks back`; its traits themselves if none of them is known."""
    traits = _traits(identity)
    ways = [way for way, shown_by in _MANNERS["ways"].items() if traits & set(shown_by)]
    return ", ".join(ways[:MOST]) or identity.innate or "plainly"


def talkativeness(identity: Identity) -> int:
    """Return 1 for talkative people, -1 for quiet ones, and 0 for others."""
    traits = _traits(identity)
    return bool(traits & set(_MANNERS["talkative"])) - bool(traits & set(_MANNERS["quiet"]))


def _traits(identity: Identity) -> set[str]:
    return set(re.findall(r"[\w-]+", identity.innate.casefold()))
