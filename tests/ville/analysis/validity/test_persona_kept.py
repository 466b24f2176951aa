"""Two answers to a fact contradict each other, say the same, or cannot be compared."""

import pytest

from ville.analysis.validity.persona_kept import AnswerPair, PersonaFact, compared, persona_facts, persona_kept

NAMES = ("Ben", "Cleo", "Hobbs Cafe")


@pytest.mark.parametrize(
    ("kind", "first", "again", "verdict"),
    [
        ("number", "I am 34.", "Thirty-four? No: 34.", "same"),
        ("number", "I am 34.", "I'm 35 years old.", "contradicts"),
        ("number", "At six.", "Around 6am", "same"),
        ("number", "6:00 AM", "18:00", "contradicts"),
        ("number", "6 pm", "18:00", "same"),
        ("number", "I am old.", "I am 35.", "cannot be compared"),
        ("names", "With Ben and Cleo.", "Cleo does.", "same"),
        ("names", "With Ben.", "Cleo does.", "contradicts"),
        ("names", "Alone.", "Cleo does.", "cannot be compared"),
        ("yes_no", "Yes, I am.", "No.", "contradicts"),
        ("yes_no", "Of course.", "I do.", "same"),
        ("words", "I own a cafe.", "My cafe is my work.", "same"),
        ("words", "I own a cafe.", "I paint pictures.", "contradicts"),
        ("words", "I own a cafe.", "I don't know.", "cannot be compared"),
    ],
)
def test_answers_are_compared_by_what_they_say(kind, first, again, verdict):
    fact = PersonaFact("x", kind, "?", "?")
    assert compared(("run", "Ada", fact), (first, again), ("run@1", "run"), NAMES).verdict == verdict


def test_contradictions_are_counted_in_a_hundred_pairs_that_can_be_compared():
    verdicts = ["contradicts"] * 3 + ["same"] * 17 + ["cannot be compared"] * 10
    pairs = [AnswerPair("a", "Ada", "age", ("a@1", "a"), "1", "2", verdict) for verdict in verdicts]
    found = persona_kept(pairs)
    assert (found.figure, found.colour, found.doubt) == (15, "amber", "The interval reaches into red.")
    assert found.low < 15 < found.high
    assert "3 contradictions in 20 pairs; 10 cannot" in found.details[0]


def test_facts_are_asked_in_two_wordings():
    assert all(fact.first != fact.again for fact in persona_facts())
    assert {fact.kind for fact in persona_facts()} == {"number", "names", "words", "yes_no"}
