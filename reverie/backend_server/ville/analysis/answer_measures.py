"""Measures of typed answers: means of scales and numbers, shares of choices, and how they changed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from ville.analysis.group_measures import GROUP, contrast_name
from ville.analysis.run import DIGITS, Run
from ville.errors import BadArgument
from ville.json_types import JsonObject
from ville.reply_form import CHOICE, TEXT, ReplyForm, ReplyValue

ANSWERS, WHEN = "answers", "when"
CHANGE = "after - before"
"""Stands for a time: values of the last time a person was asked minus those of the first."""
KEYS = (ANSWERS, WHEN, CHOICE, GROUP)
BINARY = 2


def answer_sources(
    name: str, form: ReplyForm, times: Sequence[str], groups: Sequence[str] = ()
) -> Iterator[dict[str, str]]:
    """Yield the measures of a typed question, as entries of `measures`.

    Of two choices, the share of the first one tells all. A question that is asked several times has its change, too,
    and groups are compared by that.
    """
    if form.kind == TEXT:
        return
    choices = form.choices[:1] if len(form.choices) == BINARY else form.choices
    for choice in choices or ("",):
        chosen = {CHOICE: choice} if choice else {}
        whens = [*times, CHANGE] if len(times) > 1 else times
        for when in whens:
            yield {ANSWERS: name, WHEN: when if len(whens) > 1 else "", **chosen}
        for group in groups:
            yield {ANSWERS: name, WHEN: CHANGE if len(whens) > 1 else "", **chosen, GROUP: group}


def answer_measure(source: JsonObject) -> tuple[str, Callable[[Run], float | None]]:
    """Return a measure of typed answers, after its name. Raises BadArgument."""
    if wrong := [key for key in source if key not in KEYS]:
        raise BadArgument(f"'{wrong[0]}' is not known in a measure of answers")
    asked, when, choice, group = (str(source.get(key) or "") for key in KEYS)
    name = f"{asked}: {choice}" if choice else asked
    name = f"{name} ({when})" if when else name

    def of(run: Run) -> float | None:
        values = _values(run, asked, when, choice)
        if group:
            return run.contrast(values, group) if group in run.groups else None
        return round(fmean(values.values()), DIGITS) if values else None

    return contrast_name(name, group) if group else name, of


def _values(run: Run, asked: str, when: str, choice: str) -> dict[str, float]:
    """Return the value of each person who gave a usable answer, at both times if it is a change."""
    found: dict[int, dict[str, float]] = {}
    for row in run.answers:
        if row["name"] == asked and when in {"", CHANGE, row[WHEN]}:
            at = found.setdefault(row["step"], {})
            if (value := _number(row["value"], choice)) is not None:
                at[row["who"]] = value
    if not found:
        return {}
    first, last = found[min(found)], found[max(found)]
    return {who: last[who] - first[who] for who in last if who in first} if when == CHANGE else last


def _number(value: ReplyValue, choice: str) -> float | None:
    """Return an answer as a number: of a choice 1 if it is this one, and 0 if it is another."""
    if value is None:
        return None
    if choice:
        return float(value == choice)
    return None if isinstance(value, str) else float(value)


def unusable(answers: Sequence[Mapping[str, object]]) -> tuple[int, int]:
    """Return how many typed answers have no value, and how many there are."""
    typed = [row for row in answers if row["form"] != TEXT]
    return sum(row["value"] is None for row in typed), len(typed)
