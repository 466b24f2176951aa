"""Subject, predicate and object of a thought, which a model may have left out."""

from typing import Protocol

from ville.persona.prompt_template.caps import KEYWORD
from ville.plain_text import shortened


class Statement(Protocol):
    """A thought in words, and its core."""

    @property
    def text(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def predicate(self) -> str: ...

    @property
    def object(self) -> str: ...


def triple_of(statement: Statement, name: str) -> dict[str, str]:
    """Return the parts of the core by name; if one is missing, that the persona knows what the text says."""
    parts = {"subject": statement.subject, "predicate": statement.predicate, "object": statement.object}
    known = {"subject": name, "predicate": "knows", "object": shortened(statement.text, KEYWORD)}
    return parts if all(parts.values()) else known
