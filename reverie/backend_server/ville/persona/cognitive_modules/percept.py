"""A percept: an event in sight or the persona's own talk, before its importance is known."""

from dataclasses import dataclass

from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import Triple, embedding_text
from ville.world.occurrences import IS_NOW, IS_SCENE_OF

IDLE = ("is", "idle")


@dataclass(frozen=True)
class Percept:
    """A perceived event, before its importance is known."""

    triple: Triple
    text: str
    conversation: Conversation | None = None
    """The persona's own conversation, if it is not in the memory stream yet."""

    @property
    def idle(self) -> bool:
        return " ".join(IDLE) in embedding_text(self.text)

    @property
    def is_occurrence(self) -> bool:
        """Whether it is a lasting state of an object or an event at a place."""
        return self.triple[1] in {IS_NOW, IS_SCENE_OF}

    @property
    def activity(self) -> str:
        """The text without the subtask in parentheses."""
        return self.text.partition(" (")[0]

    @property
    def doing(self) -> str:
        """The activity or state without who or what has it, and without the subtask."""
        return doing_in(self.text)

    @property
    def keywords(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((last_part(self.triple[0]), last_part(self.triple[2]))))


def doing_in(text: str) -> str:
    """Return the activity in the text of an observation."""
    return text.partition(" (")[0].partition(" is ")[2]


def last_part(address: str) -> str:
    return address.rsplit(":", 1)[-1]
