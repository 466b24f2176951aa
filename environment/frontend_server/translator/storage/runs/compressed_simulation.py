"""A simulation in compressed_storage/: what changed in each step, all in one file (docs/storage.md).

The file of two days and 25 personas has tens of megabytes. It is read once and kept as one short text per step and the
whole frame of every hundredth step, so that any part of it is available at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock

from translator.feed.feed import FeedEntry, FeedTracker
from translator.feed.timeline import ConversationSpan, ConversationTracker
from translator.forms import SimCode
from translator.storage.runs.outside import read_outside
from translator.storage.runs.stored_simulation import Store
from translator.storage.town.places import MapPlaces, places
from ville.errors import CorruptFile
from ville.storage.compressed.cast import Cast, Stay, read_compressed_cast
from ville.storage.compressed.compression import MASTER, glimpsed_tiles, master_span, read_master
from ville.storage.files import Stamp, stamp_of
from ville.storage.flaws import Flaw, name_of, whole_file
from ville.storage.past.checkpoints import stems
from ville.storage.records.meta import Meta, read_meta_if_whole
from ville.storage.steps.frames import Frame, FrameChange, FrameRecord, changed, decoded, encoded
from ville.storage.steps.step_files import Position

WHOLE_EVERY = 100
"""Steps from one whole frame that is kept to the next."""
MOST_IN_MEMORY = 4
"""Simulations."""
MOST_SPANS = 64
"""Simulations whose first and last steps are kept in memory."""


class CompressedSimulation:
    """Shows a simulation from its compressed form."""

    store = Store.COMPRESSED

    def __init__(self, root: Path) -> None:
        self.root = root
        self.code = SimCode(root.name)
        self.meta_file = root / "meta.json"
        self._outside: tuple[Flaw, ...] = ()
        """Flaws of the files that say what was changed from outside."""

    @cached_property
    def meta(self) -> Meta:
        return read_meta_if_whole(self.meta_file, self.root)

    @cached_property
    def cast(self) -> Cast:
        return read_compressed_cast(self.root)[0]

    @property
    def moments(self) -> list[int]:
        """Steps at which a branch can be begun: it has a checkpoint there."""
        return [stem.step for stem in stems(self.root) if not stem.rows]

    @cached_property
    def _in_memory(self) -> "InMemory":
        return _in_memory(self.root)

    @cached_property
    def _span(self) -> range:
        """From the first step that is shown to the last; the whole file is read only if its ends do not tell."""
        known = _span_as_of(self.root, stamp_of(self.root / MASTER))
        return known or range(self._in_memory.first, len(self._in_memory.changes))

    @property
    def listed_steps(self) -> int:
        """Steps that can be shown, as its `meta.json` says; they are counted if the file of its steps was cut, so that
        its last one is not where it should be. Raises CorruptFile if there is none.
        """
        return self.meta.step if _span_as_of(self.root, stamp_of(self.root / MASTER)) else self.steps

    @property
    def steps(self) -> int:
        return self._span.stop

    @property
    def first(self) -> int:
        return self._span.start

    def has(self, step: int) -> bool:
        return step < self.steps

    def state(self, step: int) -> Frame:
        return self._in_memory.state(step)

    def glimpsed_tiles(self) -> Sequence[Position]:
        return glimpsed_tiles(self.root)

    def frames(self, first: int, last: int) -> Iterator[bytes]:
        yield encoded(self.state(first))
        yield from self._in_memory.changes[first + 1 : last + 1]

    def conversations(self) -> Sequence[ConversationSpan]:
        return self._in_memory.conversations

    def feed(self) -> Sequence[FeedEntry]:
        return _feed(self._in_memory, places(self.meta.maze_name))

    def changed_from_outside(self) -> Sequence[FeedEntry]:
        entries, found = read_outside(self.root, self.root)
        self._outside = tuple(found)
        return entries

    @property
    def flaws(self) -> Sequence[Flaw]:
        return (*self._outside, *(self._in_memory.flaws if "_in_memory" in self.__dict__ else ()))


@dataclass(frozen=True, eq=False)
class InMemory:
    """A compressed simulation in memory."""

    changes: tuple[bytes, ...]
    """JSON, one per step."""
    wholes: tuple[bytes, ...]
    """The whole frame of every hundredth step."""
    conversations: tuple[ConversationSpan, ...]
    flaws: tuple[Flaw, ...]
    first: int = 0
    """The first step with a record."""

    def all_frames(self) -> Iterator[Frame]:
        """Yield the latest records of everyone, step by step."""
        frame: Frame = {}
        for text in self.changes:
            frame = changed(frame, decoded(text))
            yield frame

    def state(self, step: int) -> Frame:
        """Return the latest record of everyone, up to and including a step."""
        frame: Frame = {}
        for text in (self.wholes[step // WHOLE_EVERY], *self.changes[step - step % WHOLE_EVERY + 1 : step + 1]):
            frame = changed(frame, decoded(text))
        return frame


@lru_cache(maxsize=MOST_SPANS)
def _span_as_of(root: Path, _stamp: Stamp) -> range | None:
    return master_span(root)


_loading = Lock()


def _in_memory(root: Path) -> InMemory:
    """Load a simulation once, also if two pages open it at the same moment. Raises CorruptFile."""
    path = root / MASTER
    try:
        stamp = path.stat()
    except OSError:
        raise _unusable(whole_file(path).of(name_of(path, root))) from None
    with _loading:
        return _load(root, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=MOST_IN_MEMORY)
def _load(root: Path, _time: int, _size: int) -> InMemory:
    """Read a simulation, again if its file has changed. Raises CorruptFile if it has no valid record."""
    frames, found = read_master(root)
    if not any(frames.values()):
        raise _unusable(found[0] if found else Flaw((), "is empty", name_of(root / MASTER, root)))
    _, stays, wrong = read_compressed_cast(root)
    return index_frames(with_departures(frames, stays), (*found, *wrong))


@lru_cache(maxsize=MOST_IN_MEMORY)
def _feed(recording: InMemory, map_places: MapPlaces) -> Sequence[FeedEntry]:
    """Find what happens in a recording, once."""
    with _loading:
        tracker = FeedTracker(map_places.sector_at)
        for step, frame in enumerate(recording.all_frames()):
            tracker.add(step, frame)
        return tuple(tracker.entries)


def with_departures(master: Mapping[int, Frame], stays: Mapping[str, Iterable[Stay]]) -> dict[int, FrameChange]:
    """Return the changes of each step with those who are no longer in town: the master file only adds people."""
    found: dict[int, FrameChange] = {step: dict(change) for step, change in master.items()}
    end = max(master)
    for name, times in stays.items():
        for _, last in times:
            if last < end:
                found.setdefault(last + 1, {})[name] = None
    return found


def _unusable(flaw: Flaw) -> CorruptFile:
    return CorruptFile("%(what)s Compress the simulation again.", what=flaw)


def index_frames(master: Mapping[int, FrameChange], flaws: tuple[Flaw, ...] = ()) -> InMemory:
    """Prepare the changes of each step for access to any step. Steps without changes may be missing."""
    whole: Frame = {}
    talks: Frame = {}
    texts, wholes, tracker = [], [], ConversationTracker()
    for step in range(max(master, default=-1) + 1):
        change = master.get(step, {})
        for name, record in change.items():
            _put(whole, name, record)
            _put(talks, name, record if record and record["chat"] else None)
        tracker.add(step, talks)
        texts.append(encoded(change))
        if step % WHOLE_EVERY == 0:
            wholes.append(encoded(whole))
    first = next((step for step in sorted(master) if master[step]), 0)
    return InMemory(tuple(texts), tuple(wholes), tuple(tracker.conversations), flaws, first)


def _put(frame: Frame, name: str, record: FrameRecord | None) -> None:
    """Change one record of a frame, in its place: a frame of a thousand people is not copied for each step."""
    if record is None:
        frame.pop(name, None)
    else:
        frame[name] = record
