"""The messages between the two servers: which simulation runs, whether a page shows it, and the path tester."""

import math
import time
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import Json, JsonObject
from ville.storage.files import pretty, read_object, read_object_if_whole, write_text, writing
from ville.storage.flaws import flaws
from ville.storage.shapes import SPATIAL_MEMORY, AnnouncementShape, EngineShape, StatusShape, StepShape, VisitShape

SIMULATION = "curr_sim_code.json"
STEP = "curr_step.json"
SIGN_OF_LIFE = "last_poll.json"
"""Touched by the environment server when a page asks for a step, at most once a second. Its content does not matter.

The released server does not write it; it removes curr_step.json when a page opens.
"""
REPORT = "last_report.json"
"""Touched by the environment server when a page has reported positions. The released server does not write it."""
STATUS = "backend_status.json"
"""Rewritten by the engine at least every second. The released pages do not read it."""
ENGINE = "engine_status.json"
"""Rewritten at least every second by an engine that opens simulations at the request of pages."""
VISIT = "visit.json"
"""Touched by the environment server, at most once a second, while the page of a visitor is open."""
VISIT_FRESH = 3.0
"""Seconds after which the page of a visitor counts as closed."""
CAMERA = "path_tester_env.json"
SEEN = "path_tester_out.json"
HEARTBEAT = 1.0
"""Least seconds between two touches of a file."""


Report = dict[str, Any]
"""A file that fits its shape."""


