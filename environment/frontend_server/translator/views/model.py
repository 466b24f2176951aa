"""The page on which a model is chosen, for those who may and sit at this machine; a key is kept, and never shown again.

The choice goes to .env here, so that no key lies in a request. What it means, costs and answers is asked of the engine.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from translator import forms
from translator.decorators import choosing, page
from translator.errors import BadRequest
from translator.rights.access import check_owner
from translator.shown import page_data
from translator.shown.listed import lists
from translator.storage.studies import studies as all_studies
from translator.told import without_folders
from ville.errors import BadSetting
from ville.storage.model_variables import ChosenModel, keep_choice, remove_key

MOST_CASTS = 50
"""Numbers of people for which the page shows what a day costs."""


@page
def model(request: HttpRequest) -> HttpResponse:
    """Show what answers, and offer other models. What the engine knows is fetched by the page."""
    check_owner(request)
    found = lists(running=None, left_out=all_studies().simulations)
    casts = {town.people: town.title for town in (*reversed(found.saved), *reversed(found.bases))}
    shown = [{"people": people, "title": casts[people]} for people in sorted(casts) if people][:MOST_CASTS]
    first = next((town.people for town in found.offered), 0)
    context = {"page": page_data.page("model", casts=shown), "first": first, "limits": settings.WALLET.limits}
    return render(request, "model.html", context)


@choosing
def choose(request: HttpRequest) -> HttpResponse:
    """Keep a choice, and its key."""
    body = forms.read_body(forms.ChosenModelBody, request.body).model_dump()
    key = body.pop("key").strip()
    with _refusing():
        keep_choice(settings.ENV_FILE, ChosenModel(**{name: value.strip() for name, value in body.items()}), key)
    return HttpResponse(status=204)


@choosing
def forget_key(request: HttpRequest) -> HttpResponse:
    """Remove a key."""
    with _refusing():
        remove_key(settings.ENV_FILE, forms.read_body(forms.OneKey, request.body).provider)
    return HttpResponse(status=204)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what cannot be kept into a refusal, in one line."""
    try:
        yield
    except BadSetting as fault:
        raise BadRequest(without_folders(gettext(str(fault)))) from None
