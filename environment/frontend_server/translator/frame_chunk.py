"""Pure: as many frames of a run as one response carries."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_STEPS = 500
MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class FrameChunk:
    """Some steps of a run, ready to be sent: the whole frame of the first, the changes of the others."""

    first: int
    frames: tuple[bytes, ...]
    """JSON, one per step."""

    @property
    def last(self) -> int:
        return self.first + len(self.frames) - 1

    def as_json(self, total: int, damage: Sequence[str]) -> bytes:
        """Return the response. `total` is the number of steps of the run, `damage` names what cannot be shown."""
        steps = b",".join(b'"%d":%b' % (self.first + number, frame) for number, frame in enumerate(self.frames))
        values = (self.first, self.last, total, json.dumps(damage).encode(), steps)
        return b'{"first":%d,"last":%d,"total":%d,"damage":%b,"frames":{%b}}' % values


def frame_chunk(first: int, frames: Iterable[bytes]) -> FrameChunk:
    """Take frames up to a number of steps and bytes, but at least one."""
    taken: list[bytes] = []
    size = 0
    for frame in frames:
        size += len(frame)
        if taken and (size > MOST_BYTES or len(taken) == MOST_STEPS):
            break
        taken.append(frame)
    return FrameChunk(first, tuple(taken))
