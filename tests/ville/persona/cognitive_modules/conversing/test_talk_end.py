"""Laws of the end of a talk."""

from random import Random
from types import SimpleNamespace

import pytest

from ville.persona.cognitive_modules.conversing.manner import talkativeness, way_of_speaking
from ville.persona.cognitive_modules.conversing.talk_end import (
    LEAST,
    is_over,
    most_utterances,
    repeats,
    takes_leave,
    to_its_end,
    to_the_other,
    without_echo,
)

ADA, BEN = "Ada Stone", "Ben Reed"


@pytest.mark.parametrize(
    "said",
    [
        "Goodbye, Ben!",
        "See you later!",
        "I have to go now.",
        "Take care, and have a nice day.",
        "I'd better get back to the shop.",
        "До встречи!",
    ],
)
def test_leave_is_taken_in_many_words(said):
    """In English and Russian."""
    assert takes_leave(said)


@pytest.mark.parametrize(
    "said", ["Shall I see you at five?", "They had to go to the dentist.", "Good morning!", "Пока не знаю."]
)
def test_other_words_take_no_leave(said):
    """Nor do questions when to meet again."""
    assert not takes_leave(said)


def test_a_talk_is_over_with_the_answer_to_a_leave_taking():
    """Never with its first words, which may be `See you at the party!`."""
    hello, bye = (ADA, "Good morning!"), (BEN, "Goodbye!")
    assert not is_over((bye,))
    assert not is_over((hello, bye))
    assert is_over((hello, bye, hello))
    assert not is_over((bye, hello))


def test_what_was_said_is_not_said_again():
    """Nor back, in other order or under another name; greetings may be."""
    news = "The fair begins on Saturday at ten, Ben."
    assert repeats("On Saturday at ten the fair begins, Ada!", [news], (ADA, BEN))
    assert not repeats("Good morning, Ben!", ["Good morning, Ada!"], (ADA, BEN))
    assert not repeats("The fair? I cannot come on Saturday, I am to work.", [news], (ADA, BEN))


def test_a_talk_that_was_written_at_once_is_told_to_its_end():
    """Up to the answer to a leave-taking, or what is said again."""
    news, reply, bye = (ADA, "The fair begins on Saturday at ten."), (BEN, "I shall bring my children."), (ADA, "Bye!")
    assert to_its_end((news, reply, news, bye)) == (news, reply)
    assert to_its_end((news, reply, bye, reply, news)) == (news, reply, bye)
    assert to_its_end((news, reply, bye, (BEN, "Take care!"), news)) == (news, reply, bye, (BEN, "Take care!"))


def person(innate):
    return SimpleNamespace(innate=innate)


def test_sentences_that_were_said_are_left_out():
    """The others are said; an utterance that repeats as a whole is not."""
    before = ["Good morning! The fair begins on Saturday at ten."]
    names = (ADA, BEN)
    assert without_echo("The fair begins on Saturday at ten. Shall we go?", before, names) == "Shall we go?"
    assert without_echo("On Saturday at ten the fair begins!", before, names) == ""
    assert without_echo("Good morning!", before, names) == "Good morning!"


def test_nobody_takes_leave_of_themselves():
    """A name by which one addresses somebody is that of the other; names in other places stay."""
    assert to_the_other("Goodbye, Ada. Thank you Ada!", "Ada", "Ben") == "Goodbye, Ben. Thank you Ben!"
    assert to_the_other("Yes, Ada Stone lives here. I am Ada.", "Ada", "Ben") == "Yes, Ada Stone lives here. I am Ada."
    assert to_the_other("До свидания, Ада!", "Ада", "Бен") == "До свидания, Бен!"
    assert to_the_other("Hello, Cleo!", "Ada", "Ben") == "Hello, Cleo!"


def test_talkative_people_talk_longer():
    """And those on their way more briefly; both have a word at least."""
    still, walking = SimpleNamespace(walking=False), SimpleNamespace(walking=True)

    def length(*innate, seen=(still, still)):
        return most_utterances([person(each) for each in innate], seen, Random(1))  # noqa: S311 - not for secrets

    usual = length("kind", "kind")
    assert length("outgoing, kind", "kind") > usual > length("shy", "kind")
    assert length("kind", "kind", seen=(walking, still)) < usual
    assert length("shy", "grumpy", seen=(walking, walking)) == LEAST


def test_the_way_of_speaking_follows_from_the_description():
    """By traits that are known; others stand for themselves."""
    assert way_of_speaking(person("rude, curious")) == "bluntly, without courtesies, curiously"
    assert way_of_speaking(person("left-handed")) == "left-handed"
    assert [talkativeness(person(each)) for each in ("outgoing", "shy", "wise", "shy, outgoing")] == [1, -1, 0, 0]
