"""The packed steps of one simulation: read, written, unpacked and cut. A day of steps is in one file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.files import Stamp, check_no_links, read_bytes, stamp_of, write_bytes, writing
from ville.storage.steps.hour_pack import DAY, HOUR, Hour, HourPlace, hour_of, packed, parts, unpacked

ENDING = ".pack"
FILES, HOURS = 4, 4
"""How many files and hours are kept in memory."""
Loose = Callable[[int], tuple[Path, Path]]
"""Returns the files of the movement and of the environment of a step."""


class PackedSteps:
    """Reads and writes the packs below a folder."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root = folder, root

    def file(self, step: int) -> Path:
        """Return the file of the day of a step."""
        return self.folder / f"{step // DAY * DAY}{ENDING}"

    def files(self) -> list[Path]:
        """Return all files, the first days first. Raises CorruptFile for links."""
        check_no_links(self.folder, self.root)
        found = (path for path in self.folder.glob(f"*{ENDING}") if path.stem.isdecimal() and int(path.stem) % DAY == 0)
        return sorted(found, key=lambda path: int(path.stem))

    def hours(self) -> list[int]:
        """Return the first steps of all hours, in order. Raises CorruptFile."""
        return [first for path in self.files() for first in self.hours_in(path)]

    def hours_in(self, path: Path) -> list[int]:
        """Return the first steps of the hours in a file, in order. Raises CorruptFile."""
        return [part.first for part in self._parts(path)]

    def part(self, step: int) -> HourPlace | None:
        """Return where the hour of a step is; None if it is not packed. Raises CorruptFile."""
        first = step // HOUR * HOUR
        return next((part for part in self._parts(self.file(step)) if part.first == first), None)

    def hour(self, step: int) -> Hour | None:
        """Return the hour of a step; None if it is not packed. Raises CorruptFile."""
        if step < 0 or (part := self.part(step)) is None:
            return None
        path = self.file(step)
        return _hour(path, stamp_of(path), part)

    def movement(self, step: int) -> bytes:
        """Return the text of a movement; empty if it is not packed. Raises CorruptFile."""
        hour = self.hour(step)
        return hour.movement(step) if hour else b""

    def _parts(self, path: Path) -> Sequence[HourPlace]:
        stamp = stamp_of(path)
        if not any(stamp):
            return ()
        check_no_links(path, self.root)
        return _file(path, stamp)[1]

    def add(self, hours: Iterable[Hour], *, fsync: bool) -> list[int]:
        """Write hours of one day, in the place of those that are there of the same steps; return their first steps.

        Raises CannotWrite and CorruptFile.
        """
        records = {hour.first: packed(hour) for hour in hours}
        if records:
            path = self.file(min(records))
            _write(path, self._records(path) | records, fsync=fsync)
            for read in (_file_or_fault, _hour_or_fault):
                read.cache_clear()  # of a file as it was
        return list(records)

    def _records(self, path: Path) -> dict[int, bytes]:
        """Return the records of a file as they are, by first step."""
        if not (known := self._parts(path)):
            return {}
        content = _file(path, stamp_of(path))[0]
        return {part.first: content[part.start : part.end] for part in known}

    def keep(self, path: Path, is_kept: Callable[[int], bool], target: Path) -> None:
        """Write the hours of a file that are kept, given their first step, to another one, or remove that if none is.

        Raises CannotWrite and CorruptFile.
        """
        records = {first: record for first, record in self._records(path).items() if is_kept(first)}
        if records:
            _write(target, records, fsync=False)
        else:
            with writing(target):
                target.unlink(missing_ok=True)


def _write(path: Path, records: Mapping[int, bytes], *, fsync: bool) -> None:
    write_bytes(path, b"".join(record for _, record in sorted(records.items())), fsync=fsync)


def _file(path: Path, stamp: Stamp) -> tuple[bytes, Sequence[HourPlace]]:
    """Return the content of a file, and where its hours are. Raises CorruptFile."""
    found = _file_or_fault(path, stamp)
    if isinstance(found, CorruptFile):
        raise found.with_traceback(None)
    return found


def _hour(path: Path, stamp: Stamp, part: HourPlace) -> Hour:
    found = _hour_or_fault(path, stamp, part)
    if isinstance(found, CorruptFile):
        raise found.with_traceback(None)
    return found


@lru_cache(maxsize=FILES)
def _file_or_fault(path: Path, _stamp: Stamp) -> tuple[bytes, Sequence[HourPlace]] | CorruptFile:
    """Return what `_file` does, or why that fails, so that a damaged file is read once, and not for each step."""
    try:
        content = read_bytes(path)
    except OSError:
        return b"", ()
    first = int(path.stem)
    try:
        found = parts(content, path)
    except CorruptFile as fault:
        return fault
    if any(not first <= part.first < first + DAY for part in found):
        return CorruptFile("%(file)s has steps of another day. Restore it from a copy, or remove it.", file=path)
    return content, found


@lru_cache(maxsize=HOURS)
def _hour_or_fault(path: Path, stamp: Stamp, part: HourPlace) -> Hour | CorruptFile:
    try:
        return unpacked(_file(path, stamp)[0], part, path)
    except CorruptFile as fault:
        return fault


def read_hour(first: int, loose: Loose, before: bytes) -> Hour | None:
    """Return an hour that is not packed; None if one of its files is missing. `before` is the movement before it.

    Raises CorruptFile for links.
    """
    files = map(loose, range(first, first + HOUR))
    try:
        return hour_of(first, ((read_bytes(movement), read_bytes(place)) for movement, place in files), before)
    except OSError:
        return None


def loose_texts(hour: Hour, before: bytes, steps: range) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the number, movement and environment of some steps of an hour; `before` is the movement before it."""
    led = before
    for step in range(hour.first, hour.first + len(hour.movements)):
        movement = hour.movement(step)
        if step in steps:
            yield step, movement, hour.environment(step, led)
        led = movement


def remove_loose(loose: Loose, steps: range) -> None:
    """Remove the files of steps that are packed. Raises CannotWrite."""
    for step in steps:
        for path in loose(step):
            with writing(path), suppress(FileNotFoundError):
                path.unlink()
