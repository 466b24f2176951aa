"""Where the two servers meet: which simulation runs, whether somebody watches it, and what the path tester asks."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from archive.files import pretty, read_object, write_text, writing
from errors import CorruptFile

SIMULATION = "curr_sim_code.json"
STEP = "curr_step.json"
SIGN_OF_LIFE = "last_poll.json"
"""Touched by the environment server when a page asks for a step, at most once a second; what it says does not matter.

The classic server knows no such file; it takes curr_step.json away when a page opens.
"""
STATUS = "backend_status.json"
"""Rewritten by the engine at least every second while it lives: how it fares. Classic pages know no such file."""
CAMERA = "path_tester_env.json"
SEEN = "path_tester_out.json"


class TempStorage:
    """The engine's side of temp_storage/. Raises CannotWrite."""

    def __init__(self, root: Path) -> None:
        self._root = root

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
        try:
            return time.time() - (self._root / SIGN_OF_LIFE).stat().st_mtime
        except OSError:
            return float("inf")

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
