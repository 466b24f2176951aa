"""Numbers for random examples of which half are at an edge, because mistakes are."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

DAY = 24 * 60


def edged(low: int, high: int) -> SearchStrategy[int]:
    """Return a strategy of whole numbers from low to high, of which half are a limit or next to one."""
    edges = {number for number in (low, low + 1, high - 1, high) if low <= number <= high}
    return st.sampled_from(sorted(edges)) | st.integers(low, high)


def minutes_around(low: int, high: int) -> SearchStrategy[int]:
    """Return a strategy of minutes from low to high, half of which are none, one, or those of a day, or nearly."""
    edges = {number for number in (low, 0, 1, DAY - 1, DAY, DAY + 1) if number >= low}
    return st.sampled_from(sorted(edges)) | st.integers(low, high)