class FileAge:
    """Seconds since a file was last touched, by the monotonic clock: changes of the system clock do not matter.

    The system clock is used only for touches before the first look, and its result is never more than the time between
    two looks.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int | None, float, float] = (None, -math.inf, -math.inf)
        """Time stamp of the file, and monotonic times of its last touch and of the last look; replaced as a whole,
        because several threads look."""

    def seconds(self) -> float:
        """Return the age, never negative; infinite without a file, or if its first time stamp is in the future."""
        try:
            stamp = self._path.stat().st_mtime_ns
        except OSError:
            return math.inf
        now = time.monotonic()
        before, touched, looked = self._seen
        if stamp != before:
            by_system_clock = time.time() - stamp / 1e9
            doubtful = by_system_clock < 0 and before is None
            touched = now - (math.inf if doubtful else min(max(0, by_system_clock), now - looked))
        self._seen = (stamp, touched, now)
        return now - touched


class TempStorage:
    """Both sides of temp_storage/: the engine announces and answers, the environment server asks and reports.

    Writing raises CannotWrite, reading CorruptFile.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._sign_of_life = FileAge(root / SIGN_OF_LIFE)
        self._report = FileAge(root / REPORT)
        self._status = FileAge(root / STATUS)
        self._engine = FileAge(root / ENGINE)
        self._visit = FileAge(root / VISIT)

    # The engine

    def announce(self, simulation: str, step: int) -> None:
        """Tell the pages which simulation is at which step."""
        self._write(SIMULATION, {"sim_code": simulation})
        self._write(STEP, {"step": step})

    def announces(self, simulation: str) -> bool:
        """Return whether this simulation was announced last: another engine may have announced its own."""
        try:
            return read_object(self._root / SIMULATION).get("sim_code") == simulation
        except CorruptFile:
            return False

    def withdraw(self, simulation: str) -> None:
        """Tell the pages that the engine of a simulation has left, unless another one was announced since."""
        if self.announces(simulation):
            self._remove(STEP)

    def report(self, status: JsonObject) -> None:
        """Tell the pages what the engine does."""
        self._write(STATUS, status)

    def report_engine(self, status: JsonObject) -> None:
        """Tell the pages which simulation the engine has open, if any."""
        self._write(ENGINE, status)

    def withdraw_engine(self) -> None:
        """Tell the pages that the engine has left."""
        self._remove(ENGINE)

    def visit(self, simulation: str) -> dict[str, Json]:
        """Return which visitor of a simulation has a page open, and whether its user types; empty if there is none."""
        if self._visit.seconds() > VISIT_FRESH:
            return {}
        values = read_object_if_whole(self._root / VISIT) or {}
        return values if values.get("sim_code") == simulation and not flaws(VisitShape, values) else {}

    def page_opened(self) -> bool:
        """Return whether a page of the released server was opened since the announcement."""
        return not (self._root / STEP).exists()

    def last_sign_of_life(self) -> float:
        """Return the seconds since a page last asked for a step; infinite if none ever did."""
        return self._sign_of_life.seconds()

    def last_page_report(self) -> float:
        """Return the seconds since a page last reported positions; infinite if none ever did."""
        return self._report.seconds()

    def take_camera(self) -> dict[str, Json] | None:
        """Return the camera of the path tester once; None if it has not moved, or while its file is being written."""
        try:
            camera = read_object(self._root / CAMERA)
        except CorruptFile:
            return None
        self._remove(CAMERA)
        return camera

    def show_places(self, tree: JsonObject) -> None:
        """Answer the path tester with a spatial memory."""
        self._write(SEEN, tree)

    # The environment server

    def running(self) -> str | None:
        """Return the simulation that an engine has announced and not withdrawn."""
        name = (read_object_if_whole(self._root / SIMULATION) or {}).get("sim_code")
        return name if isinstance(name, str) and (self._root / STEP).exists() else None

    def announced(self) -> tuple[str | None, int]:
        """Return simulation and step as last announced."""
        simulation = self._read(SIMULATION, AnnouncementShape).get("sim_code")
        return simulation, self._read(STEP, StepShape).get("step", 0)

    def status(self) -> Report:
        """Return what the engine last reported; empty if it reports nothing."""
        return self._read(STATUS, StatusShape)

    def status_age(self) -> float:
        """Return the seconds since the engine last reported."""
        return self._status.seconds()

    def engine(self) -> Report:
        """Return what an engine that opens simulations last reported about itself; empty if none has."""
        return self._read(ENGINE, EngineShape)

    def engine_age(self) -> float:
        """Return the seconds since such an engine last reported."""
        return self._engine.seconds()

    def show_visit(self, simulation: str, name: str, *, typing: bool) -> None:
        """Tell the engine that the page of a visitor is open, at most once a second unless something has changed."""
        values: JsonObject = {"sim_code": simulation, "name": name, "typing": typing}
        if self._visit.seconds() > HEARTBEAT or read_object_if_whole(self._root / VISIT) != values:
            self._write(VISIT, values)

    def reports(self, simulation: str) -> bool:
        """Return whether the engine of a simulation reports: older ones do not, and there may be a file of ours."""
        return (read_object_if_whole(self._root / STATUS) or {}).get("sim_code") == simulation

    def show_life(self, simulation: str) -> None:
        """Tell the engine that a page shows its simulation, at most once a second.

        Pages of another simulation do not count: the engine would wait for reports that never come.
        """
        if self._sign_of_life.seconds() > HEARTBEAT and self.running() == simulation:
            self._write(SIGN_OF_LIFE, {})

    def show_report(self, simulation: str) -> None:
        """Tell the engine that a page of its simulation reports positions, at most once a second."""
        if self._report.seconds() > HEARTBEAT and self.running() == simulation:
            self._write(REPORT, {})

    def point_camera(self, camera: JsonObject) -> None:
        """Ask the engine what a persona would learn at a position."""
        self._write(CAMERA, camera)

    def seen_places(self) -> Report:
        """Return what the path tester has learnt so far, as a spatial memory."""
        return self._read(SEEN, SPATIAL_MEMORY)

    def _read(self, name: str, shape: object) -> Report:
        """Return a file; empty if it is missing or while it is being written."""
        values = read_object_if_whole(self._root / name) or {}
        if values and (found := flaws(shape, values)):
            raise CorruptFile("%(what)s", what=found[0].of(name))
        return values

    def _write(self, name: str, values: JsonObject) -> None:
        with writing(self._root):
            self._root.mkdir(parents=True, exist_ok=True)
        write_text(self._root / name, pretty(values))

    def _remove(self, name: str) -> None:
        with writing(self._root / name):
            (self._root / name).unlink(missing_ok=True)
