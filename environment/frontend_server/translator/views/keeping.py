"""Simulations and recordings kept in order: what a page shows of one, and what is done with it as a whole."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from translator import forms
from translator.decorators import acting, data, private
from translator.errors import BadRequest
from translator.rights.access import Right, right_to_act
from translator.shown.binned import bin_entries
from translator.shown.last_change import last_change
from translator.shown.run_pages import run_links
from translator.storage.computed import shrinkings
from translator.storage.runs import simulations
from translator.storage.runs.house import house
from translator.storage.runs.known_sizes import known_size
from translator.storage.runs.stored_simulation import Store
from translator.views import lookups
from ville.storage.keeping.description import described, read_description
from ville.storage.keeping.housekeeping import Form
from ville.storage.keeping.shrinking import ways
from ville.storage.keeping.sizes import size_of
from ville.storage.records.marks import read_marks, set_mark


@private
def kept(request: HttpRequest, form: str, sim: str) -> HttpResponse:  # noqa: ARG001 - every view is given the request
    """Return what is said about a simulation, its size, and what could be undone."""
    simulation = simulations.find(forms.sim_code(sim), lookups.store(form))
    values = {
        "name": simulation.code,
        "form": simulation.store,
        **asdict(read_description(simulation.root)),
        "size": size_of(simulation.root),
        "last": last_change(simulation) if simulation.store is Store.SAVED else None,
        "pages": run_links(simulation),
        "ways": [asdict(way) for way in ways(house(), simulation.code, _form(simulation.store))],
    }
    return JsonResponse(values)


@private
def size(request: HttpRequest, form: str, sim: str) -> HttpResponse:  # noqa: ARG001 - every view is given the request
    """Return how many bytes a simulation takes, as of its last save."""
    return JsonResponse({"size": known_size(simulations.find(forms.sim_code(sim), lookups.store(form)))})


@data
def marks(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the marked moments of a run, and whether this client may change them."""
    found = [mark._asdict() for mark in read_marks(lookups.simulation(request, sim).root)]
    return JsonResponse({"marks": found, "may_act": right_to_act(request) is Right.YES})


@private
def bin_list(request: HttpRequest) -> HttpResponse:
    """Return the HTML of what is in the bin."""
    return JsonResponse({"html": render_to_string("parts/bin.html", {"bin": bin_entries()}, request)})


@acting
def rename(request: HttpRequest) -> HttpResponse:
    body = forms.read_body(forms.NewName, request.body)
    house().rename(body.name, body.new, body.form)
    return HttpResponse(status=204)


@acting
def delete(request: HttpRequest) -> HttpResponse:
    """Move a simulation into the bin."""
    body = forms.read_body(forms.KeptName, request.body)
    house().delete(body.name, body.form)
    return HttpResponse(status=204)


@acting
def restore(request: HttpRequest) -> HttpResponse:
    """Take a simulation out of the bin."""
    body = forms.read_body(forms.NewName, request.body)
    house().restore(body.name, body.form, new=body.new)
    return HttpResponse(status=204)


@acting
def describe(request: HttpRequest) -> HttpResponse:
    """Write title, note and tags of a simulation."""
    body = forms.read_body(forms.NewDescription, request.body)
    root = house().root_of(body.name, body.form)
    return JsonResponse(asdict(described(root, title=body.title, note=body.note, tags=body.tags)))


@acting
def mark(request: HttpRequest) -> HttpResponse:
    """Mark a moment of a run, or remove its mark."""
    body = forms.read_body(forms.NewMark, request.body)
    root = house().root_of(body.name, body.form)
    simulation = simulations.find(forms.sim_code(body.name), Store(body.form))
    if body.text.strip() and body.step > (last := max(simulation.steps, simulation.meta.step)):
        text = _("Step %(step)s is after the end of %(name)s, which has come to step %(last)s. Mark an earlier moment.")
        raise BadRequest(text % {"step": body.step, "name": body.name, "last": last})
    return JsonResponse({"marks": [each._asdict() for each in set_mark(root, body.step, body.text)]})


@acting
def shrink(request: HttpRequest) -> HttpResponse:
    """Make a simulation smaller; 202 while that is being done: the same request asks again."""
    body = forms.read_body(forms.SmallerForm, request.body)
    job = shrinkings.begun(body)
    if job is None:
        simulation = simulations.find(forms.sim_code(body.name), Store(body.form))
        job = shrinkings.begin(body, simulation)
    if not job.done.wait(forms.LONGEST_WAIT):
        return JsonResponse({"state": "computing"}, status=202)
    return JsonResponse({"error": gettext(job.fault)}, status=422) if job.fault else HttpResponse(status=204)


def _form(store: Store) -> Form:
    return "saved" if store is Store.SAVED else "compressed"
