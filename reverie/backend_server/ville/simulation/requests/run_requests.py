"""Requests to a running engine: typed, and checked field by field."""

from collections.abc import Collection, Mapping
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from ville.errors import BadArgument
from ville.persona.prompt_template.caps import INTERVIEW_LINE
from ville.plain_text import shortened
from ville.simulation.clock import Span, Steps, UntilStep, UntilTalk
from ville.simulation.interventions.fields import TextLine
from ville.simulation.pacing.run_control import Speed
from ville.simulation.pacing.spans import read_span, read_speed
from ville.storage.flaws import complaint
from ville.storage.records.title import LONGEST_TITLE
from ville.storage.shapes import LAST_STEP, LONGEST_NAME, Text, Turn

EXCERPT = 60
"""Length of an excerpt in a message, in characters."""
MOST_TURNS = 100
"""In one interview."""
Id = Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
Line = Annotated[Text, Field(max_length=INTERVIEW_LINE)]
Name = Annotated[Text, Field(max_length=LONGEST_NAME)]
Step = Annotated[int, Field(ge=0, le=LAST_STEP)]
End = Step | Name
"""End of a run: a step number, a time such as `08:00`, `morning` or `February 14, 2023, 18:00:00`, or `talk`."""
Title = Annotated[str, TextLine(LONGEST_TITLE, 0)]
"""Title of a simulation; empty for none."""
TALK = "talk"


class RemoteRequest(BaseModel):
    """Fields of every request."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    id: Id
    """Made by the sender; a repeated request keeps it."""
    by: Name = ""
    """Name of the user."""
    door: Literal["page", "api"] = "api"
    """Kind of program that the user uses."""


class RemoteIntervention(RemoteRequest):
    """Intervene with the other fields, which are those of an intervention."""

    model_config = ConfigDict(extra="allow")

    request: Literal["intervene"]

    @property
    def values(self) -> Mapping[str, object]:
        return self.model_extra or {}


class RemoteRun(RemoteRequest):
    """Run this far; if a run is in progress, change its end; without an end, continue a paused run."""

    request: Literal["run"]
    steps: Step | None = None
    until: End | None = None

    @model_validator(mode="after")
    def _check_end(self) -> "RemoteRun":
        if self.steps is not None and self.until is not None:
            raise ValueError("steps and until exclude each other. Give one of them.")
        return self

    @property
    def span(self) -> Span | None:
        """The length of the run; None if it is that of the paused run. Raises BadArgument."""
        if self.until is not None:
            return read_end(self.until)
        return None if self.steps is None else Steps(self.steps)


class RemoteUntil(RemoteRequest):
    """Change the end of the run in progress."""

    request: Literal["until"]
    until: End

    @property
    def span(self) -> Span:
        """Raises BadArgument."""
        return read_end(self.until)


class RemotePause(RemoteRequest):
    """Hold the run after the current step, and save."""

    request: Literal["pause"]


class RemoteSpeed(RemoteRequest):
    """Let runs take this much time: game seconds per second, or `max`."""

    request: Literal["speed"]
    speed: float | Literal["max"]

    @property
    def value(self) -> Speed:
        """Raises BadArgument."""
        return read_speed(str(self.speed))


class RemoteSave(RemoteRequest):
    """Save after the current step."""

    request: Literal["save"]


class RemoteSaveAs(RemoteRequest):
    """Save, and copy the save to a simulation of its own."""

    request: Literal["save_as"]
    name: Name
    title: Title = ""


class RemoteStop(RemoteRequest):
    """End the run after the current step, save, and leave."""

    request: Literal["stop"]


class InterviewRequest(RemoteRequest):
    """Ask a persona a question that it will not remember."""

    who: Name
    question: Line
    role: Name = ""
    """Whom the persona believes to speak to; empty for an interviewer."""
    history: Annotated[list[Turn], Field(max_length=MOST_TURNS)] = []
    """Earlier turns of the interview."""


class RemoteInterview(InterviewRequest):
    """Ask a persona of the open simulation."""

    request: Literal["interview"]


class RemoteSay(RemoteRequest):
    """Say something to a persona and hear its answer; the intervention `talk` then makes it remember all turns."""

    request: Literal["say"]
    who: Name
    words: Line
    role: Name = ""
    """Whom the user speaks as; empty for a visitor."""
    history: Annotated[list[Turn], Field(max_length=MOST_TURNS)] = []
    """Earlier turns of the conversation."""


class RemoteResidents(RemoteRequest):
    """Return the characters of all residents."""

    request: Literal["residents"]


AnyRequest = (
    RemoteIntervention
    | RemoteRun
    | RemoteUntil
    | RemotePause
    | RemoteSpeed
    | RemoteSave
    | RemoteSaveAs
    | RemoteStop
    | RemoteInterview
    | RemoteSay
    | RemoteResidents
)
Checked = TypeVar("Checked")
_REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="request")])
_NAMES: tuple[str, ...] = tuple(get_args(each.model_fields["request"].annotation)[0] for each in get_args(AnyRequest))


def parse_request(values: Mapping[str, object]) -> AnyRequest:
    """Return the request in a JSON object. Raises BadArgument, which names the first invalid field."""
    return checked_request(_REQUESTS, values, _NAMES)


def checked_request(adapter: TypeAdapter[Checked], values: Mapping[str, object], names: Collection[str]) -> Checked:
    """Return the request that one of several shapes describes, told apart by their `names`. Raises BadArgument."""
    name = values.get("request")
    if name not in names:
        said = "request is missing." if name is None else f"'{shortened(str(name), EXCERPT)}' is not a request."
        raise BadArgument(f"{said} Use one of: {', '.join(names)}.")
    try:
        return adapter.validate_python(dict(values))
    except ValidationError as fault:
        raise BadArgument(complaint(fault, values, str(name))) from None


def read_end(end: int | str) -> Span:
    """Return the end of a run. Raises BadArgument."""
    if end == TALK:
        return UntilTalk()
    return UntilStep(end) if isinstance(end, int) else read_span(f"until {end}")
