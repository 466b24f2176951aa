"""A request to open a simulation, checked before anything is opened."""

from collections.abc import Mapping
from dataclasses import dataclass

from ville.assembly.forking import Beginning, BeginningHistory
from ville.settings import Settings, load_settings
from ville.simulation.interventions.intervention import Source
from ville.simulation.pacing.spans import steps_ahead
from ville.simulation.requests.engine_requests import EngineOpen
from ville.simulation.simulation import Simulation
from ville.simulation.talks.whispers import history_id, load_history
from ville.storage.folder.branches import read_branch
from ville.storage.history_file import find_history
from ville.storage.records.title import write_title

START = "start"
"""Id of the request of the command line."""


@dataclass(frozen=True)
class OpeningPlan:
    """Simulation to open, checked as far as that is possible without opening it."""

    request: EngineOpen
    settings: Settings

    @classmethod
    def of(cls, request: EngineOpen, flags: Mapping[str, object]) -> "OpeningPlan":
        """Check a request, and load the settings. Raises ReverieError."""
        seed = {} if request.seed is None else {"seed": request.seed}
        plan = cls(request, load_settings({**flags, **seed}))
        _ = request.span, request.pace, plan.beginning
        return plan

    @property
    def origin(self) -> str:
        """Return the simulation to open: itself if an engine has made it for this request, and crashed before it said
        so.

        Raises CorruptFile.
        """
        branch = read_branch(self.settings.fs_storage / self.request.name)
        is_made = branch is not None and branch.request == self.request.id != START
        return self.request.name if is_made else self.request.origin

    @property
    def beginning(self) -> Beginning:
        """Return how to begin a new simulation. Raises BadArgument and CorruptFile."""
        request = self.request
        own = "" if request.id == START else request.id
        if not request.past:
            return Beginning(title=request.title, request=own)
        history = find_history(self.settings.assets, request.past)
        source = Source(door=request.door, by=request.by, id=history_id(history))
        return Beginning(title=request.title, history=BeginningHistory(history, source), request=own)

    async def prepare(self, simulation: Simulation) -> None:
        """Give a simulation its past, title and speed, and check the end of its run. Raises ReverieError."""
        request = self.request
        if history := self.beginning.history:
            simulation.said.add(await load_history(simulation, *history))
        if request.title:
            write_title(simulation.folder.root, request.title)
        if request.span:
            steps_ahead(simulation.clock, request.span)
        if request.pace:
            simulation.control.speed = request.pace
