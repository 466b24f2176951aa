"""Runs commands of the engine for pages, each in a process of its own, and keeps their results in memory.

Such work takes up to a minute and hundreds of megabytes; pages of others must not wait for it.
"""

import logging
import os
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from translator.errors import TooManyRequests, Unavailable
from translator.rights.rate_limit import RateLimit
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.told import without_folders
from ville.errors import CorruptFile
from ville.storage.flaws import name_of, whole_file
from ville.storage.temporary import temporary_folder

MOST_KEPT = 8
"""Results of each kind in memory."""
MOST_WAITING = 4
"""Computations of a kind that run or wait for it; others are refused until one is done."""
MOST_OF_WATCHERS = 6
"""Computations of a kind that all those who may not act can begin in a minute."""
MOST_TRIES = 3
"""Times that something is computed if a simulation is saved while it is read."""
TIMEOUT = 900.0
"""Seconds after which a computation is given up, unless its kind may take longer."""
TIED = (sys.executable, "-P", "-m", "ville.jobs.tied")
VILLE = ("-m", "ville")
"""Begins each of our own command lines."""
GLANCE = 0.2
"""Seconds between two looks at whether a command is to be stopped."""
FRESH = 60.0
"""Seconds for which a result is shown although a simulation has been saved since: those who waited for it get it."""
FAILED = gettext_noop("This could not be computed. The log of the server says why.")
STOPPED = gettext_noop("This was stopped. Nothing is left half done.")
GIVEN_UP = gettext_noop("This was given up after a quarter of an hour.")
TRACEBACK = "Traceback (most recent call last)"
Key = tuple[str, ...]
logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Computation:
    """One computation. Once `done` is set, either `found` or `fault` has a text."""

    command: Sequence[str]
    """Without the name of the program; a flag and the file of the result are added."""
    runs: Sequence[StoredSimulation]
    """Simulations that are read."""
    stamp: Key
    """Changes when one of the simulations is saved again; as of the last request for the result, or its beginning."""
    began: bool = False
    done: Event = field(default_factory=Event)
    ended: float = 0.0
    """Time of a monotonic clock."""
    found: bytes = b""
    """Content of the file."""
    fault: str = ""
    """Why there is none, in one line."""
    stop: Event = field(default_factory=Event)
    """Set when a user wants it to end."""
    file: Path | None = None
    """The file while the command runs, which may say in it how far it is."""

    @property
    def so_far(self) -> bytes:
        """Return the content of the file up to now; empty before the command has written anything."""
        with suppress(OSError):
            return self.found or (self.file.read_bytes() if self.file else b"")
        return b""


