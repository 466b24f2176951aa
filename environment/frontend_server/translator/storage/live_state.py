"""The simulation that runs at the moment, as its engine reports it in temp_storage/."""

import time
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from ville.storage.temp_storage import TempStorage

FRESH = 5.0
"""Seconds after which an engine that reports nothing counts as stopped; it reports every second."""
PASSED_ON = ("step", "until_step", "busy", "curr_time", "asleep_until", "browser", "lasting")
"""Keys of the report of the engine that pages get unchanged."""
STATES = {"running", "paused", "waiting", "stopped"}


@dataclass(frozen=True)
class BackendStatus:
    """What the engine does at the moment."""

    sim_code: str | None
    backend: str
    """running, paused, waiting (for a command), stopped, or none (if none was ever started)."""
    step: int = 0
    until_step: int | None = None
    busy: list[str] = field(default_factory=list)
    """Personas that are thinking."""
    curr_time: str = ""
    asleep_until: str | None = None
    """Game time until which everyone sleeps."""
    browser: str | None = None
    """What the engine knows of pages: none, watching, awaited (a report is overdue), or silent (no report comes)."""
    lasting: list[dict[str, Any]] = field(default_factory=list)
    """States of objects and events at places that users have set off: kind, where, words, until."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def temp_storage() -> TempStorage:
    """Return the messages between the two servers."""
    return _temp_storage(settings.TEMP_STORAGE)


@cache
def _temp_storage(root: Path) -> TempStorage:
    """Return the same object for the same folder: it remembers when files were touched."""
    return TempStorage(root)


def reported_status() -> BackendStatus:
    """Return what the engine reports. One that reports nothing counts as waiting while it is announced.

    Raises CorruptFile.
    """
    temp = temp_storage()
    simulation, step = temp.announced()
    report = temp.status()
    if not report:
        return BackendStatus(simulation, "waiting" if temp.running() else "none", step=step)
    state = report.get("state") if temp.status_age() < FRESH else "stopped"
    known = {key: report[key] for key in PASSED_ON if key in report}
    return BackendStatus(report.get("sim_code", simulation), state if state in STATES else "stopped", **known)


def is_fresh(path: Path) -> bool:
    """Return whether a file was written in the last seconds."""
    try:
        return abs(time.time() - path.stat().st_mtime) < FRESH
    except OSError:
        return False
