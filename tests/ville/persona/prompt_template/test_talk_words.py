"""Words of questions for an utterance: what is new to the other first, no secrets, and no purpose but one's own."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.prompt_template import talk_words
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory

ADA, BEN = "Ada Stone", "Ben Reed"
NOON = datetime.fromisoformat("2023-02-13T12:00:00")


def memory(text, kind="thought"):
    return QuotedMemory(NOON, text, kind, age="today 12:00 PM")


def test_who_meets_does_not_read_again_what_it_does():
    """Each is told what is seen of the other; other beginnings stay as they are."""
    met = f"{ADA} was baking when {ADA} saw {BEN}, who was conversing about tea. {ADA} goes up to {BEN}."
    assert talk_words.meeting(met, ADA) == f"{ADA} sees {BEN}, who is talking about tea, and goes up to {BEN}."
    assert talk_words.meeting(met, BEN) == f"{ADA}, who was baking, comes up to {BEN}."
    assert talk_words.meeting("A man came up to Ada.", ADA) == "A man came up to Ada."


def test_only_strangers_have_never_talked():
    """Friends whose talks are older than the town would introduce themselves to each other."""
    assert talk_words.last_talked("never", strangers=False) == ""
    assert "never talked" in talk_words.last_talked("never", strangers=True)
    told = talk_words.last_talked(
        "Monday, February 13, 2023, 9:40 AM, 140 minutes ago, conversing about tea", strangers=True
    )
    assert told == " They last talked 2 hours ago, about tea."


def test_memories_are_few_and_each_is_told_once():
    """Of the other, and the newest others; no secret, and not again what the speaker comes to by itself."""
    secret = memory(f"{ADA} is in love with {BEN} and has never told a soul")
    of_other = [memory(f"{BEN} bought {count} loaves") for count in range(5)]
    others = [memory(f"{ADA} thought of matter {count}") for count in range(5)]
    told = talk_words.on_the_mind(ADA, BEN, [secret, *of_other, *others], f"tells {BEN} that {others[4].text}")
    assert "love" not in told
    assert told.count(f"{BEN} bought") == talk_words.OF_OTHER
    assert "matter 4" not in told
    assert told.count("matter") == talk_words.ON_MIND
    assert talk_words.on_the_mind(ADA, BEN, [], "") == f"Nothing in particular is on the mind of {ADA}."


@pytest.mark.parametrize(
    "text",
    [
        "Ada has told nobody that she is ill",
        "Ada hasn't told a soul",
        "Ada has not told anybody of it",
        "Ada has never yet told anyone",
        "Ada keeps her fears to herself",
        "They keep it to themselves",
        "Nobody may know that Ada is leaving",
        "No one knows that Ada is leaving",
        "It must not come out that Ada is leaving",
        "Ada guards the recipe like a password",
        "Ada secretly admires Ben",
    ],
)
def test_what_is_kept_to_oneself_is_a_secret(text):
    assert talk_words.is_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ben is the secretary of the club",
        "Ada told Ben of the party",
        "Ada keeps to the path",
        "Ben knows Ada",
        "No one knows how good the bread is",
        "Nobody knows me here",
    ],
)
def test_what_may_be_told_is_none(text):
    assert not talk_words.is_secret(text)


def test_secret_sentences_of_an_impression_are_not_quoted():
    """The feeling stays, and what else is known; if nothing is left, that the two know each other."""
    known = (
        f"{BEN} is a customer. {ADA} secretly loves {BEN}. (feeling: love)\n{BEN} bakes. Nobody knows that he sings."
    )
    assert talk_words.may_be_quoted(known, ADA, BEN) == f"{BEN} is a customer. (feeling: love)\n{BEN} bakes."
    assert talk_words.may_be_quoted(f"{ADA} loves {BEN} in secret.", ADA, BEN) == f"{ADA} knows {BEN}."
    assert talk_words.may_be_quoted("", ADA, BEN) == "(nothing)"


def parts(*said, subject="", parting=False, strangers=False):
    turns = tuple(DialogueTurn(BEN, each) for each in said)
    found = talk_words.turn_parts(ADA, BEN, turns, subject=subject, parting=parting, strangers=strangers)
    return [part.asked for part in found]


def test_a_turn_begins_with_the_other():
    """Who speaks first greets, as a stranger or a friend; then it answers, and at last it says goodbye, and no more."""
    assert parts(strangers=True) == ["Ada greets Ben and says who Ada is"]
    assert parts() == ["Ada greets Ben"]
    assert "answers that question" in parts("Is there bread?")[0]
    assert "replies" in parts("There is bread.")[0]
    assert parts("Bye!", subject="tells about bread", parting=True) == ["Ada says goodbye to Ben"]


def test_a_turn_has_its_subject_alone_but_after_a_greeting():
    """In short names and one clock; its key has no characters that a grammar would have to quote."""
    about = f'tells {BEN} that {ADA} bakes "rye" at 6:00 PM'
    told = 'Ada tells Ben that Ada bakes "rye" at 18:00'
    assert (parts(subject=about), parts("There is bread.", subject=about)) == (["Ada greets Ben", told], [told])
    (part,) = talk_words.turn_parts(ADA, "a man in {grey}", (), subject="", parting=False, strangers=False)
    assert part.key == "Ada greets a man in grey"


def test_parts_are_joined_in_whole_sentences():
    """A part that ran into its limit ends with its last one, and what the next part makes of the rest is left out."""
    first, second = talk_words.TurnPart("Ada answers Ben", 40), talk_words.TurnPart("Ada tells about bread", 80)
    cut = "There is bread. I would love to see every"
    assert (
        talk_words.joined([(cut[:40], first), ("body at home. I bake at six.", second)])
        == "There is bread. I bake at six."
    )
    assert talk_words.joined([("There is bread.", first), ("and I bake it. Come!", second)]) == (
        "There is bread. and I bake it. Come!"
    )


@given(st.lists(st.sampled_from(["paper", "library", "of", "the", "in", "at", "Oak", "14:00", '"x"']), max_size=40))
def test_a_long_key_breaks_off_between_words(words):
    """And not after one that would be gone on with: a model would finish it instead of answering."""
    text = " ".join(["Klaus tells of later today:", *words])
    key = talk_words.key_of(text)
    assert len(key) <= talk_words.KEY
    assert text.replace('"', "").startswith(key)
    if len(text.replace('"', "")) > talk_words.KEY:
        assert text.replace('"', "")[len(key)] == " "
        assert key.rpartition(" ")[2] not in {"of", "in", "at"}


def test_a_long_key_is_the_first_clause():
    """Words that are left open would be gone on with."""
    often = "Klaus tells Maria that Klaus eats at Hobbs Cafe so often"
    assert talk_words.key_of(f"{often} that Isabella Rodriguez, who owns it, greets him by name") == often
