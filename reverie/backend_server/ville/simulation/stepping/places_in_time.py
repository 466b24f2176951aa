"""Where everybody is, each at a step of its own, and who can come into whose sight.

Nobody walks more than a tile a step, and nobody perceives beyond its radius, or another arena than its own. So somebody
at step a waits for another at an earlier step b within radius + a - b tiles, and those at the same step within the
radius go on together: the rule of AI Metropolis (Xie et al., MLSys 2025), with a tile less, because whoever comes to a
step is put on the map only when it need not wait. With `rooms`, only for somebody who can have walked to the arena is
waited, and only those in the same arena go on together.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ville.persona.cognitive_modules.view import Everyone, VisiblePersona
from ville.persona.memory_structures.common_sense import CommonSense, UsualPlace
from ville.world.address import Tile
from ville.world.certainty import NotYetCertain
from ville.world.reach import Reach

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Point = Numbers | Tile
"""Column and row of a tile."""
SPEED = 1
"""Most tiles that somebody walks in a step."""


class PlacesInTime:
    """The step that each person is at, where it is in it, and how it was seen in each step that others are still at.

    People are numbered in the order of their names.
    """

    def __init__(
        self, people: Mapping[str, VisiblePersona], step: int, radius: int, *, rooms: Reach | None = None
    ) -> None:  # fmt: skip
        """Begin with everybody on the map, at the same step."""
        self.names = tuple(people)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self._radius, self._rooms = radius, rooms
        self.steps: Numbers = np.full(len(people), step, dtype=np.int64)
        self._tiles: Numbers = np.array([each.tile for each in people.values()], dtype=np.int64).reshape(-1, 2).T.copy()
        """Columns and rows, by the number of the person."""
        self._seen = [[(step, each)] for each in people.values()]
        """How each person was seen, from which step on, since the earliest step that somebody is at."""
        self._at: dict[Tile | str | None, Counter[int]] = {}
        """Who was seen so on a tile, or with an action at an address, and how often."""
        for number, each in enumerate(people.values()):
            self._note(number, each)
        self._changes: dict[int, asyncio.Future[None]] = {}
        self._on: dict[Tile, dict[int, None]] = {}
        self._arriving: set[int] = set()
        """Who is not on the map, having come to a step for which it may have to wait."""
        for number in range(len(people)):
            self.place(number)

    @property
    def earliest(self) -> int:
        """The earliest step that somebody is at."""
        return int(self.steps.min())

    def now(self, number: int) -> VisiblePersona:
        """Return a person in the step that it is at."""
        return self._seen[number][-1][1]

    def at(self, number: int, step: int) -> VisiblePersona:
        """Return a person in a step. Raises NotYetCertain if it is at an earlier one."""
        since, seen = self._seen[number][-1]
        if since <= step:
            if self.steps[number] < step:
                raise self.not_yet(number)
            return seen
        return next(seen for since, seen in reversed(self._seen[number]) if since <= step)

    def on_tile(self, tile: Tile, step: int) -> list[VisiblePersona]:
        """Return those who are on a tile in a step, of those who have come to it, in order."""
        return [seen for seen in self._at_one(tile, step) if seen.tile == tile]

    def at_address(self, address: str, step: int) -> list[VisiblePersona]:
        """Return those whose action is at an address in a step, of those who have come to it, in order."""
        return [seen for seen in self._at_one(address, step) if seen.address == address]

    def _at_one(self, place: Tile | str, step: int) -> Iterator[VisiblePersona]:
        numbers = sorted(number for number in self._at.get(place, ()) if self.steps[number] >= step)
        return (self.at(number, step) for number in numbers)

    def on(self, tile: Tile) -> list[VisiblePersona]:
        """Return those who are on the map on a tile, each in its step, in order."""
        return [self.now(number) for number in sorted(self._on.get(tile, ()))]

    def behind(self, step: int, tile: Tile | None = None) -> int | None:
        """Return somebody at an earlier step, who may stand on a tile in this step if one is given."""
        behind = np.flatnonzero(self.steps < step)
        if tile is not None and len(behind):
            behind = behind[self._can_reach(tile, behind, step, 0)]
        return int(behind[np.argmin(self.steps[behind])]) if len(behind) else None

    def held_by(self, number: int) -> int | None:
        """Return somebody at an earlier step, for whom a person has to wait; None if it can go on."""
        step = self.steps[number]
        behind = np.flatnonzero(self.steps < step)
        if not len(behind):
            return None
        held = behind[self._can_reach(self._tiles[:, number], behind, int(step), self._radius)]
        return int(held[np.argmin(self.steps[held])]) if len(held) else None

    def in_sight(self, number: int, others: Numbers) -> Numbers:
        """Return which of others at the same step a person may perceive."""
        tile = self._tiles[:, number]
        others = others[self._distance(tile, others) <= self._radius]
        if self._rooms is not None:
            columns, rows = self._tiles[:, others]
            others = others[self._rooms.arenas[rows, columns] == self._rooms.arena_of(tile)]
        return others

    def together(self, number: int, others: Numbers) -> list[int]:
        """Return who goes on together with a person, in order, of others at the same step, which has them all."""
        left, new, found = others[others != number], [number], [number]
        while new and len(left):
            near = self.in_sight(new.pop(), left)
            new += near.tolist()
            found += near.tolist()
            left = np.setdiff1d(left, near, assume_unique=True)
        return sorted(found)

    def _can_reach(self, tile: Point, behind: Numbers, step: int, radius: int) -> Flags:
        """Return which people can come within a radius of a tile until a step, and with rooms into its arena."""
        lead = (step - self.steps[behind]) * SPEED
        can = self._distance(tile, behind) <= radius + lead
        if self._rooms is not None and can.any():
            columns, rows = self._tiles[:, behind]
            can &= self._rooms.steps_to(self._rooms.arena_of(tile))[rows, columns] <= lead
        return can

    def _distance(self, tile: Point, others: Numbers) -> Numbers:
        columns, rows = self._tiles
        far: Numbers = np.maximum(np.abs(columns[others] - tile[0]), np.abs(rows[others] - tile[1]))
        return far

    def arriving(self, numbers: Iterable[int]) -> list[int]:
        """Return which people have come to their step, but are not on the map."""
        return [number for number in numbers if number in self._arriving]

    def place(self, number: int) -> Tile:
        """Put a person on the map; return its tile."""
        self._arriving.discard(number)
        tile = self.now(number).tile
        self._on.setdefault(tile, {})[number] = None
        return tile

    def arrive(self, number: int, seen: VisiblePersona) -> None:
        """Note how a person is in the next step, and wake those who wait for it. Who has changed leaves the map."""
        before = self.now(number)
        self.steps[number] += 1
        if seen is not before:
            self._seen[number].append((int(self.steps[number]), seen))
            self._note(number, seen)
            self._tiles[:, number] = seen.tile
            del self._on[before.tile][number]
            self._arriving.add(number)
        if change := self._changes.pop(number, None):
            change.set_result(None)

    def forget_before(self, step: int) -> None:
        """Forget how people were seen in steps that everybody has left behind."""
        for number, seen in enumerate(self._seen):
            while len(seen) > 1 and seen[1][0] <= step:
                self._forget(number, seen.pop(0)[1])

    def _note(self, number: int, seen: VisiblePersona) -> None:
        for place in (seen.tile, seen.address):
            self._at.setdefault(place, Counter())[number] += 1

    def _forget(self, number: int, seen: VisiblePersona) -> None:
        for place in (seen.tile, seen.address):
            there = self._at[place]
            there[number] -= 1
            if not there[number]:
                del there[number]
            if not there:
                del self._at[place]

    def change(self, number: int) -> "asyncio.Future[None]":
        """Return what is done when a person has gone on."""
        if number not in self._changes:
            self._changes[number] = asyncio.get_running_loop().create_future()
        return self._changes[number]

    def not_yet(self, number: int) -> NotYetCertain:
        """Return what is raised when something depends on a person at an earlier step."""
        return NotYetCertain(self.change(number))


class EveryoneAt(Everyone):
    """Everyone in one step, though they are at steps of their own."""

    def __init__(self, places: PlacesInTime, step: int) -> None:
        self._places, self._step = places, step

    def __getitem__(self, name: str) -> VisiblePersona:
        return self._places.at(self._places.numbers[name], self._step)

    def __contains__(self, name: object) -> bool:
        return name in self._places.numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._places.names)

    def __len__(self) -> int:
        return len(self._places.names)

    def on(self, tile: Tile) -> Sequence[VisiblePersona]:
        if (number := self._places.behind(self._step, tile)) is not None:
            raise self._places.not_yet(number)
        return self._places.on_tile(tile, self._step)

    def who_use(self, address: str) -> Sequence[VisiblePersona]:
        self._check_all()
        return self._places.at_address(address, self._step)

    def uses(self, address: str) -> bool:
        if self._places.at_address(address, self._step):
            return True
        self._check_all()
        return False

    def _check_all(self) -> None:
        if (number := self._places.behind(self._step)) is not None:
            raise self._places.not_yet(number)


class CommonSenseAt(Mapping[str, UsualPlace]):
    """Common sense of a town in one step: what was learned in all steps before it.

    `known` has what was learned in the steps that everybody has left behind.
    """

    def __init__(self, known: CommonSense, check: Callable[[], None]) -> None:
        """`check` raises NotYetCertain if somebody is at an earlier step."""
        self._known, self._check = known, check

    def __getitem__(self, text: str) -> UsualPlace:
        if text not in self._known:
            self._check()
        return self._known[text]

    def __iter__(self) -> Iterator[str]:
        self._check()
        return iter(self._known)

    def __len__(self) -> int:
        self._check()
        return len(self._known)
