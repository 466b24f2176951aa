"""Errors of requests. A message is one line: what is wrong, where, and what to do.

RequestError
├── BadRequest          400   the request is not valid
├── CrossSiteRequest    403   another web site sent it
├── NotFound            404   there is no such simulation, step, persona or map
├── WrongMethod         405
└── Conflict            409   it would change the past

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


class NotFound(RequestError):
    status = HTTPStatus.NOT_FOUND


class WrongMethod(RequestError):
    status = HTTPStatus.METHOD_NOT_ALLOWED


class Conflict(RequestError):
    status = HTTPStatus.CONFLICT
