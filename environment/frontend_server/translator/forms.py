"""Validate requests: texts become SimCodes, Steps and reports."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Literal, NewType, NoReturn, TypeVar

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from translator.errors import BadRequest
from ville.json_types import JsonObject

SimCode = NewType("SimCode", str)
"""A possible name of a simulation: letters, digits, '-' and '_'."""
Step = NewType("Step", int)

LONGEST_NAME = 100
LONGEST_TEXT = 10_000
LONGEST_PATH = 1000
LONGEST_FACT = 500
FACT_WAYS = ("pattern", "words", "meaning")
LAST_STEP = 999_999_999
LONGEST_WAIT = 5.0
"""Seconds."""
CODE = re.compile(rf"[\w-]{{1,{LONGEST_NAME}}}")
STUDY_FILE = re.compile(rf"[\w-]{{1,{LONGEST_NAME}}}\.(csv|tex|svg)")
FEW_DIGITS = re.compile(r"[0-9]{1,9}")
BOX_NUMBER = re.compile(r"[0-9]{1,12}")
SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
CONTROL = re.compile(r"[\x00-\x1f\x7f/\\]")
HOUR_TEXT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00")
LAST_YEAR = 9998
CALL_ORDERS = ("latest", "slowest", "dearest", "corrected")
CALL_GROUPS = ("question", "persona", "model")
MOST_PARTS = 20
"""Details of a look."""
SPEEDS = {"1", "2", "3", "4", "5", "6", "7", "8"}
DEFAULT_SPEED = 3

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Pixel = Annotated[float, Field(ge=-10_000_000, le=10_000_000, allow_inf_nan=False)]
Tile = Annotated[int, Field(ge=0, le=100_000)]


class RequestBody(BaseModel):
    """A JSON body. Unknown keys are ignored."""

    model_config = ConfigDict(strict=True, frozen=True)


class ReportedPosition(RequestBody):
    """Where a persona stands: map, column and row."""

    maze: Name
    x: Tile
    y: Tile


class PositionReport(RequestBody):
    """Body of process_environment: where everyone stands before a step."""

    sim_code: Name
    step: Annotated[int, Field(ge=0, le=LAST_STEP)]
    environment: dict[Name, ReportedPosition]


class MovementRequest(RequestBody):
    """Body of update_environment, which asks what everyone does in a step."""

    sim_code: Name
    step: Annotated[int, Field(ge=0, le=LAST_STEP)]
    wait: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = 0.0
    """Seconds. Released pages do not wait, but ask again."""


class SentRequest(RequestBody):
    """Fields of every request to the engine (docs/storage.md). The engine checks the others."""

    id: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
    request: Name


class ChosenModelBody(RequestBody):
    """Body of model_choice: what is to answer, and a new key for it, if there is one."""

    provider: Name
    base_url: str = ""
    model_file: str = ""
    fast_model: str = ""
    advanced_model: str = ""
    key: str = ""


class OneKey(RequestBody):
    """Body of model_key: the provider whose key is to be removed."""

    provider: Name


class Presence(RequestBody):
    """Body of visit: a page is there for this visitor, and whether its user is typing."""

    name: Name
    typing: bool


class HairParts(RequestBody):
    """Hair of a look. The values are those of a looks file."""

    cut: Name
    colour: Name
    fringe: Name = "short"
    tie: Name = "red"


class FaceParts(RequestBody):
    """Face of a look."""

    mouth: Name = "smile"
    brows: Name = "calm"
    marks: Annotated[list[Name], Field(max_length=MOST_PARTS)] = []
    beard: Name | None = None
    beard_colour: Name | None = None


class ClothesParts(RequestBody):
    """Clothes of a look; `details` are colours by name."""

    top: Name
    bottom: Name
    fit: Name = "trousers"
    sleeves: Name = "long"
    sleeve_colour: Name | None = None
    shoes: Name = "walnut"
    details: Annotated[dict[Name, Name], Field(max_length=MOST_PARTS)] = {}


class LookParts(RequestBody):
    """A look, put together of parts; what is `worn` on the head has colours by name."""

    skin: Name
    eyes: Name
    hair: HairParts
    clothes: ClothesParts
    face: FaceParts = FaceParts()
    build: Name = "slim"
    worn: Annotated[dict[Name, Name], Field(max_length=MOST_PARTS)] = {}


class NewLook(RequestBody):
    """Body of look_kept: a person, and the look that is to be drawn."""

    name: Name
    look: LookParts


class KeptName(RequestBody):
    """A simulation that is to be deleted, and in which form."""

    name: Name
    form: Literal["saved", "compressed"]


class NewName(KeptName):
    """One that is to be renamed, or restored under a name."""

    new: Name


class NewDescription(KeptName):
    """One whose title, note and tags change."""

    title: Text
    note: Text
    tags: Annotated[list[Text], Field(max_length=LONGEST_NAME)]


class NewMark(KeptName):
    """A moment of one that is marked; an empty text removes the mark."""

    step: Annotated[int, Field(ge=0, le=LAST_STEP)]
    text: Text


class SmallerForm(KeptName):
    """One that is to be made smaller. A repeated request keeps its id."""

    id: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
    way: Literal["moments", "vectors", "recording"]


class OldProjectForm(RequestBody):
    """The folder of an older project, and whether it is to be brought over, with its settings. A repeated request keeps
    its id.
    """

    id: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
    path: Annotated[str, Field(max_length=LONGEST_PATH)]
    bring: bool
    settings: bool


class Camera(RequestBody):
    """Position of the path tester, in pixels of the map."""

    maze: Name
    x: Pixel
    y: Pixel


class CameraReport(RequestBody):
    """Body of path_tester_update."""

    camera: Camera


@dataclass(frozen=True)
class ListQuery:
    """The part of a list that an address asks for."""

    search: str = ""
    """Words to find."""
    tag: str = ""
    shown: int = 0
    """How many to show; 0: a few."""


AnyBody = TypeVar("AnyBody", bound=RequestBody)


def read_body(kind: type[AnyBody], body: bytes) -> AnyBody:
    """Parse a body. Raises BadRequest naming the first invalid field."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as fault:
        raise BadRequest(_sentence(fault.errors(include_url=False)[0])) from None


