"""Requests of pages to the engine, and its answers (docs/storage.md)."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator import forms
from translator.decorators import acting, private
from translator.rights.access import check_owner
from translator.shown.engine_lines import engine_line
from translator.storage.exchange import request_boxes
from translator.storage.runs import simulations
from translator.storage.runs.live_state import temp_storage
from translator.told import without_folders
from ville.json_types import Json, JsonObject
from ville.storage.exchange.inbox import Inbox

OF_MODELS = ("models", "test_models")
"""Requests that tell of the models of this machine, or ask them: only those who sit at it send them."""
CHECK_STUDY = "check_study"
AS_THEY_ARE = ("form", "text")
"""Values of their answers in which folders are named on purpose."""


@acting
def act(request: HttpRequest, sim: str) -> HttpResponse:
    """Send a request to the engine of a simulation."""
    return _sent(_box(sim), forms.sent_request(request.body))


@private
def acknowledged(request: HttpRequest, sim: str, number: str) -> HttpResponse:
    """Return the acknowledgement of such a request; null if it does not come in time."""
    return _answer(request, _box(sim), number)


@acting
def ask_engine(request: HttpRequest) -> HttpResponse:
    """Send a request to the engine itself, such as to open a simulation."""
    wanted = forms.sent_request(request.body)
    if wanted["request"] in OF_MODELS:
        check_owner(request)
    return _sent(request_boxes.engine_box(), wanted)


@private
def engine_acknowledged(request: HttpRequest, number: str) -> HttpResponse:
    """Return the acknowledgement of such a request; null if it does not come in time."""
    return _answer(request, request_boxes.engine_box(), number)


@acting
def visit(request: HttpRequest, sim: str) -> HttpResponse:
    """Accept that a page is there for a visitor."""
    simulation = simulations.find_saved(forms.sim_code(sim))
    presence = forms.read_body(forms.Presence, request.body)
    temp_storage().show_visit(simulation.code, forms.persona_name(presence.name), typing=presence.typing)
    return HttpResponse(status=204)


def _box(sim: str) -> Inbox:
    """Return the requests to a simulation. Raises BadRequest and NotFound."""
    return request_boxes.simulation_box(simulations.find_saved(forms.sim_code(sim)).code)


def _sent(box: Inbox, wanted: JsonObject) -> HttpResponse:
    return JsonResponse({"number": request_boxes.send(box, wanted)}, status=202)


def _answer(request: HttpRequest, box: Inbox, number: str) -> HttpResponse:
    wanted, wait = forms.box_number(number), forms.wait(request.GET.get("wait", "0"))
    ack = request_boxes.acknowledgement(box, wanted, wait)
    if ack and ack.get("request") in OF_MODELS:
        check_owner(request)
    if ack and ack.get("request") in (*OF_MODELS, CHECK_STUDY):
        ack = {name: value if name in AS_THEY_ARE else _told(value) for name, value in ack.items()}
    reason = ack.get("reason") if ack else None
    if ack and isinstance(reason, str):
        ack = {**ack, "reason": engine_line(without_folders(reason))}
    if ack and ack.get("request") == CHECK_STUDY:
        ack = {**ack, **{name: _in_words(ack[name]) for name in ("faults", "notes") if name in ack}}
    return JsonResponse({"number": wanted, "ack": ack})


def _in_words(lines: Json) -> Json:
    """Return notes of the engine, or faults, in the language of the reader."""
    return [
        engine_line(each) if isinstance(each, str) else {**each, "says": engine_line(str(each.get("says", "")))}
        for each in (lines if isinstance(lines, list) else ())
        if isinstance(each, str | dict)
    ]


def _told(value: Json) -> Json:
    """Return a value with file names instead of paths in its texts."""
    if isinstance(value, str):
        return without_folders(value)
    if isinstance(value, list):
        return [_told(each) for each in value]
    return {name: _told(each) for name, each in value.items()} if isinstance(value, dict) else value
