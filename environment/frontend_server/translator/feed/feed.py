"""Pure: what happened in a run, step by step, from what everyone shows and from what was changed from outside."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from translator.feed.timeline import ConversationSpan, ConversationTracker
from ville.analysis.meetings import invitation
from ville.simulation.interventions.catalogue import kinds
from ville.simulation.interventions.kind import Told
from ville.storage.steps.frames import Frame, FrameRecord, tile_of

ASLEEP = re.compile(r"(sleeping|asleep)\b", re.IGNORECASE)
TASK = re.compile(r"(.*?) \(.*\)", re.DOTALL)
"""An activity with the part that is under way."""
ABOUT = "conversing about "
Tile = tuple[int, int]
Row = Mapping[str, Any]


class FeedKind(StrEnum):
    """Kinds of entries, as pages get them."""

    TALK_BEGINS = "talk_begins"
    TALK_ENDS = "talk_ends"
    ARRIVES = "arrives"
    """At the sector of what one is doing."""
    BEGINS = "begins"
    """Another activity."""
    WAKES = "wakes"
    SLEEPS = "sleeps"
    INTERVENTION = "intervention"
    MOVES_IN = "moves_in"
    MOVES_OUT = "moves_out"
    VISITOR = "visitor"
    """A visitor comes or leaves."""
    STATE_ENDS = "state_ends"
    """An object is as before."""


FOLDED = {FeedKind.ARRIVES, FeedKind.BEGINS, FeedKind.WAKES, FeedKind.SLEEPS}
"""Kinds of which those of several people in one step become one entry, if they are otherwise equal."""
UNKNOWN = Told("Something is changed from outside.")
"""How a kind is told that this version does not know."""


@dataclass(frozen=True)
class FeedEntry:
    """Something that happened."""

    step: int
    kind: FeedKind
    names: tuple[str, ...]
    """Those who take part; who invites comes first."""
    place: str = ""
    """Name of the sector."""
    about: str = ""
    """The activity, subject, state or event, as the files have it."""
    what: str = ""
    """Of an intervention its kind, of a state its object, of a talk `invitation`, of a comer or goer `in` or `out`."""
    number: int = 0
    """Of an intervention, its number in the log."""
    private: str = ""
    """Words that only those may read who may act."""

    @property
    def id(self) -> str:
        """Return a name that this entry always has and no other entry of the run."""
        if self.number:
            return f"intervention-{self.number}"
        whose = self.names[0] if self.names and self.kind is not FeedKind.STATE_ENDS else f"{self.place}-{self.what}"
        return f"{self.kind}-{self.step}-{whose}"


@dataclass
class _Shown:
    """The last state that a persona showed."""

    record: FrameRecord
    task: str = ""
    """The last activity that was no conversation."""
    asleep: bool = False
    sector: str = ""
    """Where it last arrived."""


class FeedTracker:
    """Finds what happens from the frames of all steps, in their order."""

    def __init__(self, sector_at: Callable[[Tile], str]) -> None:
        self.entries: list[FeedEntry] = []
        """In the order of their steps."""
        self._sector_at = sector_at
        self._shown: dict[str, _Shown] = {}
        self._last: Frame = {}
        """Of the step before: most records in it are those of this one."""
        self._begun = False
        self._talks = ConversationTracker()
        self._open: list[ConversationSpan] = []

    def add(self, step: int, frame: Frame) -> None:
        """Add a step. An empty frame, as of a missing file, changes nothing."""
        if not frame:
            return
        found = [*self._left(step, frame), *self._talked(step, frame)]
        for name, record in frame.items():
            if record is not self._last.get(name):
                found += self._done(step, name, record)
        self.entries += _folded(found)
        self._begun, self._last = True, frame

    def _left(self, step: int, frame: Frame) -> Iterator[FeedEntry]:
        for name in [name for name in self._shown if name not in frame]:
            del self._shown[name]
            yield FeedEntry(step, FeedKind.MOVES_OUT, (name,), what="out")

    def _talked(self, step: int, frame: Frame) -> Iterator[FeedEntry]:
        """Yield the conversations that end and begin."""
        known = len(self._talks.conversations)
        talking = {name: record for name, record in frame.items() if record["chat"]}
        self._talks.add(step, talking)
        begun = self._talks.conversations[known:]
        for talk in self._open:
            if talk.last < step:
                yield FeedEntry(step, FeedKind.TALK_ENDS, tuple(talk.names))
        self._open = [talk for talk in (*self._open, *begun) if talk.last == step]
        for talk in begun:
            shown = talking[talk.names[0]]
            entry = FeedEntry(step, FeedKind.TALK_BEGINS, tuple(talk.names), self._sector_at(tile_of(shown)))
            yield _subject(entry, talk.about.removeprefix(ABOUT), shown["chat"] or [])

    def _done(self, step: int, name: str, record: FrameRecord) -> Iterator[FeedEntry]:
        """Yield the activity of a persona from this step on."""
        before = self._shown.get(name)
        if before is None:
            self._shown[name] = shown = _Shown(record, sector=self._sector_at(tile_of(record)))
            shown.task, shown.asleep = _task(record), _is_asleep(record)
            if self._begun:
                yield FeedEntry(step, FeedKind.MOVES_IN, (name,), shown.sector, what="in")
            return
        if record == before.record:
            return
        before.record = record
        if not record["chat"]:
            yield from self._acted(step, name, before)
        yield from self._arrived(step, name, before)

    def _acted(self, step: int, name: str, shown: _Shown) -> Iterator[FeedEntry]:
        task, asleep = _task(shown.record), _is_asleep(shown.record)
        if asleep != shown.asleep:
            yield FeedEntry(step, FeedKind.SLEEPS if asleep else FeedKind.WAKES, (name,))
        elif task != shown.task and not asleep:
            yield FeedEntry(step, FeedKind.BEGINS, (name,), _sector(shown.record), task)
        shown.task, shown.asleep = task, asleep

    def _arrived(self, step: int, name: str, shown: _Shown) -> Iterator[FeedEntry]:
        there = _sector(shown.record)
        if there and there != shown.sector and self._sector_at(tile_of(shown.record)) == there:
            shown.sector = there
            yield FeedEntry(step, FeedKind.ARRIVES, (name,), there)


def changed_from_outside(interventions: Iterable[Row], ended: Iterable[Row]) -> list[FeedEntry]:
    """Return the entries of what a user changed, and of the states of objects that ended, by step."""
    entries = [_intervention(row, told) for row in interventions if (told := told_of(row["kind"]))]
    for row in ended:
        parts = _parts(row["where"])
        entries.append(
            FeedEntry(row["step"], FeedKind.STATE_ENDS, tuple(row["by"]), parts[1], row["words"], what=parts[-1])
        )
    return sorted(entries, key=lambda entry: entry.step)


def told_of(kind: str) -> Told | None:
    """Return how the feed tells of an intervention; None if everyone shows it, so that the feed has it already."""
    known = kinds().get(kind)
    return known.told if known else UNKNOWN


def _intervention(row: Row, told: Told) -> FeedEntry:
    """Return the entry of a row, whose other fields may be missing: users may edit the file."""
    kind, where = row["kind"], _parts(_text(row, "where"))
    entry = FeedEntry(row["step"], FeedKind.INTERVENTION, _people(row), where[1], what=kind, number=row["n"])
    if kind == "object" and _text(row, "state") == "idle":
        return replace(entry, kind=FeedKind.STATE_ENDS, what=where[-1])
    if told.about:
        texts = defaultdict(str, {key: value for key, value in row.items() if isinstance(value, str)})
        return replace(entry, about=told.about % (texts | {"thing": where[-1]}))
    return replace(entry, private=_text(row, told.words))


def _people(row: Row) -> tuple[str, ...]:
    rows = row.get("rows")
    pairs = [pair for pair in rows if isinstance(pair, list) and pair] if isinstance(rows, list) else []
    names = [_text(row, "who"), *(str(pair[0]) for pair in pairs)]
    return tuple(dict.fromkeys(name for name in names if name))


def _text(row: Row, key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""


def _parts(address: str) -> Sequence[str]:
    """Return world, sector and so on; the sector is empty if there is none."""
    parts = address.split(":")
    return parts if len(parts) > 1 else [*parts, ""]


def _subject(entry: FeedEntry, about: str, chat: Sequence[Sequence[str]]) -> FeedEntry:
    """Return the entry of a conversation with its subject: who invites to something of its own comes first."""
    if found := invitation(entry.names, about, chat):
        others = [name for name in entry.names if name != found.host]
        return replace(entry, names=(found.host, *others), about=found.to, what="invitation")
    return replace(entry, about=about)


def _task(record: FrameRecord) -> str:
    """Return the activity, without the part that is under way."""
    doing = record["description"].rpartition(" @ ")[0] or record["description"]
    parts = TASK.fullmatch(doing)
    return parts[1] if parts else str(doing)


def _sector(record: FrameRecord) -> str:
    """Return the sector of a persona's activity; empty while it talks or waits."""
    address = record["description"].rpartition(" @ ")[2]
    return "" if address.startswith("<") else _parts(address)[1].strip()


def _is_asleep(record: FrameRecord) -> bool:
    return ASLEEP.match(record["description"]) is not None


def _folded(entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Put together what several people do in the same step."""
    folded: dict[object, FeedEntry] = {}
    for number, entry in enumerate(entries):
        key = (entry.kind, entry.place, entry.about) if entry.kind in FOLDED else number
        known = folded.get(key)
        folded[key] = replace(known, names=(*known.names, *entry.names)) if known else entry
    return list(folded.values())
