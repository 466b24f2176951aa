"""The shape of what pages read from files: what is sound, and in which field the rest is not. No disk is touched."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Annotated, Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, TypeAdapter, ValidationError

from translator.meta import DAY, TIME
from translator.replays import Frame, whole_frame

LONGEST_NAME = 100
LONGEST_LINE = 400
LAST_STEP = 999_999_999
KEY = "[key]"
"""How pydantic names a key that is wrong itself."""


def _check_game_time(text: str) -> str:
    datetime.strptime(text, TIME)  # noqa: DTZ007 - game time has no zone
    return text


def _check_created(text: str) -> str:
    datetime.fromisoformat(text)
    return text


def _check_text(text: str) -> str:
    text.encode()  # half a surrogate pair can stand in JSON, but not on a page
    return text


Text = Annotated[str, AfterValidator(_check_text)]
Whole = Annotated[int, Field(ge=0, le=LAST_STEP)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f/\\]+$", max_length=LONGEST_NAME)]
"""Also the name of a folder."""
Tile = Annotated[int, Field(ge=0, le=100_000)]
Line = Annotated[tuple[str, str], Strict(strict=False)]
"""Who says what."""
GameTime = Annotated[str, AfterValidator(_check_game_time)]
Created = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"), AfterValidator(_check_created)]


class Shape(BaseModel):
    """What a file has to hold; further keys are ignored."""

    model_config = ConfigDict(strict=True)


class MetaShape(Shape):
    curr_time: GameTime
    sec_per_step: Annotated[int, Field(ge=1, le=DAY)]
    maze_name: Name
    persona_names: list[Name]
    step: Whole


class MovementShape(Shape):
    """What one person shows in a step."""

    movement: Annotated[tuple[Tile, Tile], Strict(strict=False)]
    pronunciatio: str
    description: str
    chat: list[Line] | None


class PositionShape(Shape):
    x: Tile
    y: Tile


class RelationshipShape(Shape):
    relationship: str | None = None
    feeling: str | None = None


class ScratchShape(Shape):
    """The fields that the page of a mind shows."""

    age: Whole | None = None
    innate: Text | None = None
    learned: Text | None = None
    currently: Text | None = None
    lifestyle: Text | None = None
    living_area: Text | None = None
    curr_time: GameTime | None = None
    daily_req: list[Text] | None = None
    f_daily_schedule: list[Annotated[tuple[Text, Number], Strict(strict=False)]] | None = None
    act_address: Text | None = None
    act_description: Text | None = None
    act_pronunciatio: Text | None = None
    relationship: dict[str, RelationshipShape] | None = None
    vision_r: Number | None = None
    att_bandwidth: Number | None = None
    retention: Number | None = None
    recency_w: Number | None = None
    relevance_w: Number | None = None
    importance_w: Number | None = None
    recency_decay: Number | None = None
    importance_trigger_curr: Number | None = None
    importance_trigger_max: Number | None = None


class MemoryShape(Shape):
    """A node of the memory stream, as far as it is shown."""

    node_count: int = 0
    type: str
    created: Created
    description: str
    poignancy: Number = 0


class NodeShape(MemoryShape):
    filling: list[str] | str | None = None


class ChatNodeShape(MemoryShape):
    object: str = ""
    filling: list[Line] | None = None


class StatusShape(Shape):
    """What the engine says of itself."""

    sim_code: Text | None = None
    state: Text = ""
    step: Whole = 0
    until_step: Whole | None = None
    busy: list[Text] | None = None
    curr_time: Text = ""
    asleep_until: GameTime | None = None
    browser: str | None = None


class AnnouncementShape(Shape):
    sim_code: Text | None = None


class StepShape(Shape):
    step: Whole = 0


FRAME = dict[Name, MovementShape]
SPATIAL = dict[str, dict[str, dict[str, list[str]]]]
"""World, sector, arena, objects."""


@dataclass(frozen=True)
class Flaw:
    """Something in a file that is not what it has to be."""

    keys: tuple[str | int, ...]
    """Where it is, from the outermost key to the innermost; empty for the whole file."""
    reason: str | Promise
    """Said in the language of whoever reads it, not of whoever found it first."""
    file: str = ""

    def within(self, *keys: str | int) -> "Flaw":
        """The same, seen from further outside."""
        return replace(self, keys=(*keys, *self.keys))

    def of(self, file: str) -> "Flaw":
        return replace(self, file=file)

    def __str__(self) -> str:
        where = ".".join(map(str, self.keys))
        return _printable(f"{self.file}: {where} {self.reason}." if where else f"{self.file} {self.reason}.")


def flaws(shape: Any, value: Any) -> list[Flaw]:
    """Find every field of a value that does not have its shape."""
    try:
        _adapter(shape).validate_python(value)
    except ValidationError as fault:
        details = fault.errors(include_url=False, include_input=False, include_context=False)
        return [Flaw(_way(value, detail["loc"]), _reason(detail["type"])) for detail in details]
    return []


def sound(shape: Any, values: Any) -> tuple[dict[str, Any], list[Flaw]]:
    """Return what is left of an object without the keys under which something is wrong, and what is wrong."""
    found = flaws(shape, values)
    if not isinstance(values, dict):
        return {}, found
    wrong = {flaw.keys[0] for flaw in found if flaw.keys}
    return {key: value for key, value in values.items() if key not in wrong}, found


def sound_frame(people: Any) -> tuple[Frame, list[Flaw]]:
    """Return what those show whose records can be shown, and what is wrong with the others."""
    shown, found = sound(FRAME, people)
    return whole_frame(shown), found


def sound_nodes(nodes: dict[str, Any]) -> tuple[dict[str, Any], list[Flaw]]:
    """Return the memories that can be shown, and what is wrong with the others."""
    shown: dict[str, Any] = {}
    found: list[Flaw] = []
    for name, node in nodes.items():
        is_chat = isinstance(node, dict) and node.get("type") == "chat"
        wrong = flaws(ChatNodeShape if is_chat else NodeShape, node)
        found += [flaw.within(name) for flaw in wrong]
        if not wrong:
            shown[name] = node
    return shown, found


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    config = None if isinstance(shape, type) and issubclass(shape, BaseModel) else ConfigDict(strict=True)
    return TypeAdapter(shape, config=config)


def _way(value: Any, location: Sequence[str | int]) -> tuple[str | int, ...]:
    """Those keys of a location that lead into the value: pydantic names the branches of a union, too."""
    way: list[str | int] = []
    for key in location:
        inside = isinstance(value, dict) or (isinstance(value, list) and isinstance(key, int))
        if not inside or key == KEY:
            continue
        way.append(key)
        try:
            value = value[key]
        except (KeyError, IndexError):
            break
    return tuple(way)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:LONGEST_LINE])


def _reason(kind: str) -> Promise:
    reasons = {
        "missing": _("is missing"),
        "int_type": _("is not a whole number"),
        "float_type": _("is not a number"),
        "string_type": _("is not text"),
        "string_unicode": _("is not text"),
        "list_type": _("is not a list"),
        "tuple_type": _("is not a list"),
        "dict_type": _("is not an object"),
        "model_type": _("is not an object"),
    }
    return reasons.get(kind, _("has an impossible value"))
