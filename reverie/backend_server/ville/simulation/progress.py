"""What is told while a run goes on: pure text from reports."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from ville.llm.accounting.ledger import Spend
from ville.simulation.step import StepReport
from ville.storage.dates import MONTHS
from ville.storage.step_files import MoveRecord

SEPARATOR = " · "
MAX_LINE, MAX_ACTIVITY = 200, 60
"""Columns of a line, and of what one of many does."""
BAR = 24
"""Characters of a full progress bar."""
ELLIPSIS = "…"


def quantity(number: int, one: str, many: str) -> str:
    """`1 person`, `25 people`."""
    return f"{number:,} {one if number == 1 else many}"


def day_and_time(now: datetime) -> str:
    """`Feb 13, 08:20`."""
    return f"{MONTHS[now.month - 1][:3]} {now.day:02}, {now:%H:%M}"


@dataclass(frozen=True)
class Pace:
    """How far a run has come, and how fast it is."""

    done: int
    total: int
    speed: float
    """Steps a second."""

    @property
    def left(self) -> str:
        """Minutes and seconds, as far as one can tell."""
        seconds = round((self.total - self.done) / self.speed) if self.speed else 0
        return f"{seconds // 60}:{seconds % 60:02}"


def run_line(report: StepReport, pace: Pace) -> str:
    """Game time, progress, speed, and who does what: as many of them as fit into a line."""
    steps = f"step {report.step:,} ({pace.done:,} of {pace.total:,})"
    speed = f"{pace.speed:,.0f} steps/s"
    line = SEPARATOR.join([day_and_time(report.now), steps, speed, *_spent(report), *_unusable(report)])
    parts = [cut(activity, MAX_ACTIVITY) for activity in activities(report.moves, report.asleep)]
    for number, activity in enumerate(parts):
        left = f"{SEPARATOR}and {len(parts) - number} more"
        longer = f"{line}{SEPARATOR}{activity}"
        if columns(longer) + (number + 1 < len(parts)) * len(left) > MAX_LINE:
            return line + left
        line = longer
    return line


def bar_line(report: StepReport, pace: Pace) -> str:
    """A bar, game time, and how long it will take."""
    filled = BAR * pace.done // max(1, pace.total)
    bar = f"[{'#' * filled}{'.' * (BAR - filled)}] {100 * pace.done // max(1, pace.total):3} %"
    speed = f"{pace.speed:,.0f} steps/s"
    left = f"{pace.left} left"
    return SEPARATOR.join(
        [bar, day_and_time(report.now), f"step {report.step:,}", speed, left, *_spent(report), *_unusable(report)]
    )


def _spent(report: StepReport) -> list[str]:
    return [spent(report.spend)] if report.spend else []


def _unusable(report: StepReport) -> list[str]:
    """Answers that could not be used are paid for, too."""
    fallbacks = quantity(report.fallbacks, "fallback", "fallbacks")
    return (
        [f"{quantity(report.unusable, 'unusable answer', 'unusable answers')}, {fallbacks}"] if report.unusable else []
    )


def spent(spend: Spend) -> str:
    """`1,204 calls, 950,322 tokens, 0.42 dollars (3 estimated)`."""
    money = f"{spend.cost:.2f} dollars" + (" and what has no price" if spend.unpriced else "")
    marks = [
        *([f"{spend.estimated:,} estimated"] if spend.estimated else []),
        *([f"{spend.beyond:,} beyond their limit"] if spend.beyond else []),
    ]
    return f"{spend.calls:,} calls, {spend.tokens:,} tokens, {money}" + (f" ({', '.join(marks)})" if marks else "")


def activities(moves: Mapping[str, MoveRecord], asleep: Collection[str]) -> list[str]:
    """Who does what, those who are awake first; one entry if all do the same."""
    shown = [(name, move.pronunciatio, move.description.rpartition(" @ ")[0]) for name, move in moves.items()]
    if len(shown) > 1 and len({activity[1:] for activity in shown}) == 1:
        return [f"all {len(shown)} {shown[0][1]} {shown[0][2]}"]
    shown.sort(key=lambda activity: activity[0] in asleep)
    return [f"{name.split()[0]} {emoji} {_innermost(what)}" for name, emoji, what in shown]


def _innermost(what: str) -> str:
    """Of a task with a subtask in parentheses, the subtask."""
    return what.rpartition("(")[2].rstrip(")") if what.endswith(")") else what


class EventLog:
    """What of a run is worth a line that stays."""

    def __init__(self, *, debug: bool) -> None:
        self._debug = debug
        self._faults: set[str] = set()

    def lines(self, report: StepReport) -> list[str]:
        """Conversations as they begin, each fault of the telephone once, and for debugging everybody's questions."""
        faults = {str(fault): name for name, fault in report.failures.items() if str(fault) not in self._faults}
        self._faults.update(faults)
        carrying_on = [f"{name} carries on without thinking: {fault}" for fault, name in faults.items()]
        return [*_conversations(report), *carrying_on, *(_questions(report) if self._debug else [])]


def _conversations(report: StepReport) -> Iterator[str]:
    for (first, second), conversed in report.talks.items():
        yield f"{day_and_time(report.now)}  {first} and {second} are {conversed.gist}"


def _questions(report: StepReport) -> Iterator[str]:
    """Who asked how much, and what had to be repaired or replaced."""
    for name, tally in report.tallies.items():
        if tally.asked:
            fallbacks = f", fallbacks: {', '.join(tally.fallbacks)}" if tally.fallbacks else ""
            yield f"step {report.step}: {name} asked {tally.asked}, corrected {tally.corrected}{fallbacks}"


def cut(text: str, width: int) -> str:
    """As much of a line as fits into so many columns of a terminal."""
    if columns(text) <= width:
        return text
    room = width - len(ELLIPSIS)
    kept = ""
    for sign in text:
        room -= columns(sign)
        if room < 0:
            break
        kept += sign
    return kept + ELLIPSIS


def columns(text: str) -> int:
    """How wide a terminal draws a text; rather too wide than too narrow."""
    return sum(0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)
