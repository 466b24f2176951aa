"""The steps of a simulation: what everyone does in each (movement), and where everyone stands before it (environment).

Only this package knows that each is a file of its own, movement/<step>.json and environment/<step>.json, until its hour
is packed: then all steps of a day are in one file, movement/<step>.pack. A file of its own counts before a packed one.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import (
    check_no_links,
    flush,
    link_or_copy,
    object_if_whole,
    object_in,
    read_bytes,
    read_object,
    read_object_if_whole,
    write_bytes,
    write_text,
    writing,
)
from ville.storage.flaws import NO_OBJECT, Flaw, name_of, whole_file
from ville.storage.shapes import LAST_STEP
from ville.storage.steps.checked_records import NOTHING_CHECKED, CheckedRecords
from ville.storage.steps.frames import Frame
from ville.storage.steps.hour_pack import DAY, HOUR, Hour, hour_of
from ville.storage.steps.packed_steps import ENDING, PackedSteps, loose_texts, read_hour, remove_loose
from ville.storage.steps.step_files import Position, valid_positions

MOST_LAST = 4
"""Simulations of which the records that were read last are kept."""
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

    @property
    def packs(self) -> PackedSteps:
        """The steps that are packed."""
        return PackedSteps(self.root / MOVEMENT, self.root)

    def shown(self) -> list[int]:
        """Return the steps that have a movement, in no order."""
        return self._numbers(MOVEMENT)

    def placed(self) -> list[int]:
        """Return the steps that have positions, in no order."""
        return self._numbers(ENVIRONMENT)

    def _numbers(self, folder: str) -> list[int]:
        loose = _numbers(self.root / folder, self.root)
        within = [step for first in self.packs.hours() for step in range(first, first + HOUR)]
        return list({*loose, *within}) if within else loose

    def shows(self, step: int) -> bool:
        """Return whether a step has a movement."""
        return self.movement_file(step).exists() or self.is_packed(step)

    def places(self, step: int) -> bool:
        """Return whether there are positions before a step."""
        return self.environment_file(step).exists() or self.is_packed(step)

    def is_packed(self, step: int) -> bool:
        """Return whether a pack has a step; there may be a file of its own, too."""
        return step >= 0 and self.packs.part(step) is not None

    def time_stamp(self, step: int) -> int:
        """Return when a movement was written, in nanoseconds of the file system; of a packed one the checksum of its
        hour. 0 if there is none.
        """
        try:
            return self.movement_file(step).stat().st_mtime_ns
        except OSError:
            part = self.packs.part(step) if step >= 0 else None
            return part.checksum if part else 0

    def size(self, step: int) -> int:
        """Return the bytes of a movement; 0 if there is none."""
        file = self.movement_file(step)
        return file.stat().st_size if file.exists() else len(self.movement_bytes(step))

    def movement(self, step: int) -> dict[str, Json] | None:
        """Return a movement as it is; None if it is missing or incomplete."""
        return self._if_whole(self.movement_file(step), self.packs.movement, step)

    def environment(self, step: int) -> dict[str, Json] | None:
        """Return the positions before a step as they are; None if they are missing or incomplete."""
        return self._if_whole(self.environment_file(step), self._packed_environment, step)

    def _if_whole(self, path: Path, packed: Callable[[int], bytes], step: int) -> dict[str, Json] | None:
        found = read_object_if_whole(path, self.root)
        return object_if_whole(packed(step)) if found is None and not path.exists() else found

    def _packed_environment(self, step: int) -> bytes:
        hour = self.packs.hour(step)
        return hour.environment(step, self.movement_bytes(step - 1)) if hour else b""

    def read_movement(self, step: int) -> dict[str, Json]:
        """Return a movement. Raises CorruptFile, which says where it is damaged."""
        return _object(self.movement_bytes(step), self.movement_file(step))

    def read_environment(self, step: int) -> dict[str, Json]:
        """Return the positions before a step. Raises CorruptFile, which says where they are damaged."""
        return _object(self.environment_bytes(step), self.environment_file(step))

    def movement_bytes(self, step: int) -> bytes:
        """Return the text of a movement, to be compared or searched without being read; empty if there is none."""
        return _content(self.movement_file(step), self.root) or self.packs.movement(step)

    def environment_bytes(self, step: int) -> bytes:
        """Return the text of the positions before a step; empty if there are none."""
        return _content(self.environment_file(step), self.root) or self._packed_environment(step)

    def frame(self, step: int) -> tuple[Frame, list[Flaw]]:
        """Return the valid records of a movement, and the flaws of the others. A missing one is empty without flaws."""
        path = self.movement_file(step)
        last = _LAST.get(self.root, NOTHING_CHECKED)
        try:
            blocks = self._blocks(step)
            if blocks and (following := last.after(blocks)):
                return _keep(self.root, following), []
            values = self.movement(step)
            is_there = values is not None or self.shows(step)
        except CorruptFile:
            return {}, [Flaw((), "cannot be read", name_of(path, self.root))]
        if values is None:
            frame: Frame = {}
            found = [Flaw((), NO_OBJECT)] if is_there else []
        else:
            checked, found = last.then(values.get("persona", {}))
            frame = _keep(self.root, checked if found else checked.of(blocks))
            found = [flaw.within("persona") for flaw in found]
        return frame, [flaw.of(name_of(path, self.root)) for flaw in found]

    def _blocks(self, step: int) -> Sequence[bytes]:
        """Return the parts of the text of a packed movement; none of one that has a file of its own."""
        hour = None if self.movement_file(step).exists() else self.packs.hour(step)
        return hour.movements[step - hour.first] if hour else ()

    def positions(self, step: int) -> tuple[dict[str, Position], list[Flaw]]:
        """Return the valid positions before a step, and the flaws of the others."""
        path = self.environment_file(step)
        values = self.environment(step)
        missing = Flaw((), NO_OBJECT) if self.places(step) else whole_file(path)
        positions, found = ({}, [missing]) if values is None else valid_positions(values)
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

    def pack(self, step: int, *, fsync: bool = False) -> None:
        """Pack the hours that are complete before a step, and remove their files. One that lacks a file stays as it is.

        Killed meanwhile, it leaves files that are packed too: the next call removes them. Raises CorruptFile, too.
        """
        folders = (self.root / name for name in STEP_FOLDERS)
        firsts = {number // HOUR * HOUR for folder in folders for number in _numbers(folder, self.root)}
        for _, day in groupby(sorted(first for first in firsts if first + HOUR <= step), lambda first: first // DAY):
            made = self.packs.add(filter(None, map(self._loose_hour, day)), fsync=fsync)
            for first in made:
                remove_loose(self._files, range(first, first + HOUR))

    def _loose_hour(self, first: int) -> Hour | None:
        """Return an hour with files of its own; None if one of them is missing."""
        hour = read_hour(first, self._files, self.movement_bytes(first - 1))
        return self._mended(first) if hour is None and self.packs.part(first) else hour

    def _mended(self, first: int) -> Hour:
        """Return a packed hour with the files in the place of what they say."""
        steps = range(first, first + HOUR)
        texts = ((self.movement_bytes(step), self.environment_bytes(step)) for step in steps)
        return hour_of(first, texts, self.movement_bytes(first - 1))

    def unpack(self) -> None:
        """Write all packed steps as files of their own, byte for byte as they were, and remove the packs."""
        self.prepare()
        for path in self.packs.files():
            for first in self.packs.hours_in(path):
                self._write_loose(first, range(first, first + HOUR), self)
            self.packs.keep(path, lambda _: False, path)

    def _write_loose(self, first: int, steps: range, target: "StepStore", *, after: bool = False) -> None:
        """Write packed steps of an hour as files to a folder; with `after`, also the positions after the last one."""
        hour = self.packs.hour(first)
        if hour is None:
            return
        wanted = range(steps.start, steps.stop + after)
        for step, movement, environment in loose_texts(hour, self.movement_bytes(first - 1), wanted):
            path, place = target._files(step)  # noqa: SLF001 - the same class
            if step in steps and not path.exists():
                write_bytes(path, movement)
            if not place.exists():
                write_bytes(place, environment)

    def _files(self, step: int) -> tuple[Path, Path]:
        return self.movement_file(step), self.environment_file(step)

    def cut(self, step: int) -> None:
        """Remove what comes after the positions before a step, and what was not written to its end."""
        self.prepare()
        for path in self.packs.files():
            hours = self.packs.hours_in(path)
            for first in (first for first in hours if first <= step < first + HOUR):
                self._write_loose(first, range(first, step), self, after=True)
            if any(first + HOUR > step for first in hours):
                self.packs.keep(path, lambda first: first + HOUR <= step, path)
        for name, last in ((MOVEMENT, step - 1), (ENVIRONMENT, step)):
            folder = self.root / name
            with writing(folder):
                for path in folder.iterdir():
                    if path.suffix == ".tmp" or (_is_loose(path) and int(path.stem) > last):
                        path.unlink()

    def keep_only_positions(self, step: int) -> None:
        """Remove all steps but the positions before one. What says that there are steps goes last."""
        if not self.environment_file(step).exists() and self.places(step):
            write_bytes(self.environment_file(step), self.environment_bytes(step))
        with writing(self.root):
            for path in (self.root / ENVIRONMENT).glob("*.json"):
                if path != self.environment_file(step):
                    path.unlink()
            shutil.rmtree(self.root / MOVEMENT)

    def weight(self) -> int:
        """Return about how many bytes all movements have as files of their own."""
        return sum(map(self.size, self.packs.hours())) * HOUR + sum(
            self.size(step) for step in _numbers(self.root / MOVEMENT, self.root)
        )

    def copy(self, target: Path, steps: range, *, links: bool = False) -> None:
        """Copy steps that have been saved, which do not change any more, to another simulation's folder; also the
        positions after the last one. With `links`, they become links to the same files.

        Packs are copied last: a program that packs meanwhile removes what is in them already.
        """
        within = {MOVEMENT: range(steps.start, steps.stop), ENVIRONMENT: range(steps.start, steps.stop + 1)}
        for name, numbers in within.items():
            _copy(_plain_files(self.root / name, numbers), target / name, links=links)
        for path in self.packs.files():
            self._copy_pack(path, target, steps, links=links)

    def _copy_pack(self, path: Path, target: Path, steps: range, *, links: bool) -> None:
        """Copy the hours of a pack that are within some steps, and the others as files of their own."""
        hours = self.packs.hours_in(path)
        whole = [first for first in hours if steps.start <= first and first + HOUR <= steps.stop]
        partly = [first for first in hours if first not in whole and first <= steps.stop and first + HOUR > steps.start]
        copy = StepStore(target)
        if whole or partly:
            copy.prepare()
        packed = copy.packs.file(int(path.stem))
        if whole == hours:
            _copy([path], target / MOVEMENT, links=links)
        if whole and copy.packs.hours_in(packed) != whole:  # an hour was packed meanwhile, or some are not wanted
            self.packs.keep(path, whole.__contains__, packed)
        for first in whole:
            remove_loose(copy._files, range(first, first + HOUR))
        for first in partly:
            self._write_loose(first, range(max(first, steps.start), min(first + HOUR, steps.stop)), copy, after=True)


_LAST: dict[Path, CheckedRecords] = {}
"""The records that were read last of some simulations: most stay the same from one step to the next."""


def _keep(root: Path, last: CheckedRecords) -> Frame:
    _LAST.pop(root, None)
    _LAST[root] = last
    for oldest in list(_LAST)[:-MOST_LAST]:
        _LAST.pop(oldest, None)
    return last.frame


def _numbers(folder: Path, root: Path) -> list[int]:
    check_no_links(folder, root)
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    stems = (name.removesuffix(".json") for name in names if name.endswith(".json"))
    return [number for stem in stems if stem.isdecimal() and (number := int(stem)) <= LAST_STEP]


def _object(content: bytes, path: Path) -> dict[str, Json]:
    return object_in(content, path) if content else read_object(path)


def _content(path: Path, root: Path) -> bytes:
    try:
        return read_bytes(path, root)
    except OSError:
        return b""


def _plain_files(folder: Path, numbers: range) -> list[Path]:
    """Return the files of some steps, and those that belong to none."""
    return [path for path in folder.glob("[!.]*") if _is_within(path, numbers) and path.is_file()]


def _is_loose(path: Path) -> bool:
    return path.stem.isdecimal() and path.suffix != ENDING


def _is_within(path: Path, numbers: range) -> bool:
    return path.suffix != ENDING and (not _is_loose(path) or int(path.stem) in numbers)


def _copy(files: Iterable[Path], folder: Path, *, links: bool) -> None:
    for number, file in enumerate(files):
        if not number:
            folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # it was packed meanwhile
            (link_or_copy if links else shutil.copyfile)(file, folder / file.name)
