"""Errors in people files: each is one line with the file, the line and the fix."""

from collections.abc import Callable
from pathlib import Path

import pytest

from town_builder.cast.cast_file import load_cast
from town_builder.cast.people import load_people
from town_builder.cast.town_match import town_problems
from town_builder.grid.grids import Grids
from town_builder.problems import TownError

TOWN = """\
format: cast/1
world: the Town
maze_name: town
size: [6, 4]
start: February 13, 2023
secrets:
  picnic: {holders: [Ada Stone], signs: [picnic, ada + basket]}
places:
  Mill: {loft: [bed, desk], yard: []}
  Stone family's house: {hall: [bed]}
groups:
  green: [Mill: [yard]]
bases:
  base_town:
    people: [Ada Stone, Ben Reed]
    history: past.csv
people:
  Ada Stone:
    age: 30
    living_area: Stone family's house:hall
    start: [1, 1]
    innate: calm, curious
    learned: Ada Stone builds clocks.
    currently: Ada Stone plans a picnic.
    lifestyle: Ada Stone goes to bed around 11pm, wakes up around 6:30am and eats dinner at 5pm.
    knows: [green, Stone family's house]
    relations:
      Ben Reed: You play chess with Ben Reed
  Ben Reed:
    age: 40
    living_area: Mill:loft
    knows: [Mill]
    start: [2, 1]
    innate: loud
    learned: Ben Reed grinds flour.
    currently: Ben Reed mends the wheel.
    lifestyle: Ben Reed goes to bed around 9pm, wakes up around 5am and eats dinner at 6pm.
    thoughts:
      - You like rain
    relations:
      Ada Stone: You know Ada Stone from school
"""


@pytest.fixture
def problems(tmp_path: Path) -> Callable[[str], list[str]]:
    """Return the problems of a people file, without its folder."""

    def find(text: str) -> list[str]:
        path = tmp_path / "people.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            load_people(path)
        except TownError as error:
            return [str(problem).replace(f"{path}:", "") for problem in error.problems]
        return []

    return find


