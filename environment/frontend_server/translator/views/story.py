"""The page that tells the story of a run in chapters, and its data."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from translator import forms
from translator.decorators import data, page
from translator.errors import NotFound
from translator.rights.access import Right, right_to_act
from translator.shown.feed_text import FeedWriter
from translator.shown.run_pages import run_page
from translator.shown.story_text import StoryWriter
from translator.storage.computed.analyses import analysis, read_once
from translator.storage.computed.computations import Computation
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.views import lookups
from translator.views.answers import unfinished

MOST_MORE = 30
"""Lesser moments of a chapter in one answer."""


@page
def story(request: HttpRequest, sim: str) -> HttpResponse:
    """Show the chapters of each day. They are fetched by the page: finding them may take a while."""
    return render(request, "story.html", run_page(lookups.run_shown(request, sim), "story"))


@data
def chapters(request: HttpRequest, sim: str) -> HttpResponse:
    """Return all chapters of a run: the moment that begins each, and the number of its lesser moments."""
    simulation = lookups.simulation(request, sim)
    job = _job(request, simulation)
    if answer := unfinished(request, job):
        return answer
    writer, number, days = story_writer(request, simulation), 0, []
    for day in read_once(job.found)["days"]:
        told = []
        for chapter in day["chapters"]:
            told.append({**writer.moment(chapter["lead"]), "number": number, "more": len(chapter["more"])})
            number += 1
        days.append({"date": day["date"], "chapters": told})
    return JsonResponse({"days": days})


@data
def more(request: HttpRequest, sim: str, number: str) -> HttpResponse:
    """Return lesser moments of a chapter, from `skip` on."""
    wanted, skip = forms.step(number), forms.step(request.GET.get("skip", "0"))
    simulation = lookups.simulation(request, sim)
    job = _job(request, simulation)
    if answer := unfinished(request, job):
        return answer
    writer = story_writer(request, simulation)
    moments = _chapter(read_once(job.found), wanted)["more"][skip : skip + MOST_MORE]
    return JsonResponse({"moments": [writer.moment(each) for each in moments]})


def _chapter(found: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Return a chapter of a story by its number. Raises NotFound."""
    chapters = (chapter for day in found["days"] for chapter in day["chapters"])
    chapter: Mapping[str, Any] | None = next(islice(chapters, number, None), None)
    if chapter is None:
        raise NotFound(_("The story has no such chapter."))
    return chapter


def story_writer(request: HttpRequest, simulation: StoredSimulation) -> StoryWriter:
    """Return what words the moments of a run for the reader."""
    may_act = right_to_act(request) is Right.YES
    writer = FeedWriter(simulation.meta.persona_names, simulation.cast, may_act=may_act)
    return StoryWriter(writer, simulation.changed_from_outside(), simulation.cast, may_act=may_act)


def _job(request: HttpRequest, simulation: StoredSimulation) -> Computation:
    return analysis(simulation, "story", may_act=right_to_act(request) is Right.YES)
