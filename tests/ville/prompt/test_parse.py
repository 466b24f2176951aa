"""Typed text, read as a command and completed to one."""

from datetime import datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import BadArgument, CommandError, UnknownCommand, UnknownPersona
from ville.prompt.arguments import PERSONA, Meeting, NewBranch
from ville.prompt.commands import COMMANDS, TypedCommand, completions, parse
from ville.simulation.clock import Duration, Steps, UntilMoment, UntilStep, UntilTime
from ville.simulation.pacing.run_control import Speed
from ville.world.address import Tile

NAMES = ["Ada Stone", "Ben Reed", "Ayesha Maria Khan", "Plato", "Maria Reed"]
MEMORY = "print persona associative memory"


def typed(text):
    """Return the words of the command that a text is, and its argument."""
    found = parse(text, NAMES)
    return found.command.words, found.argument


@pytest.mark.parametrize(
    ("words", "rest", "argument"),
    [
        *((words, "", None) for words in ("f", "fin", "finish", "save and finish", "save", "exit", "help")),
        ("run", "100", Steps(100)),
        ("start path tester mode", "", None),
        *(
            (f"print persona {what}", "Ada Stone", "Ada Stone")
            for what in ("schedule", "current tile", "spatial memory")
        ),
        ("print persona chatting with buffer", "Ada Stone", "Ada Stone"),
        ("print all persona schedule", "", None),
        ("print hourly org persona schedule", "Ada Stone", "Ada Stone"),
        *((f"{MEMORY} ({kind})", "Ada Stone", "Ada Stone") for kind in ("event", "thought", "chat")),
        ("print current time", "", None),
        ("print tile event", "50, 30", Tile(50, 30)),
        ("print tile details", "50, 30", Tile(50, 30)),
        ("call -- analysis", "Ada Stone", Meeting("Ada Stone")),
        ("call -- whisper", "Ada Stone", "Ada Stone"),
        ("call -- load history", "the_ville/a b.csv", "the_ville/a b.csv"),
    ],
)
def test_the_commands_of_the_released_code_are_understood(words, rest, argument):
    """Case and extra blanks do not matter, except in file names."""
    text = f"{words} {rest}".strip()
    assert typed(text) == (words, argument)
    assert typed(f"  {text.replace(' ', '  ')} ") == (words, argument)
    if "history" not in words:
        assert typed(text.upper()) == (words, argument)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("0", Steps(0)),
        ("1 step", Steps(1)),
        ("30 steps", Steps(30)),
        ("steps 5", Steps(5)),
        ("step 1", Steps(1)),
        ("2 hours", Duration(timedelta(hours=2))),
        ("1 day", Duration(timedelta(days=1))),
        ("90 minutes", Duration(timedelta(minutes=90))),
        ("until 08:00", UntilTime(time(8))),
        ("until morning", UntilTime(time(6))),
        ("until step 2500", UntilStep(2500)),
        ("until 8:00:30", UntilTime(time(8, 0, 30))),
        ("until February 14, 2023, 18:00:00", UntilMoment(datetime(2023, 2, 14, 18))),  # noqa: DTZ001 - game time
    ],
)
def test_a_run_goes_as_far_as_it_is_told(text, span):
    """Steps, game time, a time of day, a date and time, or a step."""
    assert parse(f"run {text}", NAMES).argument == span


def test_a_speed_is_a_number_of_game_seconds_per_second():
    """Or as fast as possible; within limits that a run can keep."""
    assert parse("speed 60", NAMES).argument == Speed(60)
    assert parse("speed MAX", NAMES).argument == Speed()
    for text in ("0", "-1", "nan", "inf", "1e9", "fast", ""):
        with pytest.raises(BadArgument):
            parse(f"speed {text}", NAMES)


@pytest.mark.parametrize(
    "text",
    ["-1", "ten", "1.5 hours", "2 weeks", "until", "until noon", "until 25:00", "1 2", "steps", "steps 2 hours", ""],
)
def test_a_run_without_an_end_is_refused(text):
    """The message shows the syntax."""
    with pytest.raises(BadArgument, match="100|February"):
        parse(f"run {text}", NAMES)


