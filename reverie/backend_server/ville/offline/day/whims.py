"""Effects of memories that come to mind by chance: another activity in a free hour, or between two steps."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from ville.offline.profile import Profile
from ville.offline.rule_types import ByChance
from ville.offline.table import load, rows

SHORTEST = 3
"""Steps of an activity in which there is room for a whim."""


@dataclass(frozen=True)
class Whim:
    """A row of whims.yaml."""

    means: re.Pattern[str]
    what: str
    step: str
    first: int
    last: int


@cache
def _table() -> tuple[Whim, ...]:
    return rows(load("whims.yaml"), Whim)


def whims_of(by_chance: ByChance | None, me: Profile) -> list[Whim]:
    """Return what the memories of a question lead to, each only once; nothing without any."""
    found = (_whim(memory.text, me) for memory in (by_chance.memories if by_chance else ()))
    return list(dict.fromkeys(whim for whim in found if whim))


def _whim(memory: str, me: Profile) -> Whim | None:
    for row in _table():
        match = row.means.search(memory)
        named = match.groupdict() if match else {}
        if match and named.get("person") != me.name.split(" ")[0]:
            return replace(row, what=row.what.format(**named), step=row.step.format(**named))
    return None


def with_a_whim(steps: Sequence[tuple[str, int]], whims: Sequence[Whim], rng: Random) -> list[tuple[str, int]]:
    """Return steps of an activity, one in the middle replaced by a whim, if there is one and room for it."""
    changed = list(steps)
    if whims and len(changed) >= SHORTEST:
        place = rng.randrange(1, len(changed) - 1)
        changed[place] = (rng.choice(whims).step, changed[place][1])
    return changed
