"""Kills the program that runs a study, and its workers; the study goes on by its name alone."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from killed_town import ORPHANED, command_of, descendants

from ville.storage.records.lock import is_locked
from ville.storage.studies.study_folder import find_studies

SHELL = Path(__file__).resolve().parents[1] / "reverie" / "study.py"
VICTIMS = ("study", "worker")
NAME = "killed"
STUDY = """\
base: {base}
steps: {steps}
seeds: 2
settings: {{provider: offline, embedder: hashing}}
arms:
  plain: {{}}
  told: {{interventions: [{{step: {half}, kind: whisper, who: Klaus Mueller, words: The cafe is closed}}]}}
questions: [{{ask: "Who are you?"}}]
measures: [conversations]
"""
SLOWEST_KILL = 6.0
"""Longest time between two kills, in seconds."""


@dataclass
class KilledStudy:
    """One study, from its first start to its end."""

    root: Path
    """With storage/ and studies/."""
    environment: Mapping[str, str]
    kills: Counter[str]
    """Those that are still to be made, by victim."""
    chance: random.Random
    deaths: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def live(self, file: Path) -> None:
        """Kill until all kills are made or the study is done, and run it to its end."""
        while (process := self._run(file)) is None or process.returncode:
            pass

    def _run(self, file: Path) -> "subprocess.Popen[bytes] | None":
        """Run the study, and kill its program or some workers; return the process if it has ended by itself."""
        process = self._start(file)
        known: set[int] = set()
        due = self._due()
        while process.poll() is None:
            known |= (workers := set(descendants(process.pid)))
            there = {"study": [process.pid], "worker": sorted(workers)}
            wanted = sorted(what for what in VICTIMS if self.kills[what] > 0 and there[what])
            if wanted and time.monotonic() > due:
                victim = self.chance.choice(wanted)
                with suppress(ProcessLookupError):
                    os.kill(self.chance.choice(there[victim]), signal.SIGKILL)
                    self.kills[victim] -= 1
                    self.deaths[victim] += 1
                due = self._due()
            time.sleep(0.01)
        self._wait_for_orphans(known)
        if process.returncode not in {0, -signal.SIGKILL}:
            raise SystemExit(f"The study ended with exit code {process.returncode}; see {self.root / 'study.log'}.")
        return process if process.returncode == 0 else None

    def _start(self, file: Path) -> "subprocess.Popen[bytes]":
        """Run the study by its name if it is there, else by its file."""
        known = NAME in find_studies(self.root / "studies")
        what = ["retry", NAME] if known else ["run", str(file), "--name", NAME]
        with (self.root / "study.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, str(SHELL), *what, "--workers", "2", "--yes"],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def _due(self) -> float:
        return time.monotonic() + self.chance.uniform(0, SLOWEST_KILL)

    def _wait_for_orphans(self, known: set[int]) -> None:
        """Wait until all workers have ended; what has not is a fault, and is ended."""
        until = time.monotonic() + ORPHANED
        while (left := [pid for pid in known if command_of(pid)]) and time.monotonic() < until:
            time.sleep(0.05)
        for pid in left:
            self.faults.append(f"left behind: {command_of(pid)}")
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        storage = self.root / "storage"
        self.faults += [f"{path.name} is locked" for path in storage.glob("[!.]*") if is_locked(path)]
