"""Answers to the script of a page that asks for what is computed until it has it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from translator import forms
from translator.rights.access import Right, right_to_act
from translator.shown.engine_lines import engine_line
from translator.storage.computed.computations import Computation


def computed(
    request: HttpRequest, job: Computation, for_watchers: Callable[[bytes], bytes] = lambda found: found
) -> HttpResponse:
    """Return what a job has found, as JSON; 202 while it goes on, 422 if it failed.

    Those who may only watch get `for_watchers` of it.
    """
    if answer := unfinished(request, job):
        return answer
    found = job.found if right_to_act(request) is Right.YES else for_watchers(job.found)
    return HttpResponse(found, content_type="application/json")


def unfinished(request: HttpRequest, job: Computation) -> HttpResponse | None:
    """Return the answer while a job goes on (202) or if it failed (422); None once it has found something."""
    if not job.done.wait(forms.wait(request.GET.get("wait", "0"))):
        return JsonResponse({"state": "computing"}, status=202)
    return JsonResponse({"error": engine_line(job.fault)}, status=422) if job.fault else None
