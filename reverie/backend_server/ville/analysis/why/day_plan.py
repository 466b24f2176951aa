"""The plan of a day in the files of a run: the thought that it became, and its lines with their times."""

import re

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.analysis.why.heard import DayEntry
from ville.analysis.why.likeness import words_of

DAY = 1440
TIMED = re.compile(
    r"(?P<what>[^,:][^,]*?) (?:from (?P<start>[\d:]+ ?[ap]m|midnight|noon) to (?P<end>[\d:]+ ?[ap]m|midnight|noon)|"
    r"at (?P<at>[\d:]+ ?[ap]m|midnight|noon))(?=[,.]|$)"
)
CLOCK = re.compile(r"(\d+)(?::(\d+))? ?([ap])m")
NAMED = {"midnight": DAY, "noon": 720}


def plan_of_day(run: ComparedRun, who: str, step: int) -> NodeData | None:
    """Return the thought that holds the plan that a persona lives by in a step; None if there is none."""
    plans = (node for node in reversed(run.memories[who]) if node["type"] == "thought" and node["predicate"] == "plan")
    day = run.meta.time_of(step).date()
    made = (node for node in plans if run.step_of(node) <= step)
    return next((node for node in made if run.meta.time_of(run.step_of(node)).date() == day), None)


def entry_at(run: ComparedRun, who: str, step: int, doing: str) -> DayEntry | None:
    """Return the line of the plan that an activity belongs to: that of its time, if they share a word."""
    plan = plan_of_day(run, who, step)
    if plan is None:
        return None
    now = run.meta.time_of(step)
    minute = now.hour * 60 + now.minute
    entries = _entries(str(plan["description"]).partition(": ")[2])
    there = [each for each in entries if each.start <= minute < each.end and words_of(each.what) & words_of(doing)]
    if not there and "sleep" in doing:
        return DayEntry(0, entries[0].start if entries else DAY, doing)
    return there[-1] if there else None


def _entries(text: str) -> list[DayEntry]:
    found = list(TIMED.finditer(text))
    starts = [_minute(each["start"] or each["at"]) for each in found]
    ends = [_minute(each["end"]) if each["end"] else 0 for each in found]
    following = [*starts[1:], DAY]
    return [
        DayEntry(start, end or later, each["what"].strip())
        for each, start, end, later in zip(found, starts, ends, following, strict=True)
    ]


def _minute(clock: str) -> int:
    if clock in NAMED:
        return NAMED[clock]
    match = CLOCK.fullmatch(clock)
    hour, minute, half = match.groups() if match else ("0", "0", "a")
    return (int(hour) % 12 + 12 * (half == "p")) * 60 + int(minute or 0)
