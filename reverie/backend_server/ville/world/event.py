"""What can be seen on a tile."""

from typing import NamedTuple


class Event(NamedTuple):
    """Somebody or something (`subject`) doing or being something.

    An object's subject is its full address; a persona's is its name. An event without a predicate is idle.
    """

    subject: str
    predicate: str | None = None
    object: str | None = None
    description: str | None = None
