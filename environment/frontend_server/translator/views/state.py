"""The state of one persona: the page, and the data its script fetches."""

from typing import Any
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from translator import forms, page_data
from translator.decorators import data, page
from translator.persona_name import PersonaName
from translator.storage.memories import read_memories
from translator.storage.stored_simulation import Store, StoredSimulation
from translator.views import lookups

TOWNS = ("/simulator_home", "/replay/", "/demo/")
"""What the addresses of pages that show a town begin with."""


@page
def persona_state(request: HttpRequest, sim: str, step: str, name: str) -> HttpResponse:
    """The mind as it was last saved; its script asks for what it held at the step."""
    number = forms.step(step)
    simulation = lookups.simulation(request, sim)
    person = lookups.person(simulation, name)
    lookups.check_reached(simulation, number)
    memories = read_memories(simulation.root, person)
    address = reverse("memories", args=[simulation.code, person.underscore])
    shown = page_data.page(
        "state",
        sim_code=simulation.code,
        store=simulation.store,
        step=number,
        memories=f"{address}?{urlencode({'step': number, 'store': simulation.store})}",
        back=f"{_town(request, simulation, number)}#{person.underscore}",
        persona=page_data.person(person),
    )
    context = {
        "page": shown,
        "sim_code": simulation.code,
        "step": number,
        "persona_name": person.name,
        "persona_name_underscore": person.underscore,
        "scratch": memories.scratch,
        "spatial": memories.spatial,
        "damage": page_data.told(memories.damage),
        **{f"a_mem_{kind}": memories.of(kind) for kind in ("event", "chat", "thought")},
    }
    return render(request, "persona_state.html", context)


@data
def memories(request: HttpRequest, sim: str, name: str) -> HttpResponse:
    """What the persona remembered at a step (without one: when last saved), and what is saved beside it."""
    simulation = lookups.simulation(request, sim)
    person = lookups.person(simulation, name)
    step = forms.step(request.GET["step"]) if "step" in request.GET else forms.Step(simulation.meta.step)
    lookups.check_reached(simulation, step)
    return JsonResponse(_remembered(simulation, person, step))


def _remembered(simulation: StoredSimulation, person: PersonaName, step: int) -> dict[str, Any]:
    moment = simulation.meta.time_of(step)
    memories = read_memories(simulation.root, person)
    nodes = memories.until(moment)
    action = simulation.state(step).get(person.name) if step < simulation.steps else None
    return {
        "name": person.name,
        "sim_code": simulation.code,
        "step": step,
        "moment": moment.isoformat(),
        "saved": simulation.meta.now.isoformat() if memories.scratch.get("curr_time") else None,
        "saved_step": simulation.meta.step,
        "truncated": len(nodes) < len(memories.nodes),
        "action": action,
        "scratch": memories.scratch,
        "spatial": memories.spatial,
        "nodes": nodes,
        "damage": page_data.told([*memories.damage, *simulation.damage]),
    }


def _town(request: HttpRequest, simulation: StoredSimulation, step: int) -> str:
    """The page of the town that led here; else the recording at that step."""
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
