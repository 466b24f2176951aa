"""temp_storage/: which simulation runs, how far it is, whether somebody watches, what the path tester asks."""

import math
import time
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from translator.errors import Damaged
from translator.forms import Camera, SimCode
from translator.shapes import SPATIAL, AnnouncementShape, StatusShape, StepShape, flaws
from translator.storage.files import pretty, read_object, write_text

SIMULATION = "curr_sim_code.json"
STEP = "curr_step.json"
STATUS = "backend_status.json"
SIGN_OF_LIFE = "last_poll.json"
"""Touched when a live page asks for a step; what it says does not matter. The classic engine knows no such file."""
REPORT = "last_report.json"
"""Touched when a page has reported where everyone stands; otherwise like the sign of life."""
CAMERA = "path_tester_env.json"
SEEN = "path_tester_out.json"
FRESH = 5.0
"""Seconds after which an engine that says nothing has stopped; it says something every second."""
HEARTBEAT = 1.0
"""Seconds between two signs of our life."""
REPEATED = ("step", "until_step", "busy", "curr_time", "asleep_until", "browser")
"""What is passed on as the engine says it."""
STATES = {"running", "waiting", "stopped"}


@dataclass(frozen=True)
class Status:
    """What the engine does at this moment."""

    sim_code: str | None
    backend: str
    """running, waiting (for a command), stopped, or none (there never was one)."""
    step: int = 0
    until_step: int | None = None
    busy: list[str] = field(default_factory=list)
    """Who is thinking."""
    curr_time: str = ""
    asleep_until: str | None = None
    """Game time until which everybody sleeps."""
    browser: str | None = None
    """What the engine knows of pages: none, watching, awaited (a report is overdue), silent (none comes)."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def running() -> str | None:
    """The name of the simulation that an engine has announced and not withdrawn."""
    code = (read_object(_file(SIMULATION)) or {}).get("sim_code")
    return code if isinstance(code, str) and _file(STEP).exists() else None


def status() -> Status:
    """As the engine says; an engine that writes no status file counts as waiting while it is announced.

    Raises Damaged.
    """
    code = _sound(SIMULATION, AnnouncementShape).get("sim_code")
    said = _sound(STATUS, StatusShape)
    if not said:
        step = _sound(STEP, StepShape).get("step", 0)
        return Status(code, "waiting" if running() else "none", step=step)
    state = said.get("state") if _touched(_file(STATUS)).age() < FRESH else "stopped"
    known = {key: said[key] for key in REPEATED if key in said}
    return Status(said.get("sim_code", code), state if state in STATES else "stopped", **known)


def reports(code: SimCode) -> bool:
    """Whether the engine of a simulation writes a status file: an older one does not, and may find one of ours."""
    return (read_object(_file(STATUS)) or {}).get("sim_code") == code


def is_fresh(path: Path) -> bool:
    """Whether a file was written a moment ago."""
    try:
        return abs(time.time() - path.stat().st_mtime) < FRESH
    except OSError:
        return False


def show_life(code: SimCode) -> None:
    """Tell the engine that somebody watches, at most once a second; but not if it runs another simulation by now.

    A page that was left open would otherwise let it wait for reports that never come.
    """
    _touch(SIGN_OF_LIFE, code)


def show_report(code: SimCode) -> None:
    """Tell the engine that a page reports, whether or not it had to wait for this report."""
    _touch(REPORT, code)


def _touch(name: str, code: SimCode) -> None:
    """At most once a second, and only for the simulation that runs."""
    if _touched(_file(name)).age() > HEARTBEAT and running() == code:
        write_text(_file(name), "{}")


def point_camera(camera: Camera) -> None:
    """Ask the engine what somebody would learn there."""
    write_text(_file(CAMERA), pretty(camera.model_dump()))


def seen() -> dict[str, Any]:
    """What the path tester has learnt so far: a spatial memory. Raises Damaged."""
    return _sound(SEEN, SPATIAL)


def _sound(name: str, shape: Any) -> dict[str, Any]:
    """What a file says; nothing if there is none, or while it is being written. Raises Damaged."""
    values = read_object(_file(name)) or {}
    found = flaws(shape, values) if values else []
    if found:
        raise Damaged(str(found[0].of(name)))
    return values


def _file(name: str) -> Path:
    folder: Path = settings.TEMP_STORAGE
    return folder / name


class _Touched:
    """How long ago a file was last touched, by a clock that cannot be set back.

    The wall clock is asked only about what happened before the first look, and never believed beyond that.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int | None, float, float] = (None, -math.inf, -math.inf)
        """Stamp of the file, when it was touched, when it was looked at; replaced whole, for several threads look."""

    def age(self) -> float:
        """Return seconds, never negative; infinite without a file, and for one that is from the future at first."""
        try:
            stamp = self._path.stat().st_mtime_ns
        except OSError:
            return math.inf
        now = time.monotonic()
        before, touched, looked = self._seen
        if stamp != before:
            by_the_wall = time.time() - stamp / 1e9
            doubtful = by_the_wall < 0 and before is None
            touched = now - (math.inf if doubtful else min(max(0, by_the_wall), now - looked))
        self._seen = (stamp, touched, now)
        return now - touched


_touched = cache(_Touched)
"""One for each file."""
