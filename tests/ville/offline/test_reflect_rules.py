"""Reflecting without a model: conclusions that follow from their evidence, and are drawn once."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.persona.prompt_template.blanks import NumberedMemories, QuotedMemory
from ville.persona.prompt_template.reflect_questions import FocalPoints, Insights
from ville.plain_text import one_line

NOON = datetime(2023, 2, 13, 12)
PARTY = "Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
KLAUS = "Klaus Mueller"
SEEN = tuple(
    QuotedMemory(NOON, text, "event")
    for text in (
        "Klaus Mueller is reading an article for the paper", "Klaus Mueller is writing a section of the paper",
        "Klaus Mueller is checking a source for the paper", "Klaus Mueller is taking a walk in the park",
        "Klaus Mueller is watching the birds in the park", "Wolfgang Schulz is taking notes from the textbook",
        "Wolfgang Schulz is solving an exercise", "Maria Lopez is writing a page of the lab report",
        "Maria Lopez is writing a problem sheet",
        "Klaus Mueller found out that Wolfgang Schulz is studying chemistry at Oak Hill College",
        f"Klaus Mueller was invited by Isabella Rodriguez to the {PARTY}, and Klaus wants to go",
        f"Klaus Mueller heard from Ayesha Khan that Isabella Rodriguez is giving a {PARTY}",
        "Ayesha Khan is a close friend of Klaus Mueller's", "Klaus Mueller likes Ayesha Khan",
    )
)  # fmt: skip
ABOUT = (
    "What kind of person is Wolfgang Schulz in the eyes of Klaus Mueller?",
    "What does Isabella Rodriguez's Valentine's Day party mean to Klaus Mueller?",
    "Which habits shape the days of Klaus Mueller?",
    "How do Klaus Mueller and Ayesha Khan stand to each other?",
)


def insights(ask, cast, about, statements=SEEN, *, seed=1, name=KLAUS):
    question = Insights(cast[name].identity(), name, about, NumberedMemories(tuple(statements)), 5)
    return ask(question, seed=seed).insights


@pytest.mark.parametrize("about", ABOUT)
def test_a_question_is_answered_with_evidence(ask, cast, sentences, about):
    """Something follows, each from statements that speak of its subject, in a sentence without a fault."""
    found = insights(ask, cast, about)
    assert found
    for insight in found:
        assert sentences(f"{insight.text}.") == []
        told = " ".join(SEEN[number].text for number in insight.because_of)
        assert insight.subject in told


def test_what_was_concluded_is_not_concluded_again(ask, cast):
    """With its own conclusions among the memories a mind finds nothing new in the old evidence, in whatever words."""
    for about in ABOUT:
        known = tuple(QuotedMemory(NOON, insight.text, "thought") for insight in insights(ask, cast, about))
        for seed in range(2, 12):
            before = {(insight.subject, insight.predicate) for insight in insights(ask, cast, about)}
            again = {
                (insight.subject, insight.predicate)
                for insight in insights(ask, cast, about, (*SEEN, *known), seed=seed)
            }
            assert not again & before, about


def test_two_questions_are_not_answered_alike(ask, cast):
    """Questions about a person, an occasion or oneself have answers of their own."""
    texts = [insight.text for about in ABOUT for insight in insights(ask, cast, about)]
    assert len(texts) == len(set(texts))


def test_the_host_counts_her_guests(ask, cast):
    """Who invited others concludes who will come, from what they said."""
    host = "Isabella Rodriguez"
    told = tuple(
        QuotedMemory(
            NOON,
            f"For {host}'s planning: {host} has invited {guest} to the {PARTY}, and {guest.split()[0]} wants to go",
            "thought",
        )
        for guest in ("Klaus Mueller", "Maria Lopez", "Eddy Lin")
    )  # fmt: skip
    about = f"What does {host}'s Valentine's Day party mean to {host}?"
    texts = " ".join(insight.text for insight in insights(ask, cast, about, told, name=host))
    assert sum(guest in texts for guest in ("Klaus Mueller", "Maria Lopez", "Eddy Lin")) >= 2


def test_questions_are_about_what_weighs_most(ask, cast):
    """Three of them, all different, one of them about whom the memories speak of most."""
    heavy = tuple(
        QuotedMemory(NOON, f"Klaus Mueller quarrelled with Tom Moreno {time}", "event", 8) for time in range(5)
    )
    questions = ask(FocalPoints(cast[KLAUS].identity(), KLAUS, (*SEEN, *heavy), 3)).questions
    assert len(set(questions)) == 3
    assert any("Tom Moreno" in question for question in questions)


TEXT = st.one_of(st.text(max_size=50), st.sampled_from([memory.text for memory in SEEN]))


@settings(max_examples=60)
@given(
    texts=st.lists(TEXT, max_size=30),
    about=TEXT,
    name=st.text(min_size=1, max_size=20).filter(lambda name: one_line(name).strip()),
    seed=st.integers(0, 5),
)
def test_any_memories_can_be_reflected_on(ask, texts, about, name, seed):
    """Whatever was noticed, every conclusion names statements that exist, and nothing is asked twice."""
    memories = tuple(QuotedMemory(NOON, text, "event", 3) for text in texts)
    found = ask(Insights(f"Name: {name}", name, about, NumberedMemories(memories), 5), seed=seed).insights
    assert all(0 <= number < len(memories) for insight in found for number in insight.because_of)
    questions = ask(FocalPoints(f"Name: {name}", name, memories, 3), seed=seed).questions
    assert len(questions) == len(set(questions)) <= 3
