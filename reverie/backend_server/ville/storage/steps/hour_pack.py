"""`movement/<step>.pack`: the files of complete hours of steps, of up to a day, byte for byte as they were.

An hour has 360 steps, counted from step 0, a day 24 hours. The file has a record for each hour: a mark, the first step,
the number of bytes and their checksum (little-endian), then a JSON object, compressed by zlib. It has the text of each
movement as what is new in the blocks that differ from the step before (a block is about one person), and of each
environment file nothing where it follows from the movement before, as it does unless a page has reported visitors.
"""

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypedDict

from ville.errors import CorruptFile

HOUR, DAY = 360, 24 * 360
"""Steps in a record and in a file, at most."""
LARGEST = 2**28
"""Bytes of the texts of an hour, at most."""
LEVEL = 9
"""Of compression."""
BLOCKS = 2**12
"""How many blocks are kept in memory with the places they tell: most stay as they are for many steps."""
GAP = b'\n    "'
"""Separator of blocks: the beginning of a member at the second level."""

_Change = tuple[int, int, int, str]
"""Steps since the block changed last, characters that stay at its beginning and at its end, and what is between."""
_HEAD, _MARK = struct.Struct("<4sIII"), b"HOUR"
_MOVED = re.compile(rb'((?:[^"\\]|\\.)*)": \{\n {6}"movement": \[\n {8}(\d{1,6}),\n {8}(\d{1,6})\n {6}\]')
_MAZE = re.compile(rb'"maze": ("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True)
class Hour:
    """The texts of 360 steps."""

    first: int
    movements: Sequence[Sequence[bytes]]
    """Blocks of each."""
    environments: Sequence[bytes | None]
    """None: it follows from the movement before."""
    maze: bytes
    """Name of the map in environment files that follow, as JSON."""

    def movement(self, step: int) -> bytes:
        """Return the text of a movement."""
        return GAP.join(self.movements[step - self.first])

    def environment(self, step: int, before: bytes) -> bytes:
        """Return the text of an environment file, given the movement before."""
        text = self.environments[step - self.first]
        return following(before.split(GAP), self.maze) if text is None else text


class HourPlace(NamedTuple):
    """Where an hour is in a file."""

    first: int
    start: int
    """Of its record, in bytes."""
    end: int
    checksum: int


def following(blocks: Sequence[bytes], maze: bytes) -> bytes:
    """Return the text of the environment file that follows from the blocks of a movement."""
    return _environment([_place(block, maze) for block in blocks])


def _environment(places: Iterable[bytes]) -> bytes:
    return b"{\n%b\n}" % b",\n".join([place for place in places if place])


@lru_cache(maxsize=BLOCKS)
def _place(block: bytes, maze: bytes) -> bytes:
    """Return what an environment file says about the person of a block; empty if it is about none."""
    if not (match := _MOVED.match(block)):
        return b""
    name, x, y = match.groups()
    return b'  "%b": {\n    "maze": %b,\n    "x": %b,\n    "y": %b\n  }' % (name, maze, x, y)


class GrowingHour:
    """The texts of an hour, or of its beginning, step by step.

    Blocks that stay the same are kept once: those of a city are large.
    """

    def __init__(self, first: int, before: bytes) -> None:
        """`before` is the movement before the first step; empty if there is none."""
        self.first = first
        self._movements, self._environments = list[Sequence[bytes]](), list[bytes | None]()
        self._blocks: Sequence[bytes] = before.split(GAP)
        self._maze, self._places = b"", list[bytes]()
        """Name of the map, and the part of an environment file that follows from each block."""

    @property
    def end(self) -> int:
        """The step that is added next."""
        return self.first + len(self._movements)

    def add(self, movement: bytes, environment: bytes) -> None:
        """Add a step: its movement, and where everyone stands before it."""
        if not self._maze:
            found = _MAZE.search(environment)
            self._maze = found[1] if found else b'""'
            self._places = [_place(block, self._maze) for block in self._blocks]
        follows = self._blocks != [b""] and _environment(self._places) == environment
        self._environments.append(None if follows else environment)
        blocks: Sequence[bytes] = movement.split(GAP)
        if len(blocks) == len(self._blocks):
            blocks = [was if was == now else now for was, now in zip(self._blocks, blocks, strict=True)]
            known = zip(self._blocks, blocks, self._places, strict=True)
            self._places = [place if was is now else _place(now, self._maze) for was, now, place in known]
        else:
            self._places = [_place(block, self._maze) for block in blocks]
        self._blocks = blocks
        self._movements.append(blocks)

    def hour(self) -> Hour:
        """Return what there is so far."""
        return Hour(self.first, self._movements, self._environments, self._maze)


def hour_of(first: int, texts: Iterable[tuple[bytes, bytes]], before: bytes) -> Hour:
    """Return an hour of texts, given movement and environment file of each step, one after the other; `before` is the
    movement before it, empty if there is none.
    """
    growing = GrowingHour(first, before)
    for movement, environment in texts:
        growing.add(movement, environment)
    return growing.hour()


def packed(hour: Hour) -> bytes:
    """Return the record of an hour."""
    content = {
        "maze": _text(hour.maze),
        "movement": _runs(hour.movements),
        "environment": [None if text is None else _text(text) for text in hour.environments],
    }
    data = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), LEVEL)
    return _HEAD.pack(_MARK, hour.first, len(data), zlib.crc32(data)) + data


