"""A worker process of a study: takes tasks as lines of JSON on its input, and writes reports as lines on its output.

It stops after the current step, and saves, when it is told to or when its input ends.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ville.jobs.job_run import JobRun
from ville.jobs.pool import JobReport, JobTask
from ville.llm.accounting.study_budget import StudyBudget
from ville.simulation.run import StopRequest

STOP = {"stop": True}
"""The line that asks the current job to stop."""


class StudyWorker:
    """Carries out tasks one after the other."""

    def __init__(self) -> None:
        self._tasks: asyncio.Queue[JobTask | None] = asyncio.Queue()
        self._stop = StopRequest()
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a measure prints is not a report

    async def serve(self) -> None:
        """Carry out tasks until the input ends."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="tasks", daemon=True).start()
        while task := await self._tasks.get():
            self._report(await self._carry_out(task))
            self._stop.requested = False

    async def _carry_out(self, task: JobTask) -> JobReport:
        budget = StudyBudget.of(task.budget) if task.budget else None
        try:
            return await JobRun(task, self._report, self._stop, budget).carry_out()
        finally:
            if budget:
                budget.close()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what arrives. Runs in a thread of its own."""

        def then(act: Callable[..., None], *arguments: Any) -> None:
            with suppress(RuntimeError):  # the program is ending
                loop.call_soon_threadsafe(act, *arguments)

        for line in sys.stdin:
            values = json.loads(line)
            if values == STOP:
                then(self._stop.request)
            else:
                then(self._tasks.put_nowait, JobTask(**values))
        then(self._stop.request)
        then(self._tasks.put_nowait, None)

    def _report(self, report: JobReport) -> None:
        with suppress(OSError):  # the program that runs the study was killed
            self._out.write(json.dumps(report.as_json()) + "\n")
            self._out.flush()


def main() -> None:
    async def serve() -> None:
        await StudyWorker().serve()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
