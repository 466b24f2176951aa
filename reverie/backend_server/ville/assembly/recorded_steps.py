"""Steps of a run that are computed again and listened to: all between two checkpoints together, and each once."""

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.why.heard import HeardStep
from ville.assembly.same_draws import Place
from ville.assembly.traces import heard_steps
from ville.errors import BadMoment, ReverieError
from ville.llm.gateway import ChatRequest
from ville.settings import Settings
from ville.storage.past.checkpoints import stems

COMPRESSED = "a recording has no state from which its steps could be computed again."


class RecordedSteps:
    """What is heard in the steps of one run, and what is asked.

    Use it only in a thread without a running event loop.
    """

    def __init__(self, settings: Settings, run: ComparedRun) -> None:
        self.missing = COMPRESSED if run.compressed else ""
        """Why a step could not be computed again; empty so far."""
        self.run = run
        self._settings = settings
        self._heard: dict[int, HeardStep] = {}
        self._requests: dict[Place, ChatRequest] = {}
        self._computed: set[int] = set()
        """First steps of the stretches that have been computed."""

    def listen(self, step: int) -> HeardStep | None:
        """Return what is heard in a step; None if it cannot be computed again."""
        if not self.missing:
            self._compute(step)
        return self._heard.get(step)

    def requests(self, steps: range) -> dict[Place, ChatRequest]:
        """Return all requests of some steps. Raises BadMoment if one cannot be computed again."""
        for step in steps:
            if self.listen(step) is None:
                raise BadMoment(f"Step {step:,} cannot be computed again: {self.missing}")
        return {place: request for place, request in self._requests.items() if place[0] in steps}

    def _compute(self, step: int) -> None:
        """Compute the stretch between two checkpoints that a step is in, unless that has been done."""
        stretch = self._stretch(step)
        if stretch.start in self._computed:
            return
        self._computed.add(stretch.start)
        try:
            for heard in heard_steps(self._settings, self.run, stretch, noted=self._requests):
                self._heard[heard.step] = heard
        except ReverieError as fault:
            self.missing = str(fault)

    def _stretch(self, step: int) -> range:
        saved = sorted({stem.step for stem in stems(self.run.folder.root)} | {self.run.meta.step})
        first = max((each for each in saved if each <= step), default=step)
        return range(first, next((each for each in saved if each > step), step + 1))
