"""Turns errors of reading an old project into lines that say which file, and how to put it right."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ville.errors import CorruptFile


@contextmanager
def reading(source: Path) -> Iterator[None]:
    """Turn an OSError about a folder, or what lies in it, into CorruptFile. Others are left as they are."""
    try:
        yield
    except OSError as fault:
        place = Path(fault.filename or source)
        if not place.is_relative_to(source):
            raise
        template = "%(file)s cannot be read (%(reason)s). Grant permission, or restore it from a copy."
        raise CorruptFile(template, file=place, reason=fault.strerror or fault) from None
