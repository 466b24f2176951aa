"""Where the town is shown: it says where everybody stands, and is told where everybody goes."""

import asyncio
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from time import monotonic
from typing import Literal, Protocol

from ville.errors import CorruptFile
from ville.storage.simulation_folder import SimulationFolder
from ville.storage.step_files import MoveRecord, Position
from ville.storage.temp_storage import TempStorage

POLL_INTERVAL = 0.02
"""Seconds between two looks into the mailbox."""
ALONE = "Nobody is watching in a browser: going on without one."
LOST = "The browser gives no sign any more: going on without it."
SILENT = "A browser asks for steps but does not report where everyone stands: going on without it."
BACK = "A browser is watching."
AWAITING = "Waiting for the browser to report where everyone stands."
OVERDUE_AFTER = 2.0
"""Seconds after which a wait for a report is worth mentioning."""

Positions = Mapping[str, Position]
Browser = Literal["none", "watching", "awaited", "silent"]
"""Whether a browser is connected; `awaited`: its report is overdue; `silent`: it asks for steps but does not report."""


class Stage(Protocol):
    """Anything that carries out moves."""

    @property
    def browser(self) -> Browser:
        """The browser as it is at this moment."""
        ...

    async def positions(self, step: int) -> Positions:
        """Where everybody stands before a step. Raises StorageError."""
        ...

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        """What everybody does in a step, computed at `now` in game time. Raises CannotWrite."""
        ...

    def close(self) -> None:
        """Nothing more will be shown."""
        ...


class HeadlessStage:
    """Nobody watches: the moves are taken at their word."""

    browser: Browser = "none"

    def __init__(self, folder: SimulationFolder) -> None:
        self._folder = folder
        self._destinations: dict[str, Position] | None = None
        """Where the last moves led."""

    async def positions(self, step: int) -> Positions:  # noqa: ARG002 - the moves shown last are those before it
        if self._destinations is None:
            return self._folder.starting_positions()
        return self._destinations

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        self._folder.write_movement(step, moves, now)
        self._destinations = {name: move.movement for name, move in moves.items()}
        self._folder.write_environment(step + 1, self._destinations)

    def close(self) -> None:
        """Nobody has to be told."""


class BrowserStage:
    """A browser walks everybody to their tiles and reports; while there is none, the moves are taken at their word.

    A browser is there as soon as it shows a sign of life: it asked for a step (the environment server touches a file),
    a classic page took curr_step.json away, or positions lie in the mailbox that are not ours. It is gone when it has
    not reported for `patience` seconds after it asked for the step. One that still asks for steps then is silent: it is
    waited for again as soon as it reports.
    """

    def __init__(
        self, folder: SimulationFolder, mailbox: TempStorage, *, patience: float, notice: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._mailbox = mailbox
        self._patience = patience
        self._notice = notice
        self._has_browser: bool | None = None
        """Whether a browser was there when last looked for; None before that."""
        self._positions_before: Positions = {}
        """Where everybody stood before the last step."""
        self._destinations: dict[str, Position] | None = None
        """Where its moves led."""
        self._waiting_since = math.inf
        """When the wait for a report began, on the monotonic clock; infinite outside of one."""
        self._silent_since: float | None = None
        """When a browser was given up that asks for steps but does not report."""
        mailbox.announce(folder.name, folder.meta.step)

    @property
    def browser(self) -> Browser:
        if self._has_browser:
            return "awaited" if monotonic() - self._waiting_since > OVERDUE_AFTER else "watching"
        return "none" if self._silent_since is None else "silent"

    async def positions(self, step: int) -> Positions:
        self._positions_before = await self._positions(step)
        return self._positions_before

    async def _positions(self, step: int) -> Positions:
        if self._destinations is None:
            return self._folder.starting_positions()
        if self._has_browser:
            reported = await self._wait_for_report(step)
            if reported is not None:
                return reported
            self._silent_since = monotonic() if self._polls() else None
            self._set_watched(watched=False)
            self._mailbox.announce(self._folder.name, step)
            self._folder.write_environment(step, self._destinations)
        return self._destinations

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        self._folder.write_movement(step, moves, now)
        self._destinations = {name: move.movement for name, move in moves.items()}
        self._set_watched(watched=self._is_watched(step))
        if (
            not self._has_browser or self._destinations == self._positions_before
        ):  # where nobody moves, nobody is waited for: nights pass
            self._folder.write_environment(step + 1, self._destinations)

    def close(self) -> None:
        self._mailbox.withdraw(self._folder.name)

    def _is_watched(self, step: int) -> bool:
        """Whether anybody watches this step being shown."""
        return bool(self._has_browser) or self._is_requested() or self._has_report(step)

    def _is_requested(self) -> bool:
        """Whether a page asks for steps, and for ours: another simulation may be running beside this one."""
        if self._silent_since is not None and (self._reports_resumed() or not self._polls()):
            self._silent_since = None
        called = (self._polls() and self._silent_since is None) or self._mailbox.page_opened()
        return called and self._mailbox.announces(self._folder.name)

    def _polls(self) -> bool:
        return self._mailbox.last_sign_of_life() < self._patience

    def _reports_resumed(self) -> bool:
        """Whether a page has reported since it was given up; what it says about steps that are over does not matter."""
        return monotonic() - self._mailbox.last_page_report() > (self._silent_since or 0)

    def _has_report(self, step: int) -> bool:
        """Whether somebody else has walked everybody through a step, or is about to."""
        try:
            return self._folder.read_environment(step + 1) is not None
        except CorruptFile:
            return True

    async def _wait_for_report(self, step: int) -> Positions | None:
        """What the browser says, or None if it does not report in time; half-written reports are read again.

        Its time begins when the step is shown, and once more when it first asks for something after that.
        """
        self._waiting_since = shown = asked = monotonic()
        try:
            while (now := monotonic()) - asked < self._patience:
                if (positions := self._read_report(step)) is not None:
                    return positions
                last = now - self._mailbox.last_sign_of_life()
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
        """Remember whether a browser is there, and say so once when that changes."""
        if watched != self._has_browser:
            gone = LOST if self._silent_since is None else SILENT
            self._notice(BACK if watched else gone if self._has_browser else ALONE)
        self._has_browser = watched
        self._silent_since = None if watched else self._silent_since
