"""The steps of a simulation: what everyone does in each (movement), and where everyone stands before it (environment).

Only this module knows that each is a file of its own, movement/<step>.json and environment/<step>.json.
"""

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import (
    check_no_links,
    flush,
    link_or_copy,
    read_bytes,
    read_object,
    read_object_if_whole,
    write_text,
    writing,
)
from ville.storage.flaws import Flaw, name_of, whole_file
from ville.storage.shapes import LAST_STEP
from ville.storage.steps.frames import Frame, valid_frame
from ville.storage.steps.step_files import Position, valid_positions

MOVEMENT, ENVIRONMENT = STEP_FOLDERS = ("movement", "environment")


@dataclass(frozen=True)
class StepStore:
    """Reads and writes the steps of the simulation in a folder. Steps are counted from 0.

    All methods that read raise CorruptFile for links that lead out of the folder, and all that write raise CannotWrite.
    """

    root: Path
    """Folder of the simulation."""

    def movement_file(self, step: int) -> Path:
        """Return where a movement is, for messages and for those who wait for it."""
        return self.root / MOVEMENT / f"{step}.json"

    def environment_file(self, step: int) -> Path:
        """Return where the positions before a step are, for messages and for those who wait for them."""
        return self.root / ENVIRONMENT / f"{step}.json"

    def shown(self) -> list[int]:
        """Return the steps that have a movement, in no order."""
        return _numbers(self.root / MOVEMENT, self.root)

    def placed(self) -> list[int]:
        """Return the steps that have positions, in no order."""
        return _numbers(self.root / ENVIRONMENT, self.root)

    def shows(self, step: int) -> bool:
        """Return whether a step has a movement."""
        return self.movement_file(step).exists()

    def places(self, step: int) -> bool:
        """Return whether there are positions before a step."""
        return self.environment_file(step).exists()

    def time_stamp(self, step: int) -> int:
        """Return when a movement was written, in nanoseconds of the file system; 0 if there is none."""
        try:
            return self.movement_file(step).stat().st_mtime_ns
        except OSError:
            return 0

    def size(self, step: int) -> int:
        """Return the bytes of a movement; 0 if there is none."""
        file = self.movement_file(step)
        return file.stat().st_size if file.exists() else 0

    def movement(self, step: int) -> dict[str, Json] | None:
        """Return a movement as it is; None if it is missing or incomplete."""
        return read_object_if_whole(self.movement_file(step), self.root)

    def environment(self, step: int) -> dict[str, Json] | None:
        """Return the positions before a step as they are; None if they are missing or incomplete."""
        return read_object_if_whole(self.environment_file(step), self.root)

    def read_movement(self, step: int) -> dict[str, Json]:
        """Return a movement. Raises CorruptFile, which says where it is damaged."""
        return read_object(self.movement_file(step))

    def read_environment(self, step: int) -> dict[str, Json]:
        """Return the positions before a step. Raises CorruptFile, which says where they are damaged."""
        return read_object(self.environment_file(step))

    def movement_bytes(self, step: int) -> bytes:
        """Return the text of a movement, to be compared or searched without being read; empty if there is none."""
        return _content(self.movement_file(step), self.root)

    def environment_bytes(self, step: int) -> bytes:
        """Return the text of the positions before a step; empty if there are none."""
        return _content(self.environment_file(step), self.root)

    def frame(self, step: int) -> tuple[Frame, list[Flaw]]:
        """Return the valid records of a movement, and the flaws of the others. A missing one is empty without flaws."""
        path = self.movement_file(step)
        try:
            values = self.movement(step)
        except CorruptFile:
            return {}, [Flaw((), "cannot be read", name_of(path, self.root))]
        if values is None:
            frame: Frame = {}
            found = [whole_file(path)] if path.exists() else []
        else:
            frame, found = valid_frame(values.get("persona", {}))
            found = [flaw.within("persona") for flaw in found]
        return frame, [flaw.of(name_of(path, self.root)) for flaw in found]

    def positions(self, step: int) -> tuple[dict[str, Position], list[Flaw]]:
        """Return the valid positions before a step, and the flaws of the others."""
        path = self.environment_file(step)
        values = self.environment(step)
        positions, found = ({}, [whole_file(path)]) if values is None else valid_positions(values)
        return positions, [flaw.of(name_of(path, self.root)) for flaw in found]

    def prepare(self) -> None:
        """Make room for steps."""
        for name in STEP_FOLDERS:
            folder = self.root / name
            with writing(folder):
                folder.mkdir(exist_ok=True)

    def write_movement(self, step: int, text: str) -> None:
        """Write a movement as a whole."""
        write_text(self.movement_file(step), text)

    def write_environment(self, step: int, text: str) -> None:
        """Write the positions before a step as a whole."""
        write_text(self.environment_file(step), text)

    def flush(self, step: int) -> None:
        """Wait until the movement that led to a step, and the positions before it, are on disk."""
        last = [self.movement_file(step - 1), self.environment_file(step)]
        flush(path for file in last if file.exists() for path in (file, file.parent))

    def cut(self, step: int) -> None:
        """Remove what comes after the positions before a step, and what was not written to its end."""
        self.prepare()
        for name, last in ((MOVEMENT, step - 1), (ENVIRONMENT, step)):
            folder = self.root / name
            with writing(folder):
                for path in folder.iterdir():
                    if path.suffix == ".tmp" or (path.stem.isdecimal() and int(path.stem) > last):
                        path.unlink()

    def copy(self, target: Path, steps: range, *, links: bool = False) -> None:
        """Copy steps that have been saved, which do not change any more, to another simulation's folder; also the
        positions after the last one. With `links`, they become links to the same files.
        """
        within = {MOVEMENT: range(steps.start, steps.stop), ENVIRONMENT: range(steps.start, steps.stop + 1)}
        for name, numbers in within.items():
            _copy(_plain_files(self.root / name, numbers), target / name, links=links)


def _numbers(folder: Path, root: Path) -> list[int]:
    check_no_links(folder, root)
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    stems = (name.removesuffix(".json") for name in names if name.endswith(".json"))
    return [number for stem in stems if stem.isdecimal() and (number := int(stem)) <= LAST_STEP]


def _content(path: Path, root: Path) -> bytes:
    try:
        return read_bytes(path, root)
    except OSError:
        return b""


def _plain_files(folder: Path, numbers: range) -> list[Path]:
    """Return the files of some steps, and those that belong to none."""
    return [path for path in folder.glob("[!.]*") if _is_within(path, numbers) and path.is_file()]


def _is_within(path: Path, numbers: range) -> bool:
    return not path.stem.isdecimal() or int(path.stem) in numbers


def _copy(files: Iterable[Path], folder: Path, *, links: bool) -> None:
    for number, file in enumerate(files):
        if not number:
            folder.mkdir(parents=True, exist_ok=True)
        (link_or_copy if links else shutil.copyfile)(file, folder / file.name)
