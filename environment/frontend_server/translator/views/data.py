"""What scripts of pages fetch: status, frames, timeline, and where a live simulation stands."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from translator import forms, page_data
from translator.decorators import data
from translator.errors import BadRequest
from translator.replays import LONGEST_PIECE, piece
from translator.storage import simulations
from translator.timeline import days
from translator.views import lookups


@data
def status(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - every view is given the request
    return JsonResponse(simulations.status().as_json())


@data
def now(request: HttpRequest, sim: str) -> HttpResponse:  # noqa: ARG001 - as above
    return JsonResponse(page_data.now(simulations.find_saved(forms.sim_code(sim))))


@data
def frames(request: HttpRequest, sim: str, first: str, last: str) -> HttpResponse:
    """A piece of a run: at most 500 steps and about a megabyte, so `last` may come before what was asked for."""
    begin, end = forms.step(first), forms.step(last)
    if end < begin:
        raise BadRequest(_("The last step comes before the first: change their order."))
    simulation = lookups.simulation(request, sim)
    lookups.check_shown(simulation, begin)
    if begin >= simulation.steps:  # its meta file promised more than there is
        raise lookups.no_step(simulation, begin, simulation.steps - 1)
    until = min(end, begin + LONGEST_PIECE - 1, simulation.steps - 1)
    found = piece(begin, simulation.frames(begin, until))
    text = found.as_json(simulation.steps, page_data.told(simulation.damage))
    return HttpResponse(text, content_type="application/json")


@data
def timeline(request: HttpRequest, sim: str) -> HttpResponse:
    simulation = lookups.simulation(request, sim)
    meta, steps = simulation.meta, simulation.steps
    conversations = simulation.conversations()
    return JsonResponse(
        {
            "sim_code": simulation.code,
            "steps": steps,
            "start": meta.start.isoformat(),
            "sec_per_step": meta.sec_per_step,
            "personas": page_data.cast(meta.persona_names),
            "conversations": [asdict(conversation) for conversation in conversations],
            "days": [{"date": day.date.isoformat(), "first": day.first} for day in days(meta, steps)],
            "damage": page_data.told(simulation.damage),
        }
    )
