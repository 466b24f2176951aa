"""Run two days of the Ville's 25 people with the offline rules, and check that they are believable.

`python benchmarks/two_days.py` takes a few minutes. It prints one line for each requirement, and ends with exit code 1
if one is not met. `--keep FOLDER` keeps the simulation; `--judge FOLDER` checks one that was kept.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import combinations, groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from believability import MEASURES, Saved

from ville.storage.dates import parse_node_time, parse_time
from ville.storage.folder.storage import find
from ville.storage.steps.step_store import StepStore
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.maze_files import load_maze

ROOT = Path(__file__).resolve().parents[1]
BACKEND = ROOT / "reverie" / "backend_server"
FRONTEND = ROOT / "environment" / "frontend_server"
ASSETS = FRONTEND / "static_dirs" / "assets"
BASE, NAME, HISTORY = "base_the_ville_n25", "two_days", "the_ville/agent_history_init_n25.csv"

STEPS, STEPS_PER_MINUTE = 17_280, 6
PEOPLE, DAYS = 25, (13, 14)
HOST, CAFE = "Isabella Rodriguez", "Hobbs Cafe"
PARTY = re.compile(r"\bparty\b")
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
BEGINS, ENDS = datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19)  # noqa: DTZ001 - game time has no zone
MEAL = re.compile(r"\b(?:breakfast|lunch|dinner|supper|eat|eating|ate)\b")
FEW = 5
"""Personas that may share an activity for it to count as their own."""
STUCK = 120
"""Minutes after which an unchanged action, awake, counts as stuck."""
HOUR = 60

LIMITS: Mapping[str, tuple[float, float]] = {
    "know of the candidacy": (5, PEOPLE),
    "guests who knew of the party": (4, PEOPLE),
    "preparations and invitations after it began": (0, 0),
    "introductions between acquaintances": (0, 0),
    "fewest talks of a persona": (1, 1000),
    "share of talks on one theme, highest": (0, 0.6),
    "waking time away from home": (0.2, 0.9),
    "share of the most frequent insight": (0, 0.2),
}
"""Measure of `benchmarks/believability.py` → least and greatest value."""


class Minute(NamedTuple):
    """One persona at a full minute: action, its address, tile, and conversation partners."""

    time: datetime
    what: str
    where: str
    tile: Tile
    partners: frozenset[str]

    @property
    def asleep(self) -> bool:
        return "sleeping" in self.what

    @property
    def plan(self) -> str:
        """The scheduled activity of which the action is a part."""
        return self.what.partition(" (")[0]


@dataclass(frozen=True)
class TwoDays:
    """A saved simulation of two days, and its map."""

    folder: Path
    maze: Maze

    @cached_property
    def lives(self) -> dict[str, list[Minute]]:
        """Every persona's minutes, in order."""
        lives: dict[str, list[Minute]] = {}
        for step in range(0, STEPS, STEPS_PER_MINUTE):
            movement = json.loads(StepStore(self.folder).movement_bytes(step))
            time = parse_time(movement["meta"]["curr_time"])
            for name, record in movement["persona"].items():
                what, _, where = record["description"].rpartition(" @ ")
                partners = frozenset(speaker for speaker, _ in record["chat"] or ()) - {name}
                minute = Minute(time, what, where, Tile(*record["movement"]), partners)
                lives.setdefault(name, []).append(minute)
        return lives

    @cached_property
    def scratches(self) -> dict[str, dict[str, Any]]:
        return {name: self._memory(name, "scratch.json") for name in self.lives}

    @cached_property
    def heard(self) -> dict[str, datetime | None]:
        """When each persona first remembered anything about the party."""
        return {name: self._first_memory_of_the_party(name) for name in self.lives}

    def _first_memory_of_the_party(self, name: str) -> datetime | None:
        nodes = self._memory(name, "associative_memory/nodes.json").values()
        about = [node for node in nodes if PARTY.search(json.dumps(_content(node)))]
        return min((parse_node_time(node["created"]) for node in about), default=None)

    def _memory(self, name: str, file: str) -> Any:
        return json.loads((self.folder / "personas" / name / "bootstrap_memory" / file).read_text("utf-8"))

    def room(self, tile: Tile) -> str:
        return ":".join(self.maze.place(tile)[:3])

    def short_of(self, least: int, counts: Callable[[str, Minute], bool]) -> dict[tuple[str, int], int]:
        """Return persona and day → minutes that count, where they are fewer than `least`."""
        minutes = {
            (name, day): sum(minute.time.day == day and counts(name, minute) for minute in life)
            for name, life in self.lives.items()
            for day in DAYS
        }
        return {who: count for who, count in minutes.items() if count < least}


