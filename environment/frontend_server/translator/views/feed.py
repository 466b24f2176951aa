"""Events of a run, in sentences."""

from collections.abc import Sequence
from heapq import merge

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator import forms
from translator.damage import damage_lines
from translator.decorators import data
from translator.feed.feed import FeedEntry
from translator.rights.access import Right, right_to_act
from translator.shown.feed_text import FeedWriter
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.views import lookups

MOST_ENTRIES = 2000
"""Entries in one answer, but always all of a step."""


@data
def feed(request: HttpRequest, sim: str) -> HttpResponse:
    """Return what happened from a step on. `last` is the last step of which everything is told.

    Words that were meant for one persona are told only to those who may act.
    """
    simulation = lookups.simulation(request, sim)
    begin = forms.step(request.GET.get("from", "0"))
    entries, last = _entries(simulation, begin)
    may_act = right_to_act(request) is Right.YES
    writer = FeedWriter(simulation.meta.persona_names, simulation.cast, may_act=may_act)
    told = [writer.entry(entry) for entry in entries]
    return JsonResponse({"last": last, "entries": told, "damage": damage_lines(simulation.flaws)})


def _entries(simulation: StoredSimulation, begin: int) -> tuple[Sequence[FeedEntry], int]:
    """Return the entries from a step on, and the last step of which everything is among them.

    What users change before the coming step is told at once, and again when the step has been computed.
    """
    last = simulation.steps - 1
    found: list[FeedEntry] = []
    for entry in merge(simulation.changed_from_outside(), simulation.feed(), key=lambda entry: entry.step):
        if entry.step < begin:
            continue
        if len(found) >= MOST_ENTRIES and entry.step > found[-1].step:
            return found, min(last, found[-1].step)
        found.append(entry)
    return found, last
