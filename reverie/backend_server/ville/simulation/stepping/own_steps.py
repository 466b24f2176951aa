"""Steps of a town in which everybody goes on as soon as nobody at an earlier step can come near.

Everybody does in each step what `advance` does for all of them, and in the end the same has happened. Reports come in
the order of steps, as soon as everybody has left a step behind. At the beginning and at the end, all are at one step.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np

from ville.errors import ReverieError
from ville.llm.gateway import Models
from ville.persona.cognitive_modules.view import Intent, People, Talk, TownView
from ville.persona.memory_structures.common_sense import UsualPlace
from ville.simulation.clock import Clock
from ville.simulation.services import RunServices
from ville.simulation.stepping.arrive import arrive, show_events
from ville.simulation.stepping.places_in_time import CommonSenseAt, EveryoneAt, PlacesInTime
from ville.simulation.stepping.stage import Positions
from ville.simulation.stepping.step import (
    Pair,
    StepContext,
    StepReport,
    close,
    free_to_talk,
    meet,
    move_of,
    pair_up,
    raise_named,
    think_guarded,
)
from ville.simulation.town import Town
from ville.storage.steps.step_files import MoveRecord
from ville.world.certainty import WAITED, NotYetCertain, Waited
from ville.world.reach import Reach


@dataclass(frozen=True)
class Gain:
    """Time gained by letting people be ahead of others."""

    lockstep: float = 0.0
    """Seconds that the same steps may have taken in lockstep: the longest thought and the longest talk of each, which
    others may have slowed down.
    """
    taken: float = 0.0
    """Seconds that they took."""
    ahead: int = 0
    """Most steps by which somebody was ahead of others."""

    def __add__(self, other: "Gain") -> "Gain":
        return Gain(self.lockstep + other.lockstep, self.taken + other.taken, max(self.ahead, other.ahead))


@contextmanager
def _timing(spans: list[float]) -> Iterator[None]:
    """Add the seconds that pass in this context, without those of waiting for what is not certain."""
    began, waited = monotonic(), Waited()
    token = WAITED.set(waited)
    try:
        yield
    finally:
        WAITED.reset(token)
        spans.append(monotonic() - began - waited.seconds)


@dataclass
class _Step:
    """A step that somebody is at or ahead of, and not everybody has left behind."""

    context: StepContext
    intents: dict[int, Intent] = field(default_factory=dict)
    """Of those who have thought, by the number of the person."""
    moves: dict[int, MoveRecord] = field(default_factory=dict)
    """Of those who have left it behind."""
    learned: dict[int, dict[str, UsualPlace]] = field(default_factory=dict)
    asleep: set[str] = field(default_factory=set)
    thinking: list[float] = field(default_factory=list)
    talking: list[float] = field(default_factory=list)
    """Seconds that each thought and each talk took, without those in which others were waited for."""

    @property
    def report(self) -> StepReport:
        return self.context.report


class OwnSteps:
    """Steps of a town, from the one that it is at, each person's its own."""

    def __init__(
        self,
        town: Town,
        models: Models,
        positions: Positions,
        *,
        services: RunServices,
        until: int,
        reach: Reach | None = None,
    ) -> None:
        """`until` is the step at which it ends. With `reach`, people wait only for who can come into their arena."""
        self._town, self._models, self._services = town, models, services
        self._until = until
        arrive(town, positions)
        town.newcomers.clear()
        self._clock, first = town.clock, town.clock.step
        radius = max((each.scratch.tuning.vision_r for each in town.personas.values()), default=0)
        self._people = list(town.personas.values())
        self._where = PlacesInTime(town.shown_people, first, radius, rooms=reach)
        self._view = town.view(town.shown_people)
        self._steps: dict[int, _Step] = {}
        self._over = first
        """The earliest step that is not over."""
        self._due: dict[int, set[int]] = {first: set(range(len(self._people)))}
        """Who is to be looked at, by their steps."""
        self._busy = np.zeros(len(self._people), dtype=bool)
        """Who thinks or talks."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._began, self._idle = monotonic(), 0.0
        self.gain = Gain()
        self._reports: deque[StepReport] = deque()
        self._moves: dict[str, MoveRecord] = {}
        """Those of the last step that is over: the same object as long as they are the same."""

    async def reports(self, is_to_end: Callable[[], bool]) -> AsyncGenerator[StepReport, None]:
        """Yield the reports of the steps, in order. As soon as it is to end, nobody begins a step that nobody has
        begun. If something fails, people are at steps of their own.
        """
        try:
            while self._over < self._until or self._reports:
                if is_to_end():
                    self._end_soon()
                self._go_on()
                while self._reports:
                    self._town.clock = self._town.clock.ticked()
                    yield self._reports.popleft()
                await self._wait()
        finally:
            await self._cancel()
            self._gain_in_all()
        self._place(range(len(self._people)))
        self._town.shown_people = People({each.name: self._where.now(n) for n, each in enumerate(self._people)})

    @property
    def is_level(self) -> bool:
        """Whether everybody is at the step that the clock says, so that the town can be saved."""
        level = (self._where.steps == self._town.clock.step) & ~self._busy
        return not self._reports and bool(level.all())

    def _gain_in_all(self) -> None:
        """Add the time of the engine itself to both, as it takes it whoever waits for whom."""
        taken = monotonic() - self._began
        self.gain += Gain(lockstep=taken - self._idle, taken=taken)

    def _end_soon(self) -> None:
        """Let the stretch end at the earliest step that nobody has begun."""
        begun = [at + self._has_begun(number, at) for number, at in enumerate(self._where.steps.tolist())]
        self._until = min(self._until, max(*begun, self._clock.step + 1))

    def _has_begun(self, number: int, step: int) -> bool:
        return bool(self._busy[number]) or (step in self._steps and number in self._steps[step].intents)

    async def _wait(self) -> None:
        """Let tasks go on; wait for one to end if there is nothing else to do. Raises what a task raised."""
        if not self._due and self._over < self._until:
            began = monotonic()
            await self._changed.wait()
            self._idle += monotonic() - began
        await asyncio.sleep(0)
        self._changed.clear()
        for task in [task for task in self._tasks if task.done()]:
            self._tasks.discard(task)
            task.result()

    async def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Who is looked at: those at the earliest steps first.

    def _look_at(self, numbers: Iterable[int]) -> None:
        """Look at people again soon."""
        for number in numbers:
            self._due.setdefault(int(self._where.steps[number]), set()).add(number)
        self._changed.set()

    def _look_after(self, change: "asyncio.Future[None]", number: int) -> None:
        """Look at a person again after a change."""
        change.add_done_callback(lambda _: self._look_at([number]))

    def _go_on(self) -> None:
        """Look at those who are due at the earliest step."""
        if not self._due:
            return
        number = min(self._due)
        due = sorted(each for each in self._due.pop(number) if self._where.steps[each] == number)
        if number >= self._until:
            return
        step, first = self._step(number), number == self._where.earliest
        arriving = self._where.arriving(np.flatnonzero(self._where.steps == number).tolist())
        if first:  # nobody is behind
            self._place(arriving)
        for each in due:
            if each not in step.intents and not self._busy[each]:
                self._begin(step, each, None if first else self._held_by(each, arriving))
        self._settle(number, step, [each for each in due if each in step.intents])

    def _held_by(self, number: int, arriving: list[int]) -> int | None:
        """Return for whom a person, or one in its sight, has to wait; if for nobody, put them on the map.

        `arriving` are those who have come to the same step.
        """
        if (held := self._where.held_by(number)) is not None or not arriving:
            return held
        others = self._where.in_sight(number, np.array(arriving)).tolist()
        for each in others:
            if each != number and (held := self._where.held_by(each)) is not None:
                return held
        self._place(others)
        return None

    def _place(self, numbers: Iterable[int]) -> None:
        """Put people on the map who have come to their step."""
        for number in self._where.arriving(numbers):
            tile = self._where.place(number)
            show_events(self._town, tile, self._where.on(tile))

    def _step(self, number: int) -> _Step:
        if number not in self._steps:
            clock, view = self._clock_at(number), self._view_at(number)
            report = StepReport(number, clock.now)
            context = StepContext(
                self._models,
                self._services,
                self._town.personas,
                view=view,
                report=report,
                attempts=lambda model: self._attempts(model, number),
            )
            self._steps[number] = _Step(context)
        return self._steps[number]

    def _clock_at(self, step: int) -> Clock:
        passed = (step - self._clock.step) * (self._clock.ticked().now - self._clock.now)
        return replace(self._clock, step=step, now=self._clock.now + passed)

    def _view_at(self, step: int) -> TownView:
        sense = CommonSenseAt(self._town.common_sense, lambda: self._check_over(step))
        people = EveryoneAt(self._where, step)
        return replace(self._view, step=step, now=self._clock_at(step).now, people=people, common_sense=sense)

    def _attempts(self, model: str, step: int) -> int:
        self._check_over(step)
        return self._services.breaker.attempts(model)

    def _check_over(self, step: int) -> None:
        """Raise NotYetCertain if an earlier step is not over."""
        if (number := self._where.behind(step)) is not None:
            raise self._where.not_yet(number)

    # What people do in a step: think, talk, go on.

    def _begin(self, step: _Step, number: int, held: int | None) -> None:
        """Let a person think, unless it has to wait for somebody."""
        if held is not None:
            self._look_after(self._where.change(held), number)
            return
        persona = self._people[number]
        try:
            intent = persona.routine_step(step.context.view)
        except NotYetCertain as wait:
            self._look_after(wait.change, number)
            return
        except ReverieError as fault:
            raise_named(fault, persona.name)
        if intent is None:
            self._start([number], self._think(step, number))
        else:
            step.intents[number] = intent

    def _start(self, numbers: Iterable[int], work: Coroutine[object, None, None]) -> None:
        self._busy[list(numbers)] = True
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._changed.set())

    async def _think(self, step: _Step, number: int) -> None:
        with _timing(step.thinking):
            step.intents[number] = await think_guarded(self._people[number], step.context)
        self._busy[number] = False
        self._look_at([number])

    def _settle(self, number: int, step: _Step, thought: Iterable[int]) -> None:
        """Let those go on who have thought, with all with whom they go on together."""
        at_step = np.flatnonzero(self._where.steps == number).tolist()
        here = [each for each in at_step if not (self._busy[each] and each in step.intents)]  # without those who talk
        if all(each in step.intents for each in here):
            self._go_together(step, here)
            return
        for group in self._groups(thought, here):
            if all(each in step.intents for each in group):
                self._go_together(step, group)

    def _groups(self, people: Iterable[int], here: list[int]) -> list[list[int]]:
        """Return with whom each of these goes on together, of those who are at the same step."""
        groups, left = list[list[int]](), dict.fromkeys(here)
        for each in people:
            if each in left:
                groups.append(self._where.together(each, np.array(list(left))))
                left = {other: None for other in left if other not in groups[-1]}
        return groups

    def _go_together(self, step: _Step, group: list[int]) -> None:
        """Let people who have all thought begin their talks; the others go on."""
        wishes = [step.intents[each] for each in group if isinstance(step.intents[each].reaction, Talk)]
        pairs = list[Pair]()
        if wishes:
            people = {self._people[each].name: self._people[each] for each in group}
            pairs = pair_up(wishes, free_to_talk(people, wishes, step.report))
        talking = set[int]()
        for pair in pairs:
            numbers = [self._where.numbers[name] for name in pair]
            talking.update(numbers)
            self._start(numbers, self._talk(step, pair, numbers))
        self._leave(step, [each for each in group if each not in talking])

    async def _talk(self, step: _Step, pair: Pair, numbers: list[int]) -> None:
        with _timing(step.talking):
            await meet(self._town, step.context, pair)
        if pair in step.report.talks:
            for each in numbers:
                step.intents[each] = self._people[each].carry_on(step.context.view)
        self._busy[numbers] = False
        self._leave(step, numbers)

    def _leave(self, step: _Step, numbers: list[int]) -> None:
        """Let people take their step, and close the steps that are over then."""
        town = self._town
        for number in numbers:
            persona, intent = self._people[number], step.intents[number]
            step.moves[number] = move_of(persona, intent)
            if intent.asleep:
                step.asleep.add(persona.name)
            if persona.mind.learned:
                step.learned[number] = dict(persona.mind.learned)
                persona.mind.learned.clear()
            before, town.tiles[persona.name] = self._where.now(number), intent.next_tile
            self._where.arrive(number, persona.as_seen(intent.next_tile))
            if self._where.arriving([number]):
                show_events(town, before.tile, self._where.on(before.tile))
        self._look_at(numbers)
        if self._over == self._where.earliest:
            return
        while self._over < self._where.earliest:
            self._close(self._steps.pop(self._over))
            self._over += 1
        self._where.forget_before(self._over)

    def _close(self, step: _Step) -> None:
        """Bring the report of a step that is over into the order in which `advance` gives it."""
        report, names = step.report, self._where.names
        order = self._where.numbers
        moves = {names[number]: step.moves[number] for number in sorted(step.moves)}
        report.moves = self._moves = self._moves if moves == self._moves else moves
        report.asleep = frozenset(step.asleep)
        report.talks = {pair: report.talks[pair] for pair in sorted(report.talks, key=lambda pair: order[pair[0]])}
        report.tallies = {name: report.tallies[name] for name in sorted(report.tallies, key=order.__getitem__)}
        report.failures = {name: report.failures[name] for name in sorted(report.failures, key=order.__getitem__)}
        for number in sorted(step.learned):
            for text, usual in step.learned[number].items():
                self._town.common_sense.setdefault(text, usual)
        spans = max(step.thinking, default=0.0) + max(step.talking, default=0.0)
        self.gain += Gain(lockstep=spans, ahead=int(self._where.steps.max()) - report.step - 1)
        self._services.begin_step(report.step)
        close(report, self._services)
        self._reports.append(report)
