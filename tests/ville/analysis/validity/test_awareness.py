"""A model that guesses the purpose from prompts is told from one that does not."""

import pytest

from ville.analysis.validity.awareness import (
    PROMPTS,
    AwarenessRound,
    awareness,
    chosen_prompts,
    first_question,
    read_guesses,
    read_verdict,
    shared_words,
)

PURPOSE = "Does the news of the party spread?"


def test_the_prompts_that_are_shown_are_of_all_kinds_and_depend_on_the_seed():
    prompts = [("plan/a", f"p{n}") for n in range(50)] + [("talk/b", "q"), ("plan/c", "r")]
    chosen = chosen_prompts(prompts, "1")
    assert len(chosen) == PROMPTS
    assert {question for question, _ in chosen} == {"plan/a", "talk/b", "plan/c"}
    assert chosen == chosen_prompts(prompts, "1") != chosen_prompts(prompts, "2")
    assert all(text in first_question(chosen) for _, text in chosen)
    assert chosen_prompts(prompts[:2], "1") == prompts[:2]


@pytest.mark.parametrize(
    ("text", "guesses"),
    [('So: {"guesses": ["a", "b", "c", "d"]}', ("a", "b", "c")), ("{}", ()), ("nothing", ()), ('{"guesses": 3}', ())],
)
def test_guesses_are_read_from_any_answer(text, guesses):
    assert read_guesses(text) == guesses


@pytest.mark.parametrize(("right", "colour"), [(0, "unknown"), (1, "unknown"), (3, "amber"), (5, "red")])
def test_the_share_of_right_guesses_has_the_colour_of_its_interval(right, colour):
    """Five questions tell little: none right of five may be up to 43 % (Wilson)."""
    rounds = [AwarenessRound("a", (), ("g",), "yes" if n < right else "partly", 0.0) for n in range(5)]
    found = awareness(rounds, PURPOSE, "model")
    assert (found.colour, found.figure) == (colour, right / 5)
    assert f"{right} right, {5 - right} partly" in found.details[0]


def test_words_are_counted_without_a_judge():
    assert shared_words(PURPOSE, ["How a party becomes news"]) == pytest.approx(2 / 3)
    assert read_verdict('{"verdict": "perhaps"}') == ""
