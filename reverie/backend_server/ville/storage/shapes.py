"""Shapes of the JSON files of docs/storage.md, as pydantic models. Unknown keys are allowed everywhere."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict

from ville.errors import CorruptFile
from ville.storage.dates import parse_date, parse_time

LONGEST_NAME = 100
LAST_STEP = 999_999_999
DAY = 86_400
"""Seconds."""


def _readable_by(parse: Callable[[str], object]) -> AfterValidator:
    """Return a validator of texts that `parse` can read."""

    def check(text: str) -> str:
        try:
            parse(text)
        except CorruptFile as fault:
            raise ValueError(str(fault)) from None
        return text

    return AfterValidator(check)


def _check_created(text: str) -> str:
    datetime.fromisoformat(text)
    return text


def _check_text(text: str) -> str:
    text.encode()  # JSON can hold half a surrogate pair, which no page can show
    return text


def _check_different(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("names must be different")
    return names


Text = Annotated[str, AfterValidator(_check_text)]
Whole = Annotated[int, Field(ge=0, le=LAST_STEP)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(pattern=r"^[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*$", max_length=LONGEST_NAME)]
"""Of a person or a map, and of its folder."""
Tile = Annotated[int, Field(ge=0, le=100_000)]
"""Column or row."""
Turn = Annotated[tuple[str, str], Strict(strict=False)]
"""Speaker and words."""
SaidLine = Annotated[tuple[int, Text], Strict(strict=False)]
"""Number and text of a line that the engine has shown."""
GameTime = Annotated[str, _readable_by(parse_time)]
GameDate = Annotated[str, _readable_by(parse_date)]
Created = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"), AfterValidator(_check_created)]


class Shape(BaseModel):
    """Base of all shapes: values are not converted."""

    model_config = ConfigDict(strict=True)


class MetaShape(Shape):
    """meta.json, as far as pages need it."""

    curr_time: GameTime
    sec_per_step: Annotated[int, Field(ge=1, le=DAY)]
    maze_name: Name
    persona_names: Annotated[list[Name], AfterValidator(_check_different)]
    step: Whole


class FullMetaShape(MetaShape):
    """meta.json of a simulation to be run."""

    fork_sim_code: Text
    start_date: GameDate


class DestinationShape(Shape):
    """Record of one persona in a movement file, as far as it tells where the step led."""

    movement: Annotated[tuple[Tile, Tile], Strict(strict=False)]


class MovementShape(DestinationShape):
    """Record of one persona in a movement file."""

    pronunciatio: str
    description: str
    chat: list[Turn] | None


class PositionShape(Shape):
    """Position of one persona in an environment file."""

    x: Tile
    y: Tile


class RelationshipShape(Shape):
    """Impression of another persona in scratch.json."""

    relationship: str | None = None
    feeling: str | None = None
    summary: str | None = None


class ScratchShape(Shape):
    """scratch.json, as far as pages show it."""

    age: Whole | None = None
    innate: Text | None = None
    learned: Text | None = None
    currently: Text | None = None
    lifestyle: Text | None = None
    living_area: Text | None = None
    curr_time: GameTime | None = None
    daily_req: list[Text] | None = None
    f_daily_schedule: list[Annotated[tuple[Text, Number], Strict(strict=False)]] | None = None
    f_daily_schedule_hourly_org: list[Annotated[tuple[Text, Number], Strict(strict=False)]] | None = None
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
    """Node of the memory stream, as far as pages show it."""

    node_count: int = 0
    type: str
    created: Created
    description: str
    poignancy: Number = 0


class NodeShape(MemoryShape):
    """Event or thought."""

    filling: list[str] | str | None = None


class ChatNodeShape(MemoryShape):
    """Conversation."""

    object: str = ""
    filling: list[Turn] | None = None


class CostShape(Shape):
    """`cost` of backend_status.json: what a simulation has used so far."""

    calls: Whole
    tokens: int
    dollars: Number
    limit: Number | None = None
    """In dollars; None for no limit."""


class VisitStatusShape(Shape):
    """`visit` of backend_status.json: the visitor in town, and the conversation with it."""

    name: Text
    turn: bool
    """Whether the persona waits for the visitor's words."""
    with_: Annotated[Text | None, Field(alias="with")] = None
    """The persona with whom the visitor talks."""
    waiting: bool
    """Whether the run is held until the visitor's user has answered."""


class StatusShape(Shape):
    """backend_status.json."""

    sim_code: Text | None = None
    state: Text = ""
    step: Whole = 0
    until_step: Whole | None = None
    until_talk: bool = False
    speed: Number | str | None = None
    last_request: int | None = None
    busy: list[Text] | None = None
    curr_time: Text = ""
    asleep_until: GameTime | None = None
    browser: str | None = None
    waiting_for: Text = ""
    said: list[SaidLine] | None = None
    ended: Text = ""
    fault: Text = ""
    cost: CostShape | None = None
    visit: VisitStatusShape | None = None
    models: Text = ""


class RestartShape(Shape):
    """Fate of a run when another engine took over from one that had crashed."""

    fate: Literal["saved", "goes on", "paused", "other models", "stopped"]
    name: Text
    step: Whole
    until: Whole = 0
    place: Whole = 0
    models: Text = ""


class EngineShape(Shape):
    """engine_status.json."""

    state: Literal["idle", "opening", "open"] = "idle"
    sim_code: Text | None = None
    copying: Whole = 0
    computing: Whole = 0
    fault: Text = ""
    restarted: RestartShape | None = None
    models: Text = ""
    last_request: int | None = None


class VisitShape(Shape):
    """visit.json."""

    sim_code: Text
    name: Text
    typing: bool


class AnnouncementShape(Shape):
    """curr_sim_code.json."""

    sim_code: Text | None = None


class StepShape(Shape):
    """curr_step.json."""

    step: Whole = 0


FRAME = dict[Name, MovementShape]
"""`persona` of a movement file, or a step of master_movement.json."""
DESTINATIONS = dict[str, DestinationShape]
"""As FRAME."""
POSITIONS = dict[str, PositionShape]
"""An environment file."""
SPATIAL_MEMORY = dict[str, dict[str, dict[str, list[str]]]]
"""spatial_memory.json: world, sector, arena, objects."""


class PlannedShape(Shape):
    """Fields of all rows of interventions_ahead.json."""

    step: Whole
    kind: Text
    door: Text
    by: Text
    id: Text


class AheadShape(Shape):
    """interventions_ahead.json."""

    rows: list[PlannedShape]


class InterventionShape(Shape):
    """Fields of all rows of interventions.jsonl; the other keys depend on the kind."""

    v: Literal[1]
    n: Annotated[int, Field(ge=1)]
    step: Whole
    kind: Text
    door: Text
    by: Text
    id: Text
    at: Text


class CommitmentShape(Shape):
    """Commitment in facts.json, as far as pages show it."""

    what: Text
    made: Created
    outcome: Text
    people: list[Text] = []
    day: Text = ""
    at: Text = ""
    place: Text = ""
    ended: Created | Literal[""] = ""
    reason: Text = ""


class EndedShape(Shape):
    """Row of ended.jsonl."""

    step: Whole
    where: Text
    words: Text
    since: Whole
    by: list[Text]
