"""The page that compares two simulations, and its data."""

import json
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from translator import forms, page_data
from translator.access import Right, right_to_act
from translator.damage import damage_lines
from translator.decorators import data, page
from translator.forms import Step
from translator.storage import comparisons, simulations
from translator.storage.comparisons import ComparisonJob
from translator.storage.stored_simulation import StoredSimulation
from translator.views.lookups import check_shown

MOST_REPEATS = 50
"""Further runs of a side."""


@page
def choice(request: HttpRequest) -> HttpResponse:
    """Lead from the form of the front page to the page of the two simulations that were chosen."""
    a, b = (forms.sim_code(request.GET.get(side, "")) for side in ("a", "b"))
    return redirect("compare", a, b)


@page
def compare(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Show two simulations side by side. What differs is fetched by the page: it may take a while."""
    sides = _sides(a, b)
    for side in sides:
        check_shown(side, Step(side.first))
    towns = [_town(side) for side in sides]
    context = {
        "page": page_data.page(
            "compare", sides=towns, step=max(side.first for side in sides), map=towns[0]["map"],
            picture=towns[0]["picture"], runs=_runs(),
        ),
        "sides": towns,
        "damage": [line for side in sides for line in damage_lines(side.flaws)],
    }  # fmt: skip
    return render(request, "compare.html", context)


def _runs() -> list[dict[str, str]]:
    """Return all simulations that have been run, by name and title."""
    known = {entry.code: entry.title for entry in reversed(simulations.listing().entries) if entry.steps}
    return [{"sim_code": code, "title": title} for code, title in sorted(known.items())]


def _sides(a: str, b: str) -> tuple[StoredSimulation, StoredSimulation]:
    """Return two simulations. Raises BadRequest or NotFound."""
    return simulations.find(forms.sim_code(a)), simulations.find(forms.sim_code(b))


def _town(simulation: StoredSimulation) -> dict[str, Any]:
    return {**page_data.town(simulation), "store": simulation.store}


@data
def comparison(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return what differs between two simulations; 202 while this is computed."""
    return _answer(request, comparisons.comparison(*_sides(a, b)), for_watchers)


@data
def repeats(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return whether two sides differ by more than noise. `more_a` and `more_b` name further runs of each side."""
    sides = [
        [simulations.find(forms.sim_code(code)) for code in (first, *request.GET.getlist(more)[:MOST_REPEATS])]
        for first, more in ((a, "more_a"), (b, "more_b"))
    ]
    return _answer(request, comparisons.repeats(*sides), lambda found: found)


def _answer(request: HttpRequest, job: ComparisonJob, watched: Callable[[bytes], bytes]) -> HttpResponse:
    """Return the result of a job; to those who may only watch, `watched` of it."""
    if not job.done.wait(forms.wait(request.GET.get("wait", "0"))):
        return JsonResponse({"state": "computing"}, status=202)
    if job.fault:
        return JsonResponse({"error": job.fault}, status=422)
    found = job.found if right_to_act(request) is Right.YES else watched(job.found)
    return HttpResponse(found, content_type="application/json")


def for_watchers(found: bytes) -> bytes:
    """Return a comparison without what only those see who may act: words of interventions, cost, and commands."""
    values = json.loads(found)
    for side in ("only_a", "only_b"):
        values["set_up"][side] = [{**row, "words": ""} for row in values["set_up"][side]]
    values["spread"] = [
        {**each, "words": "" if each["via"] == "intervention" else each["words"]} for each in values["spread"]
    ]
    values["outcomes"] |= {"cost_a": None, "cost_b": None}
    for side in ("a", "b"):
        values[side]["rerun"] = ""
    return json.dumps(values).encode()
