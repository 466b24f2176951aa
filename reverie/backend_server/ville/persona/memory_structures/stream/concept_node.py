"""Nodes of the memory stream: observations, conversations and thoughts, with keywords and evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from ville.errors import CorruptFile
from ville.json_types import Json
from ville.persona.memory_structures.scratch_types import LIST, TEXT, check_type
from ville.storage.dates import node_time_text, parse_node_time

Kind = Literal["event", "thought", "chat"]
KINDS: tuple[Kind, ...] = ("event", "thought", "chat")
MemorySort = Literal["observations", "plans", "reflections"]
"""Kinds of memories that can be masked. Whispers and histories, which have no evidence, are observations."""
PLANS = "plan"
"""Predicate of the thoughts that hold a day's plan."""
REMEMBERS = "remembers"
"""Predicate of the thoughts that were planted as memories."""
CHATS_WITH = "chat with"
"""Predicate of conversations."""
Triple = tuple[str, str, str]
"""Subject, predicate, object."""
Filling = tuple[Any, ...] | str | None
"""As in nodes.json: node ids, a transcript, None, or one bare id after a failed reflection of the released code."""

LIFETIME = timedelta(days=30)
"""Expiration written for thoughts. Nothing enforces it."""
KEPT_WORDS = 3
"""Words kept before a subtask: first name, last name and `is`."""
TEXTS = ("subject", "predicate", "object", "description", "embedding_key")


@dataclass(frozen=True, kw_only=True, slots=True)
class Experience:
    """A memory that is not in the stream yet."""

    kind: Kind
    created: datetime
    subject: str
    predicate: str
    object: str
    description: str
    embedding_key: str
    """Text whose vector represents the memory."""
    poignancy: int
    """1 to 10."""
    keywords: tuple[str, ...]
    filling: Filling = ()
    expiration: datetime | None = None

    @property
    def triple(self) -> Triple:
        return self.subject, self.predicate, self.object


@dataclass(frozen=True, kw_only=True, slots=True)
class ConceptNode(Experience):
    """A memory in the stream. Never changes; the stream keeps its time of last access."""

    number: int
    """From 1, in the order of addition."""
    ordinal: int
    """From 1, among nodes of its kind."""
    depth: int
    """0 for events and chats; a thought is one deeper than its deepest evidence."""

    @property
    def node_id(self) -> str:
        return f"node_{self.number}"

    @property
    def sort(self) -> MemorySort:
        """Return the kind that it can be masked as."""
        if self.kind == "thought" and self.predicate == PLANS:
            return "plans"
        return "reflections" if self.kind == "thought" and self.evidence else "observations"

    @property
    def evidence(self) -> tuple[str, ...]:
        """Ids of the memories that support it."""
        return evidence_of(self)

    @property
    def transcript(self) -> tuple[tuple[str, str], ...]:
        """Pairs of speaker and words, if it is a chat."""
        return tuple(self.filling) if self.kind == "chat" and isinstance(self.filling, tuple) else ()

    def as_json(self) -> dict[str, Json]:
        """Return the content of the node in nodes.json."""
        return {
            "node_count": self.number,
            "type_count": self.ordinal,
            "type": self.kind,
            "depth": self.depth,
            "created": node_time_text(self.created),
            "expiration": None if self.expiration is None else node_time_text(self.expiration),
            "subject": self.subject,
            "predicate": self.predicate,
            "object": self.object,
            "description": self.description,
            "embedding_key": self.embedding_key,
            "poignancy": self.poignancy,
            "keywords": self.keywords,
            "filling": self.filling,
        }


def evidence_of(experience: Experience) -> tuple[str, ...]:
    """Return the node ids in a filling, if it has any."""
    if experience.kind == "chat" or not isinstance(experience.filling, tuple):
        return ()
    return experience.filling


def observation(
    created: datetime,
    triple: Triple,
    description: str,
    *,
    poignancy: int,
    keywords: tuple[str, ...] = (),
    chat: str | None = None,
) -> Experience:
    """Return an observation. `chat` is the id of the conversation that it shows."""
    return Experience(
        kind="event",
        created=created,
        subject=triple[0],
        predicate=triple[1],
        object=triple[2],
        description=cleaned(description),
        embedding_key=embedding_text(description),
        poignancy=poignancy,
        keywords=keywords,
        filling=(chat,) if chat else (),
    )


