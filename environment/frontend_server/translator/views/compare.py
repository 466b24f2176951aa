"""The page that compares two simulations, and its data. `NAME@MOMENT` in an address: NAME until then."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from translator import forms
from translator.damage import damage_lines
from translator.decorators import data, page
from translator.errors import BadRequest
from translator.forms import Step
from translator.rights.access import Right, right_to_act
from translator.shown import page_data
from translator.shown.page_data import ShownTown
from translator.storage.computed import comparisons
from translator.storage.runs import simulations
from translator.storage.runs.stored_simulation import Store, StoredSimulation
from translator.views.answers import computed
from translator.views.lookups import check_shown, no_step, shown_step
from ville.analysis.comparison.untold import untold
from ville.storage.past.moments import END, NamedMoment, split_moment

MOST_REPEATS = 50
"""Further runs of a side."""


class ComparedTown(ShownTown):
    """A town of two, as the page draws and names it."""

    store: Store
    name: str
    until: Step | None
    ends: datetime | None


@dataclass(frozen=True)
class Side:
    """One of two simulations, as far as it is compared."""

    simulation: StoredSimulation
    until: Step | None
    """The first step that is left out; None: as last saved."""

    @classmethod
    def named(cls, text: str) -> Self:
        """Return what an address names. Raises BadRequest or NotFound."""
        name, moment = split_moment(text)
        simulation = simulations.find(forms.sim_code(name))
        if moment in {None, END}:
            return cls(simulation, None)
        if simulation.store is Store.COMPRESSED:
            reason = _("%(name)s is compressed: it can only be compared as a whole.")
            raise BadRequest(reason % {"name": simulation.code})
        until = shown_step(simulation, moment)
        if not simulation.first < until <= simulation.steps:
            raise no_step(simulation, until, simulation.steps)
        return cls(simulation, until)

    @property
    def name(self) -> str:
        return str(NamedMoment(self.simulation.code, None if self.until is None else str(self.until)))

    def town(self) -> ComparedTown:
        """Return what the page draws and says of it."""
        meta = self.simulation.meta
        ends: datetime | None = None
        if self.until is not None:
            ends = meta.start + timedelta(seconds=self.until * meta.sec_per_step)
        town = page_data.town(self.simulation)
        return {**town, "store": self.simulation.store, "name": self.name, "until": self.until, "ends": ends}


@page
def choice(request: HttpRequest) -> HttpResponse:
    """Lead from the form of the front page to the page of the two simulations that were chosen."""
    a, b = (Side.named(request.GET.get(side, "")).name for side in ("a", "b"))
    return redirect("compare", a, b)


@page
def compare(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Show two simulations side by side. What differs is fetched by the page: it may take a while."""
    sides = _sides(a, b)
    for side in sides:
        check_shown(side.simulation, Step(side.simulation.first))
    towns = [side.town() for side in sides]
    context = {
        "page": page_data.page(
            "compare", sides=[{**town, "ends": None} for town in towns], map=towns[0]["map"],
            step=max(side.simulation.first for side in sides), picture=towns[0]["picture"], runs=_runs(),
        ),
        "sides": towns,
        "damage": [line for side in sides for line in damage_lines(side.simulation.flaws)],
    }  # fmt: skip
    return render(request, "compare.html", context)


def _runs() -> list[dict[str, str]]:
    """Return all simulations that have been run, by name and title."""
    known = {entry.code: entry.title for entry in reversed(simulations.listing().entries) if entry.steps}
    return [{"sim_code": code, "title": title} for code, title in sorted(known.items())]


def _sides(a: str, b: str) -> tuple[Side, Side]:
    """Return the two sides of an address. Raises BadRequest or NotFound."""
    return Side.named(a), Side.named(b)


@data
def comparison(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return what differs between two simulations; 202 while this is computed."""
    may_act = right_to_act(request) is Right.YES
    job = comparisons.comparison(*compared_runs(a, b), may_act=may_act)
    return computed(request, job, for_watchers)


@data
def repeats(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return whether two sides differ by more than noise. `more_a` and `more_b` name further runs of each side."""
    sides = [
        [_run(Side.named(name)) for name in (first, *request.GET.getlist(more)[:MOST_REPEATS])]
        for first, more in ((a, "more_a"), (b, "more_b"))
    ]
    may_act = right_to_act(request) is Right.YES
    return computed(request, comparisons.repeats(*sides, may_act=may_act), for_watchers)


def compared_runs(a: str, b: str) -> tuple[comparisons.NamedRun, comparisons.NamedRun]:
    """Return the two runs of an address. Raises BadRequest or NotFound."""
    first, second = _sides(a, b)
    return _run(first), _run(second)


def _run(side: Side) -> comparisons.NamedRun:
    return comparisons.NamedRun(side.name, side.simulation)


def for_watchers(found: bytes) -> bytes:
    """Return a comparison without what only those see who may act. Comparisons of repeated runs have none of this."""
    values = json.loads(found)
    return json.dumps(untold(values)).encode() if "set_up" in values else found
