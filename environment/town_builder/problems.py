"""Problems found in a town, a map or a people file: where, what is wrong, and how to fix it, on one line each."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One error or warning."""

    where: str
    """`file:line`, or a place and tile in a map, which has no lines."""
    message: str
    fix: str
    warning: bool = False
    """Warnings do not prevent a build."""

    def __str__(self) -> str:
        return f"{self.where}: {'warning: ' if self.warning else ''}{self.message}; {self.fix}"


class TownError(ValueError):
    """Raised for a town that cannot be built; carries every problem found, in the order of the file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def town_error(where: str, message: str, fix: str) -> TownError:
    """Return a TownError with a single problem, ready to be raised."""
    return TownError([Problem(where, message, fix)])


def write_error(error: OSError) -> TownError:
    """Return the TownError for a failed attempt to write."""
    where = str(error.filename or "the disk")
    return town_error(
        where, f"cannot be written ({error.strerror})", "choose another --out, or free space or grant permission"
    )


def count_text(problems: Iterable[Problem]) -> str:
    """Return the numbers of errors and warnings as text, for example `1 error, 2 warnings`."""
    found = list(problems)
    errors = sum(not one.warning for one in found)
    warnings = len(found) - errors
    return f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}"
