"""A recorded run as it is scheduled: who thinks when, for how many seconds, and where everybody is."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

import numpy as np
from recorded_schedule import CallRow, ScheduleRecording
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

LATER = 7
"""Steps between two copies of a town."""
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
        tiles, stays, offsets, self.people = [], [], [], 0
        for number, recording in enumerate(recordings):
            begin = span.start + number * LATER
            end = begin + len(span) + 1
            tiles.append(np.array(recording.places[begin:end], dtype=np.int32))
            stays.append(np.array(recording.stays[begin:end], dtype=np.int64) - begin)
            corner = (number % columns * recording.width, number // columns * recording.height)
            offsets += [corner] * len(recording.people)
            self._add(recording, begin)
            self.people += len(recording.people)
        self.tiles = np.concatenate(tiles, axis=1)
        """Tile within its town, by step and person: shape (steps + 1, people, 2)."""
        self.stays = np.concatenate(stays, axis=1)
        """Step until which it means to stay there, by step and person."""
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
