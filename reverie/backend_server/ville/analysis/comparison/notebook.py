"""Comparisons as tables in notebooks: what differs, since when, and what came of it."""

from typing import TYPE_CHECKING

from ville.analysis.statistics_table import verdict
from ville.html_table import html_table
from ville.plain_text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ville.analysis.comparison.comparison import Comparison
    from ville.analysis.comparison.noise import RepeatComparison
    from ville.analysis.run_statistics import RunDifference

LONGEST = 200
"""Characters of a memory, a talk or an intervention."""
Row = tuple[str, object, object]


def comparison_table(found: "Comparison") -> str:
    """Return both runs side by side."""
    since = "no difference" if found.equal.until is None else f"differs from step {found.equal.until:,}"
    title = f"{found.a.name} and {found.b.name}: {since}"
    rows = [*_set_up(found), *_firsts(found), *((each.what, each.a, each.b) for each in found.outcomes.measures)]
    return html_table(title, rows, ("", f"A: {found.a.name}", f"B: {found.b.name}"))


def _set_up(found: "Comparison") -> "Iterator[Row]":
    yield "steps", found.a.steps, found.b.steps
    yield from ((each.what, each.a or None, each.b or None) for each in found.set_up.differences)
    for letter, changes in (("A", found.set_up.only_a), ("B", found.set_up.only_b)):
        for each in changes:
            said = shortened(f"{each.kind} {each.who}: {each.words}", LONGEST)
            one, other = (said, None) if letter == "A" else (None, said)
            yield f"step {each.step:,}, {each.time}", one, other


def _firsts(found: "Comparison") -> "Iterator[Row]":
    for what, firsts in (("memory", found.memories), ("decision", found.decisions), ("move", found.moves)):
        for each in firsts[:1]:
            one, other = (shortened(text, LONGEST) or None for text in (each.a, each.b))
            yield f"first {what}: {each.who}, step {each.step:,}, {each.time}", one, other


def repeats_table(found: "RepeatComparison") -> str:
    """Return each measure with its difference, and whether that is more than noise."""
    rows = [(each.what, *_repeated(each.difference)) for each in found.measures]
    title = f"{len(found.b)} runs of B minus {len(found.a)} of A"
    heading = ("measure", "difference", "95% from", "to", "effect (g)", "p", "adjusted p", "")
    return html_table(title, rows, heading)


def _repeated(found: "RunDifference") -> "Iterator[object]":
    estimate = found.estimate
    yield from map(_rounded, (estimate.mean, estimate.low, estimate.high, found.effect, found.p, found.adjusted_p))
    yield verdict(found)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
