"""Shows moves and reports the positions of personas: in a browser, or without one."""

import asyncio
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from time import monotonic
from typing import Literal, Protocol

from ville.errors import CorruptFile
from ville.storage.exchange.temp_storage import TempStorage
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.steps.step_files import MoveRecord, Position

POLL_INTERVAL = 0.02
"""Seconds between two checks for a report of the browser."""
ALONE = "No browser connected. Running without one."
LOST = "The browser has disconnected. Running without it."
SILENT = "A browser requests steps but does not report positions. Running without it."
BACK = "Browser connected."
AWAITING = "Waiting for the browser to report positions."
OVERDUE_AFTER = 2.0
"""Seconds after which waiting for a report is mentioned."""

Positions = Mapping[str, Position]
Browser = Literal["none", "watching", "awaited", "silent"]
"""Whether a browser is connected. `awaited`: its report is overdue; `silent`: it requests steps but does not report."""


class Stage(Protocol):
    """Displays moves and reports where personas stand."""

    @property
    def browser(self) -> Browser:
        """The current state of the browser."""
        ...

    @property
    def shows_steps_alone(self) -> bool:
        """Whether nobody else reports positions, so that people may be ahead of what is shown."""
        ...

    def announce(self, step: int) -> None:
        """Tell the pages which simulation is shown from now on. Raises CannotWrite."""
        ...

    async def positions(self, step: int) -> Positions:
        """Return the positions before a step. Raises StorageError."""
        ...

    def open_page(self) -> Mapping[str, object]:
        """Return which visitor has a page open, as in visit.json; empty if there is none."""
        ...

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        """Show the moves of a step, computed at game time `now`. Raises CannotWrite."""
        ...

    def close(self) -> None:
        """Stop showing steps."""
        ...


class HeadlessStage:
    """Runs without a browser: every persona reaches the tile of its move at once."""

    browser: Browser = "none"
    shows_steps_alone = True

    def __init__(self, folder: SimulationFolder) -> None:
        self._folder = folder
        self._moves: Mapping[str, MoveRecord] = {}
        """The last moves."""
        self._destinations: dict[str, Position] | None = None
        """Positions after them."""

    def announce(self, step: int) -> None:
        """No-op: there is no browser to notify."""

    async def positions(self, step: int) -> Positions:  # noqa: ARG002 - the last moves shown are those of the previous step
        if self._destinations is None:
            return self._folder.starting_positions()
        return self._destinations

    def open_page(self) -> Mapping[str, object]:
        return {}

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        if self._destinations is None or moves is not self._moves:
            self._moves, self._destinations = moves, {name: move.movement for name, move in moves.items()}
        self._folder.hold(step, moves, now, self._destinations)

    def close(self) -> None:
        """No-op: there is no browser to notify."""


class BrowserStage:
    """Lets a browser move the personas and report their positions; without a browser, moves take effect at once.

    A browser counts as connected when it requests a step (the environment server touches a file), when a classic page
    takes curr_step.json away, or when positions appear that the engine did not write. It counts as disconnected when it
    has not reported for `patience` seconds after requesting a step. If it still requests steps then, it is silent, and
    connected again as soon as it reports.
    """

    shows_steps_alone = False

    def __init__(
        self, folder: SimulationFolder, temp_storage: TempStorage, *, patience: float, notice: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._temp_storage = temp_storage
        self._patience = patience
        self._notice = notice
        self._has_browser: bool | None = None
        """Whether a browser was connected at the last check; None before the first one."""
        self._positions_before: Positions = {}
        """Positions before the last step."""
        self._destinations: dict[str, Position] | None = None
        """Positions after the last move."""
        self._waiting_since = math.inf
        """Start of the wait for a report, on the monotonic clock; infinite if not waiting."""
        self._silent_since: float | None = None
        """When a browser was given up that still requests steps but does not report."""

    def announce(self, step: int) -> None:
        self._temp_storage.announce(self._folder.name, step)

    @property
    def browser(self) -> Browser:
        if self._has_browser:
            return "awaited" if monotonic() - self._waiting_since > OVERDUE_AFTER else "watching"
        return "none" if self._silent_since is None else "silent"

    async def positions(self, step: int) -> Positions:
        reported = await self._positions(step)
        self._positions_before = {**(self._destinations or {}), **reported}  # browsers do not report visitors
        return reported

    async def _positions(self, step: int) -> Positions:
        if self._destinations is None:
            return self._folder.starting_positions()
        if self._has_browser:
            reported = await self._wait_for_report(step)
            if reported is not None:
                return reported
            self._silent_since = monotonic() if self._polls() else None
            self._set_watched(watched=False)
            self._temp_storage.announce(self._folder.name, step)
            self._folder.write_environment(step, self._destinations)
        return self._destinations

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        self._folder.write_movement(step, moves, now)
        self._destinations = {name: move.movement for name, move in moves.items()}
        self._set_watched(watched=self._is_watched(step))
        if (
            not self._has_browser or self._destinations == self._positions_before
        ):  # without moves there is nothing to wait for: nights pass quickly
            self._folder.write_environment(step + 1, self._destinations)

    def open_page(self) -> Mapping[str, object]:
        return self._temp_storage.visit(self._folder.name)

    def close(self) -> None:
        self._temp_storage.withdraw(self._folder.name)

    def _is_watched(self, step: int) -> bool:
        """Return whether a browser shows this step."""
        return bool(self._has_browser) or self._is_requested() or self._has_report(step)

    def _is_requested(self) -> bool:
        """Return whether a page requests steps of this simulation; another one may be running beside it."""
        if self._silent_since is not None and (self._reports_resumed() or not self._polls()):
            self._silent_since = None
        called = (self._polls() and self._silent_since is None) or self._temp_storage.page_opened()
        return called and self._temp_storage.announces(self._folder.name)

    def _polls(self) -> bool:
        return self._temp_storage.last_sign_of_life() < self._patience

    def _reports_resumed(self) -> bool:
        """Return whether a page has reported since it was given up, for whichever step."""
        return monotonic() - self._temp_storage.last_page_report() > (self._silent_since or 0)

    def _has_report(self, step: int) -> bool:
        """Return whether a browser has reported for a step, or is about to."""
        try:
            return self._folder.read_environment(step + 1) is not None
        except CorruptFile:
            return True

    async def _wait_for_report(self, step: int) -> Positions | None:
        """Return the positions that the browser reports, or None if it does not report in time.

        A report that is only half written is read again. The time starts when the step is shown, and again at the first
        request after that.
        """
        self._waiting_since = shown = asked = monotonic()
        try:
            while (now := monotonic()) - asked < self._patience:
                if (positions := self._read_report(step)) is not None:
                    return positions
                last = now - self._temp_storage.last_sign_of_life()
                asked = last if asked == shown < last else asked
                await asyncio.sleep(POLL_INTERVAL)
            return None
        finally:
            self._waiting_since = math.inf

    def _read_report(self, step: int) -> Positions | None:
        try:
            return self._folder.read_environment(step)
        except CorruptFile:
            return None

    def _set_watched(self, *, watched: bool) -> None:
        """Record whether a browser is connected, and notify once on change."""
        if watched != self._has_browser:
            gone = LOST if self._silent_since is None else SILENT
            self._notice(BACK if watched else gone if self._has_browser else ALONE)
        self._has_browser = watched
        self._silent_since = None if watched else self._silent_since
