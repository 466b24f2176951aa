"""A recording as one file that plays without a server."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext

from translator import forms
from translator.decorators import data
from translator.forms import Step
from translator.rights.access import Right, right_to_act
from translator.storage.computed.computations import Computation
from translator.storage.computed.shared_files import shared_file
from translator.storage.runs.stored_simulation import StoredSimulation
from translator.views import lookups


@data
def share(request: HttpRequest, sim: str) -> HttpResponse:
    """Return where the file of a recording is and its bytes; 202 while it is made."""
    simulation = lookups.simulation(request, sim)
    job = _job(request, simulation)
    if not job.done.wait(forms.wait(request.GET.get("wait", "0"))):
        return JsonResponse({"state": "computing"}, status=202)
    if job.fault:
        return JsonResponse({"error": gettext(job.fault)}, status=422)
    address = f"{reverse('shared_file', args=[simulation.code])}?store={simulation.store}"
    return JsonResponse({"file": address, "bytes": len(job.found)})


@data
def file(request: HttpRequest, sim: str) -> HttpResponse:
    """Return the file itself, which `share` has had made; 202 while it is made."""
    simulation = lookups.simulation(request, sim)
    job = _job(request, simulation)
    if not job.done.is_set():
        return JsonResponse({"state": "computing"}, status=202)
    if job.fault:
        return JsonResponse({"error": gettext(job.fault)}, status=422)
    attached = {"Content-Disposition": f'attachment; filename="{simulation.code}.html"'}
    return HttpResponse(job.found, content_type="application/octet-stream", headers=attached)


def _job(request: HttpRequest, simulation: StoredSimulation) -> Computation:
    lookups.check_shown(simulation, Step(simulation.first))
    return shared_file(simulation, may_act=right_to_act(request) is Right.YES)
