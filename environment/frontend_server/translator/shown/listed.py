"""Simulations as the front page lists them: to watch, to go on with, and to start from."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import NotRequired, TypedDict

from django.contrib.staticfiles import finders

from translator.shown import page_data
from translator.storage.runs import simulations
from translator.storage.runs.simulations import SimulationEntry
from translator.storage.runs.stored_simulation import Store
from ville.storage.compressed.cast import Cast

WAKING = time(6, 40)
"""Links of the list lead to this time of the first day: a town that begins at midnight sleeps before."""
OFFERED = ("base_the_ville_isabella_maria_klaus", "base_the_ville_n25")
"""Starting points that are offered first, if they are there."""
PASTS = {OFFERED[0]: "the_ville/agent_history_init_n3.csv", OFFERED[1]: "the_ville/agent_history_init_n25.csv"}
"""Histories of starting points, below the assets."""
MOST_FACES = 25


class Listed(TypedDict):
    """The entry of a simulation in a list."""

    sim_code: str
    title: str
    people: int
    sprites: list[str]
    steps: int
    waking: int
    start: datetime
    curr_time: datetime
    past: str
    copy: NotRequired[bool]
    """Whether it is there compressed, too."""


class Lists(TypedDict):
    """All simulations, as the front page lists them."""

    saved: list[Listed]
    bases: list[Listed]
    offered: list[Listed]
    others: list[Listed]
    recorded: list[Listed]
    taken: list[str]
    damage: list[str]


def lists(running: str | None) -> Lists:
    """Return all simulations, newest first, and the reasons why others cannot be listed.

    `saved` have been run, `bases` have not, `offered` and `others` are the bases, and `recorded` are compressed.
    """
    found = simulations.listing()
    entries = sorted(found.entries, key=lambda entry: entry.changed, reverse=True)
    kept = [entry for entry in entries if entry.store is Store.SAVED]
    begun = [entry for entry in kept if entry.steps or entry.meta.step]
    bases = [entry for entry in kept if entry not in begun and entry.code != running]
    recorded = {entry.code for entry in entries if entry.store is Store.COMPRESSED}
    return {
        "saved": [{**listed(entry), "copy": entry.code in recorded} for entry in begun],
        "bases": [listed(entry) for entry in bases],
        "offered": [listed(entry) for code in OFFERED for entry in bases if entry.code == code],
        "others": [listed(entry) for entry in bases if entry.code not in OFFERED],
        "recorded": [listed(entry) for entry in entries if entry.store is Store.COMPRESSED],
        "taken": [entry.code for entry in kept],
        "damage": list(found.damage),
    }


def best(recorded: Sequence[Listed]) -> Listed | None:
    """Return the recording to watch first: that of most people, the longest of them."""
    return max(recorded, key=lambda entry: (entry["people"], entry["steps"]), default=None)


def listed(entry: SimulationEntry) -> Listed:
    """Return the entry of a simulation in a list."""
    now = entry.meta.time_of(entry.steps) if entry.steps else entry.meta.curr_time
    return {
        "sim_code": entry.code,
        "title": entry.title,
        "people": len(entry.meta.persona_names),
        "sprites": sprites(entry.meta.persona_names, entry.cast),
        "steps": entry.steps,
        "waking": waking(entry),
        "start": entry.meta.start,
        "curr_time": now,
        "past": past(entry),
    }


def past(entry: SimulationEntry) -> str:
    """Return the history file of a starting point; empty if it has none."""
    name = PASTS.get(entry.code, "")
    return name if name and finders.find(f"assets/{name}") else ""


def waking(entry: SimulationEntry) -> int:
    """Return the step at which the town wakes up; 0 if the recording does not reach it."""
    asleep = datetime.combine(entry.meta.start, WAKING) - entry.meta.start
    step = int(asleep.total_seconds()) // entry.meta.sec_per_step
    return step if 0 <= step < entry.steps else 0


def sprites(names: Sequence[str], cast: Cast) -> list[str]:
    return [persona["sprite"] for persona in page_data.personas(names[:MOST_FACES], cast)]
