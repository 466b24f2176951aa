"""Two days of the Ville's 25 people without a language model, judged from what was saved."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import combinations, groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ville.storage.dates import parse_node_time, parse_time
from ville.world.address import Tile
from ville.world.load import load_maze
from ville.world.maze import Maze

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800), pytest.mark.xdist_group("two days")]

STEPS, A_MINUTE = 17_280, 6
DAYS = (13, 14)
HOST, CAFE = "Isabella Rodriguez", "Hobbs Cafe"
PARTY = re.compile(r"\bparty\b")
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
BEGINS, ENDS = datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19)  # noqa: DTZ001 - game time has no zone
MEAL = re.compile(r"\b(?:breakfast|lunch|dinner|supper|eat|eating|ate)\b")
FEW = 5
"""What more people than these do is nobody's own business."""


class Minute(NamedTuple):
    """What somebody does, where they stand, and with whom they talk, at a full minute."""

    time: datetime
    what: str
    where: str
    """The address at which they act."""
    tile: Tile
    partners: frozenset[str]

    @property
    def asleep(self) -> bool:
        return "sleeping" in self.what

    @property
    def plan(self) -> str:
        """The row of the plan of which this is a part."""
        return self.what.partition(" (")[0]


@dataclass(frozen=True)
class Town:
    """What is in the folder of a simulation and on its map."""

    folder: Path
    maze: Maze

    @cached_property
    def lives(self) -> dict[str, list[Minute]]:
        """Everybody's two days, minute by minute."""
        lives: dict[str, list[Minute]] = {}
        for step in range(0, STEPS, A_MINUTE):
            movement = json.loads((self.folder / f"movement/{step}.json").read_text("utf-8"))
            time = parse_time(movement["meta"]["curr_time"])
            for name, record in movement["persona"].items():
                what, _, where = record["description"].rpartition(" @ ")
                partners = frozenset(speaker for speaker, _ in record["chat"] or ()) - {name}
                minute = Minute(time, what, where, Tile(*record["movement"]), partners)
                lives.setdefault(name, []).append(minute)
        return lives

    def memory(self, name: str, file: str) -> Any:
        return json.loads((self.folder / "personas" / name / "bootstrap_memory" / file).read_text("utf-8"))

    def nodes(self, name: str) -> list[dict[str, Any]]:
        return list(self.memory(name, "associative_memory/nodes.json").values())

    def room(self, tile: Tile) -> str:
        return ":".join(self.maze.place(tile)[:3])

    def minutes(self, counts) -> dict[tuple[str, int], int]:
        """Of everybody and each day, the minutes that count."""
        return {
            (name, day): sum(minute.time.day == day and counts(name, minute) for minute in life)
            for name, life in self.lives.items()
            for day in DAYS
        }


@pytest.fixture(scope="session")
def town(two_days) -> Town:
    return Town(two_days.folder("two_days"), load_maze(two_days.root / "assets/the_ville/matrix", "the_ville"))


def short_of(minutes, least):
    return {who: count for who, count in minutes.items() if count < least}


def test_every_step_was_taken(town):
    """25 people, a movement file for each step, an environment file more, and the clock at the end of the 14th."""
    assert len(list((town.folder / "movement").iterdir())) == STEPS
    assert len(list((town.folder / "environment").iterdir())) == STEPS + 1
    meta = json.loads((town.folder / "reverie/meta.json").read_text("utf-8"))
    assert (meta["step"], meta["curr_time"]) == (STEPS, "February 15, 2023, 00:00:00")
    assert {name: len(life) for name, life in town.lives.items()} == dict.fromkeys(
        meta["persona_names"], STEPS // A_MINUTE
    )
    assert len(town.lives) == 25


def test_who_stands_still_is_where_they_meant_to_go(town):
    """Nobody gives up on the way: who acts at a place and has not moved for two minutes is in its room."""
    lost = {
        (name, before.where, town.room(now.tile))
        for name, life in town.lives.items()
        for before, now in zip(life, life[2:], strict=False)
        if before[1:4] == now[1:4] and not now.where.startswith((f"{town.room(now.tile)}:", "<"))
    }
    assert not lost


