"""Frames: what every persona shows in a step, whole or as the changes since the step before."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

from ville.storage.flaws import Flaw, valid_part
from ville.storage.shapes import FRAME


class FrameRecord(TypedDict):
    """The four fields of one persona."""

    movement: Sequence[int]
    """Column and row of a tile."""
    pronunciatio: str
    description: str
    chat: Sequence[Sequence[str]] | None
    """Speaker and words, in order."""


Frame = dict[str, FrameRecord]
"""Person to record, for everyone in town."""
FrameChange = dict[str, FrameRecord | None]
"""Those who show something new since the step before; None for those who are no longer in town."""


_SHORT = json.JSONEncoder(separators=(",", ":"))


def whole_frame(records: Mapping[str, FrameRecord]) -> Frame:
    """Reduce records to the four fields."""
    return {
        name: {
            "movement": record["movement"],
            "pronunciatio": record["pronunciatio"],
            "description": record["description"],
            "chat": record["chat"],
        }
        for name, record in records.items()
    }


def tile_of(record: FrameRecord) -> tuple[int, int]:
    """Return where the persona stands after the step."""
    x, y = record["movement"]
    return x, y


def valid_frame(records: object) -> tuple[Frame, list[Flaw]]:
    """Return the frame of the valid records, and the flaws of the others."""
    valid, found = valid_part(FRAME, records)
    return whole_frame(valid), found


def changes(frames: Iterable[Frame]) -> Iterator[FrameChange]:
    """Yield the first frame whole, and of every other frame what differs from the one before.

    An empty frame, as of a missing file, changes nothing.
    """
    shown: Frame = {}
    for frame in frames:
        if not frame:
            yield {}
            continue
        new: FrameChange = {name: record for name, record in frame.items() if shown.get(name) != record}
        yield new | dict.fromkeys(name for name in shown if name not in frame)
        shown = frame


def changed(frame: Frame, change: FrameChange) -> Frame:
    """Return the frame after a change."""
    merged = {**frame, **change}
    return {name: record for name, record in merged.items() if record is not None}


def encoded(frame: FrameChange | Frame) -> bytes:
    """Return a frame as short JSON, for pages."""
    return _SHORT.encode(frame).encode()


def decoded(frame: bytes) -> FrameChange:
    """Return the frame or change of a short JSON text."""
    value: FrameChange = json.loads(frame)
    return value
