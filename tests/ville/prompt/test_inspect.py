"""Output of the commands that only look, in the formats of the released code."""

import re

import pytest

from ville.errors import TileOffMap
from ville.persona.memory_structures.schedule import Schedule
from ville.prompt.commands import help_text, parse

NAMES = ["Ada Stone", "Ben Reed", "Cleo Adams Moor"]
MEMORY = "print persona associative memory"


def answer(simulation, typed):
    """Return what a command that only looks shows."""
    arguments = [] if typed.argument is None else [typed.argument]
    return typed.command.does.view(simulation, *arguments)


@pytest.fixture
def ask(opened):
    """Return the answer of a new simulation to a command."""
    simulation = opened("new")
    return lambda text: answer(simulation, parse(text, NAMES))


@pytest.fixture
def asked_later(opened_after):
    """Return the answers of a simulation after one day on which those who meet talk."""
    simulation = opened_after(1440, talkative=True)
    return lambda text: answer(simulation, parse(text, NAMES))


def test_time_is_printed_with_the_steps(ask):
    """Game time in words, then the number of the next step."""
    assert ask("print current time") == "February 13, 2023, 00:00:00\nsteps: 0"


def test_every_persona_has_a_tile_before_the_first_step(ask):
    """As a pair of numbers."""
    assert ask("print persona current tile Ben Reed") == "(6, 2)"


def test_a_schedule_lists_when_activities_end(asked_later):
    """Each line has the end, two bars, and the activity; the day ends at 24:00."""
    lines = asked_later("print persona schedule Ada Stone").splitlines()
    assert all(re.fullmatch(r"\d\d:\d\d \|\| \S.*", line) for line in lines)
    assert lines[-1].startswith("24:00")
    assert lines == sorted(lines)


def test_the_schedules_of_all_are_those_of_each(asked_later):
    """Name, schedule, blank line, rule."""
    each = [f"{name}\n{asked_later(f'print persona schedule {name}')}\n\n---" for name in NAMES]
    assert asked_later("print all persona schedule") == "\n".join(each)


def test_the_hourly_schedule_is_the_day_as_it_was_planned(opened_after):
    """To the quarter of an hour, and the same in both schedules before anything is divided into steps."""
    simulation = opened_after(1)
    day, planned = (answer(simulation, parse(f"print {which} Ada Stone", NAMES))
                    for which in ("persona schedule", "hourly org persona schedule"))  # fmt: skip
    assert day == planned
    assert all(re.fullmatch(r"\d\d:(00|15|30|45) \|\| \S.*", line) for line in planned.splitlines())
    assert planned.endswith("24:00 || sleeping")


def test_memories_are_tuples_newest_first(asked_later):
    """One on each line, numbered down to 1."""
    for kind in ("event", "thought"):
        name, *lines = asked_later(f"{MEMORY} ({kind}) Ada Stone").splitlines()
        assert name == "Ada Stone"
        beginnings = [f"('{kind.capitalize()}', {number}, ': ', (" for number in range(len(lines), 0, -1)]
        assert all(line.startswith(begin) for line, begin in zip(lines, beginnings, strict=True))
        assert len(lines) > 3


def test_a_conversation_is_printed_word_for_word(asked_later):
    """Partner, topic, time, and all lines."""
    lines = asked_later(f"{MEMORY} (chat) Ada Stone").splitlines()
    assert re.fullmatch(r"with (Ben Reed|Cleo Adams Moor) \(conversing about .*\)", lines[1])
    assert re.fullmatch(r"February 13, 2023, \d\d:\d\d:00", lines[2])
    assert any(re.fullmatch(r"Ada Stone: This is line \d, .*", line) for line in lines[3:])
    assert asked_later("print persona chatting with buffer Ada Stone").count("\n") == 1


def test_places_are_a_tree(ask):
    """Deeper places are indented further."""
    expected = " the Town\n > Ada's flat\n > > main room\n > > > ['bed', 'closet']"
    assert ask("print persona spatial memory Ada Stone") == expected


def test_tile_details_are_complete(ask):
    """One line for each key; events as tuples."""
    details = ask("print tile details 1, 2").splitlines()
    assert details[:4] == ["world: the Town", "sector: Ada's flat", "arena: main room", "game_object: bed"]
    assert ask("print tile event 1, 2").splitlines()[0] == '("the Town:Ada\'s flat:main room:bed", None, None, None)'
    with pytest.raises(TileOffMap, match="99, 99"):
        ask("print tile event 99, 99")


def test_a_day_without_a_plan_is_empty(ask):
    """Before the first step there is none."""
    assert ask("print persona schedule Ada Stone") == "" == "".join(map(str, Schedule().rows()))


def test_offline_rules_have_no_ledger_but_an_estimate(ask):
    """Both say that personas follow offline rules; the estimate counts the requested steps."""
    assert "rules" in ask("print ledger")
    assert "rules" in (reckoned := ask("estimate 2 hours"))
    assert "120 more steps of 3 people" in reckoned


def test_help_has_a_line_for_every_command():
    """Words, argument, and description."""
    assert "run 100 | 2 hours | until 08:00" in help_text()
    assert all(len(line.split("  ")) > 1 for line in help_text().splitlines())
