"""Messages about damaged files, in the language of the reader."""

from collections.abc import Iterable
from itertools import islice

from django.utils.translation import gettext

from ville.errors import StorageError
from ville.storage.flaws import Flaw, translated

MOST_LINES = 20


def message(fault: StorageError) -> str:
    """Return the message of a storage error."""
    return translated(fault, gettext)


def damage_lines(flaws: Iterable[Flaw]) -> list[str]:
    """Return a line for each of the first flaws."""
    return list(dict.fromkeys(flaw.text(gettext) for flaw in islice(flaws, MOST_LINES)))
