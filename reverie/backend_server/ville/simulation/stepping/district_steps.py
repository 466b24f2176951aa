"""Steps of a town whose minds live in districts, each in a process of its own: together what `advance` does.

The engine keeps the clock, the law of a step, and all files. It sends each district one message a step, and others in
steps in which somebody wants to talk. Who is approached by somebody of another district, or approaches them, moves
there for good: out of the larger district into the smaller one.
"""

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from ville.persona.cognitive_modules.mind import Mind, gather_all
from ville.persona.cognitive_modules.view import Intent, Talk, VisiblePersona
from ville.persona.memory_structures.common_sense import UsualPlace
from ville.persona.persona import Persona
from ville.persona.prompt_template.ask import Tally
from ville.simulation.services import RunServices
from ville.simulation.stepping.arrive import arrive
from ville.simulation.stepping.district import DistrictStep, DistrictTown, Mover, StepNews, divided
from ville.simulation.stepping.own_steps import Gain
from ville.simulation.stepping.stage import Positions
from ville.simulation.stepping.step import Pair, StepReport, close, pair_up
from ville.simulation.town import Town
from ville.storage.steps.step_files import MoveRecord
from ville.world.address import Tile

Each = TypeVar("Each")


class FarDistrict(Protocol):
    """A `MindDistrict` in another process."""

    async def settle(self, there: DistrictTown) -> None: ...

    async def think(self, news: StepNews) -> DistrictStep: ...

    async def free(self, wishes: Sequence[Intent]) -> tuple[set[str], dict[str, Tally]]: ...

    async def give(self, names: Sequence[str]) -> dict[str, Mover]: ...

    async def talk(self, pairs: Sequence[Pair], movers: Mapping[str, Mover]) -> DistrictStep: ...

    async def leave(self) -> dict[str, Mind]: ...


def _homes(town: Town) -> dict[str, Tile]:
    """Return a tile of the home of each persona."""
    homes = {name: persona.scratch.identity.living_area for name, persona in town.personas.items()}
    return {name: town.maze.address_tiles[home][0] for name, home in homes.items()}


def _pair(wish: Intent) -> tuple[str, ...]:
    """Return who wants to talk, and with whom."""
    return (wish.name, wish.reaction.to) if isinstance(wish.reaction, Talk) else (wish.name,)


