"""A simulation that is running: the town, its models, the stage, and its folder."""

from dataclasses import replace

from ville.llm.gateway import Models
from ville.persona.persona import Persona
from ville.simulation.clock import Clock
from ville.simulation.services import RunServices
from ville.simulation.stage import AWAITING, Browser, Stage
from ville.simulation.step import StepReport, advance
from ville.simulation.town import Town
from ville.storage.lock import Lock
from ville.storage.meta import Meta
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.storage import delete

RUN_FILE = "run.json"
"""What classic readers do not know: the seed, and which embedder made the vectors."""
VECTOR_SIZE = "vector_size"
"""In that file: how many numbers a vector had when it was written."""
BREAKER_KEY = "fallbacks"
"""Where that file keeps the state of the breaker."""


def clock_from(meta: Meta) -> Clock:
    return Clock(start=meta.start_date, now=meta.curr_time, step=meta.step, seconds_per_step=meta.sec_per_step)


class Simulation:
    """Advances, saves, and knows whether it ever was saved."""

    def __init__(
        self,
        *,
        folder: SimulationFolder,
        lock: Lock,
        town: Town,
        models: Models,
        services: RunServices,
        stage: Stage,
    ) -> None:
        self.folder = folder
        self._lock = lock
        self.town = town
        self.models = models
        self.services = services
        self._has_save = True
        """Whether there is a save to go back to; a fresh fork has none."""
        self.until_step: int | None = None
        """Where the run that goes on will end; None between two runs."""
        self._stage = stage
        self._pending: StepReport | None = None
        """A step that was computed but could not be shown, because the disk refused."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def clock(self) -> Clock:
        return self.town.clock

    @property
    def browser(self) -> Browser:
        return self._stage.browser

    def waiting(self) -> str:
        """Return what a step is waiting for, in one line; empty if it is not worth mentioning."""
        return AWAITING if self.browser == "awaited" else self.services.status()

    def persona(self, name: str) -> Persona:
        return self.town.personas[name]

    async def advance(self) -> StepReport:
        """One step, computed and shown. Raises StorageError; then the same step is shown when next asked for one."""
        if self._pending is None:
            positions = await self._stage.positions(self.clock.step)
            self._pending = await advance(self.town, self.models, positions, services=self.services)
        return self._show(self._pending)

    def _show(self, report: StepReport) -> StepReport:
        self._stage.show(report.step, report.moves, report.now)
        self._pending = None
        return report

    def save(self) -> None:
        """Everything as it is now, at one instant. Raises CannotWrite; then the last save still stands."""
        if self._pending:
            self._show(self._pending)
        clock = self.clock
        meta = replace(self.folder.meta, curr_time=clock.now, step=clock.step)
        states = {name: persona.state() for name, persona in self.town.personas.items()}
        self.folder.save(meta, states, {RUN_FILE: self._run_state()})
        self._has_save = True
        for persona in self.town.personas.values():
            persona.saved()

    def _run_state(self) -> dict[str, object]:
        """What the next run of this simulation goes on with, unless it is told otherwise."""
        models = self.models
        language = {"language": models.language} if models.language else {}
        size = max((persona.mind.stream.vectors.size for persona in self.town.personas.values()), default=0)
        fallbacks = {BREAKER_KEY: state} if (state := self.services.breaker.state()) else {}
        return {"seed": models.seed, "embedder": models.embedder.name, VECTOR_SIZE: size, **language, **fallbacks}

    def save_seed(self) -> None:
        """Write a fresh fork anew, so that it will be resumed with its own seed. That does not count as a save."""
        self.save()
        self._has_save = False

    def revert(self) -> Meta | None:
        """Go back to the last save, on disk; without one, nothing is left. This object is of no use afterwards."""
        if self._has_save:
            self.folder.recover()
            return self.folder.meta
        if self.services.ledger:
            self.services.ledger.close()  # Windows removes no folder with an open file in it
        delete(self.folder)
        return None

    async def close(self) -> None:
        """Close connections, tell the pages that nothing more will come, and let others open it."""
        try:
            self._stage.close()
            await self.services.close()
        finally:
            self._lock.release()
