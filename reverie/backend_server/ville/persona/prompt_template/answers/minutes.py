"""Minutes of activities that together have to take a certain time."""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, TypeVar

TOLERANCE = 0.5
"""Share by which minutes may miss their total; beyond it a correction is asked for, except on the last attempt."""


class Timed(Protocol):
    """A part of an answer that takes some minutes."""

    @property
    def minutes(self) -> int: ...

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self: ...


TimedT = TypeVar("TimedT", bound=Timed)


def nearly(parts: Sequence[Timed], wanted: int) -> bool:
    """Return whether minutes add up to a total, or miss it by little, or say only that all parts are alike."""
    alike = len(parts) > 1 and len({part.minutes for part in parts}) == 1
    return alike or abs(sum(part.minutes for part in parts) - wanted) <= TOLERANCE * wanted


def check_total(parts: Sequence[Timed], wanted: int) -> None:
    """Raise ValueError, worded for the model, if minutes miss their total by too much."""
    if not nearly(parts, wanted):
        total = sum(part.minutes for part in parts)
        raise ValueError(f"the minutes add up to {total}, but have to add up to {wanted}")


def scaled(parts: Sequence[TimedT], wanted: int) -> list[TimedT]:
    """Return parts scaled to a total, without those for which no minute is left; all are equal if none takes any."""
    shares = [part.minutes for part in parts]
    shares = shares if any(shares) else [1] * len(shares)
    total, done, end, result = sum(shares), 0, 0, []
    for part, share in zip(parts, shares, strict=True):
        done += share
        start, end = end, round(done * wanted / total)
        if end > start:
            result.append(part.model_copy(update={"minutes": end - start}))
    return result
