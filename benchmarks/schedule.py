"""Time that a run takes against a model, by how its steps are scheduled: a recorded run under a latency model.

`python benchmarks/schedule.py` records a day of three and of twenty-five people by the rules, and prints the seconds
that their calls would take

- one after another, as in the classic engine;
- in lockstep: all think at once, then all talks take place, and nobody begins the next step before;
- out of order by distance, the rule of AI Metropolis (Xie et al., MLSys 2025): a person at step a waits for one at an
  earlier step b that is within sight + (a - b + 1) tiles; who is within sight + 1 tile goes on together;
- out of order by rooms: only for one who can have walked to the person's arena, and into sight, by then;
- by true interactions: only for whom it newly perceives in that step, or talks with. No rule can know that before;
- the bounds: the calls of the busiest person, and all calls on as many slots as the server has.

More people are copies of the town side by side, in the hour from 13:00, each seven steps later than the one before.
What is read of the whole town in a step (free chairs, objects in use) is not looked at: by distance and by rooms, the
seconds are those of an engine whose every read is local.
"""

import argparse
import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from math import ceil, inf, sqrt
from pathlib import Path

import numpy as np
from recorded_schedule import CallRow, ScheduleRecording, record
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

THREE, ALL = "base_the_ville_isabella_maria_klaus", "base_the_ville_n25"
TOWN = 25
"""People of a town that is copied."""
SIZES, SLOTS = (3, TOWN), (0, 64)
LATER = 7
"""Steps between two copies."""
DAY, BUSY, HOUR = 24 * 3600, 13 * 3600, 3600
"""Seconds of game time: the length of a day, when the busy hour begins, and its length."""

Levels = Sequence[Sequence[float]]
"""Seconds of calls; those of a level are made at once, when the level before is answered."""
Talk = tuple[int, int]


@dataclass(frozen=True)
class Latency:
    """How long a call takes, whatever else the server does. Seconds."""

    call: float = 0.1
    answer: float = 0.01
    """Per token of the answer."""
    prompt: float = 0.0001
    """Per token of the prompt."""

    def of(self, row: CallRow) -> float:
        return self.call + self.answer * row.answer + self.prompt * row.prompt


