"""A run in compressed_storage/: of every step only what changed, all in one file (docs/storage.md).

The file of two days and 25 people has tens of megabytes. It is read once, kept as one short text a step, and with the
whole frame of every hundredth step, so that any piece of it is there at once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock

from django.utils.translation import gettext_lazy as _

from translator.errors import Damaged
from translator.forms import SimCode
from translator.meta import Meta
from translator.replays import Frame, decoded, encoded
from translator.shapes import Flaw, sound_frame
from translator.storage.files import read_object
from translator.storage.stored_simulation import Store, named, read_meta, whole_flaw
from translator.timeline import ConversationSpan, Listener

MASTER = "master_movement.json"
STEP = re.compile(r"[0-9]{1,9}")
MOST_STEPS = 2_000_000
"""More than half a year in steps of ten seconds; a larger number is a slip."""
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
        return read_meta(self.meta_file, self.root)

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

    def conversations(self) -> Sequence[ConversationSpan]:
        return self._reel.conversations

    @property
    def damage(self) -> Sequence[Flaw]:
        return self._reel.damage if "_reel" in self.__dict__ else ()


@dataclass(frozen=True)
class Reel:
    """A compressed run in memory."""

    changes: tuple[bytes, ...]
    """JSON, one of every step."""
    wholes: tuple[bytes, ...]
    """The whole frame of every hundredth step."""
    conversations: tuple[ConversationSpan, ...]
    damage: tuple[Flaw, ...]

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
        what = whole_flaw(path).of(named(path, path.parent))
        raise Damaged(_("%(what)s Compress the simulation again.") % {"what": what}) from None
    with _loading:
        return _load(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=KEPT)
def _load(path: Path, _time: int, _size: int) -> Reel:
    """Raises Damaged if nothing in the file can be shown."""
    master = read_object(path)
    found = [whole_flaw(path)] if master is None else []
    frames: dict[int, Frame] = {}
    for step, people in (master or {}).items():
        if not STEP.fullmatch(step) or int(step) >= MOST_STEPS:
            found.append(Flaw((step,), _("is not a step")))
            continue
        frames[int(step)], wrong = sound_frame(people)
        found += [flaw.within(step) for flaw in wrong]
    damage = tuple(flaw.of(named(path, path.parent)) for flaw in found)
    if not any(frames.values()):
        what = damage[0] if damage else Flaw((), _("is empty"), named(path, path.parent))
        raise Damaged(_("%(what)s Compress the simulation again.") % {"what": what})
    return wind(frames, damage)


def wind(master: dict[int, Frame], damage: tuple[Flaw, ...] = ()) -> Reel:
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
    return Reel(tuple(texts), tuple(wholes), tuple(listener.conversations), damage)