PROBLEMS = {
    "another format": ("cast/1", "cast/2", 1, "format 'cast/2' is not known", "this builder reads"),
    "a start that is not a date": ("February 13,", "Someday 13,", 5, "is not a date", "write it like"),
    "an unknown key": ("innate: loud", "inate: loud", 34, "'inate' is not known", "did you mean 'innate'?"),
    "a missing field": ("    innate: loud\n", "", 30, "Ben Reed has no 'innate'", "add `innate: ...`"),
    "a duplicate name": ("  Ben Reed:\n    age", "  Ada Stone:\n    age", 29, "'Ada Stone' is given twice", "keep one"),
    "an age that is not a number": ("age: 40", "age: forty", 30, "age must be a whole number", "write, for example"),
    "an age above the limit": ("age: 40", "age: 400", 30, "an age of 400 years", "1 to 120"),
    "an age of zero": ("age: 40", "age: 0", 30, "age is 0", "1 or more"),
    "a name that cannot be a folder": (
        "  Ben Reed:\n    age",
        "  Ben/Reed:\n    age",
        30,
        "'Ben/Reed' is not a name",
        "letters",
    ),
    "a name without a last name": (
        "  Ben Reed:\n    age",
        "  Ben:\n    age",
        30,
        "'Ben' is not a name",
        "first and last",
    ),
    "a text without words": ("innate: loud", "innate: ''", 34, "innate is empty", "write a sentence"),
    "an unknown place": ("knows: [Mill]", "knows: [Mil]", 32, "there is no place 'Mil'", "did you mean 'Mill'?"),
    "an unknown arena": (
        "green: [Mill: [yard]]",
        "green: [Mill: [yart]]",
        12,
        "no place 'yart'",
        "did you mean 'yard'?",
    ),
    "a group named like a sector": ("  green: [", "  Mill: [", 12, "has the name of a sector", "another name"),
    "an invalid base name": ("base_town:", "town:", 15, "'town' is not a base name", "start with base_"),
    "a base with an unknown person": (
        "[Ada Stone, Ben Reed]",
        "[Ada Stone, Al Hill]",
        15,
        "there is no person 'Al Hill'",
        "add them",
    ),
    "a base with a person twice": ("[Ada Stone, Ben Reed]", "[Ada Stone, Ada Stone]", 15, "listed twice", "keep one"),
    "a change to an absent person": (
        "[Ada Stone, Ben Reed]",
        "[Ada Stone]\n    changes: {Ben Reed: {age: 9}}",
        16,
        "Ben Reed has changes but is not in base_town",
        "add them to its people",
    ),
    "a base without people": ("[Ada Stone, Ben Reed]", "[]", 15, "the base has no people", "people: all"),
    "two in one bed": (
        "start: [2, 1]",
        "start: [1, 1]",
        30,
        "Ben Reed and Ada Stone both start at 1,1",
        "their own tile",
    ),
    "a secret without holders": (
        "holders: [Ada Stone]",
        "holders: []",
        24,
        "knows the secret 'picnic' too early",
        "no one may know",
    ),
    "a maze outside its folder": (
        "maze_name: town",
        "maze_name: ../town",
        3,
        "is not a maze name",
        "lower-case letters",
    ),
    "a key that is a list": ("secrets:\n", "[a, b]: c\nsecrets:\n", 6, "has a list or a mapping as a key", "a word"),
    "a history outside its folder": ("past.csv", "../past.csv", 16, "is not a history file name", "ending in .csv"),
    "a secret sign without words": ("ada + basket", "ada +", 7, "has an empty word", "write `one`"),
    "a secret held by an unknown person": (
        "holders: [Ada Stone]",
        "holders: [Ada Stone, Al Hill]",
        7,
        "'Al Hill', who is not",
        "correct",
    ),
    "a secret that its holder never mentions": (
        "plans a picnic",
        "plans a trip",
        7,
        "no text of Ada Stone",
        "add words",
    ),
    "a secret revealed in a biography": (
        "mends the wheel",
        "bakes for the PICNIC",
        36,
        "too early (picnic)",
        "only Ada Stone may know",
    ),
    "a secret revealed in a history": (
        "from school",
        "by her basket",
        41,
        "too early (ada + basket)",
        "only Ada Stone may know",
    ),
    "a secret revealed by a base": (
        "    history: past.csv",
        "    changes: {Ben Reed: {currently: He looks forward to the picnic}}",
        16,
        "Ben Reed knows the secret 'picnic' too early",
        "remove these words",
    ),
    "a start outside the map": (
        "start: [2, 1]",
        "start: [6, 1]",
        30,
        "starts at 6,1, outside the map of 6 by 4",
        "start on a tile",
    ),
    "a home that is not known": (
        "living_area: Mill:loft",
        "living_area: Mill:attic",
        31,
        "lives in 'Mill:attic'",
        "add the place",
    ),
    "a home reserved for others": (
        "living_area: Mill:loft\n    knows: [Mill]",
        "living_area: Stone family's house:hall\n    knows: [Stone family's house]",
        31,
        'may not enter "Stone family\'s house"',
        "choose another living area",
    ),
    "a missing bedtime": (
        "to bed around 9pm",
        "to bed when tired",
        37,
        "does not say when Ben goes to bed",
        "`goes to bed around 11pm`",
    ),
    "a statement with a semicolon": ("You like rain", "You like rain; you sing", 39, "contains ';'", "two statements"),
    "a statement in the third person": (
        "You like rain",
        "Rain is good",
        39,
        "is not in the second person",
        "use `you`",
    ),
    "a relation to an unknown person": (
        "      Ada Stone: You",
        "      Ada Ston: You",
        41,
        "'Ada Ston', who is not",
        "did you mean 'Ada Stone'?",
    ),
    "a relation to oneself": (
        "      Ada Stone: You know Ada",
        "      Ben Reed: You know Ben",
        41,
        "a relation to",
        "`thoughts`",
    ),
    "a relation without the name": (
        "You know Ada Stone",
        "You know Ada",
        41,
        "does not contain this name",
        "full name",
    ),
    "a decay above one": (
        "    thoughts:",
        "    recency_decay: 1.2\n    thoughts:",
        38,
        "recency_decay is 1.2",
        "from 0 to 1",
    ),
}
"""Problem → (original text, replacement, expected line, part of the message, part of the fix)."""


