"""Checks of every request: bodies have a limit, and pages load nothing from other servers."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError

LONGEST_NUMBER = 20
"""Digits of a Content-Length that are read."""
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class RequestGuard:
    """Refuses large bodies before they are read, and sends the content security policy."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._refused(request) or self._get_response(request)
        response.setdefault("Content-Security-Policy", POLICY)
        return response

    def _refused(self, request: HttpRequest) -> HttpResponse | None:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal():
            return _refusal(
                HTTPStatus.BAD_REQUEST, "Content-Length is not a number. Send the number of bytes of the body."
            )
        if len(length) > LONGEST_NUMBER or int(length) > limit:
            reason = f"The body has too many bytes. At most {limit} are accepted."
            return _refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
        return _unread(request)


def _unread(request: HttpRequest) -> HttpResponse | None:
    """Read the whole body, so that views do not wait for it."""
    try:
        _ = request.body
    except UnreadablePostError:
        return _refusal(HTTPStatus.REQUEST_TIMEOUT, "The body did not arrive in time. Send it again.")
    return None


def _refusal(status: HTTPStatus, reason: str) -> HttpResponse:
    return JsonResponse({"error": reason}, status=status)
