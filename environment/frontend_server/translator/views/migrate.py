"""The page that brings over an older project, for those who may act and sit at this machine: it reads its folders."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

from translator import forms
from translator.decorators import choosing, page
from translator.rights.access import check_owner
from translator.shown import page_data
from translator.storage.computed.migrations import migration, stop_migration

MOMENT = 0.5
"""Seconds until an answer says how far it is."""


@page
def migrate(request: HttpRequest) -> HttpResponse:
    """Show where the folder is typed. What is found there is fetched by the page."""
    check_owner(request)
    return render(request, "migrate.html", {"page": page_data.page("migrate")})


@choosing
def carry_out(request: HttpRequest) -> HttpResponse:
    """Return the plan of a migration, or carry it out. Until that is done, the answer is 202 and says how far it is;
    the same request asks again.
    """
    job = migration(forms.read_body(forms.OldProjectForm, request.body))
    done = job.done.wait(MOMENT)
    if job.done.is_set() and job.fault:
        return JsonResponse({"error": gettext(job.fault)}, status=422)
    return JsonResponse({"report": json.loads(job.so_far or "null")}, status=200 if done else 202)


@choosing
def stop(request: HttpRequest) -> HttpResponse:
    """End what was begun for a request: what it has brought is whole, and the rest comes when it is begun again."""
    stop_migration(forms.read_body(forms.OldProjectForm, request.body).id)
    return HttpResponse(status=204)
