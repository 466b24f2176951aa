"""The pages that show what has happened. They only read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from translator import forms, scene
from translator.answers import page
from translator.mailbox import library
from translator.mailbox.simulation import Store
from translator.views.asked import check_shown


@page
def replay(request: HttpRequest, sim: str, step: str) -> HttpResponse:
    """A saved simulation, from a step on."""
    number = forms.step(step)
    simulation = library.find_saved(forms.sim_code(sim))
    check_shown(simulation, number)
    town = scene.town(simulation)
    state = simulation.state(number)
    context = {
        "page": scene.page("replay", **town, store=Store.SAVED, step=number, speed=forms.DEFAULT_SPEED),
        "mode": "replay",
        "damage": scene.told(simulation.damage),
        "sim_code": simulation.code,
        "step": number,
        "persona_names": [[person["name"], person["underscore"]] for person in town["personas"]],
        "persona_init_pos": [[name, *record["movement"]] for name, record in state.items()],
    }
    return render(request, "replay.html", context)


@page
def demo(request: HttpRequest, sim: str, step: str, play_speed: str) -> HttpResponse:
    """A compressed run, from a step on. Its frames are fetched by the page in pieces."""
    number, speed = forms.step(step), forms.speed(play_speed)
    simulation = library.find_compressed(forms.sim_code(sim))
    check_shown(simulation, number)
    town = scene.town(simulation)
    meta = simulation.meta
    context = {
        "page": scene.page("demo", **town, store=Store.COMPRESSED, step=number, speed=speed),
        "mode": "demo",
        "sim_code": simulation.code,
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
