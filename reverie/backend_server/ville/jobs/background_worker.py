"""The program of a simulation in the background: makes it, runs it, and reports how far it has come.

Its input is a job in one line of JSON. It stops after its current step when its input ends, or at a signal.
"""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.console import run_shell
from ville.errors import ReverieError
from ville.jobs.background_job import BackgroundJob
from ville.jobs.tied import at_end_of
from ville.settings import Settings, load_settings
from ville.simulation.heartbeat import beating, cost_of
from ville.simulation.run import StopRequest, run, stop_on_interrupt
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport
from ville.storage.dates import time_text
from ville.storage.exchange.background import BackgroundFiles, BackgroundStatus
from ville.storage.shapes import CostShape
from ville.terminal.session import run_session
from ville.terminal.terminal import Terminal


def main() -> int:
    return run_session(_session)


async def _session(_terminal: Terminal) -> int:
    line = sys.stdin.buffer.readline()
    if not line:  # the engine ended at once
        return 0
    job = BackgroundJob(**json.loads(line))
    settings = load_settings(job.settings)
    work = _BackgroundWork(job, settings, BackgroundFiles(settings.fs_temp_storage))
    loop = asyncio.get_running_loop()

    def stop() -> None:
        with suppress(RuntimeError):  # the program is ending
            loop.call_soon_threadsafe(work.stop)

    with stop_on_interrupt(work.stop_request, stop):
        at_end_of(sys.stdin.fileno(), stop)
        await work.carry_out()
    return 0


class _BackgroundWork:
    """Carries out one job."""

    def __init__(self, job: BackgroundJob, settings: Settings, files: BackgroundFiles) -> None:
        self._job, self._settings, self._files = job, settings, files
        self.stop_request = StopRequest()
        self._opening: asyncio.Task[Simulation] | None = None
        self._simulation: Simulation | None = None
        again = {"state": "recomputing", "first_step": job.first_step - job.again, "step": job.first_step - job.again}
        begins = again if job.again else {"state": "copying"}
        self._status = job.status.model_copy(update={**begins, "until_step": job.first_step})

    def stop(self) -> None:
        """Stop after the current step; while the simulation is being made, there will be none."""
        self.stop_request.request()
        if self._opening:
            self._opening.cancel()

    async def carry_out(self) -> None:
        """Make the simulation and run it, while its status is kept up to date. Errors are in the status."""
        try:
            with beating(lambda: self._files.write(self._now())):
                await self._make_and_run()
        except ReverieError as fault:
            self._note(state="failed", fault=str(fault))
        self._files.write(self._status)

    async def _make_and_run(self) -> None:
        self._opening = asyncio.create_task(self._open())
        try:
            simulation = await self._opening
        except asyncio.CancelledError:
            self._note(state="stopped")
            return
        self._note(notes=" ".join(simulation.notes))
        try:
            self._simulation = simulation
            await self._run(simulation)
        finally:
            self._simulation = None
            await simulation.close()

    async def _open(self) -> Simulation:
        job = self._job
        return await open_at(
            self._settings,
            job.origin,
            job.name,
            beginning=Beginning(title=job.title, added=job.planned(), request=job.request),
            watch=self._show_retraced,
        )

    def _show_retraced(self, report: StepReport, left: int) -> None:
        self._note(step=self._job.first_step - left, curr_time=time_text(report.now))

    async def _run(self, simulation: Simulation) -> None:
        """Run to the end of the job, and save. Raises a ReverieError, after saving."""
        job, control = self._job, simulation.control
        self._note(state="running", first_step=job.first_step, until_step=job.until_step)
        simulation.save()
        control.go(job.until_step, until_talk=job.until_talk)
        try:
            autosave, stop = self._settings.autosave, self.stop_request
            await run(simulation, simulation.steps_left, autosave=autosave, watch=lambda _: None, stop=stop)
        finally:
            simulation.save()
            self._status = self._with_progress(simulation)
        self._note(state="stopped" if control.ended == "stopped" else "done")

    def _note(self, **changes: Any) -> None:
        self._status = self._status.model_copy(update=changes)

    def _now(self) -> BackgroundStatus:
        """Return how far it has come. May be called by another thread."""
        simulation = self._simulation
        return self._with_progress(simulation) if simulation else self._status

    def _with_progress(self, simulation: Simulation) -> BackgroundStatus:
        clock, cost = simulation.clock, cost_of(simulation.services)
        progress = {"step": clock.step, "curr_time": time_text(clock.now), "models": simulation.services.models_line}
        return self._status.model_copy(update={**progress, "cost": CostShape(**cost) if cost else None})


if __name__ == "__main__":
    run_shell(main)
