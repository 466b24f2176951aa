"""Carries out runs in processes of this machine."""

import json
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import IO

from ville.assembly.model_choice import chat_config
from ville.errors import ReverieError
from ville.jobs.job_report import JobReport
from ville.jobs.run_spec import RunSpec
from ville.jobs.worker import STOP
from ville.jobs.worker_process import WorkerProcess, WorkerStarter
from ville.machine import processors
from ville.settings import load_settings

LONGEST_FAULT = 300
GRACE = 600.0
"""Seconds after which a worker that should save and end is killed."""


class _WorkerProcess:
    """A worker, and the run that it has."""

    def __init__(
        self, reports: "queue.Queue[JobReport]", start: Callable[[IO[bytes]], WorkerProcess]
    ) -> None:  # fmt: skip
        self._reports = reports
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._process = start(self._errors)
        self.spec: RunSpec | None = None
        self.is_alive = True
        self._losing = threading.Lock()
        self._listening = threading.Thread(target=self._listen, name="reports", daemon=True)
        self._listening.start()

    def submit(self, spec: RunSpec) -> None:
        """Hand over a run. If the process has ended already, it is reported as lost."""
        self.spec = spec
        self._send(spec.as_json())
        if not self.is_alive:
            self._report_loss()

    def stop(self) -> None:
        self._send(STOP)

    def leave(self) -> None:
        """Let the process save and end."""
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()

    def close(self) -> None:
        """Let the process save and end, or kill it if it does not."""
        self.leave()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listening.join()

    def _send(self, values: object) -> None:
        if self._process.stdin:
            with suppress(OSError):  # it has ended, which `_listen` reports
                self._process.stdin.write(json.dumps(values, default=str) + "\n")
                self._process.stdin.flush()

    def _listen(self) -> None:
        """Pass on reports; if the process ends in the middle of a run, that is one, too. Runs in a thread."""
        with self._process.stdout or nullcontext(()) as lines:
            for line in lines:
                report = JobReport.of(json.loads(line))
                if report.is_final:
                    self.spec = None
                self._reports.put(report)
        self._process.wait()
        self.is_alive = False
        self._report_loss()
        self._errors.close()

    def _report_loss(self) -> None:
        """Report, once, that the run of a process that has ended is lost; nothing if it had none."""
        with self._losing:
            spec, self.spec = self.spec, None
        if spec:
            code = self._process.wait()
            fault = f"its process has ended: {self._why(code)}"
            self._reports.put(JobReport(spec.name, "lost" if code < 0 else "failed", fault=fault))

    def _why(self, code: int) -> str:
        """Return the last line that the process has written, or its exit code."""
        try:
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").split("\n")
        except (OSError, ValueError):
            lines = []
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return said[:LONGEST_FAULT] or (f"signal {-code}" if code < 0 else f"exit code {code}")


class LocalPool:
    """Worker processes, each of which has one run at a time."""

    def __init__(self, workers: int = 0) -> None:
        """`workers`: how many; 0: as many as there are processors."""
        self._most = workers or processors()
        self._workers: list[_WorkerProcess] = []
        self._starter = WorkerStarter(forks=self._most > 1)
        self._reports: queue.Queue[JobReport] = queue.Queue()

    @property
    def free(self) -> int:
        """How many more runs it can begin now."""
        return self._most - sum(worker.spec is not None for worker in self._workers)

    def submit(self, spec: RunSpec) -> None:
        """Begin a run in a worker that has none."""
        idle = next((worker for worker in self._workers if worker.is_alive and worker.spec is None), None)
        if idle is None:
            asks = _asks_model(spec)
            idle = _WorkerProcess(self._reports, lambda errors: self._starter.start(errors, asks=asks))
            self._workers.append(idle)
        idle.submit(spec)

    def reports(self, seconds: float) -> list[JobReport]:
        """Return what has been reported since the last call; wait so long for the first report."""
        found: list[JobReport] = []
        until = time.monotonic() + seconds
        with suppress(queue.Empty):
            found.append(self._reports.get(timeout=max(0.0, until - time.monotonic())))
            while True:
                found.append(self._reports.get_nowait())
        return found

    def stop(self, name: str = "") -> None:
        """Ask a run, or all of them, to save and stop after the current step."""
        for worker in self._workers:
            if worker.spec and name in {"", worker.spec.name}:
                worker.stop()

    def end_idle(self) -> None:
        """End the workers that have no run."""
        for worker in [each for each in self._workers if each.spec is None]:
            worker.leave()
            self._workers.remove(worker)
        if not self._workers:
            self._starter.close()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._starter.close()


def _asks_model(spec: RunSpec) -> bool:
    """Return whether a run asks a model; not if its settings are wrong, which its worker will say."""
    try:
        return chat_config(load_settings(spec.settings)) is not None
    except ReverieError:
        return False
