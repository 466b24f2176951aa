"""Steps of a run that are computed again and listened to: all between two checkpoints together, and each once."""

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.why.heard import HeardStep
from ville.assembly.same_draws import Asked, Place
from ville.assembly.traces import heard_steps
from ville.errors import BadMoment, ReverieError
from ville.settings import Settings
from ville.storage.past.checkpoints import stems

COMPRESSED = "a recording has no state from which its steps could be computed again."


class RetracedSteps:
    """Steps of one run that are computed again: what is heard in each, and what is asked.

    Use it only in a thread without a running event loop.
    """

    def __init__(self, settings: Settings, run: ComparedRun) -> None:
        self.run = run
        self._settings = settings
        self._heard: dict[int, HeardStep] = {}
        self._asked: dict[Place, Asked] = {}
        self._faults: dict[int, str] = {}
        """Why a stretch could not be computed to its end, by its first step; empty for those that could."""

    def listen(self, step: int) -> HeardStep | None:
        """Return what is heard in a step; None if it cannot be computed again."""
        if not self.run.compressed:
            self._compute(self._stretch(step))
        return self._heard.get(step)

    def fault(self, step: int) -> str:
        """Return why a step cannot be computed again."""
        return COMPRESSED if self.run.compressed else self._faults.get(self._stretch(step).start, "")

    def asked(self, steps: range) -> dict[Place, Asked]:
        """Return all questions of some steps. Raises BadMoment if one cannot be computed again."""
        for step in steps:
            if self.listen(step) is None:
                raise BadMoment(self.fault(step))
        return {place: each for place, each in self._asked.items() if place[0] in steps}

    def _compute(self, stretch: range) -> None:
        if stretch.start in self._faults:
            return
        self._faults[stretch.start] = ""
        try:
            for heard in heard_steps(self._settings, self.run, stretch, noted=self._asked):
                self._heard[heard.step] = heard
        except ReverieError as fault:
            self._faults[stretch.start] = str(fault)

    def _stretch(self, step: int) -> range:
        """Return the steps between two checkpoints of which one is a step."""
        saved = sorted({stem.step for stem in stems(self.run.folder.root)} | {self.run.meta.step})
        first = max((each for each in saved if each <= step), default=step)
        return range(first, next((each for each in saved if each > step), step + 1))
