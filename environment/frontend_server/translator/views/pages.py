"""The pages that show the town as it is now, and where one begins."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from translator.damage import message
from translator.decorators import page
from translator.shown import page_data
from translator.shown.listed import best, lists, sprites
from translator.shown.studies_listed import study_entry
from translator.storage.runs import simulations
from translator.storage.runs.titles import title_of
from translator.storage.studies import studies as all_studies
from ville.errors import CorruptFile
from ville.version import VERSION

MOST_STUDIES = 3
"""Studies on the front page, the newest."""


@page
def landing(request: HttpRequest) -> HttpResponse:
    """Offer a day to watch and a town to start, and list studies and simulations, but no runs of studies."""
    live_now, damage = _live()
    studies = all_studies()
    found = lists(running=str(live_now["sim_code"]) if live_now else None)
    of_studies = {job.simulation for study in studies.studies for job in study.jobs}
    context = {
        **found,
        "page": page_data.page("landing", taken=found["taken"]),
        "saved": [entry for entry in found["saved"] if entry["sim_code"] not in of_studies],
        "studies": [study_entry(study) for study in studies.studies[:MOST_STUDIES]],
        "live": live_now,
        "best": best(found["recorded"]),
        "runs": [entry for entry in (*found["saved"], *found["recorded"]) if entry["steps"]],
        "damage": [*damage, *found["damage"], *studies.damage],
        "version": VERSION,
    }
    return render(request, "landing.html", context)


@page
def home(request: HttpRequest) -> HttpResponse:
    """Show the simulation that is open, or offer to start one."""
    simulation = simulations.running()
    if simulation is None:
        found = lists(running=None)
        return render(request, "start_backend.html", {**found, "page": page_data.page("waiting", taken=found["taken"])})
    now = page_data.now(simulation)
    context = {
        "page": page_data.page("simulate", **now),
        "mode": "simulate",
        "sim_code": simulation.code,
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
