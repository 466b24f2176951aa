"""Computes the steps of a simulation and shows them: all in lockstep, or with people at steps of their own."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Literal, Protocol

from ville.errors import StorageError
from ville.llm.gateway import Models
from ville.persona.persona import Persona
from ville.simulation.interventions.intake import Intake
from ville.simulation.services import RunServices
from ville.simulation.stepping.district_steps import DistrictSteps, FarDistrict
from ville.simulation.stepping.own_steps import Gain, OwnSteps
from ville.simulation.stepping.stage import Positions, Stage
from ville.simulation.stepping.step import StepReport, advance
from ville.simulation.town import Town
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.steps.hour_pack import HOUR
from ville.world.reach import Reach

Schedule = Literal["lockstep", "distance", "rooms"]


class StepLock(asyncio.Lock):
    """A lock that knows whether others wait for it."""

    awaited = 0
    """How many wait."""

    async def acquire(self) -> Literal[True]:
        self.awaited += 1
        try:
            return await super().acquire()
        finally:
            self.awaited -= 1


class Stepped(Protocol):
    """A simulation, as its steps change it."""

    folder: SimulationFolder
    town: Town
    models: Models
    services: RunServices
    intake: Intake
    stage: Stage
    schedule: Schedule
    districts: tuple[FarDistrict, ...]
    between_steps: StepLock


class Stepper:
    """Computes and shows steps of one simulation."""

    def __init__(self, simulation: Stepped) -> None:
        self._simulation = simulation
        self._pending: deque[StepReport] = deque()
        """Computed steps that could not be written, because of a disk error."""
        self.asked = 0
        """Questions that personas have asked."""
        self.gain = Gain()
        self.is_torn = False
        """Whether people are at steps of their own, because steps were given up."""

    async def advance(self) -> StepReport:
        """Compute and show a step, or show one that could not be written. Raises as `Simulation.advance` does."""
        async with self._simulation.between_steps:
            if not self._pending:
                await self._advance(await self._simulation.intake.apply_due())
            return self._show_next()

    async def _advance(self, interventions: list[str]) -> None:
        now = self._simulation
        positions = await now.stage.positions(now.town.clock.step)
        self._note(await advance(now.town, now.models, positions, services=now.services), interventions)

    async def own_steps(
        self, until: int, is_to_end: Callable[[], bool], *, reach: Reach | None
    ) -> AsyncGenerator[StepReport, None]:
        """Compute and show steps. Whoever waits for the lock ends it, and so does `is_to_end`, or a disk error."""
        now, failed = self._simulation, list[StorageError]()
        async with now.between_steps:
            if self._pending:
                yield self._show_next()
                return
            done = await now.intake.apply_due()
            if (end := self._can_lead_until(until)) <= now.town.clock.step + 1:
                await self._advance(done)
                yield self._show_next()
                return
            positions = await now.stage.positions(now.town.clock.step)
            steps = self._steps(positions, end, reach)
            try:
                reports = steps.reports(lambda: bool(failed or is_to_end() or now.between_steps.awaited))
                async with aclosing(reports):
                    async for report in reports:
                        self._note(report, done)
                        done = []
                        if not failed and (shown := self._try_to_show(failed)):
                            yield shown
            finally:
                self.is_torn, self.gain = not steps.is_level, self.gain + steps.gain
            if failed:
                raise failed[0]

    def _steps(self, positions: Positions, until: int, reach: Reach | None) -> OwnSteps | DistrictSteps:
        """Return steps for which minds are in districts, if there are any, or at steps of their own."""
        now = self._simulation
        if now.districts:
            districts = now.districts
            return DistrictSteps(now.town, positions, districts=districts, services=now.services, until=until)
        return OwnSteps(now.town, now.models, positions, services=now.services, until=until, reach=reach)

    def _can_lead_until(self, until: int) -> int:
        """Return the step until which people may be ahead of others, or away: not while somebody is seen or heard from
        outside, or minds read what they like; and not beyond the next intervention.
        """
        now, town, step = self._simulation, self._simulation.town, self._simulation.town.clock.step
        if now.schedule == "lockstep" and not now.districts:
            return step + 1
        if not now.stage.shows_steps_alone or town.modules.record or town.rules.pins:
            return step + 1
        outside = town.visitors.present or town.visitors.talks or town.occurrences or town.shown_occurrences
        if outside or not all(map(self._walks, town.personas.values())):
            return step + 1
        return min([until, *(each.step for each in now.intake.not_applied if each.step > step)])

    def _walks(self, persona: Persona) -> bool:
        """Return whether the way of a persona begins where it is."""
        way, tile = persona.scratch.planned_path, self._simulation.town.tiles.get(persona.name)
        return tile is not None and all(max(abs(x - tile.x), abs(y - tile.y)) <= 1 for x, y in way[:1])

    def _note(self, report: StepReport, interventions: list[str]) -> None:
        """Keep a step that is computed, and is to be shown."""
        report.interventions = tuple(interventions)
        self._pending.append(report)
        self.asked += sum(tally.asked for tally in report.tallies.values())

    def show_all(self) -> None:
        """Show all steps that could not be written. Raises StorageError."""
        while self._pending:
            self._show_next()

    def _try_to_show(self, failed: list[StorageError]) -> StepReport | None:
        try:
            return self._show_next()
        except StorageError as fault:
            failed.append(fault)
            return None

    def _show_next(self) -> StepReport:
        report, folder = self._pending[0], self._simulation.folder
        if report.ended:
            folder.write_ended([each.as_json() for each in report.ended])
        self._simulation.stage.show(report.step, report.moves, report.now)
        if not (report.step + 1) % HOUR:
            folder.pack(report.step + 1 - HOUR)  # those who follow the files have an hour to read them
        folder.expected = tuple(self._simulation.town.personas)
        return self._pending.popleft()
