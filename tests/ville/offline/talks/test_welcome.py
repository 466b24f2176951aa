"""Talking with visitors without a model: their words follow no table."""

from datetime import datetime

import pytest

from ville.offline.talks.sayings import templates
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory
from ville.persona.prompt_template.converse_questions import AfterConversation, NextUtterance
from ville.persona.prompt_template.talk_questions import Interview

NOON = datetime(2023, 2, 13, 12, 30)
ISABELLA = "Isabella Rodriguez"
VISITING = "Nora is visiting the town: a painter from the coast"
HOST = f"{ISABELLA} was reading when Nora came up. {VISITING}."


@pytest.fixture
def answered(ask, cast):
    """Return what Isabella says to words of a visitor, said before, and whether she leaves."""

    def answer(*said, last_talk="never", seed=1):
        me = cast[ISABELLA]
        speakers = ("Nora", me.name)
        transcript = tuple(DialogueTurn(speakers[turn % 2], words) for turn, words in enumerate(said))
        question = NextUtterance(
            me.identity(), me.name, "Nora", NOON, "cafe in Hobbs Cafe", HOST, "They hardly know each other.", last_talk,
            me.memories, transcript,
        )  # fmt: skip
        reply = ask(question, seed=seed)
        return reply.utterance, reply.ends

    return answer


@pytest.mark.parametrize("seed", range(5))
def test_strangers_are_greeted_and_asked_once_who_they_are(answered, seed):
    """In the first answer or, if there is news or a question to answer, in the next one."""
    said = ["Hello!"]
    for words in ("I paint the sea.", "It is windy there.", "I like it here."):
        said += [answered(*said, seed=seed)[0], words]
    own = said[1::2]
    asked = [words for words in own for line in templates("visitor who") if line in words]
    assert len(asked) == 1
    assert ISABELLA in own[0]  # a greeting with the name
    assert not any(line in answered("Hello!", last_talk="yesterday", seed=seed)[0] for line in templates("visitor who"))


def test_questions_in_other_words_are_answered_as_in_an_interview(answered):
    """And goodbyes with a goodbye; who is silent is asked whether it is still there."""
    assert "party" in answered("Hello!", "Welcome!", "Is there something going on this week, Isabella?")[0]
    assert answered("Hello!", "Welcome!", "I have to go, see you!")[1]
    nudge, ends = answered("Hello!", "Welcome!")
    assert not ends
    assert any(line.replace("{other}", "Nora") in nudge for line in templates("visitor nudge"))


def test_the_visitor_is_known_the_next_day(ask, cast):
    """By what was seen of it, and what it said about itself."""
    me = cast[ISABELLA]
    said = (("Nora", "Hello!"), (me.name, f"Welcome! {templates('visitor who')[0]}"), ("Nora", "I paint the sea."))
    question = AfterConversation(me.identity(), me.name, "Nora", NOON, tuple(DialogueTurn(*line) for line in said))
    memo = ask(question).memo.text
    assert memo.startswith(f"{me.name} met Nora")
    memories = tuple(QuotedMemory(NOON, text, "thought") for text in (VISITING, memo))
    interview = Interview(me.identity(), me.name, memories, (DialogueTurn("Interviewer", "Who is Nora?"),))
    answer = ask(interview).utterance
    assert "a painter from the coast" in answer
    assert "I paint the sea." in answer
