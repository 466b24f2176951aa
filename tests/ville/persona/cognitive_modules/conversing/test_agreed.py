"""Laws of what is kept of a talk for planning: it was said."""

import pytest

from ville.persona.cognitive_modules.conversing.agreed import may_agree, was_agreed
from ville.persona.memory_structures.scratch import Conversation

ADA, BEN = "Ada Stone", "Ben Reed"


def talk(*said):
    return Conversation(BEN, tuple(((ADA, BEN)[number % 2], words) for number, words in enumerate(said)), None)


@pytest.mark.parametrize(
    "said", ["Come to the fair!", "At 5pm, then.", "Could you lend me a pan?", "See you on Friday.", "Завтра приходи!"]
)
def test_times_and_favours_may_be_agreed_on(said):
    """In English and Russian."""
    assert may_agree(talk("Good morning!", said), [])


def test_small_talk_agrees_on_nothing():
    """Unless it names a place that the persona knows."""
    chat = talk("Good morning! How is your paper?", "I am well, and it grows.", "The roses at Hobbs Cafe bloom.")
    assert not may_agree(chat, [])
    assert may_agree(chat, ["Hobbs Cafe"])


@pytest.mark.parametrize(
    "kept",
    [
        "Ada Stone meets Ben Reed at the fair on Saturday at 10:00, at the square.",
        "Ada Stone brings two loaves to the fair",
        "Ada Stone goes to the fair at 10am",
    ],
)
def test_said_agreements_are_kept(kept):
    """With their hours, on any clock."""
    assert was_agreed(kept, talk("Will you come to the fair on the square on Saturday?", "At ten! I bring two loaves."))


@pytest.mark.parametrize(
    "kept",
    [
        "Ada Stone has to finish her paper at 10 PM and help Eddy with his homework at 11 PM",
        "Ada Stone goes to the fair on Saturday at 16:00",
        "Ada Stone finds a way to get to the island without a post office",
    ],
)
def test_invented_agreements_are_not_kept(kept):
    """Nor other hours than were said."""
    assert not was_agreed(kept, talk("Will you come to the fair on Saturday?", "At ten! My paper is nearly done."))
