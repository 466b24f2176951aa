"""Requests to an engine that opens simulations: typed, and checked field by field."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter, field_validator

from ville.plain_text import shortened
from ville.settings import settable_by
from ville.simulation.clock import Span
from ville.simulation.pacing.run_control import Speed
from ville.simulation.pacing.spans import read_speed
from ville.simulation.requests.run_requests import (
    EXCERPT,
    End,
    InterviewRequest,
    Name,
    RemoteRequest,
    Title,
    checked_request,
    read_end,
)
from ville.storage.shapes import LONGEST_NAME, Text

LONGEST_PATH = 300
MOST_SEED = 2**63
Seed = Annotated[int, Field(ge=-MOST_SEED, lt=MOST_SEED)]


MOMENT = 50
"""Longest notation of a moment after the name of a simulation, as in `two_days@February 13, 2023, 18:00:00`."""
Moment = Annotated[Text, Field(max_length=LONGEST_NAME + MOMENT)]
"""Name of a simulation, as last saved, or with one of its moments."""
MOST_ROWS = 1000
MOST_CASTS = 50
People = Annotated[int, Field(ge=1, le=1000)]
"""Number of people in a town."""


class EngineOpen(RemoteRequest):
    """Open a simulation instead of the one that is open: resume it (`origin` equals `name`), or fork `origin`."""

    request: Literal["open"]
    origin: Moment
    name: Name
    seed: Seed | None = None
    title: Title = ""
    past: Annotated[Text, Field(max_length=LONGEST_PATH)] = ""
    """History file to whisper first, relative to the folder of the assets."""
    run_until: End | None = None
    """Run this far at once."""
    speed: float | Literal["max"] | None = None

    @property
    def span(self) -> Span | None:
        """How far to run at once, if at all. Raises BadArgument."""
        return None if self.run_until is None else read_end(self.run_until)

    @property
    def pace(self) -> Speed | None:
        """The speed of runs, if it is given. Raises BadArgument."""
        return None if self.speed is None else read_speed(str(self.speed))


class EngineClose(RemoteRequest):
    """Save and close the open simulation."""

    request: Literal["close"]


class EngineInterview(InterviewRequest):
    """Ask a persona of a saved simulation, as of its last save or of another moment."""

    request: Literal["interview"]
    sim_code: Moment
    store: Literal["saved", "compressed"] = "saved"


class EngineBranch(RemoteRequest):
    """Begin a simulation at a moment of another one, and run it in the background; or run a saved one on there."""

    model_config = ConfigDict(populate_by_name=True)

    request: Literal["branch"]
    origin: Annotated[Moment, Field(alias="from")]
    store: Literal["saved", "compressed"] = "saved"
    """Where the origin is. A compressed one is made a saved one first."""
    name: Name
    seed: Seed | None = None
    title: Title = ""
    until: End | None = None
    """Run this far; without it, the simulation is only made."""
    interventions: Annotated[list[dict[str, object]], Field(max_length=MOST_ROWS)] = Field(default_factory=list)
    """As in a file of interventions. Those without a step or time take effect at once."""
    settings: dict[str, str | int | float | bool] = Field(default_factory=dict)

    @field_validator("settings")
    @classmethod
    def _check_settings(cls, values: dict[str, object]) -> dict[str, object]:
        allowed = settable_by("request")
        if wrong := [name for name in values if name not in allowed]:
            names = ", ".join(allowed)
            raise ValueError(f"cannot change '{shortened(wrong[0], EXCERPT)}'. Choose from: {names}.")
        return values

    @property
    def span(self) -> Span | None:
        """How far to run, if at all. Raises BadArgument."""
        return None if self.until is None else read_end(self.until)


class EngineStopBranch(RemoteRequest):
    """Stop what runs in the background after its current step, and save it; or do not begin it."""

    request: Literal["stop_branch"]
    name: Name


class EngineUndo(RemoteRequest):
    """Take a saved simulation back to the moment before its last intervention; an open one is opened again there."""

    request: Literal["undo"]
    name: Name
    number: Annotated[int, Field(ge=1)]
    """Of the intervention in the log. One that was undone already stays so."""


class EngineModels(RemoteRequest):
    """Tell what the next town thinks with, by which settings, what a day costs, and which servers are found here."""

    request: Literal["models"]
    people: Annotated[list[People], Field(max_length=MOST_CASTS)] = Field(default_factory=list)
    """Numbers of people for which a day is estimated."""


class EngineTestModels(RemoteRequest):
    """Ask the models a short question."""

    request: Literal["test_models"]


class EngineRepeatComparison(RemoteRequest):
    """Return the study that repeats a comparison of two simulations with other seeds."""

    request: Literal["repeat_comparison"]
    a: Moment
    b: Moment


class EngineCheckStudy(RemoteRequest):
    """Check a study, and tell what is left of it will take."""

    request: Literal["check_study"]
    name: Name
    study: dict[str, object] | None = None
    """As in a study file; None: the study of this name."""


class EngineRunStudy(RemoteRequest):
    """Run what is not done of a study, in a process of its own."""

    request: Literal["run_study"]
    name: Name
    study: dict[str, object] | None = None
    """As in a study file, for a new one; None: the study of this name goes on."""
    retry: bool = False
    """Whether runs that have failed are run again."""


class EngineStopStudy(RemoteRequest):
    """Save all runs of a study, and stop."""

    request: Literal["stop_study"]
    name: Name


EngineRequest = (
    EngineOpen
    | EngineClose
    | EngineInterview
    | EngineBranch
    | EngineStopBranch
    | EngineUndo
    | EngineModels
    | EngineTestModels
    | EngineRepeatComparison
    | EngineCheckStudy
    | EngineRunStudy
    | EngineStopStudy
)
StudyRequest = EngineRepeatComparison | EngineCheckStudy | EngineRunStudy | EngineStopStudy
_REQUESTS: TypeAdapter[EngineRequest] = TypeAdapter(Annotated[EngineRequest, Field(discriminator="request")])
_NAMES: tuple[str, ...] = tuple(
    get_args(each.model_fields["request"].annotation)[0] for each in get_args(EngineRequest)
)


def parse_engine_request(values: Mapping[str, object]) -> EngineRequest:
    """Return the request in a JSON object. Raises BadArgument, which names the first invalid field."""
    return checked_request(_REQUESTS, values, _NAMES)
