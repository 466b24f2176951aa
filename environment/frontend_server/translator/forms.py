"""Every request is validated here: what comes in is text, what goes on is a SimCode, a Step, a report."""

import re
from typing import Annotated, NewType, TypeVar

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from translator.errors import BadRequest

SimCode = NewType("SimCode", str)
"""A word of letters, digits, '-' and '_': the name of a simulation, if there is one of that name."""
Step = NewType("Step", int)

LONGEST_NAME = 100
LAST_STEP = 999_999_999
LONGEST_WAIT = 5.0
"""Seconds."""
CODE = re.compile(rf"[\w-]{{1,{LONGEST_NAME}}}")
FEW_DIGITS = re.compile(r"[0-9]{1,9}")
CONTROL = re.compile(r"[\x00-\x1f\x7f/\\]")
SPEEDS = {"1", "2", "3", "4", "5", "6", "7", "8"}
DEFAULT_SPEED = 2

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Pixel = Annotated[float, Field(ge=-10_000_000, le=10_000_000, allow_inf_nan=False)]
Tile = Annotated[int, Field(ge=0, le=100_000)]


class RequestBody(BaseModel):
    """A JSON body; further keys are ignored, as they always were."""

    model_config = ConfigDict(strict=True, frozen=True)


class ReportedPosition(RequestBody):
    """Where somebody stands: a map, a column and a row."""

    maze: Name
    x: Tile
    y: Tile


class PositionReport(RequestBody):
    """process_environment: where everybody stands before a step."""

    sim_code: Name
    step: Annotated[int, Field(ge=0, le=LAST_STEP)]
    environment: dict[Name, ReportedPosition]


class MovementRequest(RequestBody):
    """update_environment: what does everybody do in a step? Our pages wait for the answer, classic ones ask again."""

    sim_code: Name
    step: Annotated[int, Field(ge=0, le=LAST_STEP)]
    wait: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = 0.0
    """Seconds."""


class Camera(RequestBody):
    """Where the path tester looks, in pixels of the map."""

    maze: Name
    x: Pixel
    y: Pixel


class CameraReport(RequestBody):
    """path_tester_update."""

    camera: Camera


AnyBody = TypeVar("AnyBody", bound=RequestBody)


def read_body(kind: type[AnyBody], body: bytes) -> AnyBody:
    """Raises BadRequest naming the first thing that is wrong."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as fault:
        raise BadRequest(_sentence(fault.errors(include_url=False)[0])) from None


def _sentence(detail: ErrorDetails) -> str:
    where = ".".join(map(str, detail["loc"]))[:LONGEST_NAME] or _("the body")
    return f"{where}: {detail['msg']}."


def sim_code(text: str) -> SimCode:
    """Raises BadRequest."""
    if not CODE.fullmatch(text):
        raise BadRequest(
            _("This cannot be the name of a simulation: it has letters, digits, '-' and '_' only, at most 100 of them.")
        )
    return SimCode(text)


def step(text: str) -> Step:
    """Raises BadRequest."""
    if not FEW_DIGITS.fullmatch(text):
        raise BadRequest(_("This cannot be a step: it is a whole number of at most nine digits."))
    return Step(int(text))


def speed(text: str) -> int:
    """1 (a pixel a frame) to 8; every other word is the second speed, as it always was. Raises BadRequest."""
    if not CODE.fullmatch(text):
        raise BadRequest(_("This cannot be a speed: use a number from 1 to 8."))
    return int(text) if text in SPEEDS else DEFAULT_SPEED


def persona_name(text: str) -> str:
    """Raises BadRequest."""
    if not 0 < len(text) <= LONGEST_NAME or CONTROL.search(text):
        raise BadRequest(_("This cannot be a name: it has at most 100 characters, no slash and no control character."))
    return text
