"""Progress lines."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ville.errors import TimedOut
from ville.llm.accounting.ledger import Spend
from ville.persona.cognitive_modules.conversing.converse import ConversationResult
from ville.persona.prompt_template.ask import Tally
from ville.simulation.running.progress import MAX_LINE, EventLog, Pace, bar_line, columns, cut, run_line
from ville.simulation.stepping.step import StepReport
from ville.storage.steps.step_files import MoveRecord

NOON = datetime(2023, 2, 13, 12)  # noqa: DTZ001 - game time has no zone


def report(*activities: str) -> StepReport:
    names = ("Ada Stone", "Ben Reed", "Cleo Moor")
    moves = {
        name: MoveRecord((0, 0), "🎲", f"{what} @ a:b", None) for name, what in zip(names, activities, strict=False)
    }
    asleep = frozenset(name for name, what in zip(names, activities, strict=False) if what == "sleeping")
    return StepReport(4321, NOON, moves=moves, asleep=asleep)


def test_a_progress_line_has_time_speed_and_activities():
    """Personas that are awake come first; of a task with a subtask, the subtask is shown."""
    line = run_line(report("sleeping", "making tea (boiling water)"), Pace(20, 100, 512.4))
    assert line == "Feb 13, 12:00 · step 4,321 (20 of 100) · 512 steps/s · Ben 🎲 boiling water · Ada 🎲 sleeping"


@pytest.mark.parametrize(
    ("unsure", "money"),
    [
        ({}, "1.50 dollars · Ada"),
        ({"unpriced": 3}, "1.50 dollars plus calls without a price"),
        ({"estimated": 4, "beyond": 2}, "1.50 dollars (4 estimated, 2 above their limit)"),
    ],
)
def test_costs_are_shown_with_a_ledger(unsure, money):
    """In both lines, including calls with unknown or estimated cost."""
    spending = replace(report("reading"), spend=Spend(1200, 34_000, 1.5, **unsure))
    for line in (run_line(spending, Pace(1, 1, 1)), bar_line(spending, Pace(1, 1, 1))):
        assert f" · 1,200 calls, 34,000 tokens, {money}" in f"{line} · Ada"


def test_unusable_answers_are_shown_during_a_run():
    """In both lines, once there are any."""
    useless = replace(report("reading"), unusable=1204, fallbacks=1)
    for line in (run_line(useless, Pace(1, 1, 1)), bar_line(useless, Pace(1, 1, 1))):
        assert " · 1,204 unusable answers, 1 fallback" in line
    assert "unusable" not in bar_line(report("reading"), Pace(1, 1, 1))


@given(st.lists(st.text(min_size=1, max_size=250), max_size=30))
def test_a_line_about_many_personas_stays_short(activities):
    """At most 200 columns; every persona is shown or counted."""
    moves = {f"P{n}": MoveRecord((0, 0), "🎲", f"{what} @ a:b", None) for n, what in enumerate(activities)}
    line = run_line(StepReport(1, NOON, moves=moves), Pace(1, 1, 1))
    assert columns(line) <= MAX_LINE
    more = re.search(r" · and (\d+) more$", line)
    parts = sum(f" · P{n} 🎲" in line for n in range(len(activities)))
    assert parts + int(more[1] if more else 0) == len(activities) or f"all {len(activities)} 🎲" in line


def test_the_same_activity_is_shown_once():
    """Once, with their number."""
    assert run_line(report("sleeping", "sleeping", "sleeping"), Pace(1, 1, 1)).endswith("all 3 🎲 sleeping")


@pytest.mark.parametrize(
    ("done", "bar", "left"), [(0, "." * 24, "0:50"), (50, "#" * 12 + "." * 12, "0:25"), (100, "#" * 24, "0:00")]
)
def test_a_bar_grows_from_nothing_to_all(done, bar, left):
    """With the estimated time left."""
    line = bar_line(report(), Pace(done, 100, 2))
    assert line.startswith(f"[{bar}] {done:3} %")
    assert line.endswith(f"{left} left")


def test_a_run_of_no_steps_has_a_bar_too():
    """There is no division by zero."""
    assert "0:00 left" in bar_line(report(), Pace(0, 0, 0))


def test_an_error_is_shown_once_a_conversation_always():
    """Questions are listed only in debug mode."""
    happened = report()
    happened.failures = {"Ada Stone": TimedOut("Too late.")}
    happened.talks = {("Ada Stone", "Ben Reed"): ConversationResult((), "conversing about tea", 3)}
    happened.tallies = {"Ada Stone": Tally(asked=3, corrected=1, fallbacks=["plan/day_plan"]), "Ben Reed": Tally()}
    events = EventLog(debug=True)
    talk = "Feb 13, 12:00  Ada Stone and Ben Reed are conversing about tea"
    asked = "step 4321: Ada Stone: 3 questions, 1 correction, fallbacks: plan/day_plan"
    assert events.lines(happened) == [talk, "Ada Stone got no answer and continues as before: Too late.", asked]
    assert events.lines(happened) == [talk, asked]
    assert EventLog(debug=False).lines(happened)[:1] == [talk]


@given(st.text(), st.integers(1, 100))
@example("", 1)
@example("ab", 1)
@example("ab", 2)
@example("abc", 2)
@example("a\u98df", 2)
@example("a\u98df", 3)
def test_a_cut_line_fits_the_terminal(text, width):
    """A line that fits is unchanged."""
    line = cut(text, width)
    assert columns(line) <= max(width, 1)
    assert line == text or columns(text) > width


def test_nods_in_passing_are_told():
    """Two met, and one of them had nothing to say."""
    events = EventLog(debug=False)
    told = events.lines(replace(report(), now=NOON, tallies={"Ada": Tally(nods=["Ben"])}))
    assert told == ["Feb 13, 12:00  Ada and Ben pass each other with a nod"]


def test_a_brake_is_told_once_an_hour_of_each_person():
    """However often it acts; those of another person, or of another kind, are told, too."""
    events, talk, reflection = EventLog(debug=False), Tally(braked=["talk", "talk"]), Tally(braked=["reflection"])

    def told(minutes, **tallies):
        return events.lines(replace(report(), now=NOON + timedelta(minutes=minutes), tallies=tallies))

    assert told(0, Ada=talk) == ["Feb 13, 12:00  Ada has talked much, and talks less for a while (talks_per_hour)"]
    assert told(59, Ada=talk) == []
    assert len(told(59, Ada=reflection, Ben=talk)) == 2
    assert len(told(60, Ada=talk)) == 1
