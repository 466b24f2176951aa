"""Private conversations of a run: those in which a user spoke, as a visitor or in a role.

They are not shared, and neither is what is told of them: words, subject, and memories that rest on them.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData, evidence
from ville.storage.compressed.cast import Cast, read_cast, read_compressed_cast
from ville.storage.steps.frames import Frame, FrameRecord

Transcript = Sequence[Sequence[str]]
"""Speaker and words of each turn."""
SEPARATOR = " @ "
"""Between what a persona does and where."""


@dataclass
class PrivateTalks:
    """Tells private conversations from those of residents."""

    residents: Collection[str]
    """Everyone who lives or lived in the town."""
    openings: Collection[str]
    """First lines of conversations in which a user spoke for a resident."""
    subjects: set[str] = field(default_factory=set)
    """Subjects of private conversations, in the words of the run."""
    begun: dict[str, int] = field(default_factory=dict)
    """Step of the first private conversation of each persona."""
    found: set[str] = field(default_factory=set)
    """First lines of private conversations."""

    def is_private(self, transcript: Transcript) -> bool:
        """Return whether a user speaks in a conversation."""
        return any(speaker not in self.residents for speaker, _ in transcript) or opening(transcript) in self.openings

    def note(self, step: int, frame: Frame) -> None:
        """Note what private conversations of a step are about, and who takes part."""
        for name, record in frame.items():
            if record["chat"] and self.is_private(record["chat"]):
                self._note(name, step, record["chat"], record["description"].rpartition(SEPARATOR)[0])

    def note_memory(self, name: str, step: int, node: NodeData) -> None:
        """Note a private conversation that a persona remembers from a step: it may not be in a frame."""
        if node["type"] == "chat" and self.is_private(node["filling"] or ()):
            self._note(name, step, node["filling"], node["description"])

    def _note(self, name: str, step: int, transcript: Transcript, subject: str) -> None:
        self.begun[name] = min(step, self.begun.get(name, step))
        self.found.add(opening(transcript))
        self.subjects |= {subject} if subject.strip() else set()

    def shown(self, record: FrameRecord) -> FrameRecord:
        """Return a record without the words of a private conversation, and without its subject."""
        if (record["chat"] and self.is_private(record["chat"])) or self.tells(record["description"]):
            place = record["description"].rpartition(SEPARATOR)[2]
            return {**record, "description": f"{SEPARATOR}{place}", "chat": None}
        return record

    def tells(self, text: str) -> bool:
        """Return whether a text names the subject of a private conversation."""
        return any(subject in text for subject in self.subjects)

    def without(self, memories: Sequence[NodeData]) -> list[NodeData]:
        """Return the memories of one persona, oldest first, without private ones and all that rest on them."""
        kept: list[NodeData] = []
        hidden: set[str] = set()
        for node in memories:
            if self._is_hidden(node, hidden):
                hidden.add(f"node_{node['node_count']}")
            else:
                kept.append(node)
        return kept

    def _is_hidden(self, node: NodeData, hidden: Collection[str]) -> bool:
        if node["type"] == "chat":
            return self.is_private(node["filling"] or ()) or self.tells(node["description"])
        return self.tells(node["description"]) or any(source in hidden for source in evidence(node))


def opening(transcript: Transcript) -> str:
    """Return the first line of a conversation, which is the same in all its steps."""
    return str([list(line) for line in transcript[:1]])


def cast_of(run: ComparedRun) -> Cast:
    """Return those who came or left, also visitors."""
    return read_compressed_cast(run.folder.root)[0] if run.compressed else read_cast(run.folder.root)


def private_talks(run: ComparedRun, cast: Cast) -> PrivateTalks:
    """Return what tells private conversations of a run: its residents, and the log of what users said for them."""
    others = (name for name, entry in cast.items() if not entry.visitor)
    spoken = (row["lines"] for row in run.rows if row["kind"] == "talk" and row.get("lines"))
    return PrivateTalks(frozenset((*run.people, *others)), frozenset(map(opening, spoken)))
