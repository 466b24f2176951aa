"""Comparisons of two simulations, computed by `reverie/compare.py` in a process of its own and kept in memory.

A comparison of two days of twenty-five people takes a minute and hundreds of megabytes; pages of others must not wait
for it. One is computed at a time, and the newest are kept as long as their simulations are not saved again.
"""

import os
import subprocess
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread

from django.conf import settings
from django.utils.translation import gettext as _

from translator.errors import Unavailable
from translator.storage.stored_simulation import StoredSimulation

SCRIPT = Path("reverie") / "compare.py"
MOST_KEPT = 8
"""Comparisons in memory."""
MOST_WAITING = 4
"""Comparisons that are computed or wait for it; others are refused until one is done."""
TIMEOUT = 900.0
"""Seconds after which a comparison is given up."""
AGAINST = "--"
"""Separates the sides."""
Key = tuple[str, ...]


@dataclass(eq=False)
class ComparisonJob:
    """One comparison. Once `done` is set, either `found` or `fault` has a text."""

    command: Sequence[str]
    names: Sequence[str]
    """Simulations to compare."""
    done: Event = field(default_factory=Event)
    found: bytes = b""
    """JSON."""
    fault: str = ""
    """Why there is none, in one line."""


_jobs: OrderedDict[Key, ComparisonJob] = OrderedDict()
_guard = Lock()
_one_at_a_time = Lock()


def comparison(a: StoredSimulation, b: StoredSimulation) -> ComparisonJob:
    """Return the comparison of two simulations; begin it unless it was begun before. Raises Unavailable."""
    return _job((_stamp(a), _stamp(b)), [a.code, b.code])


def repeats(a: Sequence[StoredSimulation], b: Sequence[StoredSimulation]) -> ComparisonJob:
    """Return the comparison of repeated runs of two sides, likewise. Raises Unavailable."""
    key = (*map(_stamp, a), AGAINST, *map(_stamp, b))
    return _job(key, [*(each.code for each in a), AGAINST, *(each.code for each in b)])


def _job(key: Key, names: Sequence[str]) -> ComparisonJob:
    """Return a job, and begin it if it is new. Raises Unavailable if too many others wait."""
    with _guard:
        if known := _jobs.get(key):
            _jobs.move_to_end(key)
            return known
        if sum(not job.done.is_set() for job in _jobs.values()) >= MOST_WAITING:
            raise Unavailable(_("Other simulations are being compared. Try again in a minute."))
        folders = ("--storage", str(settings.STORAGE), "--compressed", str(settings.COMPRESSED_STORAGE))
        job = _jobs[key] = ComparisonJob([sys.executable, str(settings.ROOT / SCRIPT), *folders], names)
        _forget_old()
    Thread(target=_compute, args=(key, job), daemon=True).start()
    return job


def _stamp(simulation: StoredSimulation) -> str:
    """Return what changes when a simulation is saved again."""
    return f"{simulation.root} {simulation.meta_file.stat().st_mtime_ns}"


def _forget_old() -> None:
    done = [key for key, job in _jobs.items() if job.done.is_set()]
    for key in done[: max(0, len(_jobs) - MOST_KEPT)]:
        del _jobs[key]


def _compute(key: Key, job: ComparisonJob) -> None:
    """Run the command of a job. What has failed is forgotten, so that it is tried again when it is asked for."""
    with _one_at_a_time, tempfile.TemporaryDirectory(prefix="ville-compare-") as folder:
        file = Path(folder) / "found.json"
        job.fault = _run([*job.command, "--json", str(file), *job.names])
        if not job.fault:
            job.found = file.read_bytes()
    if job.fault:
        with _guard:
            _jobs.pop(key, None)
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
    return lines[-1] if lines else f"compare.py ended with exit code {ended.returncode}."
