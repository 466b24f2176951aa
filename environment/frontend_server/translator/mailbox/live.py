"""temp_storage/: which simulation runs, how far it is, whether somebody watches, what the path tester asks."""

import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from translator.forms import Camera, SimCode
from translator.mailbox.files import pretty, read_object, write_text

SIMULATION = "curr_sim_code.json"
STEP = "curr_step.json"
STATUS = "backend_status.json"
SIGN_OF_LIFE = "last_poll.json"
"""Touched when a live page asks for a step; what it says does not matter. The classic engine knows no such file."""
CAMERA = "path_tester_env.json"
SEEN = "path_tester_out.json"
FRESH = 5.0
"""Seconds after which an engine that says nothing has stopped; it says something every second."""
HEARTBEAT = 1.0
"""Seconds between two signs of our life."""
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

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def running() -> str | None:
    """The name of the simulation that an engine has announced and not withdrawn."""
    code = (read_object(_file(SIMULATION)) or {}).get("sim_code")
    return code if isinstance(code, str) and _file(STEP).exists() else None


def status() -> Status:
    """As the engine says; an engine that writes no status file counts as waiting while it is announced."""
    code = (read_object(_file(SIMULATION)) or {}).get("sim_code")
    said = read_object(_file(STATUS))
    if said is None:
        step = (read_object(_file(STEP)) or {}).get("step", 0)
        return Status(code, "waiting" if running() else "none", step=step)
    state = said.get("state") if _age(_file(STATUS)) < FRESH else "stopped"
    known = {key: said[key] for key in ("step", "until_step", "busy", "curr_time", "asleep_until") if key in said}
    return Status(said.get("sim_code", code), state if state in STATES else "stopped", **known)


def reports(code: SimCode) -> bool:
    """Whether the engine of a simulation writes a status file: an older one does not, and may find one of ours."""
    return (read_object(_file(STATUS)) or {}).get("sim_code") == code


def is_fresh(path: Path) -> bool:
    """Whether a file was written a moment ago."""
    return _age(path) < FRESH


def show_life(code: SimCode) -> None:
    """Tell the engine that somebody watches, at most once a second; but not if it runs another simulation by now.

    A page that was left open would otherwise let it wait for reports that never come.
    """
    if _age(_file(SIGN_OF_LIFE)) > HEARTBEAT and running() == code:
        write_text(_file(SIGN_OF_LIFE), "{}")


def point_camera(camera: Camera) -> None:
    """Ask the engine what somebody would learn there."""
    write_text(_file(CAMERA), pretty(camera.model_dump()))


def seen() -> dict[str, Any]:
    """What the path tester has learnt so far: a spatial memory."""
    return read_object(_file(SEEN)) or {}


def _file(name: str) -> Path:
    folder: Path = settings.TEMP_STORAGE
    return folder / name


def _age(path: Path) -> float:
    """Seconds since a file was written; infinite if there is none."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")
