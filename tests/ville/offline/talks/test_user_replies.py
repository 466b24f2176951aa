"""Conversations with users without a model."""

from datetime import datetime, timedelta

import pytest

from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory
from ville.persona.prompt_template.converse_questions import NextUtterance
from ville.persona.prompt_template.talk_questions import Interview

NOON = datetime(2023, 2, 13, 12)
ADA, ROLE = "Ada Stone", "a news reporter"
IDENTITY = f"Name: {ADA}\nAge: 30\nLearned traits: {ADA} bakes bread.\nLifestyle: Ada goes to bed at 10pm."
PARTY = f"{ADA} is giving a birthday party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
MEMORIES = (QuotedMemory(NOON - timedelta(hours=1), PARTY, "thought", 8),)


def said(ask, *lines):
    """Return what Ada says after lines of the user and, in between, her own."""
    relationship = f"{ADA} and {ROLE} hardly know each other."
    turns = tuple(DialogueTurn((ROLE, ADA)[number % 2], line) for number, line in enumerate(lines))
    return ask(
        NextUtterance(
            IDENTITY, ADA, ROLE, now=NOON, place="cafe", situation="", relationship=relationship, last_talk="never",
            memories=MEMORIES, transcript=turns,
        )
    )  # fmt: skip


def test_a_stranger_is_asked_once_who_it_is(ask):
    """Not if it has said so, nor later on; the question is answered first."""
    first = said(ask, "What will there be tomorrow at your party?")
    assert "birthday party" in first.utterance
    assert "who" in first.utterance
    assert "who" not in said(ask, "My name is Jane. Are you giving a party?").utterance
    assert "who" not in said(ask, "Are you giving a party?", first.utterance, "And when is it?").utterance
    assert not first.ends


@pytest.mark.parametrize("line", ["Goodbye, and thank you.", "I have to go now.", "Well, see you tomorrow"])
def test_a_farewell_ends_the_conversation(ask, line):
    """However it is worded."""
    assert said(ask, "What is up?", "Not much.", line).ends


@pytest.mark.parametrize(("asker", "told"), [(ROLE, True), ("a plumber", False)])
def test_reporters_are_told_the_news(ask, asker, told):
    """Even if they ask for nothing in particular; others have to ask for it."""
    for question, knows in (("Anything for our readers?", told), ("What is the latest?", True)):
        answer = ask(Interview(IDENTITY, ADA, MEMORIES, (DialogueTurn(asker, question),))).utterance
        assert ("birthday party" in answer) is knows
