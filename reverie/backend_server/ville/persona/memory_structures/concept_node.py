"""One memory: something seen, said or thought, with what it is about and what it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from ville.errors import CorruptFile
from ville.persona.memory_structures.scratch_types import LIST, TEXT, check_type
from ville.storage.dates import node_time_text, parse_node_time

Kind = Literal["event", "thought", "chat"]
KINDS: tuple[Kind, ...] = ("event", "thought", "chat")
Triple = tuple[str, str, str]
"""Subject, predicate, object."""
Filling = tuple[Any, ...] | str | None
"""As on disk: node ids, a transcript, None, or the bare id that marks a failed classic reflection."""

LIFETIME = timedelta(days=30)
"""After which a thought is said to expire; nothing enforces it."""
KEPT_WORDS = 3
TEXTS = ("subject", "predicate", "object", "description", "embedding_key")


@dataclass(frozen=True, kw_only=True, slots=True)
class Experience:
    """A memory before it has its place in the stream."""

    kind: Kind
    created: datetime
    subject: str
    predicate: str
    object: str
    description: str
    embedding_key: str
    """The text whose vector stands for it."""
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
    """A memory in the stream. It never changes; when it was last thought of is kept by the stream."""

    number: int
    """From 1, in the order in which they came."""
    ordinal: int
    """From 1, among those of its kind."""
    depth: int
    """0 for what was seen or said; a thought is one deeper than the deepest memory it rests on."""

    @property
    def node_id(self) -> str:
        return f"node_{self.number}"

    @property
    def evidence(self) -> tuple[str, ...]:
        """The ids of the memories it rests on."""
        return evidence_of(self)

    @property
    def transcript(self) -> tuple[tuple[str, str], ...]:
        """Who said what, if it is a chat."""
        return tuple(self.filling) if self.kind == "chat" and isinstance(self.filling, tuple) else ()

    def as_json(self) -> dict[str, Any]:
        """In the classic order of keys."""
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
    """The node ids in a filling, of whatever shape."""
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
    """Something seen; `description` as it was met. `chat` is the id of the talk it belongs to."""
    plain = _plain("event", created, triple, text=cleaned(description), poignancy=poignancy, keywords=keywords)
    return replace(plain, embedding_key=embedding_text(description), filling=(chat,) if chat else ())


def thought(
    created: datetime,
    triple: Triple,
    text: str,
    *,
    poignancy: int,
    keywords: tuple[str, ...] = (),
    evidence: tuple[str, ...] | None = None,
) -> Experience:
    """Something concluded or planned. `evidence` are node ids; None for plans and whispers."""
    plain = _plain("thought", created, triple, text=text, poignancy=poignancy, keywords=keywords)
    return replace(plain, filling=evidence, expiration=created + LIFETIME)


def talk(
    created: datetime,
    triple: Triple,
    text: str,
    *,
    poignancy: int,
    keywords: tuple[str, ...] = (),
    transcript: tuple[tuple[str, str], ...] = (),
) -> Experience:
    """A conversation, word for word."""
    plain = _plain("chat", created, triple, text=text, poignancy=poignancy, keywords=keywords)
    return replace(plain, filling=transcript)


def _plain(
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
    """`Ada Stone is baking (kneading dough)` is remembered as `Ada Stone is kneading dough`."""
    if "(" not in description:
        return description
    return " ".join(description.split()[:KEPT_WORDS]) + " " + description.rsplit("(", 1)[-1][:-1]


def embedding_text(description: str) -> str:
    """The text whose vector stands for something seen: what is in the first parentheses, if any."""
    if "(" not in description:
        return description
    return description.split("(", 1)[1].split(")", 1)[0].strip()


def read_experience(where: str, values: Any) -> Experience:
    """A node of nodes.json. Raises CorruptFile naming node and field; `where` says whose file and which node."""
    try:
        return _read(values)
    except KeyError as fault:
        raise CorruptFile(f"{where} has no {fault}: add it or restore the file.") from None
    except TypeError:
        raise CorruptFile(f"{where} is no memory: restore the file.") from None
    except CorruptFile as fault:
        raise CorruptFile(f"{where}: {fault}") from None


def _read(values: Any) -> Experience:
    if values["type"] not in KINDS:
        raise CorruptFile(f"type is '{values['type']}': it should be event, thought or chat.")
    _check_texts(values)
    if not isinstance(values["poignancy"], int):
        raise CorruptFile(f"poignancy is {values['poignancy']!r}: it should be a whole number from 1 to 10.")
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
    """Raises CorruptFile."""
    filling = values["filling"] if isinstance(values["filling"], list) else []
    check_type("keywords", values["keywords"], LIST)
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


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value
