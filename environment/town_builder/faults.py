"""What is wrong with a town: where, what, and how to mend it, in one line each."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing to mend."""

    where: str
    """`file:line`, or the place and tile in a map that has no lines."""
    wrong: str
    mend: str
    warning: bool = False
    """A warning lets the town be built."""

    def __str__(self) -> str:
        return f"{self.where}: {'warning: ' if self.warning else ''}{self.wrong}; {self.mend}"


class TownError(ValueError):
    """A town that cannot be built as it is written; carries every fault found, in the order of the file."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def fault(where: str, wrong: str, mend: str) -> TownError:
    """One fault, ready to be raised."""
    return TownError([Fault(where, wrong, mend)])


def unwritable(error: OSError) -> TownError:
    """What a failed attempt to write means to the user."""
    where = str(error.filename or "the disk")
    return fault(
        where, f"cannot be written ({error.strerror})", "choose another --out, or make room or permission there"
    )


def counted(faults: Iterable[Fault]) -> str:
    """How many errors and warnings there are, in words."""
    found = list(faults)
    errors = sum(not one.warning for one in found)
    warnings = len(found) - errors
    return f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}"
