"""Errors of requests. A message is one line: what is wrong, where, and what to do.

RequestError
├── BadRequest          400   the request is not valid
├── CrossSiteRequest    403   another web site sent it
├── MayNotAct           403   the client may only watch
├── NotFound            404   there is no such simulation, step, persona or map
├── WrongMethod         405
├── Conflict            409   it would change the past
├── TooLarge            413
├── TooManyRequests     429
└── Unavailable         503   something on this machine is missing

Damaged files raise errors of ville.storage, which end a request with 422.
"""

from http import HTTPStatus


class RequestError(Exception):
    """Ends a request with its status and message."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR

    def __init__(self, reason: str) -> None:
        super().__init__(" ".join(reason.split()))


class BadRequest(RequestError):
    status = HTTPStatus.BAD_REQUEST


class CrossSiteRequest(RequestError):
    status = HTTPStatus.FORBIDDEN


class MayNotAct(RequestError):
    status = HTTPStatus.FORBIDDEN


class NotFound(RequestError):
    status = HTTPStatus.NOT_FOUND


class WrongMethod(RequestError):
    status = HTTPStatus.METHOD_NOT_ALLOWED


class Conflict(RequestError):
    status = HTTPStatus.CONFLICT


class TooLarge(RequestError):
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class TooManyRequests(RequestError):
    status = HTTPStatus.TOO_MANY_REQUESTS


class Unavailable(RequestError):
    status = HTTPStatus.SERVICE_UNAVAILABLE