class RecordedTown:
    """Steps of recorded runs side by side, by number of the person."""

    def __init__(self, recordings: Sequence[ScheduleRecording], span: range, latency: Latency = Latency()) -> None:
        """Take a town from each recording; steps are those in `span`, later by LATER for each town."""
        self._first, self.steps, self._latency = recordings[0], len(span), latency
        self.sight = self._first.sight
        columns = ceil(sqrt(len(recordings)))
        self.thoughts: dict[tuple[int, int], Levels] = {}
        """Calls of a person that thinks, by step and person."""
        self.talks: dict[int, dict[Talk, Levels]] = defaultdict(dict)
        """Calls of talks, by step and pair."""
        self.seen: dict[tuple[int, int], list[int]] = defaultdict(list)
        """Who is newly perceived, by step and person."""
        self.calls = 0
        self.one_by_one = 0.0
        """Seconds of all calls."""
        tiles, offsets, self.people = [], [], 0
        for number, recording in enumerate(recordings):
            begin = span.start + number * LATER
            tiles.append(np.array(recording.places[begin : begin + len(span) + 1], dtype=np.int32))
            corner = (number % columns * recording.width, number // columns * recording.height)
            offsets += [corner] * len(recording.people)
            self._add(recording, begin)
            self.people += len(recording.people)
        self.tiles = np.concatenate(tiles, axis=1)
        """Tile within its town, by step and person: shape (steps + 1, people, 2)."""
        self.places = self.tiles + np.array(offsets, dtype=np.int32)
        """The same on the map of all towns."""
        self.town = np.repeat(np.arange(len(recordings)), [len(each.people) for each in recordings])
        """Number of the town of each person."""

    def _add(self, recording: ScheduleRecording, begin: int) -> None:
        """Add the calls and sights of one town from one of its steps on."""
        levels: dict[tuple[int, tuple[int, ...]], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in recording.calls:
            if 0 <= row.step - begin < self.steps:
                levels[row.step - begin, row.people][row.round].append(self._latency.of(row))
                self.calls += 1
        for (step, people), rounds in levels.items():
            who = tuple(self.people + each for each in people)
            calls = [rounds[number] for number in sorted(rounds)]
            self.one_by_one += sum(map(sum, calls))
            if len(who) == 1:
                self.thoughts[step, who[0]] = calls
            else:
                self.talks[step][who[0], who[1]] = calls
        for step, one, other in recording.seen:
            if 0 <= step - begin < self.steps:
                self.seen[step - begin, self.people + one].append(self.people + other)

    @cached_property
    def index(self) -> np.ndarray:
        """Tile as a number, by step and person."""
        return self.tiles[..., 0] + self.tiles[..., 1] * self._first.width

    @cached_property
    def arenas(self) -> np.ndarray:
        """Number of the arena, by step and person."""
        return np.array(self._first.arenas)[self.index]

    @cached_property
    def walks(self) -> np.ndarray:
        """Steps from each tile to each arena, shape (arenas, tiles); infinite where there is no way."""
        width, free = self._first.width, ~np.array(self._first.walls)
        tiles = np.arange(len(free)).reshape(-1, width)
        beside = [(tiles[:, 1:], tiles[:, :-1]), (tiles[1:], tiles[:-1])]
        pairs = [(one.ravel(), other.ravel()) for a, b in beside for one, other in ((a, b), (b, a))]
        into, out = (np.concatenate(side) for side in zip(*pairs, strict=True))
        into, out = into[free[into]], out[free[into]]  # a way into a wall is none, a way out of it is
        ways = csr_array((np.ones(len(into)), (into, out)), shape=(len(free), len(free)))
        of = np.array(self._first.arenas)
        found = [dijkstra(ways, indices=np.flatnonzero(of == each), min_only=True) for each in range(of.max() + 1)]
        return np.array(found)

    @cached_property
    def busiest(self) -> float:
        """Seconds that the busiest person waits for calls of its own."""
        own = np.zeros(self.people)
        for (_, who), levels in self.thoughts.items():
            own[who] += sum(map(max, levels))
        for talks in self.talks.values():
            for pair, levels in talks.items():
                own[list(pair)] += sum(map(max, levels))
        return float(own.max())

    def floor(self, slots: int) -> float:
        """Return the seconds that no schedule can do without; 0 slots: any number."""
        return max(self.busiest, self.one_by_one / slots if slots else 0.0)


class Slots:
    """A server that answers so many calls at once, those of earlier steps first."""

    def __init__(self, slots: int) -> None:
        """0 slots: any number."""
        self._free = slots or inf
        self._queue: list[tuple[int, int, float, Callable[[], None]]] = []
        self._busy: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self.now = 0.0

    def ask(self, step: int, levels: Levels, done: Callable[[], None]) -> None:
        """Make calls level by level, then call `done`."""
        level, *rest = levels
        left = len(level)

        def answered() -> None:
            nonlocal left
            left -= 1
            if not left:
                self.ask(step, rest, done) if rest else done()

        for seconds in level:
            heapq.heappush(self._queue, (step, next(self._numbers), seconds, answered))

    def answer(self) -> bool:
        """Go on until the next call is answered; return whether there is one."""
        while self._queue and self._free:
            _, number, seconds, answered = heapq.heappop(self._queue)
            self._free -= 1
            heapq.heappush(self._busy, (self.now + seconds, number, answered))
        if not self._busy:
            return False
        self.now, _, answered = heapq.heappop(self._busy)
        self._free += 1
        answered()
        return True


def lockstep(town: RecordedTown, slots: int) -> float:
    """Return the seconds if a step begins when the one before is over, and its talks when all have thought."""
    server = Slots(slots)
    thoughts = defaultdict(list)
    for (step, _), levels in town.thoughts.items():
        thoughts[step].append(levels)
    for step in sorted({*thoughts, *town.talks}):
        for asked in (thoughts.get(step, ()), list(town.talks.get(step, {}).values())):
            for levels in asked:
                server.ask(step, levels, lambda: None)
            while server.answer():
                pass
    return server.now


READY, THINKING, THOUGHT, TALKING, OVER = range(5)


class OutOfOrder:
    """A run in which every person has a step of its own."""

    def __init__(self, town: RecordedTown, slots: int) -> None:
        self.town, self._server = town, Slots(slots)
        self.step = np.zeros(town.people, dtype=np.int64)
        """The step that each person computes."""
        self.phase = np.full(town.people, READY, dtype=np.int8)
        self._waiting: list[dict[int, None]] = [{} for _ in range(town.people)]
        """Who is to be looked at again when this person has gone on."""
        self._next = dict.fromkeys(range(town.people))
        """Who is to be looked at, in order."""

    def held_by(self, who: int) -> int | None:
        """Return somebody at an earlier step for whom a person has to wait before it thinks."""
        raise NotImplementedError

    def with_whom(self, who: int) -> Iterable[int]:
        """Return those at the same step, the person too, who move when all of them have thought."""
        raise NotImplementedError

    def seconds(self) -> float:
        """Return how long the run takes."""
        while True:
            while self._next:
                who = next(iter(self._next))
                del self._next[who]
                self._go_on(who)
            if not self._server.answer():
                break
        if (self.phase != OVER).any():
            raise RuntimeError(f"{type(self).__name__}: everyone waits at step {self.step.min()}.")
        return self._server.now

    def _go_on(self, who: int) -> None:
        step = int(self.step[who])
        if self.phase[who] == READY:
            if step == self.town.steps:
                self._changed(who, OVER)
            elif (other := self.held_by(who)) is not None:
                self._waiting[other][who] = None
            elif levels := self.town.thoughts.get((step, who)):
                self.phase[who] = THINKING
                self._server.ask(step, levels, lambda: self._changed(who, THOUGHT))
            else:
                self._changed(who, THOUGHT)
        elif self.phase[who] == THOUGHT:
            self._move(who, step)

    def _changed(self, who: int, phase: int) -> None:
        """Look again at a person and at all who wait for it."""
        self.phase[who] = phase
        self._next |= {who: None} | self._waiting[who]
        self._waiting[who].clear()

    def _move(self, who: int, step: int) -> None:
        """Let those move who go on together, after their talks, if all have thought."""
        together = list(self.with_whom(who))
        for other in together:
            if self.phase[other] != THOUGHT:
                self._waiting[other][who] = None
                return
        talks = self.town.talks.get(step, {})
        talking = {pair: levels for pair, levels in talks.items() if pair[0] in together}
        for pair, levels in talking.items():
            self.phase[list(pair)] = TALKING
            self._server.ask(step, levels, lambda pair=pair: self._step_done(pair))
        busy = {each for pair in talking for each in pair}
        self._step_done([each for each in together if each not in busy])

    def _step_done(self, people: Iterable[int]) -> None:
        for who in people:
            self.step[who] += 1
            self._changed(who, READY)


class ByDistance(OutOfOrder):
    """Whom somebody can have reached is waited for."""

    def held_by(self, who: int) -> int | None:
        step = int(self.step[who])
        behind = np.flatnonzero(self.step < step)
        if not len(behind):
            return None
        held = behind[self._can_reach(who, behind, step - self.step[behind])]
        return int(held[np.argmin(self.step[held])]) if len(held) else None

    def _can_reach(self, who: int, others: np.ndarray, lead: np.ndarray) -> np.ndarray:
        return self._distance(who, others) <= self.town.sight + lead + 1

    def _distance(self, who: int, others: np.ndarray) -> np.ndarray:
        """Return the Chebyshev distance of others, where they are, from a person."""
        places = self.town.places
        return np.abs(places[self.step[others], others] - places[self.step[who], who]).max(axis=1)

    def _meets(self, who: int, others: np.ndarray) -> np.ndarray:
        """Return which others, at the same step, a person goes on with."""
        return self._distance(who, others) <= self.town.sight + 1

    def with_whom(self, who: int) -> Iterable[int]:
        same = np.flatnonzero(self.step == self.step[who])
        found, new = {who}, [who]
        while new and len(same) > 1:
            near = {int(other) for other in same[self._meets(new.pop(), same)]} - found
            found |= near
            new += near
        return sorted(found)


class ByRooms(ByDistance):
    """One perceives one's own arena only."""

    def _can_reach(self, who: int, others: np.ndarray, lead: np.ndarray) -> np.ndarray:
        town, there = self.town, self.step[others]
        walk = town.walks[town.arenas[self.step[who], who], town.index[there, others]]
        in_time = (walk <= lead) | (town.town[others] != town.town[who])
        return in_time & (self._distance(who, others) <= town.sight + lead)

    def _meets(self, who: int, others: np.ndarray) -> np.ndarray:
        arenas, town = self.town.arenas[self.step[who]], self.town.town
        same = (arenas[others] == arenas[who]) & (town[others] == town[who])
        return same & (self._distance(who, others) <= self.town.sight)


class ByInteraction(OutOfOrder):
    """Only whom somebody perceives or talks with is waited for, as if that was known before."""

    def _partners(self, who: int) -> list[int]:
        pairs = self.town.talks.get(int(self.step[who]), {})
        return [other for pair in pairs if who in pair for other in pair if other != who]

    def held_by(self, who: int) -> int | None:
        step = int(self.step[who])
        met = (*self.town.seen.get((step, who), ()), *self._partners(who))
        return next((other for other in met if self.step[other] < step), None)

    def with_whom(self, who: int) -> Iterable[int]:
        return (who, *self._partners(who))


RULES: Mapping[str, type[OutOfOrder]] = {"distance": ByDistance, "rooms": ByRooms, "true": ByInteraction}


@dataclass(frozen=True)
class Scheduled:
    """Seconds of a run, by how it is scheduled."""

    people: int
    hours: float
    """Of game time."""
    calls: int
    slots: int
    """0: any number."""
    one_by_one: float
    lockstep: float
    distance: float
    rooms: float
    true: float
    busiest: float
    floor: float
    """The busiest person, or all calls on these slots, whichever is more."""


def scheduled(town: RecordedTown, slots: int, hours: float) -> Scheduled:
    found = {name: rule(town, slots).seconds() for name, rule in RULES.items()}
    whole = {"one_by_one": town.one_by_one, "busiest": town.busiest, "floor": town.floor(slots)}
    rows = {"people": town.people, "hours": round(hours, 2), "calls": town.calls, "slots": slots}
    seconds = {"lockstep": lockstep(town, slots), **whole, **found}
    return Scheduled(**rows, **{name: round(each, 1) for name, each in seconds.items()})


def schedules(
    sizes: Iterable[int], slots: Iterable[int] = SLOTS, *, seconds: int = DAY, folder: Path | None = None
) -> list[Scheduled]:
    """Return the seconds for towns of so many people; a day of one town, the busy hour of more.

    Args:
        sizes: people; above 25 multiples of it.
        slots: slots of the server; 0: any number.
        seconds: game time that is recorded.
        folder: where recordings are kept for the next time; None: nowhere.
    """
    recordings: dict[str, ScheduleRecording] = {}
    rows = []
    for size in sizes:
        base = ALL if size >= TOWN else THREE
        recording = recordings[base] = recordings.get(base) or _recording(base, seconds, folder)
        towns, span = max(1, size // TOWN), range(recording.steps)
        if towns > 1:
            begin, length = BUSY // recording.clock, HOUR // recording.clock
            span = range(begin, min(begin + length, recording.steps - towns * LATER))
        town = RecordedTown([recording] * towns, span)
        rows += [scheduled(town, each, len(span) * recording.clock / 3600) for each in slots]
    return rows


def _recording(base: str, seconds: int, folder: Path | None) -> ScheduleRecording:
    kept = folder / f"{base}_{seconds}.json.gz" if folder else None
    if kept and kept.exists():
        return ScheduleRecording.read(kept)
    recording = record(base, seconds // 10, seed=1)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        recording.write(kept)
    return recording


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, nargs="+", default=SIZES, help="3, 25 or a multiple of 25")
    parser.add_argument("--slots", type=int, nargs="+", default=SLOTS, help="of the server; 0: any number")
    parser.add_argument("--hours", type=float, default=24, help="of game time that are recorded")
    parser.add_argument("--keep", type=Path, help="folder in which recordings are kept for the next time")
    choice = parser.parse_args()
    for row in schedules(choice.people, choice.slots, seconds=round(choice.hours * 3600), folder=choice.keep):
        print(row)


if __name__ == "__main__":
    main()
