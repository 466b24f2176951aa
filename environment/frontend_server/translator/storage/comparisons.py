"""Comparisons of two simulations, computed by `reverie/compare.py` in a process of its own and kept in memory.

A comparison of two days of twenty-five people takes a minute and hundreds of megabytes; pages of others must not wait
for it. One is computed at a time, and there is one for each pair: of a run that is saved meanwhile, the comparison that
was begun is finished and shown.
"""

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from translator.errors import TooManyRequests, Unavailable
from translator.rate_limit import RateLimit
from translator.storage.stored_simulation import StoredSimulation

SCRIPT = Path("reverie") / "compare.py"
MOST_KEPT = 8
"""Comparisons in memory."""
MOST_WAITING = 4
"""Comparisons that are computed or wait for it; others are refused until one is done."""
MOST_OF_WATCHERS = 6
"""Comparisons that all those who may not act can begin in a minute."""
MOST_TRIES = 3
"""Times that a comparison is tried if a simulation is saved while it is read."""
TIMEOUT = 900.0
"""Seconds after which a comparison is given up."""
FRESH = 60.0
"""Seconds for which a result is shown although a simulation has been saved since: those who waited for it get it."""
AGAINST = "--"
"""Separates the sides."""
FAILED = gettext_noop("These simulations could not be compared. The log of the server says why.")
TRACEBACK = "Traceback (most recent call last)"
Key = tuple[str, ...]
logger = logging.getLogger(__name__)


@dataclass(eq=False)
class ComparisonJob:
    """One comparison. Once `done` is set, either `found` or `fault` has a text."""

    command: Sequence[str]
    names: Sequence[str]
    """Simulations to compare."""
    stamp: Key
    """What changes when one of them is saved again; as it was when the job was asked for last, or began."""
    runs: Sequence[StoredSimulation] = ()
    began: bool = False
    done: Event = field(default_factory=Event)
    ended: float = 0.0
    """Time of a monotonic clock."""
    found: bytes = b""
    """JSON."""
    fault: str = ""
    """Why there is none, in one line."""


_jobs: OrderedDict[Key, ComparisonJob] = OrderedDict()
_guard = Lock()
_one_at_a_time = Lock()
_watchers = RateLimit(MOST_OF_WATCHERS)


def comparison(a: StoredSimulation, b: StoredSimulation, *, may_act: bool = True) -> ComparisonJob:
    """Return the comparison of two simulations; begin it unless it was begun before.

    For those who may not act, none is begun while another one is computed. Raises Unavailable and TooManyRequests.
    """
    return _job([[a], [b]], [a.code, b.code], may_act=may_act)


def repeats(a: Sequence[StoredSimulation], b: Sequence[StoredSimulation], *, may_act: bool = True) -> ComparisonJob:
    """Return the comparison of repeated runs of two sides, likewise."""
    return _job([a, b], [*(each.code for each in a), AGAINST, *(each.code for each in b)], may_act=may_act)


def _job(sides: Sequence[Sequence[StoredSimulation]], names: Sequence[str], *, may_act: bool) -> ComparisonJob:
    roots = [str(each.root) for side in sides for each in side]
    key = (*names, *roots)
    runs = [each for side in sides for each in side]
    stamp = tuple(map(_stamp, runs))
    with _guard:
        known = _jobs.get(key)
        if known and _is_current(known, stamp):
            _jobs.move_to_end(key)
            return known
        if fault := _refusal(may_act=may_act):
            if known and known.found:
                return known
            raise fault
        folders = ("--storage", str(settings.STORAGE), "--compressed", str(settings.COMPRESSED_STORAGE))
        job = _jobs[key] = ComparisonJob([sys.executable, str(settings.ROOT / SCRIPT), *folders], names, stamp, runs)
        _jobs.move_to_end(key)
        _forget_old()
    Thread(target=_compute, args=(job,), daemon=True).start()
    return job


def _is_current(job: ComparisonJob, stamp: Key) -> bool:
    """Return whether a job need not be done again. One that has not begun will read what is saved then."""
    if not job.done.is_set():
        job.stamp = job.stamp if job.began else stamp
        return True
    return job.stamp == stamp or time.monotonic() < job.ended + FRESH


def _refusal(*, may_act: bool) -> Unavailable | TooManyRequests | None:
    """Return why no job can be begun; None if one can."""
    waiting = sum(not job.done.is_set() for job in _jobs.values())
    if waiting >= (MOST_WAITING if may_act else min(1, MOST_WAITING)):
        return Unavailable(_("Other simulations are being compared. Try again in a minute."))
    if not may_act and not _watchers.take("watchers"):
        return TooManyRequests(_("These are too many requests. Wait a minute."))
    return None


def _stamp(simulation: StoredSimulation) -> str:
    """Return what changes when a simulation is saved again."""
    return str(simulation.meta_file.stat().st_mtime_ns)


def _forget_old() -> None:
    done = [key for key, job in _jobs.items() if job.done.is_set()]
    for key in done[: max(0, len(_jobs) - MOST_KEPT)]:
        del _jobs[key]


def _compute(job: ComparisonJob) -> None:
    """Run the command of a job. What has failed is not tried again before a simulation is saved."""
    try:
        with _one_at_a_time, tempfile.TemporaryDirectory(prefix="ville-compare-") as folder:
            job.began = True
            file = Path(folder) / "found.json"
            for _attempt in range(MOST_TRIES):
                job.stamp = tuple(map(_stamp, job.runs))
                job.fault = _run([*job.command, "--json", str(file), *job.names])
                if not job.fault or job.stamp == tuple(map(_stamp, job.runs)):
                    break
            if not job.fault:
                job.found = file.read_bytes()
    except OSError:
        logger.exception("A comparison failed")
        job.fault = FAILED
    finally:
        job.ended = time.monotonic()
        job.done.set()


def _run(command: Sequence[str]) -> str:
    """Run a command. Return its complaint; empty if it succeeded."""
    try:
        ended = subprocess.run(
            command, env={**os.environ, "PYTHONUTF8": "1"}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False, timeout=TIMEOUT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "The comparison was given up after a quarter of an hour."
    if ended.returncode == 0:
        return ""
    lines = ended.stderr.strip().splitlines()
    if ended.returncode != 1 or not lines or TRACEBACK in ended.stderr:
        logger.error("A comparison ended with exit code %s: %s", ended.returncode, ended.stderr)
        return FAILED
    return lines[-1]