def sent_request(body: bytes) -> JsonObject:
    """Return a request to the engine, with `door` set to `page`. Raises BadRequest."""
    try:
        values = json.loads(body.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadRequest(_("The body is not JSON. Send a JSON object.")) from None
    try:
        SentRequest.model_validate(values)
    except ValidationError as fault:
        raise BadRequest(_sentence(fault.errors(include_url=False)[0])) from None
    return {**values, "door": "page"}


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(name)


def _sentence(detail: ErrorDetails) -> str:
    where = ".".join(map(str, detail["loc"]))[:LONGEST_NAME] or _("the body")
    return f"{where}: {detail['msg']}."


def sim_code(text: str) -> SimCode:
    """Return the name of a simulation. Raises BadRequest."""
    if not CODE.fullmatch(text):
        raise BadRequest(
            _("This is not the name of a simulation: use letters, digits, '-' and '_', at most 100 of them.")
        )
    return SimCode(text)


def town(text: str) -> str:
    """Return the name of a town file, without its ending. Raises BadRequest."""
    if not CODE.fullmatch(text):
        raise BadRequest(
            _("This is not the name of a town file: use letters, digits, '-' and '_', at most 100 of them.")
        )
    return text


def study(text: str) -> str:
    """Return the name of a study. Raises BadRequest."""
    if not CODE.fullmatch(text):
        raise BadRequest(_("This is not the name of a study: use letters, digits, '-' and '_', at most 100 of them."))
    return text


def study_file(text: str) -> str:
    """Return the name of a file that a study gives away. Raises BadRequest."""
    if not STUDY_FILE.fullmatch(text):
        raise BadRequest(_("This is not a file of a study: name a table in .csv or .tex, or a figure in .svg."))
    return text


def step(text: str) -> Step:
    """Return the number of a step. Raises BadRequest."""
    if not FEW_DIGITS.fullmatch(text):
        raise BadRequest(_("This is not a step: use a whole number of at most nine digits."))
    return Step(int(text))


def box_number(text: str) -> int:
    """Return the number of a request to the engine. Raises BadRequest."""
    if not BOX_NUMBER.fullmatch(text):
        raise BadRequest(_("This is not the number of a request: use a whole number of at most twelve digits."))
    return int(text)


def wait(text: str) -> float:
    """Return how many seconds an answer may take, at most five. Raises BadRequest."""
    if not SECONDS.fullmatch(text) or float(text) > LONGEST_WAIT:
        raise BadRequest(_("This is not a time to wait: use a number of seconds from 0 to 5."))
    return float(text)


def speed(text: str) -> int:
    """Return the number of a play speed, 1 to 8. Other words mean 3, a minute per second. Raises BadRequest."""
    if not CODE.fullmatch(text):
        raise BadRequest(_("This is not a speed: use a number from 1 to 8."))
    return int(text) if text in SPEEDS else DEFAULT_SPEED


def list_query(values: Mapping[str, str]) -> ListQuery:
    """Return the part of a list that an address asks for. Raises BadRequest."""
    search, tag, shown = values.get("search", ""), values.get("tag", ""), values.get("shown", "0")
    if len(search) > LONGEST_NAME or len(tag) > LONGEST_NAME or not FEW_DIGITS.fullmatch(shown):
        raise BadRequest(_("This is not a search: use at most 100 characters, and a whole number of simulations."))
    return ListQuery(search, tag, int(shown))


@dataclass(frozen=True)
class CallQuery:
    """Which calls of a run a page shows. Empty texts stand for all."""

    person: str = ""
    question: str = ""
    model: str = ""
    hour: str = ""
    """ISO time of an hour of game time."""
    carried_on: bool = False
    order: str = "latest"
    by: str = "question"
    """By which of GROUPS calls are summed up."""
    page: int = 0

    def as_words(self) -> dict[str, object]:
        """Return the query of an address."""
        return {**asdict(self), "carried_on": "1" if self.carried_on else ""}


def call_query(values: Mapping[str, str]) -> CallQuery:
    """Return which calls an address asks for. Raises BadRequest."""
    texts = {name: values.get(name, "") for name in ("person", "question", "model", "hour")}
    order, by, page = values.get("order", "latest"), values.get("by", "question"), values.get("page", "0")
    too_long = any(len(text) > LONGEST_NAME for text in texts.values())
    right = order in CALL_ORDERS and by in CALL_GROUPS and FEW_DIGITS.fullmatch(page)
    if too_long or not right or (texts["hour"] and not _is_hour(texts["hour"])):
        raise BadRequest(_("There is no such list of calls. Open the page of calls again."))
    return CallQuery(**texts, carried_on=bool(values.get("carried_on")), order=order, by=by, page=int(page))


def _is_hour(text: str) -> bool:
    try:
        return bool(HOUR_TEXT.fullmatch(text)) and datetime.fromisoformat(text).year <= LAST_YEAR
    except ValueError:
        return False


def call_number(text: str) -> int:
    """Return the number of a call. Raises BadRequest."""
    if not FEW_DIGITS.fullmatch(text):
        raise BadRequest(_("This is not a number of a call."))
    return int(text)


def word(text: str) -> str:
    """Return what memories are searched for. Raises BadRequest."""
    if not 0 < len(text.strip()) <= LONGEST_NAME:
        raise BadRequest(_("This is nothing to search for: use one to 100 characters."))
    return text.strip()


def fact_query(values: Mapping[str, str]) -> tuple[str, str]:
    """Return the fact that an address asks for, and how its text stands for it. Raises BadRequest."""
    fact, by = values.get("fact", "party").strip(), values.get("by", "pattern")
    if not 0 < len(fact) <= LONGEST_FACT or not fact.isprintable() or by not in FACT_WAYS:
        raise BadRequest(_("This is not a fact: use one to 500 characters, and pattern, words or meaning."))
    return fact, by


def persona_name(text: str) -> str:
    """Return a name that may be that of a persona. Raises BadRequest."""
    if not 0 < len(text) <= LONGEST_NAME or CONTROL.search(text):
        raise BadRequest(_("This is not a name: use at most 100 characters, without slashes and control characters."))
    return text
