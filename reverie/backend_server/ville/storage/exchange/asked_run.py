"""`temp_storage/asked_run.json`: how far the open simulation was asked to run, there while a run is in progress. If its
engine crashes, the next one goes on with it.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from ville.errors import CorruptFile
from ville.storage.files import pretty, read_object_if_whole, write_text, writing
from ville.storage.shapes import Text, Whole

FILE = "asked_run.json"


class AskedRun(BaseModel):
    """A run that is in progress."""

    model_config = ConfigDict(frozen=True, strict=True)

    sim_code: Text
    until_step: Whole
    until_talk: bool = False
    paused: bool = False
    speed: float | str = "max"
    models: Text = ""
    """Source of answers, as in the status; empty if an older engine has not noted it."""
    crashes: list[Whole] = []
    """Steps that were being computed when an engine ended unexpectedly."""


class AskedRunFile:
    """Reads and writes the file."""

    def __init__(self, temp_storage: Path) -> None:
        self._path = temp_storage / FILE

    def read(self) -> AskedRun | None:
        """Return the run that was in progress; None if there is no valid file."""
        try:
            values = read_object_if_whole(self._path, self._path.parent)
            return AskedRun.model_validate(values) if values else None
        except (CorruptFile, ValidationError):
            return None

    def write(self, asked: AskedRun) -> None:
        """Note a run. Raises CannotWrite."""
        write_text(self._path, pretty(asked.model_dump(mode="json")))

    def remove(self) -> None:
        """Note that no run is in progress. Raises CannotWrite."""
        with writing(self._path):
            self._path.unlink(missing_ok=True)