class Computations:
    """Computations of one kind. One runs at a time, and there is one for each key.

    Of a run that is saved meanwhile, the computation that was begun is finished and shown.
    """

    def __init__(self, flag: str = "--json", timeout: float = TIMEOUT) -> None:
        self._flag, self._timeout = flag, timeout
        """Flag before the name of the file that a command writes, and seconds that it may take."""
        self._known: OrderedDict[Key, Computation] = OrderedDict()
        self._guard = Lock()
        self._one_at_a_time = Lock()
        self._watchers = RateLimit(MOST_OF_WATCHERS)

    def __len__(self) -> int:
        return len(self._known)

    def begin(
        self, key: Key, command: Sequence[str], runs: Sequence[StoredSimulation], *, may_act: bool
    ) -> Computation:  # fmt: skip
        """Return a computation; begin it unless it was begun before. A command takes the flag and a file.

        For those who may not act, none is begun while another one runs. Raises Unavailable, TooManyRequests and
        CorruptFile.
        """
        _check_whole(runs)
        stamp = tuple(map(_stamp, runs))
        with self._guard:
            known = self._known.get(key)
            if known and _is_current(known, stamp):
                self._known.move_to_end(key)
                return known
            if fault := self._refusal(may_act=may_act):
                if known and known.found:
                    return known
                raise fault
            begun = self._known[key] = Computation(command, runs, stamp)
            self._known.move_to_end(key)
            self._forget_old()
        Thread(target=self._compute, args=(begun,), daemon=True).start()
        return begun

    def known(self, key: Key) -> Computation | None:
        """Return a computation that was begun; None if it was not, or is forgotten."""
        with self._guard:
            return self._known.get(key)

    def stop(self, key: Key) -> None:
        """End a computation that was begun; one that waits does not begin."""
        if known := self.known(key):
            known.stop.set()

    def finished(self, key: Key) -> bytes:
        """Return what was computed, if it belongs to the simulations as they are saved; else nothing."""
        with self._guard:
            known = self._known.get(key)
        return known.found if known and known.done.is_set() and known.stamp == tuple(map(_stamp, known.runs)) else b""

    def _refusal(self, *, may_act: bool) -> Unavailable | TooManyRequests | None:
        """Return why nothing can be begun; None if something can."""
        waiting = sum(not each.done.is_set() for each in self._known.values())
        if waiting >= (MOST_WAITING if may_act else min(1, MOST_WAITING)):
            return Unavailable(_("Other simulations are being read. Try again in a minute."))
        if not may_act and not self._watchers.take("watchers"):
            return TooManyRequests(_("These are too many requests. Wait a minute."))
        return None

    def _forget_old(self) -> None:
        done = [key for key, each in self._known.items() if each.done.is_set()]
        for key in done[: max(0, len(self._known) - MOST_KEPT)]:
            del self._known[key]

    def _compute(self, begun: Computation) -> None:
        """Run a command. What has failed is not tried again before a simulation is saved."""
        try:
            with self._one_at_a_time, temporary_folder() as folder:
                begun.began = True
                begun.file = file = folder / "found"
                for _attempt in range(MOST_TRIES):
                    begun.stamp = tuple(map(_stamp, begun.runs))
                    file.unlink(missing_ok=True)
                    begun.fault = run_command([*begun.command, self._flag, str(file)], self._timeout, begun.stop)
                    if not begun.fault or begun.stop.is_set() or begun.stamp == tuple(map(_stamp, begun.runs)):
                        break
                if not begun.fault:
                    begun.found = file.read_bytes()
        except OSError:
            logger.exception("A computation failed")
            begun.fault = FAILED
        finally:
            begun.ended = time.monotonic()
            begun.done.set()


def folder_flags() -> list[str]:
    """Return where the simulations are, as flags of a command."""
    return ["--storage", str(settings.STORAGE), "--compressed", str(settings.COMPRESSED_STORAGE)]


def _is_current(known: Computation, stamp: Key) -> bool:
    """Return whether something need not be computed again. What has not begun will read what is saved then."""
    if not known.done.is_set():
        known.stamp = known.stamp if known.began else stamp
        return True
    return known.stamp == stamp or time.monotonic() < known.ended + FRESH


def _stamp(simulation: StoredSimulation) -> str:
    """Return what changes when a simulation is saved again; empty if it is gone."""
    try:
        return str(simulation.meta_file.stat().st_mtime_ns)
    except OSError:
        return ""


def _check_whole(runs: Sequence[StoredSimulation]) -> None:
    """Raise CorruptFile for a simulation without meta.json."""
    for run in runs:
        if not _stamp(run):
            flaw = whole_file(run.meta_file).of(name_of(run.meta_file, run.root))
            raise CorruptFile("%(what)s Restore it.", what=flaw)


def run_command(command: Sequence[str], timeout: float = TIMEOUT, stop: Event | None = None) -> str:
    """Run a command of Python, which ends with this server, or once `stop` is set. Return its complaint; empty if it
    succeeded.
    """
    theirs, ours = os.pipe()
    try:
        process = subprocess.Popen(
            [*TIED, *command], env={**os.environ, "PYTHONUTF8": "1"}, stdin=theirs, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with process:
            complaint = _complaint(process, time.monotonic() + timeout, stop or Event())
    finally:
        os.close(theirs)
        os.close(ours)
    if complaint is None:
        return STOPPED if stop and stop.is_set() else GIVEN_UP
    if process.returncode == 0:
        return ""
    lines = complaint.strip().splitlines()
    if process.returncode != 1 or not lines or TRACEBACK in complaint:
        logger.error("A command ended with exit code %s: %s", process.returncode, complaint)
        return FAILED
    return without_folders(lines[-1])


def _complaint(process: "subprocess.Popen[str]", end: float, stop: Event) -> str | None:
    """Return what a command complains of once it has ended; None if it is killed, at a time or by a user."""
    while not stop.is_set() and time.monotonic() < end:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=GLANCE)[1]
    process.kill()
    return None
