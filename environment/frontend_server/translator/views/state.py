"""The state of one persona: the page, and the memories its script fetches."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from translator import forms
from translator.damage import damage_lines
from translator.decorators import data, page
from translator.persona_name import PersonaName
from translator.rights.access import Right, right_to_act
from translator.shown import page_data
from translator.shown.engine_lines import engine_line
from translator.shown.run_pages import why_address
from translator.storage.computed.minds import can_be_exact, exact_minds, mind_at
from translator.storage.runs.spoken import language_code
from translator.storage.runs.stored_simulation import Store, StoredSimulation
from translator.views import lookups
from translator.views.diary import Diary
from ville.storage.records.commitment_files import commitments_at

TOWNS = ("/simulator_home", "/replay/", "/demo/")
"""Beginnings of the addresses of pages that show a town."""


@page
def persona_state(request: HttpRequest, sim: str, step: str, name: str) -> HttpResponse:
    """Show a persona as saved before a step. The script of the page fetches its memories at the step."""
    simulation = lookups.simulation(request, sim)
    number = lookups.shown_step(simulation, step)
    persona = lookups.persona(simulation, name)
    lookups.check_reached(simulation, number)
    memories = mind_at(simulation, persona.name, number).memories
    address = reverse("memories", args=[simulation.code, persona.underscore])
    moment = urlencode({"step": number, "store": simulation.store})
    shown = page_data.page(
        "state",
        sim_code=simulation.code,
        store=simulation.store,
        step=number,
        why=why_address(request, simulation),
        memories=f"{address}?{moment}",
        days=f"{reverse('days', args=[simulation.code, persona.underscore])}?{moment}",
        back=f"{_town(request, simulation, number)}#{persona.underscore}",
        persona=page_data.persona(persona, simulation.cast),
        language=language_code(simulation),
    )
    context = {
        "page": shown,
        "sim_code": simulation.code,
        "step": number,
        "persona_name": persona.name,
        "persona_name_underscore": persona.underscore,
        "scratch": memories.scratch,
        "spatial": memories.spatial,
        "commitments": commitments_at(simulation.root, persona.name, simulation.meta.time_of(number)),
        "damage": damage_lines(memories.flaws),
        **{f"a_mem_{kind}": memories.of_type(kind) for kind in ("event", "chat", "thought")},
    }
    return render(request, "persona_state.html", context)


@data
def memories(request: HttpRequest, sim: str, name: str) -> HttpResponse:
    """Return the memories of a persona at a step (without one: as last saved), and its other files."""
    simulation = lookups.simulation(request, sim)
    persona = lookups.persona(simulation, name)
    step = forms.step(request.GET["step"]) if "step" in request.GET else forms.Step(simulation.meta.step)
    lookups.check_reached(simulation, step)
    return JsonResponse(_remembered(simulation, persona, step))


def _remembered(simulation: StoredSimulation, persona: PersonaName, step: int) -> Mapping[str, object]:
    moment = simulation.meta.time_of(step)
    memories, kept_step = mind_at(simulation, persona.name, step)
    nodes = memories.until(moment)
    action = simulation.state(step).get(persona.name) if step < simulation.steps else None
    return {
        "name": persona.name,
        "sim_code": simulation.code,
        "step": step,
        "moment": moment.isoformat(),
        "saved": simulation.meta.time_of(kept_step).isoformat() if memories.scratch.get("curr_time") else None,
        "kept_step": kept_step,
        "saved_step": simulation.meta.step,
        "exact": _exact(simulation, step) if kept_step != step else None,
        "truncated": len(nodes) < len(memories.nodes),
        "action": action,
        "scratch": memories.scratch,
        "spatial": memories.spatial,
        "nodes": nodes,
        "damage": damage_lines([*memories.flaws, *simulation.flaws]),
    }


def _exact(simulation: StoredSimulation, step: int) -> str | None:
    """Return where plan, places and character at a step can be asked for, if they can be computed."""
    return reverse("minds", args=[simulation.code, step]) if can_be_exact(simulation, step) else None


@data
def reach(request: HttpRequest, sim: str, step: str) -> HttpResponse:
    """Return whether a simulation can be asked, exactly as it was, at a step before its last save."""
    number, simulation = forms.step(step), lookups.simulation(request, sim)
    return JsonResponse({"exact": can_be_exact(simulation, number)})


@data
def minds(request: HttpRequest, sim: str, step: str) -> HttpResponse:
    """Compute everyone in a simulation at a step; 202 while this goes on. Then the page has them."""
    number, simulation = forms.step(step), lookups.simulation(request, sim)
    lookups.check_reached(simulation, number)
    if not can_be_exact(simulation, number):
        return JsonResponse({"error": gettext("The steps before this one cannot be computed again.")}, status=422)
    computed = exact_minds(simulation, number, may_act=right_to_act(request) is Right.YES)
    if not computed.done.wait(forms.wait(request.GET.get("wait", "0"))):
        return JsonResponse({"state": "computing"}, status=202)
    return JsonResponse(
        {"error": engine_line(computed.fault)} if computed.fault else {}, status=422 if computed.fault else 200
    )


@data
def days(request: HttpRequest, sim: str, name: str) -> HttpResponse:
    """Return the days of a persona up to a step: their chapters, and the saved plan beside what was done that day."""
    simulation = lookups.simulation(request, sim)
    persona = lookups.persona(simulation, name)
    step = forms.step(request.GET["step"]) if "step" in request.GET else forms.Step(simulation.meta.step)
    lookups.check_reached(simulation, step)
    scratch = mind_at(simulation, persona.name, step).memories.scratch
    diary = Diary(simulation, persona.name, step)
    return JsonResponse({"chapters": diary.chapters(), "plan": diary.plan(scratch)})


def _town(request: HttpRequest, simulation: StoredSimulation, step: int) -> str:
    """Return the address of the page of the town that led here, else of the recording at that step."""
    referer = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure())
    if ours and urlsplit(referer).path.startswith(TOWNS):
        return referer
    if not simulation.steps:
        return reverse("landing")
    shown = min(step, simulation.steps - 1)
    if simulation.store is Store.COMPRESSED:
        return reverse("demo", args=[simulation.code, shown, forms.DEFAULT_SPEED])
    return reverse("replay", args=[simulation.code, shown])
