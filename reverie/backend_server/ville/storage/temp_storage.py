"""Where the two servers meet: which simulation runs, whether somebody watches it, and what the path tester asks."""

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile
from ville.storage.files import pretty, read_object, write_text, writing

SIMULATION = "curr_sim_code.json"
STEP = "curr_step.json"
SIGN_OF_LIFE = "last_poll.json"
"""Touched by the environment server when a page asks for a step, at most once a second; what it says does not matter.

The classic server knows no such file; it takes curr_step.json away when a page opens.
"""
REPORT = "last_report.json"
"""Touched by the environment server when a page has reported where everyone stands. Not by a classic server."""
STATUS = "backend_status.json"
"""Rewritten by the engine at least every second while it lives: how it fares. Classic pages know no such file."""
CAMERA = "path_tester_env.json"
SEEN = "path_tester_out.json"


class Touched:
    """How long ago a file was last touched, by a clock that cannot be set back.

    The wall clock is asked only about what happened before the first look, and never believed beyond that.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: int | None = None
        self._looked = self._changed = -math.inf
        """When the file was last looked at, and when it was last touched, on the monotonic clock."""

    def age(self) -> float:
        """Return seconds, never negative; infinite without a file, and for one that is from the future at first."""
        try:
            stamp = self._path.stat().st_mtime_ns
        except OSError:
            return math.inf
        now = time.monotonic()
        if stamp != self._stamp:
            by_the_wall = time.time() - stamp / 1e9
            doubtful = by_the_wall < 0 and self._stamp is None
            self._changed = now - (math.inf if doubtful else min(max(0, by_the_wall), now - self._looked))
        self._stamp, self._looked = stamp, now
        return now - self._changed


class TempStorage:
    """The engine's side of temp_storage/. Raises CannotWrite."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._sign_of_life = Touched(root / SIGN_OF_LIFE)
        self._report = Touched(root / REPORT)

    def announce(self, simulation: str, step: int) -> None:
        """Tell the pages which simulation is at which step."""
        with writing(self._root):
            self._root.mkdir(parents=True, exist_ok=True)
        write_text(self._root / SIMULATION, pretty({"sim_code": simulation}))
        write_text(self._root / STEP, pretty({"step": step}))

    def announces(self, simulation: str) -> bool:
        """Whether this is the simulation the pages were told of last: another engine may have told them of its own."""
        try:
            return read_object(self._root / SIMULATION).get("sim_code") == simulation
        except CorruptFile:
            return False

    def withdraw(self, simulation: str) -> None:
        """The engine has left: the pages shall ask for one again, unless they follow another by now."""
        if self.announces(simulation):
            self._remove(STEP)

    def report(self, status: Mapping[str, Any]) -> None:
        """Tell the pages how the engine fares."""
        write_text(self._root / STATUS, pretty(status))

    def page_opened(self) -> bool:
        """Whether a classic page has been opened since the announcement."""
        return not (self._root / STEP).exists()

    def last_sign_of_life(self) -> float:
        """Seconds since a page last asked for a step; infinite if none ever did."""
        return self._sign_of_life.age()

    def last_page_report(self) -> float:
        """Seconds since a page last reported where everyone stands; infinite if none ever did."""
        return self._report.age()

    def take_camera(self) -> dict[str, Any] | None:
        """Where the path tester looks, once; None if it has not moved, or while it is being written."""
        try:
            camera = read_object(self._root / CAMERA)
        except CorruptFile:
            return None
        self._remove(CAMERA)
        return camera

    def show_places(self, tree: dict[str, Any]) -> None:
        """Answer the path tester."""
        write_text(self._root / SEEN, pretty(tree))

    def _remove(self, name: str) -> None:
        with writing(self._root / name):
            (self._root / name).unlink(missing_ok=True)
