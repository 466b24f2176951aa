"""Computes recorded steps again, to bring a copy of a simulation from a checkpoint to a later moment.

What is computed is compared with what was recorded: moves step by step, and memories at the end.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import datetime

from ville.errors import BadMoment
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.stage import Browser, Positions
from ville.simulation.stepping.step import StepReport
from ville.storage.dates import time_text
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.checkpoints import Stem
from ville.storage.steps.step_files import MovementWriter, MoveRecord

Watch = Callable[[StepReport, int], None]
"""Called after each step, with the number of those that are left."""


def ignore_step(_report: StepReport, _left: int) -> None:
    """No-op: nothing shows the progress."""


class RecordedStage:
    """Reports recorded positions, and compares moves with recorded ones."""

    browser: Browser = "none"
    shows_steps_alone = False

    def __init__(self, folder: SimulationFolder) -> None:
        """`folder` has the step files of the recording."""
        self._folder = folder
        self._writer = MovementWriter()
        self._destinations: Positions | None = None
        self.diverges = False
        """Whether moves may be others than the recorded ones from now on."""

    async def positions(self, step: int) -> Positions:
        """Return the recorded positions, which a browser may have reported; else where the last moves led."""
        if self._destinations is None:
            return self._folder.starting_positions()
        if self.diverges:
            return self._destinations
        return self._folder.read_environment(step) or self._destinations

    def open_page(self) -> Mapping[str, object]:
        """Return an empty mapping: there is no page."""
        return {}

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        """Raise BadMoment if other moves were recorded."""
        text, steps = self._writer.text(moves, time_text(now)), self._folder.steps
        if not self.diverges and steps.shows(step) and not _says(steps.movement_bytes(step), text):
            template = "Step %(step)s is now computed otherwise than it was."
            raise BadMoment(template, step=f"{step:,}")
        self._destinations = {name: move.movement for name, move in moves.items()}

    def announce(self, step: int) -> None:
        """No-op: there is no browser to notify."""

    def close(self) -> None:
        """No-op: there is no browser to notify."""


def _says(content: bytes, text: str) -> bool:
    """Return whether a content is this text, in any spacing."""
    try:
        return content == text.encode() or bool(json.loads(content) == json.loads(text))
    except (ValueError, RecursionError):  # it is not JSON, or has a number of thousands of digits
        return False


async def retrace(simulation: Simulation, end: Stem, watch: Watch) -> None:
    """Compute steps again until a moment. Raises BadMoment if they differ, and what `advance` raises."""
    while simulation.clock.step < end.step:
        await asyncio.sleep(0)  # let others act, and be cancelled
        report = await simulation.advance()
        watch(report, end.step - simulation.clock.step)
    if end.rows:
        await simulation.intake.apply_again()
