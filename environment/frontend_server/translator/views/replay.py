"""Pages that show recordings."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from translator import forms
from translator.damage import damage_lines
from translator.decorators import page
from translator.errors import NotFound
from translator.shown import page_data
from translator.shown.listed import waking
from translator.shown.run_pages import run_links, why_address
from translator.storage.runs import simulations
from translator.storage.runs.simulations import SimulationEntry
from translator.storage.runs.stored_simulation import Store
from translator.views.lookups import check_shown, shown_step


def _not_found(request: HttpRequest, fault: NotFound) -> HttpResponse:
    """Answer that a simulation does not exist, and list those that do: older guides link to examples."""
    instead = [(entry.code, _address(entry)) for entry in simulations.listing().entries if entry.steps]
    context = {"reason": str(fault), "status": int(fault.status), "instead": instead}
    return render(request, "not_found.html", context, status=fault.status)


def _address(entry: SimulationEntry) -> str:
    if entry.store is Store.COMPRESSED:
        return reverse("demo", args=[entry.code, waking(entry), forms.DEFAULT_SPEED])
    return reverse("replay", args=[entry.code, waking(entry)])


@page
def replay(request: HttpRequest, sim: str, step: str) -> HttpResponse:
    """Show a saved simulation from a step on."""
    try:
        simulation = simulations.find_saved(forms.sim_code(sim))
    except NotFound as fault:
        return _not_found(request, fault)
    number = shown_step(simulation, step)
    check_shown(simulation, number)
    town = page_data.town(simulation)
    state = simulation.state(number)
    context = {
        "page": page_data.page(
            "replay",
            **town,
            store=Store.SAVED,
            step=number,
            speed=forms.DEFAULT_SPEED,
            why=why_address(request, simulation),
        ),
        "mode": "replay",
        "damage": damage_lines(simulation.flaws),
        "sim_code": simulation.code,
        "links": run_links(simulation),
        "misfit": page_data.map_mismatch(simulation),
        "step": number,
        "persona_names": [[persona["name"], persona["underscore"]] for persona in town["personas"]],
        "persona_init_pos": [[name, *record["movement"]] for name, record in state.items()],
    }
    return render(request, "replay.html", context)


@page
def demo(request: HttpRequest, sim: str, step: str, play_speed: str) -> HttpResponse:
    """Show a compressed simulation from a step on. The page fetches its frames in parts."""
    speed = forms.speed(play_speed)
    try:
        simulation = simulations.find_compressed(forms.sim_code(sim))
    except NotFound as fault:
        return _not_found(request, fault)
    number = shown_step(simulation, step)
    check_shown(simulation, number)
    town = page_data.town(simulation)
    meta = simulation.meta
    context = {
        "page": page_data.page(
            "demo",
            **town,
            store=Store.COMPRESSED,
            step=number,
            speed=speed,
            moments=simulation.moments,
            why=why_address(request, simulation),
        ),
        "mode": "demo",
        "sim_code": simulation.code,
        "links": run_links(simulation),
        "misfit": page_data.map_mismatch(simulation),
        "step": number,
        "persona_names": [
            {"original": persona["name"], "underscore": persona["underscore"], "initial": persona["initials"]}
            for persona in town["personas"]
        ],
        "start_datetime": meta.time_of(number).isoformat(),
        "sec_per_step": meta.sec_per_step,
        "play_speed": speed,
    }
    return render(request, "demo.html", context)