def thought(
    created: datetime,
    triple: Triple,
    text: str,
    *,
    poignancy: int,
    keywords: tuple[str, ...] = (),
    evidence: tuple[str, ...] | None = None,
) -> Experience:
    """Return an insight, a plan or a whisper. `evidence` are node ids; None for plans and whispers."""
    experience = _experience("thought", created, triple, text=text, poignancy=poignancy, keywords=keywords)
    return replace(experience, filling=evidence, expiration=created + LIFETIME)


def talk(
    created: datetime,
    triple: Triple,
    text: str,
    *,
    poignancy: int,
    keywords: tuple[str, ...] = (),
    transcript: tuple[tuple[str, str], ...] = (),
) -> Experience:
    """Return the memory of a conversation with its transcript."""
    experience = _experience("chat", created, triple, text=text, poignancy=poignancy, keywords=keywords)
    return replace(experience, filling=transcript)


def _experience(
    kind: Kind, created: datetime, triple: Triple, *, text: str, poignancy: int, keywords: tuple[str, ...]
) -> Experience:
    return Experience(
        kind=kind,
        created=created,
        subject=triple[0],
        predicate=triple[1],
        object=triple[2],
        description=text,
        embedding_key=text,
        poignancy=poignancy,
        keywords=keywords,
    )


def cleaned(description: str) -> str:
    """Return the text to remember: `Ada Stone is kneading dough` for `Ada Stone is baking (kneading dough)`."""
    if "(" not in description:
        return description
    return " ".join(description.split()[:KEPT_WORDS]) + " " + description.rsplit("(", 1)[-1][:-1]


def embedding_text(description: str) -> str:
    """Return the text to embed for an observation: what is in the first parentheses, if any."""
    if "(" not in description:
        return description
    return description.split("(", 1)[1].split(")", 1)[0].strip()


def read_experience(where: str, values: object) -> Experience:
    """Return a node of nodes.json. Raise CorruptFile, naming `where` (persona, file, node) and the field."""
    try:
        return _read(values)
    except KeyError as fault:
        raise CorruptFile(f"{where} has no {fault}. Add it or restore the file.") from None
    except TypeError:
        raise CorruptFile(f"{where} is not a memory. Restore the file.") from None
    except CorruptFile as fault:
        raise CorruptFile(f"{where}: {fault}") from None


def _read(values: Any) -> Experience:
    if values["type"] not in KINDS:
        raise CorruptFile(f"type is '{values['type']}'. Make it event, thought or chat.")
    _check_texts(values)
    if not isinstance(values["poignancy"], int):
        raise CorruptFile(f"poignancy is {values['poignancy']!r}. Make it a whole number from 1 to 10.")
    return Experience(
        kind=values["type"],
        created=parse_node_time(values["created"]),
        expiration=None if values["expiration"] is None else parse_node_time(values["expiration"]),
        poignancy=values["poignancy"],
        keywords=tuple(values["keywords"]),
        filling=_frozen(values["filling"]),
        **{key: values[key] for key in TEXTS},
    )


def _check_texts(values: Mapping[str, Any]) -> None:
    """Raise CorruptFile if a field or a part of a list is not a text."""
    filling = values["filling"] if isinstance(values["filling"], list) else []
    check_type("keywords", values["keywords"], LIST)
    if not filling and all(isinstance(text, str) for text in (*map(values.__getitem__, TEXTS), *values["keywords"])):
        return
    texts = {key: values[key] for key in TEXTS}
    texts |= {f"keywords[{number}]": word for number, word in enumerate(values["keywords"])}
    for number, part in enumerate(filling):
        where = f"filling[{number}]"
        if values["type"] == "chat":
            check_type(where, part, LIST)
            texts |= {f"{where}[{side}]": part[side] if side < len(part) else None for side in range(2)}
        else:
            texts[where] = part
    for where, text in texts.items():
        check_type(where, text, TEXT)


def _frozen(value: list[Filling] | Filling) -> Filling:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value
