"""The page of the social graph of a run, and its data: the graph at all times, and the evidence of a tie."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from translator import forms
from translator.decorators import data, page
from translator.rights.access import Right, right_to_act
from translator.shown.run_pages import run_page
from translator.shown.story_text import StoryWriter
from translator.storage.computed.analyses import analysis, read_once
from translator.storage.computed.computations import Computation
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.views import lookups
from translator.views.answers import unfinished
from translator.views.story import story_writer

LAST = str(forms.LAST_STEP)
MOST_EVIDENCE = 20
"""Pieces of evidence in one answer."""


@page
def ties(request: HttpRequest, sim: str) -> HttpResponse:
    """Show who knows, talks with and likes whom. The graph is fetched by the page: computing it may take a while."""
    return render(request, "ties.html", run_page(lookups.run_shown(request, sim), "ties"))


@data
def graph(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the graph at all times: ties and talks as rows of numbers of people and steps, measures by the hour."""
    simulation = lookups.simulation(request, sim)
    job = _job(request, simulation)
    if answer := unfinished(request, job):
        return answer
    return HttpResponse(_graph(job.found), content_type="application/json")


@lru_cache(maxsize=4)
def _graph(content: bytes) -> bytes:
    """Return what was found as the page shows it; made once, because a crowd has megabytes of it."""
    found = read_once(content)
    number = {name: place for place, name in enumerate(found["people"])}
    kept = {key: found[key] for key in ("people", "first", "steps", "places", "moments")}
    lines = [
        [tie["kind"], number[tie["who"]], number[tie["other"]], tie["since"], tie["until"]] for tie in found["ties"]
    ]
    talks = [[*(number[name] for name in talk["names"]), talk["step"]] for talk in found["talks"]]
    return json.dumps({**kept, "ties": lines, "talks": talks}).encode()


@data
def between(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the evidence between two people up to a step, the newest first, from `skip` on, and how much there is."""
    simulation = lookups.simulation(request, sim)
    pair = {lookups.persona(simulation, request.GET.get(side, "")).name for side in ("a", "b")}
    until, skip = (forms.step(request.GET.get(key, default)) for key, default in (("step", LAST), ("skip", "0")))
    job = _job(request, simulation)
    if answer := unfinished(request, job):
        return answer
    found = read_once(job.found)
    every = [each for each in _evidence(found, pair) if each["step"] <= until]
    every.sort(key=lambda each: -each["step"])
    writer = story_writer(request, simulation)
    shown = [_readable(each, writer) for each in every[skip : skip + MOST_EVIDENCE]]
    return JsonResponse({"count": len(every), "evidence": shown})


def _evidence(found: Mapping[str, Any], pair: set[str]) -> Iterator[Mapping[str, Any]]:
    """Yield talks, impressions and first memories between two people."""
    for talk in found["talks"]:
        if {*talk["names"]} == pair:
            who, words = talk["lines"][0] if talk["lines"] else (talk["names"][0], "")
            other = next((name for name in talk["names"] if name != who), "")
            told = {"who": who, "other": other, "text": talk["about"], "words": words}
            yield {"kind": "talk", "step": talk["step"], **told, "lines": len(talk["lines"])}
    for each in found["impressions"]:
        if {each["who"], each["other"]} == pair:
            yield {"kind": "impression", **each, "text": each["relationship"]}
    for each in found["namings"]:
        if {each["who"], each["other"]} == pair and not each["talk"]:
            yield {"kind": "thought", **each}


def _readable(each: Mapping[str, Any], writer: StoryWriter) -> Mapping[str, Any]:
    """Return a piece of evidence without its text if the reader may not read it."""
    if writer.may_read([each["who"], each["other"]], each["step"]):
        return each
    return {**each, "text": "", "relationship": "", "words": ""}


def _job(request: HttpRequest, simulation: StoredSimulation) -> Computation:
    return analysis(simulation, "ties", may_act=right_to_act(request) is Right.YES)
