"""Laws of importance: asked in words by situated questions, and read from words and numbers."""

import pytest

from ville.persona.prompt_template.answers.poignancy import IN_WORDS, MUNDANE, POIGNANT
from ville.persona.prompt_template.ask import read_answer
from ville.persona.prompt_template.blanks import NumberedMemories, NumberedTexts
from ville.persona.prompt_template.perceive_questions import HowImportant
from ville.persona.prompt_template.reflect_questions import Insights
from ville.persona.prompt_template.talk_questions import Anthropomorphising, Whispered

WORDS = list(IN_WORDS)
RATED = HowImportant("Name: Ada Stone", "Ada", NumberedTexts(("a", "b")))
HEARD = Whispered("Name: Ada Stone", "Ada Stone", "You sing")


def test_words_are_on_the_scale_in_order():
    numbers = list(IN_WORDS.values())
    assert numbers == sorted(set(numbers))
    assert numbers[0] == MUNDANE
    assert numbers[-1] <= POIGNANT


@pytest.mark.parametrize("said", [*WORDS, *map(str.upper, WORDS), *(f"*{word}*." for word in WORDS)])
def test_a_word_is_read_as_its_number(said):
    """Whatever surrounds it."""
    number = IN_WORDS[said.strip("*.").lower()]
    assert read_answer(RATED, f'{{"1": "{said}", "2": "{said}"}}').scores == [number, number]
    assert read_answer(HEARD, f'{{"text": "Ada sings", "poignancy": "{said}"}}').poignancy == number


@pytest.mark.parametrize(("said", "number"), [("7", 7), ('"7"', 7), ('"7/10"', 7), ("2", 2)])
def test_a_number_is_what_it_was(said, number):
    """Rules and other models give them; they are not changed to those of the words."""
    assert read_answer(RATED, f'{{"1": {said}, "2": 1}}').scores == [number, 1]
    assert read_answer(HEARD, f'{{"text": "Ada sings", "poignancy": {said}}}').poignancy == number


def test_only_situated_questions_ask_in_words():
    """Those of the paper ask for numbers; what is no importance is asked for as before."""
    assert RATED.schema_in("situated")["properties"]["1"]["enum"] == WORDS
    assert HEARD.schema_in("situated")["properties"]["poignancy"]["enum"] == WORDS
    insights = Insights("", "Ada Stone", "", NumberedMemories(()), 5)
    assert insights.schema_in("situated")["$defs"]["Insight"]["properties"]["poignancy"]["enum"] == WORDS
    assert all(each.schema_in("paper") == each.schema() for each in (RATED, HEARD, insights))
    assert Anthropomorphising("hello").schema_in("situated") == Anthropomorphising("hello").schema()


@pytest.mark.parametrize("title", ["perceive/how_important", "talk/whispered"])
def test_words_of_the_form_are_those_of_the_prompt(title):
    """A model without a grammar knows them from the question."""
    prompt = {each.title: each for each in (RATED, HEARD)}[title].render()
    assert [word for word in WORDS if word not in prompt] == []