class DistrictSteps:
    """Steps of a town, from the one that it is at. Minds are away from the first one until the last one is over."""

    gain = Gain()
    """Nobody is ahead of others."""

    def __init__(
        self, town: Town, positions: Positions, *, districts: Sequence[FarDistrict], services: RunServices, until: int
    ) -> None:
        """`until` is the step at which it ends."""
        self._town, self._services, self._districts, self._until = town, services, districts, until
        arrive(town, positions)
        town.newcomers.clear()
        self._order = {name: place for place, name in enumerate(town.personas)}
        parts = divided(_homes(town), len(districts))
        self._lives_in = {name: place for place, names in enumerate(parts) for name in names}
        self._seen: dict[str, VisiblePersona] = {}
        """Who has changed in the last step."""
        self._learned: dict[str, UsualPlace] = {}
        """New common sense since then."""
        self._moves = dict[str, tuple[MoveRecord, bool]]()
        self.is_level = True
        """Whether all minds are at home, as they are after a step."""

    async def reports(self, is_to_end: Callable[[], bool]) -> AsyncGenerator[StepReport, None]:
        """Yield the reports of the steps, in order, until it is to end. If a step fails, minds stay away."""
        self.is_level = within_step = False
        await self._settle()
        try:
            while self._town.clock.step < self._until:
                within_step = True
                report = await self._advance()
                self._town.clock = self._town.clock.ticked()
                within_step = False
                yield report
                if is_to_end():
                    break
        finally:
            if not within_step:
                await self._come_home()
                self.is_level = True

    async def _settle(self) -> None:
        """Let the people of each district move in there."""
        town = self._town
        town.look_at_all()
        await gather_all(
            district.settle(
                DistrictTown(
                    minds={name: town.personas[name].mind.to_move() for name in self._living_in(place)},
                    people=town.shown_people,
                    clock=town.clock,
                    rules=town.rules,
                    visitors=town.visitors.known,
                    common_sense=town.common_sense,
                )
            )
            for place, district in enumerate(self._districts)
        )

    def _living_in(self, place: int) -> list[str]:
        return [name for name in self._order if self._lives_in[name] == place]

    async def _come_home(self) -> None:
        """Let everybody move back into the town, where they are seen as they are now."""
        minds: dict[str, Mind] = {}
        for home in await gather_all(district.leave() for district in self._districts):
            minds |= home
        self._town.personas |= {name: Persona(minds[name]) for name in self._town.personas}

    async def _advance(self) -> StepReport:
        """Compute one step."""
        town, services, step = self._town, self._services, DistrictStep()
        report = StepReport(town.clock.step, town.clock.now)
        services.begin_step(report.step)
        fallbacks = services.breaker.state()
        for told in await gather_all(
            district.think(StepNews(self._changes_for(place), self._learned, fallbacks))
            for place, district in enumerate(self._districts)
        ):
            step.add(told)
        if step.wishes:
            await self._talk(step)
        self._seen, self._learned = step.seen, self._learn(step)
        self._show(step, report)
        close(report, services)
        return report

    def _changes_for(self, place: int) -> dict[str, VisiblePersona]:
        return {name: seen for name, seen in self._seen.items() if self._lives_in[name] != place}

    async def _talk(self, step: DistrictStep) -> None:
        """Let those talk who want to and can; add what comes of it."""
        wishes, step.wishes = self._in_order({intent.name: intent for intent in step.wishes}), []
        named = {name: self._lives_in[name] for wish in wishes.values() for name in _pair(wish)}
        free = set[str]()
        for theirs, tallies in await gather_all(
            self._districts[place].free(list(wishes.values())) for place in sorted(set(named.values()))
        ):
            free |= theirs
            step.tallies |= tallies
        pairs = pair_up(wishes.values(), free)
        movers = await self._bring_together(pairs)
        meeting = dict[int, list[Pair]]()
        for pair in pairs:
            meeting.setdefault(self._lives_in[pair[0]], []).append(pair)
        for told in await gather_all(
            self._districts[place].talk(here, {name: movers[name] for pair in here for name in pair if name in movers})
            for place, here in meeting.items()
        ):
            step.add(told)
        step.talks = {pair: step.talks[pair] for pair in pairs if pair in step.talks}

    async def _bring_together(self, pairs: Iterable[Pair]) -> dict[str, Mover]:
        """Let one of each pair move if they live in two districts; return those who do, as they leave."""
        moving = dict[int, list[str]]()
        sizes = [len(self._living_in(place)) for place in range(len(self._districts))]
        for pair in pairs:
            here, there = (self._lives_in[name] for name in pair)
            if here != there:
                name, to = (pair[0], there) if sizes[here] > sizes[there] else (pair[1], here)
                moving.setdefault(self._lives_in[name], []).append(name)
                sizes[self._lives_in[name]] -= 1
                sizes[to] += 1
                self._lives_in[name] = to
        left = await gather_all(self._districts[place].give(names) for place, names in moving.items())
        return {name: mover for movers in left for name, mover in movers.items()}

    def _learn(self, step: DistrictStep) -> dict[str, UsualPlace]:
        """Take over what was learned: of two the first counts. Return what is new."""
        known, new = self._town.common_sense, dict[str, UsualPlace]()
        for learned in self._in_order(step.learned).values():
            new |= {text: each for text, each in learned.items() if text not in known and text not in new}
        known |= new
        return new

    def _show(self, step: DistrictStep, report: StepReport) -> None:
        """Write into a report what has come of a step."""
        town = self._town
        if step.moves:
            self._moves |= step.moves
            town.moves = {name: self._moves[name][0] for name in self._order}
            town.asleep = frozenset(name for name, (_, asleep) in self._moves.items() if asleep)
        report.moves, report.asleep = town.moves, town.asleep
        report.talks = step.talks
        report.tallies = self._in_order(step.tallies)
        report.failures = self._in_order(step.failures)
        town.tiles |= {name: Tile(*move.movement) for name, (move, _) in step.moves.items()}

    def _in_order(self, by_name: Mapping[str, Each]) -> dict[str, Each]:
        return {name: by_name[name] for name in sorted(by_name, key=self._order.__getitem__)}
