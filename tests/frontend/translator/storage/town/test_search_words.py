"""Other words for the objects of a map."""

import re

import pytest

from translator.storage.town.places import places
from translator.storage.town.search_words import search_words

SAID = {
    "stove": "cooking area",
    "oven": "cooking area",
    "fridge": "refrigerator",
    "wardrobe": "closet",
    "couch": "common room sofa",
    "loo": "toilet",
    "bathtub": "shower",
    "flowers": "park garden",
    "плита": "cooking area",
    "холодильник": "refrigerator",
    "кровать": "bed",
    "шкаф": "closet",
    "душ": "shower",
    "унитаз": "toilet",
    "раковина": "kitchen sink",
    "стол": "library table",
    "диван": "library sofa",
    "рояль": "piano",
    "касса": "behind the cafe counter",
    "доска": "blackboard",
}
"""Search texts, and the object that each means."""


def test_every_object_of_the_ville_is_found_by_everyday_words_of_both_languages():
    """The names on the map are those of the paper; users who want to burn a stove do not look for a cooking area."""
    words = search_words(places("the_ville"))
    names = {parts[-1] for parts in places("the_ville").objects}
    assert len(names) > 40
    for name in sorted(names):
        assert any(re.search("[a-z]", word) for word in words.get(name, [])), name
        assert any(re.search("[а-я]", word) for word in words.get(name, [])), name  # noqa: RUF001 - Russian


@pytest.mark.parametrize(("said", "meant"), SAID.items())
def test_what_is_said_leads_to_what_is_meant(said, meant):
    """Typed as people say it, in the singular or plural."""
    words = search_words(places("the_ville"))
    assert any(said.removesuffix("s") == word.removesuffix("s") for word in words[meant])
