"""What goes back to a browser: pages, data, and for every fault a reason in the form that was asked for."""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from translator.errors import Fault, Foreign, WrongMethod
from translator.origins import Origin, is_ours, origin_of

View = Callable[..., HttpResponseBase]
TEMPLATES = {HTTPStatus.NOT_FOUND: "not_found.html", HTTPStatus.UNPROCESSABLE_ENTITY: "damaged.html"}
Refusal = Callable[[HttpRequest, HTTPStatus, str], HttpResponse]


def page(view: View) -> View:
    """A view that is read in a browser; a fault is a friendly page."""
    return _answering(view, ("GET", "HEAD"), _page_of_fault)


def data(view: View) -> View:
    """A view that a page's script reads; a fault is JSON with one key, `error`."""
    return _answering(view, ("GET", "HEAD"), _json_of_fault)


def exchange(view: View) -> View:
    """A view that takes JSON from a page of ours or from a classic one."""
    return _answering(view, ("POST",), _json_of_fault)


def no_such_page(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's form
    """Every address that no route knows."""
    return _page_of_fault(request, HTTPStatus.NOT_FOUND, _("There is no page at this address."))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django itself refuses; most often a name of this machine that nobody has told it."""
    if isinstance(exception, DisallowedHost):
        reason = _("This server is not known by that name: add the name to VILLE_HOSTS and start the server again.")
    else:
        reason = _("The request cannot be understood.")
    return _page_of_fault(request, HTTPStatus.BAD_REQUEST, reason)


def _answering(view: View, methods: tuple[str, ...], refuse: Refusal) -> View:
    """No view asks for a CSRF token: classic pages know none, and browsers say which page a request is from."""

    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponseBase:
        try:
            _check_allowed(request, methods)
            return view(request, *args, **kwargs)
        except Fault as fault:
            response = refuse(request, fault.status, str(fault))
            if isinstance(fault, WrongMethod):
                response["Allow"] = ", ".join(methods)
            return response

    return answer


def _check_allowed(request: HttpRequest, methods: tuple[str, ...]) -> None:
    if request.method not in methods:
        raise WrongMethod(_("%(method)s is not known here: use %(known)s.") % _methods(request, methods))
    if request.method == "POST" and not is_ours(request.headers, _origins(request)):
        raise Foreign(
            _("Another web site sent this: only pages of this server may. Behind a proxy, set VILLE_ORIGINS.")
        )


def _origins(request: HttpRequest) -> set[Origin]:
    """This server as the request names it, and the addresses that a proxy shows it under."""
    own = f"{request.scheme}://{request.get_host()}"
    return {origin for address in (own, *settings.CSRF_TRUSTED_ORIGINS) if (origin := origin_of(address))}


def _methods(request: HttpRequest, methods: tuple[str, ...]) -> Mapping[str, str]:
    return {"method": request.method or "", "known": ", ".join(methods)}


def _page_of_fault(request: HttpRequest, status: HTTPStatus, reason: str) -> HttpResponse:
    template = TEMPLATES.get(status, "bad_request.html")
    context: dict[str, Any] = {"reason": reason, "status": int(status)}
    return render(request, template, context, status=status)


def _json_of_fault(request: HttpRequest, status: HTTPStatus, reason: str) -> HttpResponse:  # noqa: ARG001 - as above
    return JsonResponse({"error": reason}, status=status)
