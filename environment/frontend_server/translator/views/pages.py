"""The pages that show the town as it is now, and where one begins."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from translator import forms
from translator.damage import message
from translator.decorators import data, page
from translator.rights.access import Right, right_to_act
from translator.shown import page_data
from translator.shown.binned import bin_entries
from translator.shown.listed import Lists, best, lists, sprites
from translator.shown.run_pages import run_links, why_address
from translator.shown.studies_listed import study_entry
from translator.shown.town_list import TownList
from translator.storage.runs import simulations
from translator.storage.runs.stored_simulation import Store
from translator.storage.runs.titles import title_of
from translator.storage.studies import studies as all_studies
from translator.views import lookups
from ville.errors import CorruptFile
from ville.version import VERSION

MOST_STUDIES = 3
"""Studies on the front page, the newest."""


@page
def landing(request: HttpRequest) -> HttpResponse:
    """Offer a day to watch and a town to start, and list studies and simulations, but no runs of studies."""
    live_now, damage = _live()
    studies = all_studies()
    found = lists(running=str(live_now["sim_code"]) if live_now else None, left_out=studies.simulations)
    context = {
        "page": page_data.page("landing", taken=found.taken),
        **_start_choices(found),
        "saved": _town_list(request, found, Store.SAVED),
        "recorded": _town_list(request, found, Store.COMPRESSED),
        "bin": bin_entries() if right_to_act(request) is Right.YES else [],
        "studies": [study_entry(study) for study in studies.studies[:MOST_STUDIES]],
        "live": live_now,
        "best": best(found.recorded),
        "runs": found.runs,
        "damage": [*damage, *found.damage, *studies.damage],
        "version": VERSION,
    }
    return render(request, "landing.html", context)


@data
def town_list(request: HttpRequest, form: str) -> HttpResponse:
    """Return the HTML of a list of simulations, or of another part of it."""
    store = lookups.store(form)
    live_now, _damage = _live()
    found = lists(running=None, left_out=all_studies().simulations)
    context = {"list": _town_list(request, found, store), "live": live_now}
    return JsonResponse({"html": render_to_string("parts/town_list.html", context, request)})


def _town_list(request: HttpRequest, found: Lists, store: Store) -> TownList:
    may_act = right_to_act(request) is Right.YES
    return TownList(store, found.of_form(store), forms.list_query(request.GET), with_notes=may_act)


def _start_choices(found: Lists) -> dict[str, object]:
    """Return what the form that starts a town offers."""
    return {"bases": found.bases, "offered": found.offered, "others": found.others, "towns": found.saved}


@page
def home(request: HttpRequest) -> HttpResponse:
    """Show the simulation that is open, or offer to start one."""
    simulation = simulations.running()
    if simulation is None:
        found = lists(running=None, left_out=all_studies().simulations)
        context = {
            "page": page_data.page("waiting", taken=found.taken),
            **_start_choices(found),
            "saved": _town_list(request, found, Store.SAVED),
        }
        return render(request, "start_backend.html", context)
    now = page_data.now(simulation)
    context = {
        "page": page_data.page("simulate", **now, why=why_address(request, simulation)),
        "mode": "simulate",
        "sim_code": simulation.code,
        "links": run_links(simulation),
        "damage": now["damage"],
        "step": now["step"],
        "persona_names": [[persona["name"], persona["underscore"]] for persona in now["personas"]],
        "persona_init_pos": [[name, x, y] for name, (x, y) in now["positions"].items()],
    }
    return render(request, "simulator_home.html", context)


def _live() -> tuple[dict[str, object] | None, list[str]]:
    """Return the simulation that runs with its status, and why the status cannot be read, if so."""
    simulation = simulations.running()
    if simulation is None:
        return None, []
    shown: dict[str, object] = {"sim_code": simulation.code, "title": title_of(simulation.root), "backend": "unknown"}
    try:
        faces = sprites(simulation.meta.persona_names, simulation.cast)
        return {**shown, "sprites": faces, **simulations.status().as_json()}, []
    except CorruptFile as fault:
        return shown, [message(fault)]
