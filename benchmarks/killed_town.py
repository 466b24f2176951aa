"""Kills the processes of `start.py`: itself, the engine, the environment server, and a branch in the background.

A town runs to its end, and a branch of it beside it, while they are killed from their first millisecond on. What is
there goes on by its name alone.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ville.errors import ReverieError
from ville.storage.exchange.background_files import BackgroundFiles
from ville.storage.exchange.inbox import Inbox
from ville.storage.exchange.temp_storage import TempStorage
from ville.storage.records.lock import is_locked
from ville.storage.records.meta import META, read_meta

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import start
start.install = lambda _: None
start.run_script = lambda *_: 0
sys.argv[0] = "start.py"
sys.exit(start.main())
"""
"""start.py, without installing anything and without asking whether Phaser is there."""
MARKS = {"engine": "--serve", "environment": "manage.py", "background": "ville.jobs.worker"}
"""Text in the command line of each kind of process."""
VICTIMS = ("start.py", *MARKS)
TOWN, BRANCH = "town", "beside"
SLOWEST_KILL = 3.0
"""Longest time between two kills, in seconds."""
AGAIN = 1.0
"""Seconds after which something is asked for again."""
ORPHANED = 60.0
"""Seconds after which a process without its parent counts as left."""


@dataclass(frozen=True)
class TownPlan:
    """Plan of the town and its branch."""

    base: str
    steps: int
    moment: int
    """Where the branch begins."""
    rows: Sequence[Mapping[str, Any]]
    """Interventions that the branch begins with."""
    seed: int
    """Of the branch."""


@dataclass
class KilledTown:
    """One town, from its first start to its end."""

    root: Path
    """With storage/ and temp/."""
    environment: Mapping[str, str]
    plan: TownPlan
    kills: Counter[str]
    """Those that are still to be made, by victim."""
    chance: random.Random
    deaths: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._temp = TempStorage(self.root / "temp")
        self._asked: Counter[str] = Counter()
        self._last_asked: dict[str, float] = {}
        self._known: set[int] = set()
        """Processes that start.py has started."""

    def live(self) -> None:
        """Kill until all kills are made, and run to the end."""
        process = self._start()
        due = self._due()
        while not (self._step(TOWN) == self._step(BRANCH) == self.plan.steps):
            if process.poll() is not None:
                self._wait_for_orphans()
                process = self._start()
            self._known |= set(descendants(process.pid))
            self._ask()
            if self.kills and time.monotonic() > due and self._kill(process):
                due = self._due()
            time.sleep(0.01)
        self._known |= set(descendants(process.pid))
        process.send_signal(signal.SIGTERM)
        process.wait()
        self._wait_for_orphans()
        self.faults += [f"{name} is locked" for name in (TOWN, BRANCH) if is_locked(self._folder(name))]

    def _start(self) -> "subprocess.Popen[bytes]":
        """Start the town by its name if it is there, else by what it is forked from."""
        made = ["--base", self.plan.base] if self._step(TOWN) is None else []
        flags = ["--no-browser", "--name", TOWN, *made]
        with (self.root / "start.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", PROGRAM, *flags],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def _due(self) -> float:
        return time.monotonic() + self.chance.uniform(0, SLOWEST_KILL)

    def _kill(self, process: "subprocess.Popen[bytes]") -> bool:
        """Kill one of those that are to be killed, if it is there."""
        there = {"start.py": process.pid} | {
            what: pid for pid in descendants(process.pid) for what, mark in MARKS.items() if mark in command_of(pid)
        }
        wanted = sorted(what for what in there if self.kills[what] > 0)
        if not wanted:
            return False
        victim = self.chance.choice(wanted)
        with suppress(ProcessLookupError):
            os.kill(there[victim], signal.SIGKILL)
            self.kills[victim] -= 1
            self.deaths[victim] += 1
            self.kills += Counter()  # drops what is done
        if victim == "start.py":
            process.wait()
        return True

    def _ask(self) -> None:
        """Ask for what is not going on: the run of the town, and the branch."""
        with suppress(ReverieError):
            status, step = self._temp.status(), self._step(TOWN)
            if step is None or self._temp.engine_age() > AGAIN:
                return
            if status.get("sim_code") == TOWN and status.get("state") == "waiting" and step < self.plan.steps:
                self._send(TOWN, "run", until=self.plan.steps)
            if step >= self.plan.moment and self._branch_is_over():
                self._send(None, "branch", **self._branch())

    def _branch_is_over(self) -> bool:
        found = BackgroundFiles(self.root / "temp").all()
        going = any(status.sim_code == BRANCH and not status.is_over for status in found)
        return not going and not is_locked(self._folder(BRANCH)) and self._step(BRANCH) != self.plan.steps

    def _branch(self) -> dict[str, Any]:
        if self._step(BRANCH) is not None:
            return {"from": BRANCH, "name": BRANCH, "until": self.plan.steps}
        begins = {"interventions": list(self.plan.rows), "seed": self.plan.seed}
        return {"from": f"{TOWN}@{self.plan.moment}", "name": BRANCH, "until": self.plan.steps, **begins}

    def _send(self, simulation: str | None, request: str, **fields: Any) -> None:
        """Send a request, unless that was done a moment ago."""
        if time.monotonic() - self._last_asked.get(request, -AGAIN) < AGAIN:
            return
        self._last_asked[request] = time.monotonic()
        self._asked[request] += 1
        name = f"{request}-{self._asked[request]}-{time.time_ns()}"
        Inbox(self.root / "temp", simulation).send({"id": name, "request": request, "door": "page", **fields})

    def _folder(self, name: str) -> Path:
        return self.root / "storage" / name

    def _step(self, name: str) -> int | None:
        """Return the step at which a simulation was saved; None if there is none."""
        return read_meta(meta).step if (meta := self._folder(name) / META).exists() else None

    def _wait_for_orphans(self) -> None:
        """Wait until all that start.py has started has ended; what has not is a fault, and is ended."""
        until = time.monotonic() + ORPHANED
        while (left := [pid for pid in self._known if command_of(pid)]) and time.monotonic() < until:
            time.sleep(0.05)
        for pid in left:
            self.faults.append(f"left behind: {command_of(pid)}")
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._known = set()


def descendants(process: int) -> Iterator[int]:
    """Yield the processes that a process has started, and what these have started."""
    parents = dict(_parents())
    found = {process}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    yield from found - {process}


def _parents() -> Iterator[tuple[int, int]]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            yield int(stat.parent.name), int(stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1])


def command_of(process: int) -> str:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""
