"""Data for scripts of pages: status, frames, timeline, and where a live simulation stands."""

from dataclasses import asdict

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from translator import forms
from translator.damage import damage_lines
from translator.decorators import data
from translator.errors import BadRequest
from translator.feed.timeline import days
from translator.frame_chunk import MOST_STEPS, frame_chunk
from translator.rights.access import Right, right_to_act
from translator.shown import kind_text, page_data
from translator.storage.runs import simulations
from translator.storage.runs.live_state import background, engine_status
from translator.storage.town import maps
from translator.storage.town.places import places as read_places
from translator.storage.town.search_words import search_words
from translator.told import without_folders
from translator.views import lookups
from ville.json_types import JsonObject
from ville.simulation.interventions import catalogue
from ville.storage.folder.family import family

PLACES_LAST = 300
"""Seconds for which pages keep the places of a map."""


@data
def status(request: HttpRequest) -> HttpResponse:
    """Return what the engine does, and whether this client may act."""
    backend, engine, right = simulations.status(), engine_status(), right_to_act(request)
    if right is not Right.YES:
        backend, engine = backend.for_watchers(), engine.for_watchers()
    return JsonResponse({**_told(backend.as_json()), "engine": _told(engine.as_json()), "act": right})


@data
def branches(request: HttpRequest) -> HttpResponse:
    """Return how far simulations in the background have come."""
    everything, may_act = background(), right_to_act(request) is Right.YES
    shown = everything if may_act else [each.for_watchers() for each in everything]
    return JsonResponse({"branches": [_told(each.as_json()) for each in shown]})


def _told(report: JsonObject) -> JsonObject:
    """Return a report with a fault that names no folder of this machine."""
    return {**report, "fault": without_folders(str(report["fault"]))} if report.get("fault") else report


@data
def tree(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - every view is given the request
    """Return which simulation came from which, and what is its own."""
    return JsonResponse({"simulations": family(settings.STORAGE)})


@data
def now(request: HttpRequest, sim: str) -> HttpResponse:  # noqa: ARG001 - every view is given the request
    return JsonResponse(page_data.now(simulations.find_saved(forms.sim_code(sim))))


@data
def frames(request: HttpRequest, sim: str, first: str, last: str) -> HttpResponse:
    """Return at most 500 steps and about a megabyte of a run: `last` may be lower than the one asked for."""
    begin, end = forms.step(first), forms.step(last)
    if end < begin:
        raise BadRequest(_("The last step comes before the first. Swap them."))
    simulation = lookups.simulation(request, sim)
    lookups.check_shown(simulation, begin)
    if begin >= simulation.steps:  # its meta file may promise more
        raise lookups.no_step(simulation, begin, simulation.steps - 1)
    until = min(end, begin + MOST_STEPS - 1, simulation.steps - 1)
    chunk = frame_chunk(begin, simulation.frames(begin, until))
    text = chunk.as_json(simulation.steps, damage_lines(simulation.flaws))
    return HttpResponse(text, content_type="application/json")


@data
def timeline(request: HttpRequest, sim: str) -> HttpResponse:
    simulation = lookups.simulation(request, sim)
    meta, steps = simulation.meta, simulation.steps
    conversations = simulation.conversations()
    return JsonResponse(
        {
            "sim_code": simulation.code,
            "first": simulation.first,
            "steps": steps,
            "start": meta.start.isoformat(),
            "sec_per_step": meta.sec_per_step,
            "personas": page_data.everyone(simulation),
            "conversations": [asdict(conversation) for conversation in conversations],
            "days": [{"date": day.date.isoformat(), "first": day.first} for day in days(meta, steps)],
            "damage": damage_lines(simulation.flaws),
        }
    )


@data
def places(request: HttpRequest, maze: str) -> HttpResponse:  # noqa: ARG001 - as above
    """Return the places, beds, walls and search words of a map. Raises NotFound if there is no such map."""
    maps.map_url(forms.persona_name(maze))
    walls = ["".join("1" if wall else "0" for wall in row) for row in maps.walls(maze)]
    found = read_places(maze)
    response = JsonResponse({**found.as_json(), "walls": walls, "words": search_words(found)})
    patch_cache_control(response, max_age=PLACES_LAST)
    return response


@data
def kinds(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - as above
    """Return the kinds of interventions, with their fields as JSON Schema."""
    return JsonResponse({"kinds": [kind_text.described(each) for each in catalogue.kinds().values()]})


@data
def looks(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - as above
    """Return the looks that a newcomer can have."""
    return JsonResponse(maps.looks(), safe=False)
