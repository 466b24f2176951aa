"""A run as its tables are made of it: with or without what is private, and with the news that are followed."""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import cached_property

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NewsTopic, NodeData
from ville.analysis.paper_measures import CANDIDACY, PARTY
from ville.analysis.private_talks import PrivateTalks, cast_of, private_talks
from ville.storage.dates import parse_node_time
from ville.storage.steps.frames import Frame

PAPER_NEWS = (PARTY, CANDIDACY)
"""News that are followed unless others are named."""


class ExportedRun:
    """Reads a run for its tables. Raises CorruptFile."""

    def __init__(self, run: ComparedRun, *, private: bool = False, news: Sequence[NewsTopic] = ()) -> None:
        self.whole = run
        """The run with everything that is private."""
        self.private = private
        """Whether tables have what is private."""
        self.news = tuple(news) or PAPER_NEWS

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
        """The private conversations of the run, all of which are noted. Reads all steps."""
        found = private_talks(self.whole, cast_of(self.whole))
        for name, nodes in self.whole.memories.items():
            for node in nodes:
                found.note_memory(name, self.whole.step_of(node), node)
        for step in self.steps:
            found.note(step, self.whole.frame(step))
        return found

    @property
    def steps(self) -> range:
        """The steps with a record."""
        return range(self.whole.first, self.whole.steps)

    def frame(self, step: int) -> Frame:
        """Return what everyone shows in a step, as far as tables show it."""
        frame = self.whole.frame(step)
        return frame if self.private else {name: self.talks.shown(record) for name, record in frame.items()}

    def time(self, step: int) -> datetime:
        """Return the game time at which a step begins."""
        return self.whole.meta.time_of(step)

    def hidden_times(self, name: str) -> set[datetime]:
        """Return when a persona got the memories that are left out."""
        kept = {node["node_count"] for node in self.run.memories[name]}
        hidden = (node for node in self.whole.memories[name] if node["node_count"] not in kept)
        return {parse_node_time(node["created"]) for node in hidden}

    def knows_user(self, name: str) -> bool:
        """Return whether the state of a persona may tell of a private conversation that is left out."""
        return not self.private and name in self.talks.begun

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
