"""What is wrong with a town: where, what, and how to mend it, in one line each."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing to mend."""

    where: str
    """`file:line`, or the place and tile in a map that has no lines."""
    message: str
    fix: str
    warning: bool = False
    """A warning lets the town be built."""

    def __str__(self) -> str:
        return f"{self.where}: {'warning: ' if self.warning else ''}{self.message}; {self.fix}"


class TownError(ValueError):
    """A town that cannot be built as it is written; carries every fault found, in the order of the file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def town_error(where: str, message: str, fix: str) -> TownError:
    """One fault, ready to be raised."""
    return TownError([Problem(where, message, fix)])


def write_error(error: OSError) -> TownError:
    """What a failed attempt to write means to the user."""
    where = str(error.filename or "the disk")
    return town_error(
        where, f"cannot be written ({error.strerror})", "choose another --out, or make room or permission there"
    )


def count_text(problems: Iterable[Problem]) -> str:
    """How many errors and warnings there are, in words."""
    found = list(problems)
    errors = sum(not one.warning for one in found)
    warnings = len(found) - errors
    return f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}"
