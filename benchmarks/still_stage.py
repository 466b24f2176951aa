"""A run that writes nothing, for measurements of what its steps cost by themselves."""

from collections.abc import Mapping
from datetime import datetime

from ville.simulation.simulation import Simulation
from ville.simulation.stepping.stage import Browser
from ville.storage.steps.step_files import MoveRecord, Position


class StillStage:
    """Shows steps nowhere: every persona reaches the tile of its move at once."""

    browser: Browser = "none"
    shows_steps_alone = True

    def __init__(self, positions: Mapping[str, Position]) -> None:
        self._positions = positions
        self._moves: Mapping[str, MoveRecord] = {}

    def announce(self, step: int) -> None:
        """No-op: there is no page."""

    async def positions(self, step: int) -> Mapping[str, Position]:  # noqa: ARG002 - those after the last step
        return self._positions

    def open_page(self) -> Mapping[str, object]:
        return {}

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:  # noqa: ARG002 - not shown
        if moves is not self._moves:
            self._moves, self._positions = moves, {name: move.movement for name, move in moves.items()}

    def close(self) -> None:
        """No-op: there is no page."""


def keep_in_memory(simulation: Simulation) -> None:
    """Let a simulation compute its steps without writing them. It cannot be saved then."""
    simulation.stage = StillStage(simulation.folder.starting_positions())
