"""Where the town is shown: it says where everybody stands, and is told where everybody goes."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from archive.simulation_folder import SimulationFolder
from archive.step_files import MoveRecord, Position
from archive.temp_storage import TempStorage
from errors import CorruptFile

POLL = 0.02
"""Seconds between two looks into the mailbox."""
ALONE = "Nobody is watching in a browser: going on without one."
LOST = "The browser gives no sign any more: going on without it."
BACK = "A browser is watching."

Positions = Mapping[str, Position]


class Stage(Protocol):
    """Anything that carries out moves."""

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

    def __init__(self, folder: SimulationFolder) -> None:
        self._folder = folder
        self._led: dict[str, Position] | None = None
        """Where the last moves led."""

    async def positions(self, step: int) -> Positions:  # noqa: ARG002 - the moves shown last are those before it
        if self._led is None:
            return self._folder.starting_positions()
        return self._led

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        self._folder.write_movement(step, moves, now)
        self._led = {name: move.movement for name, move in moves.items()}
        self._folder.write_environment(step + 1, self._led)

    def close(self) -> None:
        """Nobody has to be told."""


class BrowserStage:
    """A browser walks everybody to their tiles and reports; while there is none, the moves are taken at their word.

    A browser is there as soon as it shows a sign of life: it asked for a step (the environment server touches a file),
    a classic page took curr_step.json away, or positions lie in the mailbox that are not ours. It is gone when there
    was no such sign for `patience` seconds.
    """

    def __init__(
        self, folder: SimulationFolder, mailbox: TempStorage, *, patience: float, notice: Callable[[str], None]
    ) -> None:
        self._folder = folder
        self._mailbox = mailbox
        self._patience = patience
        self._notice = notice
        self._watched: bool | None = None
        """Whether a browser was there when last looked for; None before that."""
        self._stand: Positions = {}
        """Where everybody stood before the last step."""
        self._led: dict[str, Position] | None = None
        """Where its moves led."""
        mailbox.announce(folder.name, folder.meta.step)

    async def positions(self, step: int) -> Positions:
        self._stand = await self._positions(step)
        return self._stand

    async def _positions(self, step: int) -> Positions:
        if self._led is None:
            return self._folder.starting_positions()
        if self._watched:
            reported = await self._reported(step)
            if reported is not None:
                return reported
            self._turn(watched=False)
            self._mailbox.announce(self._folder.name, step)
            self._folder.write_environment(step, self._led)
        return self._led

    def show(self, step: int, moves: Mapping[str, MoveRecord], now: datetime) -> None:
        self._folder.write_movement(step, moves, now)
        self._led = {name: move.movement for name, move in moves.items()}
        self._turn(watched=self._sign_of(step))
        if not self._watched or self._led == self._stand:  # where nobody moves, nobody is waited for: nights pass
            self._folder.write_environment(step + 1, self._led)

    def close(self) -> None:
        self._mailbox.withdraw(self._folder.name)

    def _sign_of(self, step: int) -> bool:
        """Whether anybody watches this step being shown."""
        return bool(self._watched) or self._called() or self._answered(step)

    def _called(self) -> bool:
        """Whether a page asks for steps, and for ours: another simulation may be running beside this one."""
        called = self._mailbox.last_sign_of_life() < self._patience or self._mailbox.page_opened()
        return called and self._mailbox.announces(self._folder.name)

    def _answered(self, step: int) -> bool:
        """Whether somebody else has walked everybody through a step, or is about to."""
        try:
            return self._folder.read_environment(step + 1) is not None
        except CorruptFile:
            return True

    async def _reported(self, step: int) -> Positions | None:
        """What the browser says, or None when it has been silent for too long; half-written reports are read again."""
        clock = asyncio.get_running_loop().time
        asked = clock()
        while min(clock() - asked, self._mailbox.last_sign_of_life()) < self._patience:
            try:
                positions = self._folder.read_environment(step)
            except CorruptFile:
                positions = None
            if positions is not None:
                return positions
            await asyncio.sleep(POLL)
        return None

    def _turn(self, *, watched: bool) -> None:
        """Remember whether a browser is there, and say so once when that changes."""
        if watched != self._watched:
            self._notice(BACK if watched else LOST if self._watched else ALONE)
        self._watched = watched
