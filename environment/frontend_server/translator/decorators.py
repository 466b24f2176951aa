"""Decorators of views: allowed methods and origins, and errors as pages or JSON."""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from translator.damage import message
from translator.errors import CrossSiteRequest, RequestError, WrongMethod
from translator.rights.access import check_act, check_choice, check_right, own_origins
from translator.rights.origins import is_ours
from ville.errors import StorageError

View = Callable[..., HttpResponseBase]
TEMPLATES = {HTTPStatus.NOT_FOUND: "not_found.html", HTTPStatus.UNPROCESSABLE_ENTITY: "damaged.html"}
ErrorResponse = Callable[[HttpRequest, HTTPStatus, str], HttpResponse]
Check = Callable[[HttpRequest], None]


def page(view: View) -> View:
    """Decorate a view that returns a page; errors become pages."""
    return _checked(view, ("GET", "HEAD"), _error_page)


def data(view: View) -> View:
    """Decorate a view that returns data for the script of a page; errors become JSON with the key `error`."""
    return _checked(view, ("GET", "HEAD"), _error_json)


def exchange(view: View) -> View:
    """Decorate a view that takes JSON from a page, also of the released server; errors become JSON."""
    return _checked(view, ("POST",), _error_json)


def private(view: View) -> View:
    """Decorate a view that returns data only for those who may act."""
    return never_cache(_checked(view, ("GET", "HEAD"), _error_json, check_right))


def acting(view: View) -> View:
    """Decorate a view that changes the town: it takes JSON from a page of this server, of those who may act."""
    return _checked(view, ("POST",), _error_json, check_act)


def choosing(view: View) -> View:
    """Decorate a view that acts for those who sit at this machine: it changes models and keys, or reads a folder."""
    return never_cache(_checked(view, ("POST",), _error_json, check_choice))


def form(view: View) -> View:
    """Decorate a view with a form, which is checked by Django's own token; errors become pages."""
    return never_cache(_errors_answered(view, ("GET", "HEAD", "POST"), _error_page))


def no_such_page(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Answer an address without a route."""
    return _error_page(request, HTTPStatus.NOT_FOUND, _("There is no page at this address."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Answer a form, such as the language switch, that was not sent from a page of this server."""
    return _error_page(request, HTTPStatus.FORBIDDEN, _("Reload the page, and try again."))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django refuses, mostly because of an unknown host name."""
    if isinstance(exception, DisallowedHost):
        reason = _("This server is not known by that name. Add the name to VILLE_HOSTS and start the server again.")
    else:
        reason = _("The request is not valid.")
    return _error_page(request, HTTPStatus.BAD_REQUEST, reason)


def _checked(
    view: View, methods: tuple[str, ...], error_response: ErrorResponse, check: Check = lambda _: None
) -> View:
    """Check requests and answer errors. CSRF tokens are not needed: origins are checked instead."""
    return csrf_exempt(_errors_answered(view, methods, error_response, check))


def _errors_answered(
    view: View, methods: tuple[str, ...], error_response: ErrorResponse, check: Check = lambda _: None
) -> View:
    @wraps(view)
    def answer(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponseBase:
        try:
            _check_request(request, methods)
            check(request)
            return view(request, *args, **kwargs)
        except StorageError as fault:
            return error_response(request, HTTPStatus.UNPROCESSABLE_ENTITY, message(fault))
        except RequestError as fault:
            response = error_response(request, fault.status, str(fault))
            if isinstance(fault, WrongMethod):
                response["Allow"] = ", ".join(methods)
            return response

    return answer


def _check_request(request: HttpRequest, methods: tuple[str, ...]) -> None:
    if request.method not in methods:
        raise WrongMethod(_("%(method)s is not possible here. Use %(known)s.") % _methods(request, methods))
    if request.method == "POST" and not is_ours(request.headers, own_origins(request)):
        raise CrossSiteRequest(
            _("Another web site sent this. Only pages of this server may; behind a proxy, set VILLE_ORIGINS.")
        )


def _methods(request: HttpRequest, methods: tuple[str, ...]) -> Mapping[str, str]:
    return {"method": request.method or "", "known": ", ".join(methods)}


def _error_page(request: HttpRequest, status: HTTPStatus, reason: str) -> HttpResponse:
    template = TEMPLATES.get(status, "bad_request.html")
    context = {"reason": reason, "status": int(status)}
    return render(request, template, context, status=status)


def _error_json(request: HttpRequest, status: HTTPStatus, reason: str) -> HttpResponse:  # noqa: ARG001 - as above
    return JsonResponse({"error": reason}, status=status)
