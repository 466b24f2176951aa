"""A worker process: takes specs as lines of JSON on its input, and writes reports as lines on its output.

It stops after the current step, and saves, when it is told to, when its input ends, or at a signal. The signal ends it
then, without a final report.
"""

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ville.jobs.job_report import JobReport, branch_status
from ville.jobs.job_run import JobRun
from ville.jobs.run_spec import RunSpec
from ville.llm.accounting.study_budget import StudyBudget
from ville.settings import load_settings
from ville.simulation.running.heartbeat import beating
from ville.simulation.running.run_loop import StopRequest, stop_on_interrupt
from ville.storage.exchange.background_files import BackgroundFiles

STOP = {"stop": True}
"""The line that asks the current run to stop."""


class Worker:
    """Carries out runs one after the other."""

    def __init__(self) -> None:
        self._specs: asyncio.Queue[RunSpec | None] = asyncio.Queue()
        self._signalled, self._stop = StopRequest(), StopRequest(leaves=True)
        self._run: JobRun | None = None
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a measure prints is not a report

    async def serve(self) -> int:
        """Carry out runs until the input ends; return the number of the signal that has ended it, or 0."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="specs", daemon=True).start()

        def end() -> None:
            loop.call_soon_threadsafe(self._end)

        with stop_on_interrupt(self._signalled, end):
            while not self._signalled.requested and (spec := await self._specs.get()):
                report = await self._carry_out(spec)
                if not self._signalled.requested:
                    self._report(report)
                self._stop.requested = False
        return (self._signalled.signal_number or signal.SIGINT) if self._signalled.requested else 0

    async def _carry_out(self, spec: RunSpec) -> JobReport:
        budget = StudyBudget.of(spec.budget) if spec.budget else None
        self._run = run = JobRun(spec, self._report, self._stop, budget)
        try:
            with _watched(spec, run):
                return await run.carry_out()
        finally:
            self._run = None
            if budget:
                budget.close()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what arrives. Runs in a thread of its own."""

        def then(act: Callable[..., None], *arguments: object) -> None:
            with suppress(RuntimeError):  # the program is ending
                loop.call_soon_threadsafe(act, *arguments)

        for line in sys.stdin:
            values = json.loads(line)
            if values == STOP:
                then(self._stop_run)
            else:
                then(self._specs.put_nowait, RunSpec.of(values))
        then(self._end)

    def _stop_run(self) -> None:
        if self._run:
            self._run.stop()
        else:
            self._stop.request()

    def _end(self) -> None:
        """Stop the current run, and take no other one."""
        self._stop_run()
        self._specs.put_nowait(None)

    def _report(self, report: JobReport) -> None:
        with suppress(OSError):  # the program that has started this one was killed
            self._out.write(json.dumps(report.as_json()) + "\n")
            self._out.flush()


@contextmanager
def _watched(spec: RunSpec, run: JobRun) -> Iterator[None]:
    """Inside this context, keep the file up to date from which pages know how far a branch has come."""
    if spec.branch is None:
        yield
        return
    files = BackgroundFiles(load_settings(spec.settings).fs_temp_storage)
    with beating(lambda: files.write(branch_status(spec, run.now()))):
        yield
    files.write(branch_status(spec, run.now()))


def main() -> None:
    async def serve() -> int:
        return await Worker().serve()

    if number := asyncio.run(serve()):
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()
