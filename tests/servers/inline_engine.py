"""An engine for tests: it carries out jobs in this process."""

import asyncio
import threading

from ville.jobs.job_report import JobReport
from ville.jobs.job_run import JobRun
from ville.jobs.run_spec import RunSpec
from ville.llm.accounting.study_budget import StudyBudget
from ville.simulation.running.run_loop import StopRequest


class InlineEngine:
    """Carries out each job at once, or several in threads; after `stop_after` jobs it stops the next in its middle."""

    def __init__(self, stop_after: int | None = None, *, threads: int = 0) -> None:
        self.specs: list[RunSpec] = []
        self._reports: list[JobReport] = []
        self._left = stop_after
        self._threads = threads
        self._going: list[threading.Thread] = []

    @property
    def free(self) -> int:
        alive = sum(thread.is_alive() for thread in self._going)
        return self._threads - alive if self._threads else not self._reports

    def submit(self, spec: RunSpec) -> None:
        self.specs.append(spec)
        if not self._threads:
            self._carry_out(spec)
            return
        self._going.append(threading.Thread(target=self._carry_out, args=(spec,)))
        self._going[-1].start()

    def _carry_out(self, spec: RunSpec) -> None:
        stop = StopRequest()
        budget = StudyBudget.of(spec.budget) if spec.budget else None

        def watch(_report: JobReport) -> None:
            stop.requested = self._left is not None and len(self.specs) > self._left

        report = asyncio.run(JobRun(spec, watch, stop, budget).carry_out())
        if budget:
            budget.close()
        self._reports.append(report)

    def reports(self, seconds: float) -> list[JobReport]:
        if self._threads and not self._reports:
            threading.Event().wait(seconds)
        found, self._reports = self._reports, []
        return found

    def stop(self) -> None: ...

    def close(self) -> None:
        for thread in self._going:
            thread.join()
