"""An engine for tests: it carries out jobs in this process."""

import asyncio

from ville.experiments.engine import JobReport, JobTask
from ville.experiments.job_run import JobRun
from ville.experiments.study_budget import StudyBudget
from ville.simulation.run import StopRequest


class InlineEngine:
    """Carries out each job at once; `stop_after` jobs it stops the next one in its middle."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.tasks: list[JobTask] = []
        self._reports: list[JobReport] = []
        self._left = stop_after

    @property
    def free(self) -> int:
        return 0 if self._reports else 1

    def submit(self, task: JobTask) -> None:
        self.tasks.append(task)
        stop = StopRequest()
        budget = StudyBudget.of(task.budget) if task.budget else None

        def watch(_report: JobReport) -> None:
            stop.requested = self._left is not None and len(self.tasks) > self._left

        run = JobRun(task, watch, stop, budget)
        self._reports.append(asyncio.run(run.carry_out()))
        if budget:
            budget.close()

    def reports(self, seconds: float) -> list[JobReport]:  # noqa: ARG002 - as the protocol says
        found, self._reports = self._reports, []
        return found

    def stop(self) -> None: ...

    def close(self) -> None: ...