def _content(node: dict[str, Any]) -> list[object]:
    return [node["description"], node["filling"] if node["type"] == "chat" else None]


def missing_steps(town: TwoDays) -> Collection[object]:
    """All steps are there, and the clock shows the end of the second day."""
    meta = json.loads((town.folder / "reverie/meta.json").read_text("utf-8"))
    steps = StepStore(town.folder)
    found = (
        len(steps.shown()),
        len(steps.placed()),
        meta["step"],
        meta["curr_time"],
        {len(life) for life in town.lives.values()},
        len(town.lives),
    )
    wanted = (STEPS, STEPS + 1, STEPS, "February 15, 2023, 00:00:00", {STEPS // STEPS_PER_MINUTE}, PEOPLE)
    return [] if found == wanted else [found]


def lost(town: TwoDays) -> Collection[object]:
    """A persona that has not moved for two minutes is in the room of its action."""
    return {
        (name, before.where, town.room(now.tile))
        for name, life in town.lives.items()
        for before, now in zip(life, life[2:], strict=False)
        if before[1:4] == now[1:4] and not now.where.startswith((f"{town.room(now.tile)}:", "<"))
    }


def stuck(town: TwoDays) -> Collection[object]:
    """Awake, no persona does the same on the same tile for two hours."""
    return [
        (name, what, tile)
        for name, life in town.lives.items()
        for (what, tile), minutes in groupby(life, lambda minute: (minute.what, minute.tile))
        if len(list(minutes)) >= STUCK and "sleeping" not in what
    ]


def sleepless(town: TwoDays) -> Collection[object]:
    """Everyone sleeps at least five hours each day, and lies down only at home."""
    away = {
        (name, town.room(minute.tile))
        for name, life in town.lives.items()
        for minute, later in pairwise(life)
        if minute.asleep and minute.tile == later.tile and town.room(minute.tile) != town.scratches[name]["living_area"]
    }
    return [*town.short_of(5 * HOUR, lambda _, minute: minute.asleep), *away]


def hungry(town: TwoDays) -> Collection[object]:
    """Everyone eats for at least three quarters of an hour each day."""
    return town.short_of(3 * HOUR // 4, lambda _, minute: bool(MEAL.search(minute.what)))


def idle(town: TwoDays) -> Collection[object]:
    """Everyone spends at least an hour each day on what their own description mentions and few others do."""
    keys = ("learned", "currently", "daily_plan_req")
    own = {name: _words(" ".join(scratch[key] for key in keys)) for name, scratch in town.scratches.items()}
    doers = Counter(plan for life in town.lives.values() for plan in {minute.plan for minute in life})

    def works(name: str, minute: Minute) -> bool:
        leisure = minute.asleep or MEAL.search(minute.what) or doers[minute.plan] > FEW
        return not leisure and bool(_words(minute.plan) & own[name])

    return town.short_of(HOUR, works)


def _words(text: str) -> set[str]:
    """Return the longer words without their endings, so that `study` and `studies` are equal."""
    return {word[:4] for word in re.findall(r"[a-z]{5,}", text.lower())}


def lonely(town: TwoDays) -> Collection[object]:
    """Everyone talks to someone, who talks to them at the same time."""
    partners = {name: {who for minute in life for who in minute.partners} for name, life in town.lives.items()}
    alone = [name for name, others in partners.items() if not others]
    return [
        *alone,
        *((name, other) for name, others in partners.items() for other in others if name not in partners[other]),
    ]


def alike(town: TwoDays) -> Collection[object]:
    """No two days are the same, neither of two people nor of one."""
    days = {
        (name, day): [plan for plan, _ in groupby(minute.plan for minute in life if minute.time.day == day)]
        for name, life in town.lives.items()
        for day in DAYS
    }
    return [(one, other) for one, other in combinations(days, 2) if days[one] == days[other]]


def uninformed(town: TwoDays) -> Collection[object]:
    """At first only the host knows of the party; when it begins, at least eight others do."""
    first = [name for name, when in town.heard.items() if when == MIDNIGHT]
    others = [name for name, when in town.heard.items() if name != HOST and when is not None and when < BEGINS]
    return [] if first == [HOST] and len(others) >= 8 else [first, others]  # noqa: PLR2004 - the requirement


def absent(town: TwoDays) -> Collection[object]:
    """At least four who have heard of the party spend fifteen minutes or more there with the host."""
    there = {
        name: {minute.time for minute in life if BEGINS <= minute.time < ENDS and _in_cafe(town, minute)}
        for name, life in town.lives.items()
    }
    invited = [name for name in there if name != HOST and (town.heard[name] or ENDS) < BEGINS]
    guests = [name for name in invited if len(there[name] & there[HOST]) >= 15]  # noqa: PLR2004 - the requirement
    return [] if len(guests) >= 4 else [guests]  # noqa: PLR2004 - the requirement


def _in_cafe(town: TwoDays, minute: Minute) -> bool:
    return town.maze.place(minute.tile).sector == CAFE


REQUIREMENTS = (missing_steps, lost, stuck, sleepless, hungry, idle, lonely, alike, uninformed, absent)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="a new folder for the storage of the simulation")
    parser.add_argument("--judge", type=Path, help="do not run anything; check the storage that --keep has kept")
    choice = parser.parse_args()
    if choice.judge:
        return judge(choice.judge)
    with tempfile.TemporaryDirectory() as temporary:
        storage = choice.keep or Path(temporary) / "storage"
        run_two_days(storage)
        return judge(storage)


def run_two_days(storage: Path) -> None:
    shutil.copytree(FRONTEND / "storage" / BASE, storage / BASE)
    settings = {"VILLE_FS_STORAGE": str(storage.resolve()), "VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
    options = ("-o", BASE, "-t", NAME, "-s", str(STEPS), "--seed", "1", "--load-history", HISTORY)
    command = [sys.executable, "reverie_offline.py", *options]
    subprocess.run(command, cwd=BACKEND, env={**os.environ, **settings}, check=True, stdout=subprocess.DEVNULL)


def judge(storage: Path) -> int:
    """Print one line for each requirement; return 1 if one is not met."""
    folder = find(storage, NAME)
    town = TwoDays(folder.root, load_maze(ASSETS / "the_ville" / "matrix", "the_ville"))
    met = [report(rule.__doc__ or "", list(rule(town))) for rule in REQUIREMENTS]
    saved = Saved(folder)
    for measure, (least, greatest) in LIMITS.items():
        value = MEASURES[measure](saved)
        wrong = value is None or not least <= value <= greatest
        found = "nothing" if value is None else f"{value:.3g}"
        met.append(report(f"{measure}: {found} (from {least:g} to {greatest:g})", [value] if wrong else []))
    return int(not all(met))


def report(requirement: str, violations: list[object]) -> bool:
    print(f"{'FAILED' if violations else 'ok':<8}{requirement}")
    for violation in violations[:10]:
        print(f"        {violation}")
    return not violations


if __name__ == "__main__":
    sys.exit(main())
