"""The content of a shared recording: people and their tracks, conversations and minds. Nothing that is private.

Interviews, calls to models and the settings of the machine lie in files that are not read here at all; conversations
with users are left out by `PrivateTalks`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData, evidence
from ville.analysis.private_talks import cast_of, private_talks
from ville.errors import CorruptFile
from ville.json_types import Json, JsonObject
from ville.sharing.shared_span import SharedSpan
from ville.sharing.text_table import TextTable
from ville.sharing.tracks import Track, Tracks
from ville.storage.compressed.cast import CastEntry
from ville.storage.dates import node_time_text, parse_node_time
from ville.storage.past.checkpoints import Checkpoint, read_checkpoint, stems
from ville.storage.records.saved_memories import read_memories
from ville.storage.records.title import title_or_name
from ville.storage.steps.frames import Frame

KINDS = (("event", ""), ("thought", ""), ("chat", ""), ("event", "chat with"), ("thought", "plan"))
"""Types of memories by their numbers, and the predicates that the page needs."""
TRAITS = ("age", "innate", "learned", "lifestyle")
"""Fields of the scratch that do not change."""
State = tuple[int, Mapping[str, Any]]
"""A step of the span, and the scratch of a persona as saved before it."""


class SharedRecording:
    """Reads a run as it is shared. Raises CorruptFile."""

    def __init__(self, run: ComparedRun, span: SharedSpan) -> None:
        self.run = run
        self.span = span
        self.cast = cast_of(run)
        self._texts = TextTable()
        self._tracks = Tracks(self._texts)
        self._private = private_talks(run, self.cast)
        self._read()

    @property
    def title(self) -> str:
        return title_or_name(self.run.folder.root)

    @property
    def private(self) -> int:
        """How many private conversations are left out."""
        return len(self._private.found)

    @property
    def people(self) -> Sequence[str]:
        """Everyone who is seen: residents in the order of the run, then visitors."""
        known = dict.fromkeys([*self.run.meta.persona_names, *self.cast, *self._tracks.people])
        return [name for name in known if name in self._tracks.people]

    def _read(self) -> None:
        for name, nodes in self.run.memories.items():
            for node in nodes:
                self._private.note_memory(name, self.run.step_of(node) - self.span.first, node)
        frames = [(step, self.run.frame(step)) for step in range(self.run.first, self.span.last + 1)]
        before: Frame = {}
        for step, frame in frames:
            if frame is not before:
                self._private.note(step - self.span.first, frame)
            before = frame
        self._follow([frame for step, frame in frames if step >= self.span.first])

    def _follow(self, frames: Sequence[Frame]) -> None:
        """Collect the tracks. A frame that cannot be read is as the one before."""
        before: Frame = {}
        for step, frame in enumerate(frames):
            if frame and frame is not before:
                self._tracks.add(step, {name: self._private.shown(record) for name, record in frame.items()})
                before = frame
            else:
                self._tracks.go_on(step)

    def as_json(self) -> JsonObject:
        """Return everything that the page of the file gets, except pictures. Step 0 is the first one shared."""
        meta = self.run.meta
        people: list[Json] = [self._person(name) for name in self.people]
        talks: list[Json] = [talk.as_json(self._texts) for talk in self._tracks.talks]
        return {
            "name": self.run.folder.name,
            "language": self._language,
            "title": self.title,
            "start": self._start.isoformat(),
            "sec_per_step": meta.sec_per_step,
            "steps": self.span.steps,
            "people": people,
            "talks": talks,
            "texts": list(self._texts.texts),
        }

    @property
    def _language(self) -> str:
        """Code of the language that people speak; empty if only its name is known."""
        named = str(self.run.run_file.get("language") or "en").lower()
        return {"english": "en", "russian": "ru"}.get(named, named if len(named) == len("en") else "")

    @property
    def _start(self) -> datetime:
        return self.run.meta.time_of(self.span.first)

    def _person(self, name: str) -> JsonObject:
        track, entry = self._tracks.people.get(name, Track()), self.cast.get(name, CastEntry())
        tracks: JsonObject = {"name": name, "moves": list(track.moves), "acts": list(track.acts)}
        if entry.visitor or name not in self.run.memories:
            return {**tracks, "visitor": True}
        scratch = read_memories(self.run.folder.root, name).scratch
        traits: JsonObject = {key: scratch[key] for key in TRAITS if scratch.get(key)}
        return {**tracks, "traits": traits, "states": self._states(name), "memories": self._memories(name)}

    def _memories(self, name: str) -> list[Json]:
        """Return second (from the start), kind, poignancy, text and evidence of each memory, oldest first.

        The evidence of a conversation is its lines, as speaker and text; that of others the places of memories here.
        """
        end = node_time_text(self.run.meta.time_of(self.span.last + 1))
        nodes = [node for node in self._private.without(self.run.memories[name]) if node["created"] < end]
        places = {f"node_{node['node_count']}": place for place, node in enumerate(nodes)}
        return [self._memory(node, places) for node in nodes]

    def _memory(self, node: NodeData, places: Mapping[str, int]) -> Json:
        second = int((parse_node_time(node["created"]) - self._start).total_seconds())
        shown: list[Json] = [
            second,
            _kind(node),
            node["poignancy"],
            self._texts.number(node["description"]),
        ]
        if node["type"] == "chat":
            lines: list[Json] = [[speaker, self._texts.number(words)] for speaker, words in node["filling"] or ()]
            return [*shown, lines]
        found: list[Json] = [places[source] for source in evidence(node) if source in places]
        return [*shown, found] if found else shown

    def _states(self, name: str) -> list[Json]:
        """Return what a persona had in mind and planned, as [step, text, plan], each time that it changed.

        After a private conversation this may be of it, and is left out.
        """
        shown: list[list[Json]] = []
        private = self._private.begun.get(name, self.span.steps)
        for step, scratch in self._saved(name):
            state: list[Json] = [str(scratch.get("currently") or ""), _plan(scratch)]
            if step > min(private, self.span.steps):
                break
            if step <= 0:
                shown = []
            if not shown or shown[-1][1:] != state:
                shown.append([max(0, step), *state])
        return list(shown)

    def _saved(self, name: str) -> list[State]:
        """Return the saved states of a persona, by step; without checkpoints, the last one counts for all."""
        found = [(each.step - self.span.first, each.personas.get(name)) for each in self._checkpoints]
        states: list[State] = [(step, part.scratch) for step, part in found if part]
        if states:
            return states
        return [(min(0, self._private.begun.get(name, 0)), read_memories(self.run.folder.root, name).scratch)]

    @cached_property
    def _checkpoints(self) -> list[Checkpoint]:
        """Those of the span that can be read."""
        root, found = self.run.folder.root, []
        for stem in stems(root):
            if not stem.rows and stem.step <= self.span.last:
                with suppress(CorruptFile):
                    found.append(read_checkpoint(root, stem))
        return found


def _kind(node: NodeData) -> int:
    """Return the number of the kind of a memory."""
    kinds = ((node["type"], node["predicate"]), (node["type"], ""))
    return next((KINDS.index(kind) for kind in kinds if kind in KINDS), 0)


def _plan(scratch: Mapping[str, Any]) -> list[Json]:
    """Return the plan of the day as it was made in the morning, as text and minutes."""
    rows = scratch.get("f_daily_schedule_hourly_org") or scratch.get("f_daily_schedule") or ()
    return [[str(what), int(minutes)] for what, minutes in rows]
