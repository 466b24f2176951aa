"""Signing in with the pass phrase of this server, and signing out."""

from http import HTTPStatus

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from translator.decorators import form
from translator.errors import RequestError
from translator.rights import pass_phrase
from translator.rights.access import Right, right_to_act
from translator.shown import page_data


@form
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for the pass phrase, and begin a session if it is right. Lead back to where the client came from."""
    if request.method != "POST":
        return _back(request) if right_to_act(request) is Right.YES else _asked(request)
    try:
        pass_phrase.begin_session(request, request.POST.get("phrase", ""))
    except RequestError as fault:
        return _asked(request, str(fault), fault.status)
    return _back(request)


@form
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session, if the request was posted."""
    if request.method == "POST":
        logout(request)
    return _back(request)


def _asked(request: HttpRequest, reason: str = "", status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    context = {"page": page_data.page("sign_in"), "reason": reason, "next": _next(request)}
    return render(request, "sign_in.html", context, status=status)


def _back(request: HttpRequest) -> HttpResponse:
    return redirect(_next(request))


def _next(request: HttpRequest) -> str:
    """Return the address on this server to which `next` leads, else that of the front page."""
    wanted = str(request.POST.get("next") or request.GET.get("next") or "")
    ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, None)
    return wanted if ours else reverse("landing")
