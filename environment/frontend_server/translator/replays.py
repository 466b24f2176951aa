"""Pure: what people show in the steps of a run, as changes from one step to the next."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FIELDS = ("movement", "pronunciatio", "description", "chat")
LONGEST_PIECE = 500
"""Steps."""
HEAVIEST_PIECE = 1_000_000
"""Bytes."""

Record = dict[str, Any]
"""What one person shows: the four fields."""
Frame = dict[str, Record]
"""Person to record; a whole frame has everybody, a change those who do something new."""


@dataclass(frozen=True)
class Piece:
    """Some steps of a run, ready to be sent: the whole frame of the first, the changes of the others."""

    first: int
    frames: tuple[bytes, ...]
    """JSON, one of every step."""

    @property
    def last(self) -> int:
        return self.first + len(self.frames) - 1

    def as_json(self, total: int, damage: Sequence[str]) -> bytes:
        """`total` steps has the run; `damage` is what of these steps cannot be shown."""
        steps = b",".join(b'"%d":%b' % (self.first + number, frame) for number, frame in enumerate(self.frames))
        values = (self.first, self.last, total, json.dumps(damage).encode(), steps)
        return b'{"first":%d,"last":%d,"total":%d,"damage":%b,"frames":{%b}}' % values


def piece(first: int, frames: Iterable[bytes]) -> Piece:
    """As many of the frames as one answer may carry; always one."""
    taken: list[bytes] = []
    weight = 0
    for frame in frames:
        weight += len(frame)
        if taken and (weight > HEAVIEST_PIECE or len(taken) == LONGEST_PIECE):
            break
        taken.append(frame)
    return Piece(first, tuple(taken))


def encoded(frame: Frame) -> bytes:
    return json.dumps(frame, separators=(",", ":")).encode()


def decoded(frame: bytes) -> Frame:
    value: Frame = json.loads(frame)
    return value


def whole_frame(people: Mapping[str, Any]) -> Frame:
    """Reduce records to the four fields."""
    return {name: {field: record[field] for field in FIELDS} for name, record in people.items()}


def changes(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Of the first frame everything, of every other what is new in it."""
    shown: Frame = {}
    for frame in frames:
        new = {name: record for name, record in frame.items() if shown.get(name) != record}
        shown |= new
        yield new
