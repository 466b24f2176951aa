"""Events on tiles, which personas perceive."""

from typing import NamedTuple


class Event(NamedTuple):
    """Subject, predicate and object of something that can be seen on a tile.

    The subject is a persona's name or an object's full address. An event without a predicate is idle.
    """

    subject: str
    predicate: str | None = None
    object: str | None = None
    description: str | None = None
