"""Recordings, comparisons and studies as single files that need no server."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext

from translator import forms
from translator.decorators import data
from translator.forms import Step
from translator.rights.access import Right, check_right, right_to_act
from translator.storage.computed import shared_files
from translator.storage.computed.computations import Computation
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.storage.studies import find_study
from translator.views import lookups
from translator.views.compare import compared_runs


@data
def share(request: HttpRequest, sim: str) -> HttpResponse:
    """Return where the file of a recording is and its bytes; 202 while it is made."""
    simulation = lookups.simulation(request, sim)
    address = f"{reverse('shared_file', args=[simulation.code])}?store={simulation.store}"
    return _made(request, _recording(request, simulation), address)


@data
def file(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the file itself, which `share` has had made; 202 while it is made."""
    simulation = lookups.simulation(request, sim)
    return _file(_recording(request, simulation), simulation.code)


@data
def share_comparison(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return where the file of a comparison is, likewise."""
    return _made(request, _comparison(request, a, b), reverse("shared_comparison", args=[a, b]))


@data
def comparison_file(request: HttpRequest, a: str, b: str) -> HttpResponse:
    """Return the file of a comparison, likewise."""
    codes = [run.simulation.code for run in compared_runs(a, b)]
    return _file(_comparison(request, a, b), "-".join(codes))


@data
def share_study(request: HttpRequest, study: str) -> HttpResponse:
    """Return where the file of a study is, likewise."""
    return _made(request, _study(request, study), reverse("shared_study", args=[study]))


@data
def study_file(request: HttpRequest, study: str) -> HttpResponse:
    """Return the file of a study, likewise."""
    return _file(_study(request, study), study)


@data
def report(request: HttpRequest, study: str) -> HttpResponse:
    """Return where the report of a study is, likewise. It has answers and costs, and is for those who may act."""
    return _made(request, _report(request, study), reverse("report_file", args=[study]))


@data
def report_file(request: HttpRequest, study: str) -> HttpResponse:
    """Return the report of a study, likewise."""
    return _file(_report(request, study), f"{study}-report")


def _made(request: HttpRequest, job: Computation, address: str) -> HttpResponse:
    if not job.done.wait(forms.wait(request.GET.get("wait", "0"))):
        return JsonResponse({"state": "computing"}, status=202)
    if job.fault:
        return JsonResponse({"error": gettext(job.fault)}, status=422)
    return JsonResponse({"file": address, "bytes": len(job.found)})


def _file(job: Computation, name: str) -> HttpResponse:
    if not job.done.is_set():
        return JsonResponse({"state": "computing"}, status=202)
    if job.fault:
        return JsonResponse({"error": gettext(job.fault)}, status=422)
    attached = {"Content-Disposition": f'attachment; filename="{name}.html"'}
    return HttpResponse(job.found, content_type="application/octet-stream", headers=attached)


def _recording(request: HttpRequest, simulation: StoredSimulation) -> Computation:
    lookups.check_shown(simulation, Step(simulation.first))
    return shared_files.shared_file(simulation, may_act=right_to_act(request) is Right.YES)


def _comparison(request: HttpRequest, a: str, b: str) -> Computation:
    runs = compared_runs(a, b)
    return shared_files.shared_comparison(*runs, may_act=right_to_act(request) is Right.YES)


def _study(request: HttpRequest, study: str) -> Computation:
    found = find_study(forms.study(study))
    return shared_files.shared_study(found, may_act=right_to_act(request) is Right.YES)


def _report(request: HttpRequest, study: str) -> Computation:
    check_right(request)
    return shared_files.study_report(find_study(forms.study(study)))
