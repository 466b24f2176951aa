"""The pages that show what has happened. They only read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from translator import forms, page_data
from translator.decorators import page
from translator.errors import NotThere
from translator.storage import simulations
from translator.storage.simulations import Entry
from translator.storage.stored_simulation import Store
from translator.views.lookups import check_shown
from translator.views.pages import waking


def _instead(request: HttpRequest, fault: NotThere) -> HttpResponse:
    """The page that says that a simulation is not there, with those that are: older guides link to examples."""
    instead = [(entry.code, _address(entry)) for entry in simulations.listing().entries if entry.steps]
    context = {"reason": str(fault), "status": int(fault.status), "instead": instead}
    return render(request, "not_found.html", context, status=fault.status)


def _address(entry: Entry) -> str:
    if entry.store is Store.COMPRESSED:
        return reverse("demo", args=[entry.code, waking(entry), forms.DEFAULT_SPEED])
    return reverse("replay", args=[entry.code, waking(entry)])


@page
def replay(request: HttpRequest, sim: str, step: str) -> HttpResponse:
    """A saved simulation, from a step on."""
    number = forms.step(step)
    try:
        simulation = simulations.find_saved(forms.sim_code(sim))
    except NotThere as fault:
        return _instead(request, fault)
    check_shown(simulation, number)
    town = page_data.town(simulation)
    state = simulation.state(number)
    context = {
        "page": page_data.page("replay", **town, store=Store.SAVED, step=number, speed=forms.DEFAULT_SPEED),
        "mode": "replay",
        "damage": page_data.told(simulation.damage),
        "sim_code": simulation.code,
        "misfit": page_data.map_misfit(simulation),
        "step": number,
        "persona_names": [[person["name"], person["underscore"]] for person in town["personas"]],
        "persona_init_pos": [[name, *record["movement"]] for name, record in state.items()],
    }
    return render(request, "replay.html", context)


@page
def demo(request: HttpRequest, sim: str, step: str, play_speed: str) -> HttpResponse:
    """A compressed run, from a step on. Its frames are fetched by the page in pieces."""
    number, speed = forms.step(step), forms.speed(play_speed)
    try:
        simulation = simulations.find_compressed(forms.sim_code(sim))
    except NotThere as fault:
        return _instead(request, fault)
    check_shown(simulation, number)
    town = page_data.town(simulation)
    meta = simulation.meta
    context = {
        "page": page_data.page("demo", **town, store=Store.COMPRESSED, step=number, speed=speed),
        "mode": "demo",
        "sim_code": simulation.code,
        "misfit": page_data.map_misfit(simulation),
        "step": number,
        "persona_names": [
            {"original": person["name"], "underscore": person["underscore"], "initial": person["initials"]}
            for person in town["personas"]
        ],
        "start_datetime": meta.time_of(number).isoformat(),
        "sec_per_step": meta.sec_per_step,
        "play_speed": speed,
    }
    return render(request, "demo.html", context)
