"""A run in compressed_storage/: of every step only what changed, all in one file (docs/storage.md).

The file of two days and 25 people has tens of megabytes. It is read once, kept as one short text a step, and with the
whole frame of every hundredth step, so that any piece of it is there at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock

from django.utils.translation import gettext as _

from translator.errors import Damaged
from translator.forms import SimCode
from translator.mailbox.files import read_object
from translator.mailbox.simulation import Store, read_meta
from translator.meta import Meta
from translator.replays import Frame, decoded, encoded
from translator.timeline import Conversation, Listener

MASTER = "master_movement.json"
EVERY = 100
"""Steps between two whole frames that are kept."""
KEPT = 4
"""Runs that stay in memory."""


class CompressedSimulation:
    store = Store.COMPRESSED

    def __init__(self, root: Path) -> None:
        self.root = root
        self.code = SimCode(root.name)
        self.meta_file = root / "meta.json"

    @cached_property
    def meta(self) -> Meta:
        return read_meta(self.meta_file)

    @cached_property
    def _reel(self) -> "Reel":
        return _reel(self.root / MASTER)

    @property
    def steps(self) -> int:
        return len(self._reel.changes)

    def has(self, step: int) -> bool:
        """The steps are counted only where the meta file leaves a doubt."""
        return step < self.meta.step or step < self.steps

    def state(self, step: int) -> Frame:
        return self._reel.state(step)

    def frames(self, first: int, last: int) -> Iterator[bytes]:
        yield encoded(self.state(first))
        yield from self._reel.changes[first + 1 : last + 1]

    def conversations(self) -> Sequence[Conversation]:
        return self._reel.conversations


@dataclass(frozen=True)
class Reel:
    """A compressed run in memory."""

    changes: tuple[bytes, ...]
    """JSON, one of every step."""
    wholes: tuple[bytes, ...]
    """The whole frame of every hundredth step."""
    conversations: tuple[Conversation, ...]

    def state(self, step: int) -> Frame:
        frame: Frame = {}
        for text in (self.wholes[step // EVERY], *self.changes[step - step % EVERY + 1 : step + 1]):
            frame |= decoded(text)
        return frame


_loading = Lock()


def _reel(path: Path) -> Reel:
    """Two pages that open the same run read it once."""
    try:
        stamp = path.stat()
    except OSError:
        raise Damaged(_("%(file)s is missing: compress the simulation again.") % {"file": MASTER}) from None
    with _loading:
        return _load(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=KEPT)
def _load(path: Path, _time: int, _size: int) -> Reel:
    """Raises Damaged."""
    again = _("%(file)s cannot be understood: compress the simulation again.") % {"file": MASTER}
    master = read_object(path)
    if not master:
        raise Damaged(again)
    try:
        return wind({int(step): frame for step, frame in master.items()})
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise Damaged(again) from fault


def wind(master: dict[int, Frame]) -> Reel:
    """A missing step is one in which nothing changes."""
    whole: Frame = {}
    talks: Frame = {}
    texts, wholes, listener = [], [], Listener()
    for step in range(max(master, default=-1) + 1):
        changed = master.get(step, {})
        whole |= changed
        talks |= {name: record for name, record in changed.items() if record["chat"] or name in talks}
        listener.hear(step, {name: record for name, record in talks.items() if record["chat"]})
        texts.append(encoded(changed))
        if step % EVERY == 0:
            wholes.append(encoded(whole))
    return Reel(tuple(texts), tuple(wholes), tuple(listener.conversations))
