"""A run as its tables are made of it: with or without what is private, and with the news that are followed."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import cached_property

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.impressions import KeptImpression
from ville.analysis.measures import NewsTopic, NodeData
from ville.analysis.news import News, news_of
from ville.analysis.news_facts import KNOWN
from ville.analysis.private_talks import PrivateTalks, cast_of, private_talks
from ville.analysis.ties import SocialGraph, social_graph
from ville.storage.dates import parse_node_time
from ville.storage.steps.frames import Frame, FrameChange, changed, changes


class ExportedRun:
    """Reads a run for its tables. Raises CorruptFile."""

    def __init__(self, run: ComparedRun, *, private: bool = False, news: Sequence[NewsTopic] = ()) -> None:
        self.whole = run
        """The run with everything that is private."""
        self.private = private
        """Whether tables have what is private."""
        self._facts = tuple(news) or tuple(KNOWN.values())

    @cached_property
    def run(self) -> ComparedRun:
        """The run with the memories that tables show."""
        if self.private:
            return self.whole
        shown = copy(self.whole)
        vars(shown)["memories"] = {name: self.talks.without(nodes) for name, nodes in self.whole.memories.items()}
        return shown

    @cached_property
    def talks(self) -> PrivateTalks:
        """The private conversations of the run, all of which are noted."""
        found = private_talks(self.whole, cast_of(self.whole))
        for name, nodes in self.whole.memories.items():
            for node in nodes:
                found.note_memory(name, self.whole.step_of(node), node)
        for step, change in self._changes:
            found.note(step, {name: record for name, record in change.items() if record})
        return found

    @cached_property
    def graph(self) -> SocialGraph:
        """Who knows, talks with and likes whom."""
        return social_graph(self.run)

    @property
    def impressions(self) -> Iterator[KeptImpression]:
        """Impressions in order of time. Those of somebody with a private conversation may tell of it, from then on."""
        begun = {} if self.private else self.talks.begun
        return (each for each in self.graph.impressions if each.step < begun.get(each.who, self.whole.steps + 1))

    @cached_property
    def news(self) -> tuple[News, ...]:
        """How each piece of news spread."""
        return tuple(news_of(self.run, fact) for fact in self._facts)

    def frames(self) -> Iterator[tuple[int, Frame]]:
        """Yield each step with a record, and what everyone shows in it, as far as tables show it. A record that stays
        the same is the same object.
        """
        frame: Frame = {}
        for step, change in self._changes:
            hidden = () if self.private else change.items()
            frame = changed(frame, change | {name: self.talks.shown(record) for name, record in hidden if record})
            yield step, frame

    @cached_property
    def _changes(self) -> list[tuple[int, FrameChange]]:
        """The steps with a record, and what changes in each: all files of steps, read once."""
        steps: list[int] = []

        def recorded() -> Iterator[Frame]:
            for step in range(self.whole.first, self.whole.steps):
                if frame := self.whole.frame(step):
                    steps.append(step)
                    yield frame

        found = list(changes(recorded()))
        return list(zip(steps, found, strict=True))

    def time(self, step: int) -> datetime:
        """Return the game time at which a step begins."""
        return self.whole.meta.time_of(step)

    def hidden_times(self, name: str) -> set[datetime]:
        """Return when a persona got the memories that are left out."""
        kept = {node["node_count"] for node in self.run.memories[name]}
        hidden = (node for node in self.whole.memories[name] if node["node_count"] not in kept)
        return {parse_node_time(node["created"]) for node in hidden}

    @property
    def counts_left_out(self) -> Mapping[str, int]:
        """How many conversations, and memories of or about them, are left out, by what they are."""
        if self.private:
            return {}
        memories = (len(nodes) - len(self.run.memories[name]) for name, nodes in self.whole.memories.items())
        return {"conversations": len(self.talks.found), "memories": sum(memories)}


def node_id(node: NodeData) -> int:
    """Return the number of a memory in the stream of its persona."""
    return int(node["node_count"])
