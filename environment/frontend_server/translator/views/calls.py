"""The pages of the calls of a run: all of them, and each. They are for those who may act."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from translator import forms
from translator.decorators import page, private
from translator.errors import NotFound
from translator.rights.access import Right, check_right, right_to_act
from translator.shown.calls_shown import ORDERS, CallsShown, persona_link
from translator.shown.run_pages import run_page, watch_address
from translator.storage.runs import simulations
from translator.storage.runs.call_indexes import call_index, ledger_folder
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.views.lookups import run_shown
from ville.analysis.calls.call_reading import call_reading, corrects
from ville.analysis.calls.call_text import call_text
from ville.storage.files import read_object_if_whole
from ville.storage.folder.branches import ancestors
from ville.storage.records.intervention_log import RUN_FILE


@page
def calls(request: HttpRequest, sim: str) -> HttpResponse:
    """Show what a run asked models, and what it cost."""
    simulation = run_shown(request, sim)
    context = run_page(
        simulation, "calls", part=f"{reverse('calls_part', args=[simulation.code])}?{request.GET.urlencode()}"
    )
    may_act, folder = right_to_act(request) is Right.YES, ledger_folder(simulation)
    if not may_act or folder is None:
        return render(request, "calls.html", {**context, "may_act": may_act, "asked": False})
    query = forms.call_query(request.GET)
    shown = CallsShown(simulation, call_index(folder), query).context()
    more = {"may_act": True, "asked": True, "query": query, "orders": ORDERS, "origin": _origin(simulation)}
    return render(request, "calls.html", {**context, **shown, **more})


@private
def calls_part(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the parts of the page that change while calls are read and the run goes on."""
    simulation = run_shown(request, sim)
    folder = ledger_folder(simulation)
    if folder is None:
        raise NotFound(_("No calls were recorded in this run."))
    index = call_index(folder)
    context = CallsShown(simulation, index, forms.call_query(request.GET)).context()
    parts = {
        name: render_to_string(f"parts/calls_{name}.html", {**context, "sim_code": simulation.code}, request)
        for name in ("now", "groups", "list")
    }
    return JsonResponse({"parts": parts, "more": index.read < index.known, "runs": _runs(simulation)})


@page
def call(request: HttpRequest, sim: str, number: str) -> HttpResponse:
    """Show one call: what was asked and answered, how it was read, and what came of it."""
    check_right(request)
    simulation = run_shown(request, sim)
    folder, wanted = ledger_folder(simulation), forms.call_number(number)
    if folder is None:
        raise NotFound(_("No calls were recorded in this run."))
    run, index = read_object_if_whole(folder / RUN_FILE) or {}, call_index(folder)
    wording, listed = str(run.get("questions", "paper")), index.call(wanted)
    text = call_text(folder, wanted, wording)
    if text is None or listed is None:
        raise NotFound(_("This run has no call of that number."))
    later = {number: call_text(folder, number, wording) for number in index.later_attempts(listed)}
    sent_back = next((number for number, each in later.items() if each and corrects(text, each)), 0)
    step = max(0, listed.step)
    more = {
        "text": text,
        "reading": call_reading(listed, text, later.get(sent_back)),
        "sent_back": sent_back,
        "call": listed,
        "time": simulation.meta.time_of(step),
        "moment": watch_address(simulation, step) if simulation.has(step) else "",
        "mind": persona_link(simulation, listed.persona, step) if listed.persona and simulation.has(step) else "",
        "calls": reverse("calls", args=[simulation.code]),
        "before": wanted - 1,
        "after": wanted + 1 if wanted < index.known else 0,
    }
    return render(request, "call.html", {**run_page(simulation, "calls"), **more})


def _runs(simulation: StoredSimulation) -> bool:
    """Return whether an engine is running the simulation just now."""
    status = simulations.status()
    return status.sim_code == simulation.code and status.backend == "running"


def _origin(simulation: StoredSimulation) -> str:
    """Return the name of the simulation from which this one branched, if it is there; otherwise nothing."""
    return next((root.name for root, _step in ancestors(simulation.root)), "")