def test_an_estimate_without_a_length_is_refused():
    """The message quotes only what was typed."""
    with pytest.raises(BadArgument, match=r"^'ten' is not a length of time.* 100 \(steps\)"):
        parse("estimate ten", NAMES)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Plato", "Plato"),
        ("Ayesha Maria Khan", "Ayesha Maria Khan"),
        ("ada stone", "Ada Stone"),
        ("Ada", "Ada Stone"),
        ("Maria Khan", "Ayesha Maria Khan"),
    ],
)
def test_part_of_a_name_is_enough(text, name):
    """A full name, or part of a name that only one persona has."""
    assert parse(f"print persona schedule {text}", NAMES).argument == name


@pytest.mark.parametrize(
    ("text", "fix"), [("Reed", "Ben Reed, Maria Reed"), ("Ad", "Choose one of: Ada Stone"), ("Zoe", "Zoe")]
)
def test_unknown_and_ambiguous_names_are_refused(text, fix):
    """The message lists the names to choose from."""
    with pytest.raises(UnknownPersona, match=fix):
        parse(f"call -- analysis {text}", NAMES)


@pytest.mark.parametrize(
    ("text", "fault", "fix"),
    [
        ("prnt current time", UnknownCommand, "Did you mean 'print current time'"),
        ("dance", UnknownCommand, "Type 'help'"),
        ("save now", BadArgument, "Leave out 'now'"),
        ("print persona schedule", BadArgument, "print persona schedule NAME"),
        ("print tile event here", BadArgument, "50, 30"),
        ("print tile event -1, 2", BadArgument, "50, 30"),
    ],
)
def test_an_error_says_what_to_type(text, fault, fix):
    """The message shows what to type instead."""
    with pytest.raises(fault, match=fix):
        parse(text, NAMES)


LINES = st.text(max_size=60) | st.tuples(st.sampled_from([form.words for form in COMMANDS]), st.text()).map(" ".join)


@given(LINES)
def test_any_text_is_a_command_or_a_one_line_error(text):
    """Any text gives a command, or a CommandError with a one-line message."""
    try:
        result: object = parse(text, NAMES)
    except CommandError as fault:
        result = fault
    assert isinstance(result, TypedCommand) or "\n" not in str(result)


def test_commands_are_distinct():
    """No two commands have the same words, and each has a description."""
    assert len({form.words for form in COMMANDS}) == len(COMMANDS)
    assert all(form.description for form in COMMANDS)


@pytest.mark.parametrize(
    ("text", "meeting"),
    [
        ("call -- analysis ada AS  a news  reporter", Meeting("Ada Stone", "a news reporter")),
        ("call -- talk Ayesha Maria as someone as old", Meeting("Ayesha Maria Khan", "someone as old")),
        ("call -- talk plato", Meeting("Plato")),
    ],
)
def test_a_user_may_speak_as_somebody(text, meeting):
    """The role follows the first `as`; without one the command does not say."""
    assert parse(text, NAMES).argument == meeting


def test_the_moment_and_the_end_of_a_branch_stand_in_any_order():
    """A name may be followed by either."""
    for text in ("until 20:00 @February 13, 2023, 18:00:00", "@February 13, 2023, 18:00:00 until 20:00"):
        found = parse(f"branch told {text}", NAMES)
        assert (found.argument, found.at) == (NewBranch("told", "20:00"), "February 13, 2023, 18:00:00")


def test_every_command_is_completed():
    """An empty line offers every command; those that need an argument end in a blank."""
    lines = list(completions("", NAMES))
    assert [line.strip() for line in lines] == [form.words for form in COMMANDS]
    assert all(parse(line, NAMES) for line in lines if not line.endswith(" "))


def test_names_are_completed_after_the_words():
    """All names, or those that begin as typed, ignoring case."""
    for form in COMMANDS:
        if form.argument is PERSONA:
            assert list(completions(f"{form.words} ", NAMES)) == [f"{form.words} {name}" for name in NAMES]
            assert list(completions(f"{form.words.upper()} b", NAMES)) == [f"{form.words} Ben Reed"]


def test_unknown_commands_are_not_completed():
    """Nor for a name that does not exist."""
    assert not list(completions("dance", NAMES))
    assert not list(completions("print persona schedule Z", NAMES))
