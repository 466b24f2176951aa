"""Interventions: everything that comes from outside the town, as frozen values with checked fields.

The field names are those of `reverie/interventions.jsonl`. Texts lose control characters and surrounding blanks.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, TypeAdapter, ValidationError, model_validator

from ville.errors import BadIntervention
from ville.persona.prompt_template import caps
from ville.plain_text import one_line, shortened
from ville.storage.flaws import complaint
from ville.storage.shapes import LAST_STEP, LONGEST_NAME

Checked = TypeVar("Checked")
Door = Literal["prompt", "page", "file", "api"]
LONGEST_ID = 64
MOST_WHISPERS = 20_000
"""In one history."""
MOST_LINES = 32
"""In one conversation: sixteen of each side."""
EXCERPT = 40
"""Characters of a value that a message quotes."""
LONGEST_ADDRESS = 4 * caps.PLACE


def text_line(longest: int, shortest: int = 1) -> AfterValidator:
    """Return a validator of texts on one line, which removes control characters and surrounding blanks."""

    def check(text: str) -> str:
        line = one_line(text).strip()
        if len(line) < shortest:
            raise ValueError("is empty. Write something.")
        if len(line) > longest:
            excerpt = shortened(line, EXCERPT)
            raise ValueError(f"has {len(line):,} characters ('{excerpt}'); at most {longest:,} are allowed. Split it.")
        return line

    return AfterValidator(check)


Name = Annotated[str, text_line(LONGEST_NAME)]
Words = Annotated[str, text_line(caps.WHISPER)]
Place = Annotated[str, text_line(LONGEST_ADDRESS)]
Coordinate = Annotated[int, Field(ge=0, le=100_000)]
Tile = Annotated[tuple[Coordinate, Coordinate], Strict(strict=False)]
Step = Annotated[int, Field(ge=0, le=LAST_STEP)]
TraitField = Literal["age", "innate", "learned", "currently", "lifestyle", "living_area", "daily_plan_req"]
Turn = Annotated[tuple[Name, Annotated[str, text_line(caps.INTERVIEW_LINE)]], Strict(strict=False)]


RuleName = Literal["freeze", "cut", "silence", "swap", "pin"]
OptionalName = Annotated[str, text_line(LONGEST_NAME, 0)]


class RuleFields(NamedTuple):
    """Names of the fields of a rule."""

    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()


RULE_FIELDS: Mapping[RuleName, RuleFields] = {
    "freeze": RuleFields(("who",)),
    "cut": RuleFields(("who", "other")),
    "silence": RuleFields(("where",)),
    "swap": RuleFields(("who", "model")),
    "pin": RuleFields(("who",), ("recording", "until")),
}


class Base(BaseModel):
    """Base of all kinds."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", populate_by_name=True, use_attribute_docstrings=True
    )

    def as_json(self) -> dict[str, Any]:
        """Return the fields as in the log."""
        return self.model_dump(mode="json", by_alias=True)


class Whisper(Base):
    """An inner voice: the persona takes it for a thought of its own (paper §3.2.1)."""

    kind: Literal["whisper"] = "whisper"
    who: Name
    """Full name of the persona."""
    words: Words
    """Text, at most 500 characters."""


class MemoryAdd(Base):
    """A thought planted word for word, without a question to a model."""

    kind: Literal["memory_add"] = "memory_add"
    who: Name
    """Full name of the persona."""
    words: Annotated[str, text_line(caps.THOUGHT)]
    """The thought, in the third person."""
    poignancy: Annotated[int, Field(ge=1, le=10)] = 5
    """Importance, from 1 to 10."""


class MemoryDrop(Base):
    """A memory that is never retrieved again. It stays in nodes.json."""

    kind: Literal["memory_drop"] = "memory_drop"
    who: Name
    """Full name of the persona."""
    node: Annotated[str, Field(pattern=r"^node_[1-9]\d{0,8}$")]
    """Its id, such as node_12."""


class Trait(Base):
    """A line of the identity, changed."""

    kind: Literal["trait"] = "trait"
    who: Name
    """Full name of the persona."""
    field: TraitField
    """Name of the line: age, innate, learned, currently, lifestyle, living_area or daily_plan_req."""
    now: Annotated[str, text_line(caps.CURRENTLY)]
    """Its new text."""
    was: str | None = None
    """State before; filled in when it is applied."""


class ObjectState(Base):
    """The state of an object, in words, until a persona, a user or a step ends it."""

    kind: Literal["object"] = "object"
    where: Place
    """Address of the object, as world:sector:arena:object."""
    state: Annotated[str, text_line(caps.STATE)]
    """`idle` ends an earlier state."""
    until: Step | None = None
    """Step before which it ends by itself."""


class Happening(Base):
    """Something that everyone at a place perceives."""

    kind: Literal["event"] = "event"
    where: Place
    """Arena, sector or world."""
    words: Annotated[str, text_line(caps.STATE)]
    """Sight or sound of it, such as: the fire alarm rings."""
    steps: Annotated[int, Field(ge=1, le=LAST_STEP)] = 1
    """How long it lasts."""


class HistoryRows(Base):
    """Whispers to several personas at once, as in a history file."""

    kind: Literal["history"] = "history"
    rows: Annotated[
        tuple[Annotated[tuple[Name, Words], Strict(strict=False)], ...],
        Strict(strict=False),
        Field(min_length=1, max_length=MOST_WHISPERS),
    ]


