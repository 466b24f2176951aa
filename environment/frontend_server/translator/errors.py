"""What can be wrong with a request. A message is one line: what is wrong, where, how to mend it.

Fault
├── BadRequest       400   it does not say what it has to
├── Foreign          403   another web site sent it
├── NotThere         404   there is no such simulation, step, person or map
├── WrongMethod      405
├── Conflict         409   it would change what has already happened
├── TooLarge         413
└── Damaged          422   a file in storage is not what it should be
"""

from http import HTTPStatus


class Fault(Exception):
    """Anything that ends a request before its answer; whatever is raised below it reads as one line."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR

    def __init__(self, reason: str) -> None:
        super().__init__(" ".join(reason.split()))


class BadRequest(Fault):
    status = HTTPStatus.BAD_REQUEST


class Foreign(Fault):
    status = HTTPStatus.FORBIDDEN


class NotThere(Fault):
    status = HTTPStatus.NOT_FOUND


class WrongMethod(Fault):
    status = HTTPStatus.METHOD_NOT_ALLOWED


class Conflict(Fault):
    status = HTTPStatus.CONFLICT


class TooLarge(Fault):
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class Damaged(Fault):
    """A file in storage cannot be read; the message names it, and what in it is wrong."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY
