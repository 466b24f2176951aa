"""The page that shows the map of a town file while it is edited."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

from translator import forms
from translator.decorators import page, private
from translator.rights.access import check_right
from translator.shown import page_data
from translator.storage.computed import drafts as town_files
from translator.told import without_folders


@page
def drafts(request: HttpRequest) -> HttpResponse:
    """Offer the town files of this machine. The script of the page fetches their pictures."""
    check_right(request)
    found = town_files.drafts()
    context = {"page": page_data.page("drafts"), "drafts": found, "folder": without_folders(f"{settings.TOWNS}/")}
    return render(request, "drafts.html", context)


@private
def draft(request: HttpRequest) -> HttpResponse:
    """Return how far the town file `?town=` is drawn, what is wrong in it, and a mark that changes with the file."""
    found = town_files.find(forms.town(request.GET.get("town", "")))
    job = town_files.drawn(found)
    state = "drawing" if not job.done.is_set() else "wrong" if job.fault else "drawn"
    return JsonResponse({"mark": found.mark, "state": state, "fault": gettext(job.fault) if job.fault else ""})


@private
def draft_picture(request: HttpRequest) -> HttpResponse:
    """Return the picture of a town file, which `draft` has had drawn; 202 while it is drawn."""
    job = town_files.drawn(town_files.find(forms.town(request.GET.get("town", ""))))
    if not job.done.is_set():
        return JsonResponse({"state": "drawing"}, status=202)
    if job.fault:
        return JsonResponse({"error": gettext(job.fault)}, status=422)
    return HttpResponse(job.found, content_type="image/webp")
