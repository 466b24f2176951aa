"""A run of a study, looked at in one step after the other: what everyone does then, and what has come about by then.

What a run shows before it branched from another one is in the files of that one, and so are the impressions of then.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.impressions import impressions
from ville.analysis.measures import NewsTopic, Pair, hearings, talks_by_pair
from ville.analysis.ties import SocialTie, known_and_felt
from ville.storage.dates import node_time_text
from ville.storage.steps.frames import Frame

ANY, THOUGHT = "", "thought"
"""Kinds of memories that are counted: all, or only thoughts."""


class RunPart(NamedTuple):
    """A part of a run: a beginning that it shares, or the rest."""

    first: int
    """First step of the part."""
    run: ComparedRun


class CollectedRun:
    """A run with all parts of its past. Its files are read on demand. Raises CorruptFile."""

    def __init__(self, parts: Sequence[RunPart]) -> None:
        """`parts`: the oldest first; the last one has the end of the run, and all that is remembered."""
        self._parts = parts
        self.run = parts[-1].run
        self.people = self.run.people
        self._heard: dict[NewsTopic, dict[str, datetime]] = {}

    def moments(self, every: int) -> Iterator["RunMoment"]:
        """Yield the run in its first step, in every so many steps from there on, and at its end."""
        first, last = self._parts[0].first, self.run.steps
        for step in dict.fromkeys([*range(first, last, every), last]):
            yield RunMoment(self, step, self.run.meta.time_of(step))

    def frame(self, step: int) -> Frame:
        """Return what everyone shows in a step; at the end of the run, in its last one."""
        shown = min(step, self.run.steps - 1)
        part = next((part for part in reversed(self._parts) if part.first <= shown), self._parts[0])
        return part.run.frame(shown)

    def heard(self, news: NewsTopic) -> dict[str, datetime]:
        """Return when each persona that knows of some news came to know of it."""
        if news not in self._heard:
            self._heard[news] = {each.who: each.when for each in hearings(self.run, news)}
        return self._heard[news]

    def memories_by(self, name: str, kind: str, when: datetime) -> int:
        """Return how many memories of a kind a persona had at a time."""
        return bisect_right(self._created[name, kind], node_time_text(when))

    @cached_property
    def _created(self) -> dict[tuple[str, str], list[str]]:
        return {
            (name, kind): sorted(node["created"] for node in self.run.memories[name] if kind in {ANY, node["type"]})
            for name in self.people
            for kind in (ANY, THOUGHT)
        }

    @cached_property
    def ties(self) -> tuple[SocialTie, ...]:
        """Who knows, likes and dislikes whom, and since when."""
        noted = [each for part in self._parts for each in impressions(part.run)]
        return known_and_felt(self.run, sorted(noted, key=lambda each: each.step))

    @cached_property
    def remembered_talks(self) -> list[tuple[str, str, str]]:
        """When a conversation was remembered, as in the files, by whom, and with whom it was."""
        return [
            (node["created"], name, str(node["object"]))
            for name in self.people
            for node in self.run.memories[name]
            if node["type"] == "chat"
        ]


@dataclass(frozen=True)
class RunMoment:
    """A run in a step: what is shown in it, and what came about until it, itself included."""

    of: CollectedRun
    step: int
    time: datetime
    """Game time at which the step begins."""

    @cached_property
    def frame(self) -> Frame:
        """Records of everyone who is there."""
        return self.of.frame(self.step)

    @cached_property
    def talks(self) -> Counter[Pair]:
        """Conversations so far by pair, counted as in `measures`."""
        until = node_time_text(self.time)
        return talks_by_pair((name, other) for created, name, other in self.of.remembered_talks if created <= until)

    def ties(self, kind: str) -> list[tuple[str, str]]:
        """Return who has a tie of a kind with whom."""
        return self._tied.get(kind, [])

    @cached_property
    def _tied(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for tie in self.of.ties:
            if tie.is_there_in(self.step):
                found.setdefault(tie.kind, []).append((tie.who, tie.other))
        return found

    def knowers(self, news: NewsTopic) -> set[str]:
        """Return who knows of some news by now."""
        return {name for name, when in self.of.heard(news).items() if when <= self.time}

    def memories(self, name: str, kind: str = ANY) -> int:
        """Return how many memories of a kind a persona has by now."""
        return self.of.memories_by(name, kind, self.time)
