"""`temp_storage/branches/<simulation>.json`: how far the simulations have come that are made and run in the background.

The program that makes a simulation rewrites its file at least every second, until its state is final.
"""

import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ville.errors import BadSimulationName, CorruptFile, SimulationInUse
from ville.json_types import Json
from ville.storage.files import pretty, read_object_if_whole, write_text, writing
from ville.storage.folder.storage import check_name, remove_unfinished
from ville.storage.records.lock import Lock
from ville.storage.shapes import CostShape, Text, Whole

FOLDER = "branches"
FRESH = 5.0
"""Seconds after which a program that reports nothing counts as ended."""
LIFETIME = 86_400.0
"""Seconds for which a final state is kept."""
KILLED = "It ended unexpectedly. What was saved stands."
UNMADE = "It ended unexpectedly before it was made: there is no simulation. Begin it again."
STOPPED_UNMADE = "It was stopped before it was made: there is no simulation. Begin it again."
NOT_BEGUN = "The engine ended before it was begun: there is no simulation. Begin it again."
WAITED = "The engine ended before it was begun. Nothing has changed. Begin it again."
Going = Literal["waiting", "copying", "recomputing", "running"]
Over = Literal["done", "stopped", "failed"]


class BackgroundStatus(BaseModel):
    """How far a simulation has come."""

    model_config = ConfigDict(frozen=True, strict=True, populate_by_name=True)

    sim_code: Text
    origin: Text = Field(alias="from")
    """Simulation to fork, with the moment; its own name if it is resumed."""
    id: Text
    """Of the request."""
    by: Text = ""
    title: Text = ""
    state: Going | Over = "waiting"
    first_step: Whole = 0
    """Where the present state began."""
    step: Whole = 0
    """The next one to compute, or to compute again."""
    until_step: Whole = 0
    """Where the present state ends."""
    curr_time: Text = ""
    """Game time of the next step."""
    models: Text = ""
    cost: CostShape | None = None
    fault: Text = ""
    """Why it failed, in one line."""
    notes: Text = ""
    """Notes to show when it is opened: contents of a folder from elsewhere, settings that change nothing."""

    @property
    def is_over(self) -> bool:
        return self.state in get_args(Over)

    @property
    def runs_on(self) -> bool:
        """Whether it is a saved simulation that goes on, and not a new one."""
        return self.origin == self.sim_code

    def for_watchers(self) -> "BackgroundStatus":
        """Return the state without what only those may know who may act."""
        return self.model_copy(update={"by": "", "cost": None, "fault": "", "notes": ""})

    def as_json(self) -> dict[str, Json]:
        """Return the content of the file."""
        return self.model_dump(mode="json", by_alias=True)


class BackgroundFiles:
    """Reads and writes the files of all simulations in the background."""

    def __init__(self, temp_storage: Path) -> None:
        self._root = temp_storage / FOLDER

    def write(self, status: BackgroundStatus) -> None:
        """Write how far a simulation has come, atomically. Raises CannotWrite."""
        with writing(self._root):
            self._root.mkdir(parents=True, exist_ok=True)
        write_text(self._root / f"{status.sim_code}.json", pretty(status.as_json()))

    def read(self, name: str) -> BackgroundStatus | None:
        """Return how far a simulation has come; None if there is no valid file."""
        try:
            check_name(name)
            values = read_object_if_whole(self._root / f"{name}.json", self._root)
            return BackgroundStatus.model_validate(values) if values else None
        except (CorruptFile, BadSimulationName, ValidationError):
            return None

    def all(self) -> list[BackgroundStatus]:
        """Return how far all have come, sorted by name. Those whose program has ended without a word have failed."""
        found = (self.read(path.stem) for path in sorted(self._root.glob("*.json")))
        return [self._as_of_now(status) for status in found if status]

    def _as_of_now(self, status: BackgroundStatus) -> BackgroundStatus:
        if status.is_over or status.state == "waiting" or self._age(status.sim_code) <= FRESH:
            return status
        made = status.state == "running" or status.runs_on
        return status.model_copy(update={"state": "failed", "fault": KILLED if made else UNMADE})

    def _age(self, name: str) -> float:
        """Return the seconds since a file was written, by the system clock; infinite if it is gone."""
        with suppress(OSError):
            return abs(time.time() - (self._root / f"{name}.json").stat().st_mtime)
        return float("inf")

    def settle(self, storage: Path, name: str) -> BackgroundStatus | None:
        """Note that the program of a simulation has ended, unless it has said so; remove what it has left half made.

        Returns the final state; None while the simulation is open somewhere. Raises StorageError.
        """
        status = self.read(name)
        if status is None or status.is_over:
            return status
        try:
            with Lock(storage / name):
                remove_unfinished(storage / name)
        except SimulationInUse:
            return None
        settled = status.model_copy(update={"state": "failed", "fault": _what_is_left(status, storage / name)})
        self.write(settled)
        return settled

    def forget(self, name: str) -> None:
        """Forget a simulation that is over: it has another name now, or is gone."""
        status = self.read(name)
        if status and status.is_over:
            with suppress(OSError):
                (self._root / f"{name}.json").unlink()

    def tidy(self, storage: Path) -> None:
        """Settle what an earlier engine has left behind, and forget what was over long ago. Raises StorageError."""
        for path in self._root.glob("*.json"):
            status = self.settle(storage, path.stem)
            if status and status.is_over and self._age(path.stem) > LIFETIME:
                with writing(path):
                    path.unlink(missing_ok=True)


def _what_is_left(status: BackgroundStatus, simulation: Path) -> str:
    """Return what to say of a program that has ended without a word: what is there, and what to do."""
    if status.state == "waiting":
        return WAITED if status.runs_on else NOT_BEGUN
    return KILLED if simulation.exists() else UNMADE
