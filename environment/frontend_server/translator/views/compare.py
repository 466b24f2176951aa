"""The page that compares two simulations, and its data."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from translator import forms, page_data
from translator.access import Right, right_to_act
from translator.damage import damage_lines
from translator.decorators import data, page
from translator.forms import Step
from translator.storage import simulations
from translator.storage.comparisons import comparison as comparison_of
from translator.storage.stored_simulation import StoredSimulation
from translator.views.lookups import check_shown


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
            picture=towns[0]["picture"],
        ),
        "sides": towns,
        "damage": [line for side in sides for line in damage_lines(side.flaws)],
    }  # fmt: skip
    return render(request, "compare.html", context)


def _sides(a: str, b: str) -> list[StoredSimulation]:
    """Return two simulations. Raises BadRequest or NotFound."""
    return [simulations.find(forms.sim_code(code)) for code in (a, b)]


def _town(simulation: StoredSimulation) -> dict[str, Any]:
    return {**page_data.town(simulation), "store": simulation.store}


@data
def comparison(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return what differs between two simulations; 202 while this is computed."""
    wait = forms.wait(request.GET.get("wait", "0"))
    first, second = _sides(a, b)
    job = comparison_of(first, second)
    if not job.done.wait(wait):
        return JsonResponse({"state": "computing"}, status=202)
    if job.fault:
        return JsonResponse({"error": job.fault}, status=422)
    found = job.found if right_to_act(request) is Right.YES else for_watchers(job.found)
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
