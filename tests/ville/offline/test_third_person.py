"""Laws of words to a person that become a statement about it."""

import csv

import pytest
from tests.ville.offline.conftest import HISTORY

from ville.offline.grammar import HE, SHE, THEY
from ville.offline.third_person import is_english, to_third, triple
from ville.offline.whisper_statement import statement

ADA = "Ada Stone"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("You love your cafe", "Ada Stone loves her cafe"),
        ("Ben Reed is your husband", "Ben Reed is Ada Stone's husband"),
        ("You have met Ben Reed, and he likes you", "Ada Stone has met Ben Reed, and he likes her"),
        ("Everybody knows that you do not sing", "Everybody knows that Ada Stone does not sing"),
        ("You don't trust Ben Reed", "Ada Stone does not trust Ben Reed"),
        ("You'll meet Ben at 5pm. You bought it yourself.", "Ada Stone will meet Ben at 5pm. She bought it herself."),
        ("You are hungry and hardly know anybody", "Ada Stone is hungry and hardly knows anybody"),
        ("You carry a knife, hate dogs, and never smile", "Ada Stone carries a knife, hates dogs, and never smiles"),
        ("You should go home and lock your doors", "Ada Stone should go home and lock her doors"),
        ("You wonder who will stay and like to ask", "Ada Stone wonders who will stay and likes to ask"),
        ("You and Ben like jazz; you and your sister dance", "Ada Stone and Ben like jazz; she and her sister dance"),
        ("You need to rest", "Ada Stone needs to rest"),
        ("The fair is cancelled.", "The fair is cancelled."),
        ("Live music is played at the fair", "Live music is played at the fair"),
    ],
)  # fmt: skip
def test_you_becomes_the_person(said, told):
    """A whisper is a thought about oneself: name first, pronouns after, verbs in the third person."""
    assert statement(said, ADA, SHE) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ada, you have won!", "Ada Stone has won!"),
        ("Ada Stone, tell Ben that you love him", "Ada Stone should tell Ben that she loves him"),
        ("Go to the park and bring your guitar", "Ada Stone should go to the park and bring her guitar"),
        ("Please don't forget the milk", "Ada Stone should not forget the milk"),
        ("A storm is coming! Go home!", "A storm is coming! Ada Stone should go home!"),
        ("When you plan your day, remember the fair", "When Ada Stone plans her day, remember the fair"),
        ("Ada, Ben and Cleo are friends", "Ada, Ben and Cleo are friends"),
    ],
)  # fmt: skip
def test_who_is_addressed_is_meant(said, told):
    """The name at the beginning is that of the person, and an order says what it should do."""
    assert statement(said, ADA, SHE) == told


def test_words_in_quotation_marks_stay():
    """They are somebody's own."""
    said = 'Your mother said "You will like it", and you do not forget it'
    assert statement(said, ADA, SHE) == 'Ada Stone\'s mother said "You will like it", and she does not forget it'
    assert to_third("You read “your” book", "Ben Reed", HE) == "Ben Reed read “your” book"


def test_a_person_without_a_pronoun_is_named():
    assert statement("You think that you must feed your cat", ADA, THEY) == (
        "Ada Stone thinks that Ada must feed Ada's cat"
    )


@pytest.mark.parametrize("said", ["Are you happy?", "Why don't you rest?", "I love you", "Our dog is your friend"])
def test_questions_and_words_of_a_speaker_take_more_than_grammar(said):
    assert statement(said, ADA, SHE) is None


@pytest.mark.parametrize(
    "said",
    [
        "Isabella, you should call Ben", "Cleo, call Ben", "Isabella Rodriguez, go home", "Do you know that Ben is ill",
        "You are kind, aren't you", "Is Ben ill", "Ben and you are friends", "You and Ben love your dog",
        "You\u2019d better rest", "Let's go home", "Love yourself", "Study harder",
        "Call Ben and tell him that you're sorry",
        "Ada, call Ben", "Thank you", "If you see Ben, tell him the news", "Water the plants before you leave",
        "Cleo loves you, and you love her",
    ],
)  # fmt: skip
def test_what_grammar_may_get_wrong_takes_more(said):
    """Words to somebody else, unclear orders, and pronouns of several people."""
    assert statement(said, ADA, SHE) is None


@pytest.mark.parametrize(
    "said",
    [
        "Yesterday, you met Ben", "Ben, your neighbour, is ill", "Work starts at 9", "You love Ben and you hate Cleo",
        "Mark Lee is ill", "There is a fire", "You should go if you can", "If it rains, the fair is off",
    ],
)  # fmt: skip
def test_plain_statements_are_sure(said):
    assert statement(said, ADA, SHE)


def test_all_of_a_history_is_sure():
    """It asks a model only how much it matters."""
    with HISTORY.open(encoding="utf-8") as file:
        rows = [(row["Name"], said.strip()) for row in csv.DictReader(file) for said in row["Whisper"].split(";")]
    assert [said for name, said in rows if not statement(said, name, SHE)] == []


@pytest.mark.parametrize(
    ("sentence", "core"),
    [
        ("Ada Stone is giving a fair on Friday. She would like to see Ben.", (ADA, "is", "giving a fair on Friday")),
        ("Ada likes jazz!", (ADA, "likes", "jazz")),
        ("Ben Reed is Ada Stone's husband, and she loves him", ("Ben Reed", "is", "Ada Stone's husband")),
        ("Yesterday Ada Stone won a prize", (ADA, "won", "a prize")),
        ("Maybe Ben Reed is ill", (ADA, "knows", "Maybe Ben Reed is ill")),
        ("Ada Stone can't stand Ben", (ADA, "can't", "stand Ben")),
        ("No more rain", (ADA, "knows", "No more rain")),
    ],
)
def test_a_statement_has_a_core(sentence, core):
    """Subject, verb and object of its first sentence."""
    assert triple(sentence, ADA) == core


def test_english_is_known_by_its_words():
    assert all(map(is_english, ("You sing", "Ben loves Cleo", "Meet the others")))
    assert not any(map(is_english, ("Du gibst eine Party", "Ты поёшь", "Tu chantes bien", "")))
