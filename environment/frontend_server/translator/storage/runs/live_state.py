"""The simulation that runs at the moment, as its engine reports it in temp_storage/."""

import time
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path

from django.conf import settings

from ville.json_types import JsonObject
from ville.storage.exchange.background_files import BackgroundFiles, BackgroundStatus
from ville.storage.exchange.temp_storage import TempStorage

FRESH = 5.0
"""Seconds after which an engine that reports nothing counts as stopped; it reports every second."""
PASSED_ON = (
    *("step", "until_step", "until_talk", "speed", "busy", "curr_time", "asleep_until", "browser"),
    *("said", "ended", "fault", "cost", "visit", "models", "lasting", "waiting_for"),
)
"""Keys of the report of the engine that pages get unchanged."""
STATES = {"running", "paused", "waiting", "stopped"}
ENGINE_KEYS = ("state", "sim_code", "copying", "computing", "fault", "restarted", "models", "last_request")
"""Keys of the report of the engine about itself."""


@dataclass(frozen=True)
class BackendStatus:
    """Present status of the engine."""

    sim_code: str | None
    backend: str
    """running, paused, waiting (for a command), stopped, or none (if none was ever started)."""
    step: int = 0
    until_step: int | None = None
    until_talk: bool = False
    """Whether the run also ends when two people begin to talk."""
    busy: list[str] = field(default_factory=list)
    """Personas that are thinking."""
    curr_time: str = ""
    asleep_until: str | None = None
    """Game time until which everyone sleeps."""
    browser: str | None = None
    """Pages as the engine knows them: none, watching, awaited (a report is overdue), or silent (no report comes)."""
    speed: float | str | None = None
    """Game seconds per second, or `max`."""
    waiting_for: str = ""
    """Reason why the current step waits, in one line."""
    said: list[tuple[int, str]] = field(default_factory=list)
    """The last lines that the engine showed, with their numbers."""
    ended: str = ""
    """Why the last run ended: reached, stopped, talk or failed; empty while there was none."""
    fault: str = ""
    """Why it failed."""
    models: str = ""
    """Model or rules that personas think with, in one line."""
    cost: JsonObject | None = None
    """calls, tokens, dollars and limit; None under the rules."""
    visit: JsonObject | None = None
    """The visitor of a page: name, turn, with and waiting."""
    lasting: list[JsonObject] = field(default_factory=list)
    """States of objects and events at places that users have set off: kind, where, words, until."""

    def as_json(self) -> JsonObject:
        return asdict(self)

    def for_watchers(self) -> "BackendStatus":
        """Return the status without what only those may know who may act: what was done, and what it costs."""
        return replace(self, said=[], fault="", cost=None)


@dataclass(frozen=True)
class EngineStatus:
    """Status of an engine that opens simulations at the request of pages."""

    state: str = "none"
    """idle, opening, open, or none (no such engine is there)."""
    sim_code: str | None = None
    copying: int = 0
    """Number of steps that are being copied, while a simulation is opened."""
    computing: int = 0
    """Number of steps that still have to be computed again for it."""
    fault: str = ""
    """Why the last simulation could not be opened, or ended."""
    restarted: JsonObject | None = None
    """Fate of the run after another engine crashed."""
    models: str = ""
    last_request: int | None = None

    def as_json(self) -> JsonObject:
        return asdict(self)

    def for_watchers(self) -> "EngineStatus":
        return replace(self, fault="")


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


def engine_status() -> EngineStatus:
    """Return what an engine reports of itself. Raises CorruptFile."""
    temp = temp_storage()
    report = temp.engine()
    known = report if temp.engine_age() < FRESH else report | {"state": "none"}
    return EngineStatus(**{key: known[key] for key in ENGINE_KEYS if key in known})


def background() -> list[BackgroundStatus]:
    """Return how far the simulations in the background have come."""
    return BackgroundFiles(settings.TEMP_STORAGE).all()


def is_fresh(path: Path) -> bool:
    """Return whether a file was written in the last seconds."""
    try:
        return abs(time.time() - path.stat().st_mtime) < FRESH
    except OSError:
        return False
