"""Pure: what one persona did, from one step to the next change, found from the feed of a run."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from translator.feed.feed import ABOUT, ASLEEP, FeedEntry, FeedKind
from translator.feed.timeline import ConversationSpan
from ville.storage.steps.frames import FrameRecord

ADDRESS = " @ "
PART = re.compile(r"(.*?) \(.*\)", re.DOTALL)
"""An activity with the part that is under way."""
CHANGES = {FeedKind.BEGINS, FeedKind.WAKES, FeedKind.SLEEPS, FeedKind.MOVES_IN, FeedKind.MOVES_OUT}


@dataclass(frozen=True)
class Doing:
    """Something that a persona did."""

    first: int
    """Step."""
    end: int
    """The step after its last one."""
    task: str
    """The activity, or the subject of a conversation. Empty while not in town."""
    place: str = ""
    """Name of the sector."""
    partners: tuple[str, ...] = ()
    """Those it talked with."""

    @property
    def asleep(self) -> bool:
        return ASLEEP.match(self.task) is not None


def doings(
    name: str,
    entries: Iterable[FeedEntry],
    talks: Iterable[ConversationSpan],
    *,
    span: tuple[int, int],
    shown: Callable[[int], FrameRecord | None],
) -> list[Doing]:
    """Return what a persona did from the first step of a span to before its last.

    `shown` returns its record in a step: the feed leaves out the activity of a persona who wakes up or comes.
    """
    first, end = span
    own = (entry for entry in entries if name in entry.names and entry.kind in CHANGES)
    starts = [_shown(first, shown), *(_begun(entry, shown) for entry in own if first < entry.step < end)]
    ends = [begun.first for begun in starts[1:]]
    whole = [replace(begun, end=stop) for begun, stop in zip(starts, [*ends, end], strict=True)]
    spoken = [_talk(name, talk, end) for talk in talks if name in talk.names and first <= talk.first < end]
    return [doing for doing in _interrupted(whole, spoken) if doing.first < doing.end and doing.task]


def _begun(entry: FeedEntry, shown: Callable[[int], FrameRecord | None]) -> Doing:
    if entry.kind is FeedKind.MOVES_OUT:
        return Doing(entry.step, entry.step, "")
    if entry.kind is FeedKind.BEGINS:
        return Doing(entry.step, entry.step, entry.about, entry.place)
    return _shown(entry.step, shown)


def _shown(step: int, shown: Callable[[int], FrameRecord | None]) -> Doing:
    record = shown(step)
    if record is None:
        return Doing(step, step, "")
    doing, _, address = record["description"].rpartition(ADDRESS)
    doing = doing or address
    whole = PART.fullmatch(doing)
    parts = address.split(":")
    return Doing(step, step, whole[1] if whole else doing, parts[1].strip() if len(parts) > 1 else "")


def _talk(name: str, talk: ConversationSpan, end: int) -> Doing:
    partners = tuple(other for other in talk.names if other != name)
    return Doing(talk.first, min(talk.last + 1, end), talk.about.removeprefix(ABOUT), partners=partners)


def _interrupted(whole: Sequence[Doing], talks: Sequence[Doing]) -> Iterator[Doing]:
    """Yield what was done, cut where it was interrupted by conversations, and these."""
    for doing in whole:
        first = doing.first
        for talk in talks:
            if not doing.first <= talk.first < doing.end:
                continue
            yield replace(doing, first=first, end=talk.first)
            yield talk
            first = talk.end
        yield replace(doing, first=min(first, doing.end))