class _Run(TypedDict):
    """Steps with as many blocks each."""

    steps: int
    blocks: list[str]
    """Of the first."""
    changes: dict[str, list[_Change]]
    """Of the others, by place of the block."""


def _runs(movements: Sequence[Sequence[bytes]]) -> list[_Run]:
    runs, latest = list[_Run](), dict[int, int]()
    before: Sequence[bytes] = ()
    for blocks in movements:
        if len(blocks) != len(before):
            runs.append({"steps": 0, "blocks": list(map(_text, blocks)), "changes": {}})
            before, latest = blocks, {}
        run = runs[-1]
        for place, (was, now) in enumerate(zip(before, blocks, strict=True)):
            if was != now:
                change = run["steps"] - latest.get(place, 0), *_difference(_text(was), _text(now))
                run["changes"].setdefault(str(place), []).append(change)
                latest[place] = run["steps"]
        run["steps"] += 1
        before = blocks
    return runs


def _difference(was: str, now: str) -> tuple[int, int, str]:
    """Return how many characters are the same at the beginning and at the end, and what is between these."""
    begin = _same(was, now)
    end = _same(was[begin:][::-1], now[begin:][::-1])
    return begin, end, now[begin : len(now) - end]


def _same(one: str, other: str) -> int:
    """Return how many characters are the same at the beginning, found by halves."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def parts(content: bytes, path: Path) -> list[HourPlace]:
    """Return where the hours of a file are. Raises CorruptFile."""
    found, at = list[HourPlace](), 0
    while at < len(content):
        if at + _HEAD.size > len(content):
            raise _damaged(path)
        mark, first, length, checksum = _HEAD.unpack_from(content, at)
        end = at + _HEAD.size + length
        if mark != _MARK or end > len(content) or first % HOUR or (found and first <= found[-1].first):
            raise _damaged(path)
        found.append(HourPlace(first, at, end, checksum))
        at = end
    return found


def unpacked(content: bytes, part: HourPlace, path: Path) -> Hour:
    """Return an hour of a file. Raises CorruptFile."""
    data, unpacking = content[part.start + _HEAD.size : part.end], zlib.decompressobj()
    try:
        values = json.loads(unpacking.decompress(data, LARGEST))
        movements = list(islice(_whole(values["movement"]), HOUR + 1))
        environments = [None if text is None else _bytes(text) for text in values["environment"]]
        hour = Hour(part.first, movements, environments, _bytes(values["maze"]))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        raise _damaged(path) from None
    is_whole = zlib.crc32(data) == part.checksum and not unpacking.unconsumed_tail
    if not is_whole or not len(movements) == len(environments) == HOUR:
        raise _damaged(path)
    return hour


def _whole(runs: Sequence[_Run]) -> Iterator[Sequence[bytes]]:
    """Yield the blocks of each movement. Raises what reading such values may raise."""
    for run in runs:
        texts, due = list(run["blocks"]), dict[int, list[tuple[int, str]]]()
        for place, changes in run["changes"].items():
            step, text = 0, texts[int(place)]
            for ahead, begin, end, new in changes:
                if not 0 <= begin <= len(text) - end <= len(text):
                    raise ValueError("it keeps more of a block than there is")
                step, text = step + ahead, text[:begin] + new + text[len(text) - end :]
                due.setdefault(step, []).append((int(place), text))
        blocks = list(map(_bytes, texts))
        for step in range(run["steps"]):
            blocks = [*blocks]
            for number, text in due.get(step, ()):
                blocks[number] = _bytes(text)
            yield blocks


def _damaged(path: Path) -> CorruptFile:
    template = "%(file)s is damaged: its steps cannot be read. Restore it from a copy, or remove it."
    return CorruptFile(template, file=path)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
