"""Faults of a study file: all of them are collected, a line for each, before anything runs."""

from collections.abc import Iterable
from difflib import get_close_matches

from ville.errors import BadStudy
from ville.plain_text import one_line


def nearest(text: str, known: Iterable[str]) -> str:
    """Return how to mend a name: the one that was probably meant, or all that there are."""
    names = list(known)
    near = get_close_matches(text.lower(), [name.lower() for name in names], 1)
    meant = next((name for name in names if near and name.lower() == near[0]), "")
    return f"did you mean '{meant}'?" if meant else f"choose from: {', '.join(names) or 'none'}"


def halves(message: str) -> tuple[str, str]:
    """Return the message of an error as what is wrong, and how to mend it."""
    for separator in ("; ", ". ", ": "):
        wrong, found, fix = message.partition(separator)
        if found:
            return wrong, fix[:1].lower() + fix[1:]
    return message, "correct it"


class StudyFaults:
    """The faults of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: dict[tuple[int, str], None] = {}

    def add(self, line: int, message: str, fix: str) -> None:
        """Add a fault: what is wrong, and how to mend it."""
        said = f"{message.rstrip('.')}; {fix.rstrip('.')}"
        self._found[line, " ".join(one_line(said).split())] = None

    @property
    def lines(self) -> list[str]:
        """The faults in the order of the file."""
        return [f"{self.file}:{line}: {said}" for line, said in sorted(self._found, key=lambda fault: fault[0])]

    def check(self) -> None:
        """Raise BadStudy if there is a fault."""
        if self._found:
            raise BadStudy(*self.lines)