class ResidentIn(Base):
    """A new resident, who has a home and a character."""

    kind: Literal["resident_in"] = "resident_in"
    name: Name
    """Full name that no one in the town has."""
    age: Annotated[int, Field(ge=0, le=150)]
    """In years."""
    innate: Words
    """Innate traits, separated by commas."""
    learned: Annotated[str, text_line(caps.CURRENTLY)]
    """Learned traits, in a sentence or two."""
    currently: Annotated[str, text_line(caps.CURRENTLY)]
    """Present concerns and plans."""
    lifestyle: Annotated[str, text_line(caps.CURRENTLY)]
    """Times of sleeping, eating and getting up."""
    home: Place
    """Arena with a bed of one's own."""
    look: Name
    """Name of a sprite."""
    daily_plan_req: Annotated[str, text_line(caps.REQUIREMENT, 0)] = ""
    """Requirement of every day."""


class ResidentOut(Base):
    """A resident moves away."""

    kind: Literal["resident_out"] = "resident_out"
    who: Name
    """Full name of the persona."""


class VisitorIn(Base):
    """A visitor arrives: a person without a mind, moved by a user."""

    kind: Literal["visitor_in"] = "visitor_in"
    name: Name
    """A name that no one in the town has."""
    look: Name
    """Name of a sprite."""
    about: Words
    """A sentence about the visitor, as others know it."""
    tile: Tile | Place
    """Column and row, such as 58, 21; or a place, such as hobbs cafe."""


class VisitorWalk(Base):
    """A visitor sets out for a tile or a place."""

    kind: Literal["visitor_walk"] = "visitor_walk"
    name: Name
    """Name of the visitor."""
    to: Tile | Place
    """Column and row, or a place."""


class VisitorSay(Base):
    """A visitor speaks to a persona nearby."""

    kind: Literal["visitor_say"] = "visitor_say"
    name: Name
    """Name of the visitor."""
    to: Name
    """Name of a persona nearby."""
    words: Words
    """Text, at most 500 characters."""


class VisitorOut(Base):
    """A visitor leaves the town."""

    kind: Literal["visitor_out"] = "visitor_out"
    name: Name
    """Name of the visitor."""


class RealTalk(Base):
    """A conversation of a user, in a role, with a persona, who remembers it."""

    kind: Literal["talk"] = "talk"
    who: Name
    """Full name of the persona."""
    role: Annotated[Name, Field(alias="as")]
    lines: Annotated[tuple[Turn, ...], Strict(strict=False), Field(min_length=1, max_length=MOST_LINES)]


class Rule(Base):
    """Something that people in this town cannot do, as a counterfactual."""

    kind: Literal["rule"] = "rule"
    rule: RuleName
    """freeze, cut, silence, swap or pin."""
    who: OptionalName = ""
    """Full name of the persona; not for silence."""
    other: OptionalName = ""
    """Full name of the other persona, for cut."""
    where: Annotated[str, text_line(LONGEST_ADDRESS, 0)] = ""
    """Arena, sector or world, for silence."""
    model: OptionalName = ""
    """Name of a model, or offline, for swap."""
    recording: OptionalName = ""
    """Name of a simulation, for pin; the one it was forked from."""
    until: Step | None = None
    """First step that is not repeated, for pin."""
    on: bool = True
    """False ends the rule."""

    @model_validator(mode="after")
    def _check_fields(self) -> "Rule":
        """Check that a rule has its own fields, and no others."""
        own = RULE_FIELDS[self.rule]
        optional = {"model"} if not self.on else set()
        if missing := [name for name in own.needed if not getattr(self, name) and name not in optional]:
            raise ValueError(f"{self.rule} needs {missing[0]}.")
        given = {name for name in ("who", "other", "where", "model", "recording", "until") if getattr(self, name)}
        if beside := sorted(given - {*own.needed, *own.optional}):
            raise ValueError(f"{self.rule} has no {beside[0]}. Leave it out.")
        return self


Intervention = (
    Whisper
    | MemoryAdd
    | MemoryDrop
    | Trait
    | ObjectState
    | Happening
    | HistoryRows
    | ResidentIn
    | ResidentOut
    | VisitorIn
    | VisitorWalk
    | VisitorSay
    | VisitorOut
    | RealTalk
    | Rule
)
MODELS: Mapping[str, type[Base]] = {each.model_fields["kind"].default: each for each in get_args(Intervention)}
KINDS: tuple[str, ...] = tuple(MODELS)
_ADAPTER: TypeAdapter[Intervention] = TypeAdapter(Annotated[Intervention, Field(discriminator="kind")])


class Source(Base):
    """Who sent an intervention, and how."""

    door: Door
    by: Annotated[str, text_line(LONGEST_NAME, 0)] = ""
    """Name of the user, if known."""
    id: Annotated[str, text_line(LONGEST_ID, 0)] = ""
    """Identifier of the request, so that one sent twice is applied once; empty: a new one is made."""


API = Source(door="api")
"""A Python program that has the simulation open."""


def parse_intervention(values: Mapping[str, Any]) -> Intervention:
    """Return the intervention that a JSON object describes. Raises BadIntervention."""
    kind = values.get("kind")
    if kind not in KINDS:
        said = (
            "kind is missing." if kind is None else f"'{shortened(str(kind), EXCERPT)}' is not a kind of intervention."
        )
        raise BadIntervention(f"{said} Choose one of: {', '.join(KINDS)}.")
    return _checked(_ADAPTER, values, kind)


def parse_source(values: Mapping[str, Any]) -> Source:
    """Return the source of a request. Raises BadIntervention."""
    return _checked(TypeAdapter(Source), values, "")


def _checked(adapter: TypeAdapter[Checked], values: Mapping[str, Any], kind: str) -> Checked:
    try:
        checked: Checked = adapter.validate_python(dict(values))
    except ValidationError as fault:
        raise BadIntervention(complaint(fault, values, kind)) from None
    return checked
