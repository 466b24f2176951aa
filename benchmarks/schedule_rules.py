"""Rules of who waits for whom: in lockstep, or out of order by distance, rooms, stays or true interactions."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from math import inf

import numpy as np
from recorded_town import Levels, RecordedTown


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
        """Return which others can have come in so many steps to where a person is."""
        town, there = self.town, self.step[others]
        walk = town.walks[town.arenas[self.step[who], who], town.index[there, others]]
        in_time = (walk <= lead) | (town.town[others] != town.town[who])
        return in_time & (self._distance(who, others) <= town.sight + lead)

    def _meets(self, who: int, others: np.ndarray) -> np.ndarray:
        arenas, town = self.town.arenas[self.step[who]], self.town.town
        same = (arenas[others] == arenas[who]) & (town[others] == town[who])
        return same & (self._distance(who, others) <= self.town.sight)


class ByStays(ByRooms):
    """Who means to stay where it is stays there, as if that was certain: nobody speaks to it or is seen by it."""

    def _can_reach(self, who: int, others: np.ndarray, lead: np.ndarray) -> np.ndarray:
        leaves = self.town.stays[self.step[others], others]
        return super()._can_reach(who, others, np.minimum(lead, np.maximum(0, self.step[who] - leaves)))


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


RULES: Mapping[str, type[OutOfOrder]] = {
    "distance": ByDistance,
    "rooms": ByRooms,
    "stays": ByStays,
    "true": ByInteraction,
}
