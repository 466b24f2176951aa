"""The questions of an evaluation: ours, those of others, and whom they name."""

from collections import Counter

import pytest

from ville.believability.question_list import CATEGORIES, names_for, read_question_list, worded
from ville.errors import BadArgument, BadStudy
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.vectors import Vectors

EMPTY = AssociativeMemory("Ada Stone", Vectors.load("Ada Stone", {}))


def test_there_are_five_questions_of_each_category():
    """As in the paper; all names of blanks can be filled in."""
    questions = read_question_list()
    assert Counter(question.category for question in questions) == dict.fromkeys(CATEGORIES, 5)
    names = {"first": "Ben Reed", "second": "Cleo Moor", "town": "the Town"}
    assert not any("$" in worded(question, names) for question in questions)


def test_all_faults_of_a_file_are_told_with_their_lines(tmp_path):
    """Categories, keys, blanks and words."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "memory:\n  a: Of $nobody?\n  b: 3\n  c d: Well?\nplans:\n  a: And now?\nhopes:\n  e: What?\n", "utf-8"
    )
    with pytest.raises(BadStudy) as caught:
        read_question_list(file)
    assert [fault.line for fault in caught.value.faults] == [1, 2, 3, 4, 7]


def test_names_are_drawn_from_the_seed():
    """The same seed names the same; nobody is asked about itself, and who lives alone cannot be asked."""
    people = ["Ada Stone", "Ben Reed", "Cleo Moor", "Dan Field"]
    named = {tuple(names_for("Ada Stone", people, EMPTY, seed).values()) for seed in range(30)}
    assert len(named) == 6
    assert not any("Ada Stone" in names for names in named)
    assert names_for("Ada Stone", people, EMPTY, 1) == names_for("Ada Stone", people, EMPTY, 1)
    with pytest.raises(BadArgument, match="lives alone"):
        names_for("Ada Stone", ["Ada Stone"], EMPTY, 1)
