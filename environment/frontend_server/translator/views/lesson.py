"""The lesson "start a rumour and follow it": its page, and who has heard of what was planted."""

import re
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from translator import forms
from translator.decorators import page, private
from translator.feed.feed import FeedKind
from translator.persona_name import PersonaName
from translator.shown import page_data
from translator.shown.listed import lists
from translator.storage.runs import simulations
from translator.storage.runs.saved_simulation import SavedSimulation
from translator.views import lookups
from ville.analysis.measures import NewsTopic, SavedRun, hearings
from ville.storage.folder.simulation_folder import SimulationFolder

PLANTED = ("whisper", "memory")
"""Kinds of interventions that put something into a mind."""


@page
def lesson(request: HttpRequest) -> HttpResponse:
    """Show the steps. The largest starting point is offered, as a rumour needs people."""
    bases = sorted(lists(running=None).offered, key=lambda base: base.people)
    return render(request, "lesson.html", {"page": page_data.page("lesson", base=bases[-1].sim_code if bases else "")})


@private
def heard(request: HttpRequest, sim: str) -> HttpResponse:
    """Return what was planted in a saved simulation, and with `?word=` who came to know of it, as last saved.

    With `?about=` a persona, words only count where it is named.
    """
    simulation = simulations.find_saved(forms.sim_code(sim))
    found = {"planted": list(_planted(simulation))}
    if "word" not in request.GET:
        return JsonResponse(found)
    about = lookups.persona(simulation, request.GET["about"]).name if "about" in request.GET else ""
    word = forms.word(request.GET["word"])
    topic = NewsTopic(word, re.compile(re.escape(word), re.IGNORECASE), about)
    return JsonResponse({**found, "heard": list(_heard(simulation, topic))})


def _planted(simulation: SavedSimulation) -> Iterator[dict[str, object]]:
    for entry in simulation.changed_from_outside():
        if entry.kind is FeedKind.INTERVENTION and entry.what in PLANTED and entry.names:
            time = simulation.meta.time_of(entry.step).isoformat()
            yield {"number": entry.number, "time": time, "who": entry.names[0]}


def _heard(simulation: SavedSimulation, topic: NewsTopic) -> Iterator[dict[str, object]]:
    """Yield who knows of it, in order of time: the step at which they heard or thought of it, and from whom."""
    meta = simulation.meta
    for hearing in hearings(SavedRun(SimulationFolder(simulation.root)), topic):
        step = int((hearing.when - meta.start).total_seconds()) // meta.sec_per_step
        underscore = PersonaName(hearing.who).underscore
        told = {"who": hearing.who, "underscore": underscore, "teller": hearing.teller}
        yield {**told, "time": hearing.when.isoformat(), "step": step}
