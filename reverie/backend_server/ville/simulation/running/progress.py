"""Text of progress lines, from step reports."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from wcwidth import iter_graphemes, width

from ville.llm.accounting.ledger import Spend
from ville.plain_text import quantity
from ville.simulation.stepping.step import StepReport
from ville.storage.dates import MONTHS
from ville.storage.steps.step_files import MoveRecord

SEPARATOR = " · "
MAX_LINE, MAX_ACTIVITY = 200, 60
"""Longest progress line, and longest activity of one persona in it, in columns."""
BAR = 24
"""Length of a full progress bar, in characters."""
ELLIPSIS = "…"
BRAKED_AGAIN = timedelta(hours=1)
"""Time after which it is said again of the same persona."""
BRAKED = {
    "talk": "{name} has talked much, and talks less for a while (talks_per_hour)",
    "reflection": "{name} has reflected much, and does so later (reflections_per_hour)",
}


def day_and_time(now: datetime) -> str:
    """Return game time as in `Feb 13, 08:20`."""
    return f"{MONTHS[now.month - 1][:3]} {now.day:02}, {now:%H:%M}"


@dataclass(frozen=True)
class Pace:
    """Progress and speed of a run."""

    done: int
    total: int
    speed: float
    """Steps per second."""

    @property
    def left(self) -> str:
        """Estimated time left, as minutes:seconds."""
        seconds = round((self.total - self.done) / self.speed) if self.speed else 0
        return f"{seconds // 60}:{seconds % 60:02}"


def run_line(report: StepReport, pace: Pace) -> str:
    """Return the progress line of the prompt: game time, steps, speed, and as many activities as fit."""
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
    """Return the progress line of a headless run: bar, game time, speed, and estimated time left."""
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
    """Return the number of unusable answers, which cost money too; nothing if there are none."""
    fallbacks = quantity(report.fallbacks, "fallback", "fallbacks")
    return (
        [f"{quantity(report.unusable, 'unusable answer', 'unusable answers')}, {fallbacks}"] if report.unusable else []
    )


def spent(spend: Spend) -> str:
    """Return costs as in `1,204 calls, 950,322 tokens, 0.42 dollars (3 estimated)`."""
    money = f"{spend.cost:.2f} dollars" + (" plus calls without a price" if spend.unpriced else "")
    marks = [
        *([f"{spend.estimated:,} estimated"] if spend.estimated else []),
        *([f"{spend.beyond:,} above their limit"] if spend.beyond else []),
    ]
    return f"{spend.calls:,} calls, {spend.tokens:,} tokens, {money}" + (f" ({', '.join(marks)})" if marks else "")


def activities(moves: Mapping[str, MoveRecord], asleep: Collection[str]) -> list[str]:
    """Return what each persona does, those awake first; a single entry if all do the same."""
    shown = [(name, move.pronunciatio, move.description.rpartition(" @ ")[0]) for name, move in moves.items()]
    if len(shown) > 1 and len({activity[1:] for activity in shown}) == 1:
        return [f"all {len(shown)} {shown[0][1]} {shown[0][2]}"]
    shown.sort(key=lambda activity: activity[0] in asleep)
    return [f"{name.split()[0]} {emoji} {_innermost(what)}" for name, emoji, what in shown]


def _innermost(what: str) -> str:
    """Return the subtask of a task with a subtask in parentheses."""
    return what.rpartition("(")[2].rstrip(")") if what.endswith(")") else what


class EventLog:
    """Selects what stays on screen during a run."""

    def __init__(self, *, debug: bool) -> None:
        self._debug = debug
        self._printed: set[str] = set()
        self._braked: dict[tuple[str, str], datetime] = {}
        """When it was last said, by persona and what is braked."""

    def lines(self, report: StepReport) -> list[str]:
        """Return new conversations, nods, words to visitors, each model error once, and in debug mode counts."""
        errors = {str(error): name for name, error in report.failures.items() if str(error) not in self._printed}
        self._printed.update(errors)
        failed = [f"{name} got no answer and continues as before: {error}" for error, name in errors.items()]
        said = [*report.interventions, *_conversations(report), *_nods(report), *_answers(report)]
        return [*said, *failed, *self._brakes(report), *(_questions(report) if self._debug else [])]

    def _brakes(self, report: StepReport) -> Iterator[str]:
        """Yield who has talked or reflected much, each at most once an hour."""
        for name, tally in report.tallies.items():
            for what in dict.fromkeys(tally.braked):
                said = self._braked.get((name, what))
                if said is None or report.now - said >= BRAKED_AGAIN:
                    self._braked[name, what] = report.now
                    yield f"{day_and_time(report.now)}  {BRAKED[what].format(name=name)}"


def _conversations(report: StepReport) -> Iterator[str]:
    for (first, second), conversed in report.talks.items():
        yield f"{day_and_time(report.now)}  {first} and {second} are {conversed.gist}"


def _nods(report: StepReport) -> Iterator[str]:
    for name, tally in report.tallies.items():
        for other in tally.nods:
            yield f"{day_and_time(report.now)}  {name} and {other} pass each other with a nod"


def _answers(report: StepReport) -> Iterator[str]:
    """Yield what personas say to visitors."""
    for name, (visitor, words) in report.said.items():
        yield f"{day_and_time(report.now)}  {name} to {visitor}: {words}"


def _questions(report: StepReport) -> Iterator[str]:
    """Yield the number of questions, corrections and fallbacks of each persona."""
    for name, tally in report.tallies.items():
        if tally.asked:
            questions = quantity(tally.asked, "question", "questions")
            corrections = quantity(tally.corrected, "correction", "corrections")
            fallbacks = f", fallbacks: {', '.join(tally.fallbacks)}" if tally.fallbacks else ""
            yield f"step {report.step}: {name}: {questions}, {corrections}{fallbacks}"


def cut(text: str, most: int) -> str:
    """Return the longest beginning of a line that fits into a number of terminal columns."""
    if columns(text) <= most:
        return text
    kept = ""
    for cluster in iter_graphemes(text):
        if columns(kept + cluster + ELLIPSIS) > most:
            break
        kept += cluster
    return kept + ELLIPSIS


def columns(text: str) -> int:
    """Return the display width of a text in terminal columns."""
    return width(text, control_codes="ignore")
