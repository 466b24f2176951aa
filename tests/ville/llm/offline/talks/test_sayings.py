"""Sayings: every line can be said, is understood by whoever hears it, and questions get answers of their own."""

import re

import pytest

from ville.llm.offline.people.topics import at_in
from ville.llm.offline.talks.dialogue import ASKS, FAREWELLS
from ville.llm.offline.talks.phrases import LINES, named_in, recogniser

BLANKS = {
    "other": "Ben", "name": "Ada Stone", "news": "Cleo is giving a party.", "news_low": "Cleo is giving a party.",
    "told": "I have heard that", "who": "Cleo", "teller": "Ove", "teller_low": "Ove", "topic": "mending nets",
    "doing": "reading a book", "doing_up": "Reading a book", "when": "this morning", "when_up": "This morning",
    "daypart": "Good morning", "part": "morning", "weekday": "Monday", "place": "Hobbs Cafe", "what": "party",
    "day": "February 14th", "on_day": "on February 14th", "host": "Cleo",
}  # fmt: skip
FRAGMENTS = {"told by", "told in person", "told", "turn", "decline shift"}
"""Sayings that go on."""
SAYINGS = [(key, line.format_map(BLANKS)) for key, lines in LINES.items() for line in lines]


def test_every_saying_is_good_english(sentences):
    """Whole sentences, but for those that introduce something."""
    faulty = [(line, found) for key, line in SAYINGS if key not in FRAGMENTS and (found := sentences(line))]
    assert faulty == []


def test_no_saying_stands_twice():
    """Under one key every line is another."""
    assert [key for key, lines in LINES.items() if len(lines) != len(set(lines))] == []


@pytest.mark.parametrize("key", ASKS)
def test_every_question_has_an_answer(key):
    """Some lines to answer it with, and each of its own lines is known for a question."""
    subject = re.sub(r"^(?:ask|thank|welcome) ", "", key)
    assert key in {"reply back", "saw other", "saw you", "ask seen"} or f"answer {subject}" in LINES
    for line in LINES[key]:
        assert recogniser(key).search(line.format_map(BLANKS))


def test_a_question_is_taken_for_no_other():
    """The first question that a line is recognised as is its own."""
    wrong = [
        (key, line) for key in ASKS for line in LINES[key]
        if next(other for other in ASKS if recogniser(other).search(line.format_map(BLANKS))) != key
    ]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize("key", ["answer work", "tell work", "tell more"])
def test_what_somebody_is_at_is_understood(key):
    """However it is told, the listener hears the same."""
    assert {at_in(line.format_map(BLANKS)) for line in LINES[key]} == {"mending nets"}


def test_a_farewell_is_understood_and_nothing_else_is_one():
    """Every parting word is known for one; no question, answer or greeting is taken for it."""
    parting = [re.compile(recogniser(key).pattern, re.IGNORECASE) for key in FAREWELLS]
    assert all(
        any(said.search(line) for said in parting) for key, line in SAYINGS if key.split(" ")[0] in {"bye", "part"}
    )
    others = [line for key, line in SAYINGS if key.startswith(("ask", "answer", "greet", "tell", "interest", "reply"))]
    assert [line for line in others if any(said.search(line) for said in parting)] == []


@pytest.mark.parametrize("key", ["saw other", "ask seen"])
def test_who_is_spoken_of_is_understood(key):
    """A person, by the full name, and no place that is named as well."""
    blanks = BLANKS | {"who": "Cleo Vance", "doing": "studying at Oak Hill College"}
    assert {named_in(key, line.format_map(blanks)) for line in LINES[key]} == {"Cleo Vance"}