def test_the_small_cast_has_no_problems(problems: Callable[[str], list[str]]) -> None:
    """The cast that the other tests modify is valid."""
    assert problems(TOWN) == []


@pytest.mark.parametrize("name", PROBLEMS)
def test_each_problem_names_line_cause_and_fix(problems: Callable[[str], list[str]], name: str) -> None:
    """A file with one error is refused with a message that names line, problem and fix."""
    right, wrong, line, message, fix = PROBLEMS[name]
    assert TOWN.count(right) == 1
    found = problems(TOWN.replace(right, wrong))
    assert any(one.startswith(f"{line}: ") and message in one and fix in one for one in found), found


def test_all_problems_are_reported_at_once(problems: Callable[[str], list[str]]) -> None:
    """Two people with one error each give two lines."""
    broken = TOWN.replace("age: 30", "age: 300").replace("age: 40", "age: 400")
    assert [one.split(":")[0] for one in problems(broken)] == ["19", "30"]


SECTORS = {(x, 1): "Stone family's house" if x < 2 else "Mill" for x in range(1, 5)}
GRIDS = Grids(
    maze_name="town",
    world="the Town",
    width=6,
    height=4,
    solid=frozenset({(0, 0)}),
    sectors=SECTORS,
    arenas={(1, 1): "hall", (2, 1): "loft", (3, 1): "loft", (4, 1): "yard"},
    objects={(1, 1): "bed", (2, 1): "bed", (3, 1): "desk"},
    spawns={},
)


@pytest.fixture
def found_in_town(tmp_path: Path) -> Callable[[str], list[str]]:
    def find(text: str) -> list[str]:
        path = tmp_path / "people.yaml"
        path.write_text(text, encoding="utf-8")
        return [str(problem).replace(f"{path}:", "") for problem in town_problems(load_cast(path), GRIDS)]

    return find


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (
            "loft: [bed, desk]",
            "loft: [bed, dusk]",
            "9: the town has no 'Mill:loft:dusk'; did you mean 'Mill:loft:desk'?",
        ),
        (
            "start: [2, 1]",
            "start: [4, 1]",
            "Ben Reed starts in 'Mill:yard' but lives in 'Mill:loft'; start in a bed at home: [2, 1]",
        ),
        (
            "start: [2, 1]",
            "start: [2, 3]",
            "Ben Reed starts in 'the street' but lives in 'Mill:loft'; start in a bed at home: [2, 1]",
        ),
        ("start: [2, 1]", "start: [0, 0]", "Ben Reed cannot stand on the start tile 0,0; start in a bed at home"),
        (
            "start: [2, 1]",
            "start: [3, 1]",
            "the start tile 3,1 of Ben Reed is not a bed; start in a bed at home: [2, 1]",
        ),
        ("size: [6, 4]", "size: [9, 4]", "its width is 9, but the town's is 6; make them equal"),
        (
            "world: the Town",
            "world: the Ville",
            "its world is 'the Ville', but the town's is 'the Town'; make them equal",
        ),
    ],
)
def test_a_cast_must_fit_its_town(
    found_in_town: Callable[[str], list[str]], right: str, wrong: str, message: str
) -> None:
    """Unknown places, and people who start in a wall, in the street or in another home, are reported."""
    assert found_in_town(TOWN) == []
    assert [one for one in found_in_town(TOWN.replace(right, wrong)) if message in one]
