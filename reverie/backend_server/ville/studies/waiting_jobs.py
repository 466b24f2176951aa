"""The jobs of a study that can be begun now, found without a look at all others."""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from ville.studies.job import StudyJob


class WaitingJobs:
    """Jobs that can be begun, in the order of the study."""

    def __init__(self, jobs: Mapping[str, StudyJob], is_ready: Callable[[StudyJob], bool]) -> None:
        self._jobs = list(jobs.values())
        self._is_ready = is_ready
        self._places = {run: place for place, run in enumerate(jobs)}
        self._after: dict[str, list[str]] = {}
        """Jobs that need another one to be over, by its run."""
        for job in self._jobs:
            for run in dict.fromkeys(job.needs):
                self._after.setdefault(run, []).append(job.run)
        self._ready = [place for place, job in enumerate(self._jobs) if is_ready(job)]
        """Places, as a heap: also of some that are not ready any more."""

    def needing(self, run: str) -> list[str]:
        """Return the jobs that begin with what another one leaves, or take its answers."""
        return self._after.get(run, [])

    def changed(self, run: str) -> None:
        """Note that a job has another state now."""
        for each in (run, *self.needing(run)):
            place = self._places[each]
            if self._is_ready(self._jobs[place]):
                heappush(self._ready, place)

    def next(self) -> StudyJob | None:
        """Return the first job that can be begun; None if there is none."""
        while self._ready:
            if self._is_ready(job := self._jobs[self._ready[0]]):
                return job
            heappop(self._ready)
        return None