def test_nobody_is_caught_in_an_action(town):
    """Awake, nobody does the same thing on the same tile for two hours."""
    stuck = {}
    for name, life in town.lives.items():
        for (what, tile), minutes in groupby(life, lambda minute: (minute.what, minute.tile)):
            if (length := len(list(minutes))) >= 120 and "sleeping" not in what:
                stuck[name, what, tile] = length
    assert not stuck


def test_everybody_sleeps_at_home(town):
    """At least five hours each day, and never anywhere else."""
    homes = {name: town.memory(name, "scratch.json")["living_area"] for name in town.lives}
    assert not short_of(town.minutes(lambda _, minute: minute.asleep), 5 * 60)
    assert not {
        (name, town.room(minute.tile))
        for name, life in town.lives.items()
        for minute in life
        if minute.asleep and town.room(minute.tile) != homes[name]
    }


def test_everybody_eats(town):
    """An hour each day at least."""
    assert not short_of(town.minutes(lambda _, minute: bool(MEAL.search(minute.what))), 60)


def test_everybody_goes_about_their_own_business(town):
    """An hour each day at least with what their own sheet speaks of and few others do: work, study, a project."""
    sheets = {name: _words(_sheet(town.memory(name, "scratch.json"))) for name in town.lives}
    doers = Counter(plan for life in town.lives.values() for plan in {minute.plan for minute in life})

    def works(name, minute):
        leisure = minute.asleep or MEAL.search(minute.what) or doers[minute.plan] > FEW
        return not leisure and bool(_words(minute.plan) & sheets[name])

    assert not short_of(town.minutes(works), 60)


def _sheet(scratch):
    return " ".join(scratch[key] for key in ("learned", "currently", "daily_plan_req"))


def _words(text):
    """The longer words, without their endings: to study and studies are one."""
    return {word[:4] for word in re.findall(r"[a-z]{5,}", text.lower())}


def test_everybody_talks_to_somebody(town):
    """Both days taken together; whoever talks is heard by the other one at the same time."""
    partners = {name: {who for minute in life for who in minute.partners} for name, life in town.lives.items()}
    assert not [name for name, others in partners.items() if not others]
    assert all(name in partners[other] for name, others in partners.items() for other in others)


def test_nobody_is_a_copy(town):
    """No two people have the same day, and nobody has the same day twice."""
    days = {
        (name, day): [plan for plan, _ in groupby(minute.plan for minute in life if minute.time.day == day)]
        for name, life in town.lives.items()
        for day in DAYS
    }
    assert not [(one, other) for one, other in combinations(days, 2) if days[one] == days[other]]


def test_word_of_the_party_gets_about(town):
    """In the beginning only the host knows; when it begins, at least eight others have heard of it."""
    learned = {name: _heard_of_it(town.nodes(name)) for name in town.lives}
    assert [name for name, when in learned.items() if when == MIDNIGHT] == [HOST]
    assert sum(when is not None and when < BEGINS for name, when in learned.items() if name != HOST) >= 8


def _heard_of_it(nodes):
    """When somebody first remembered anything of the party."""
    times = [parse_node_time(node["created"]) for node in nodes if PARTY.search(json.dumps(_content(node)))]
    return min(times, default=None)


def _content(node):
    return [node["description"], node["filling"] if node["type"] == "chat" else None]


def test_guests_come_to_the_party(town):
    """At least four who have heard of it are in the cafe together with the host, for a quarter of an hour or longer."""
    there = {
        name: {minute.time for minute in life if BEGINS <= minute.time < ENDS and _in_cafe(town, minute)}
        for name, life in town.lives.items()
    }
    invited = [name for name in there if name != HOST and (_heard_of_it(town.nodes(name)) or ENDS) < BEGINS]
    guests = [name for name in invited if len(there[name] & there[HOST]) >= 15]
    assert len(guests) >= 4


def _in_cafe(town, minute):
    return town.maze.place(minute.tile).sector == CAFE
