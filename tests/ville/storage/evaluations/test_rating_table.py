"""Ratings as a table: what is given away comes back, and what is wrong is refused by its line."""

import pytest
from evaluation_files import CONDITIONS, write_evaluation

from ville.errors import BadArgument, CorruptFile
from ville.storage.evaluations.ranking_sheet import made_sheet, read_key, read_sheet, shown_cards, tasks_of
from ville.storage.evaluations.rating_files import Rating, all_ratings, checked_rater, ratings_of, write_rating
from ville.storage.evaluations.rating_table import ratings_csv, read_ratings_csv


@pytest.fixture
def folder(tmp_path):
    return write_evaluation(tmp_path / "studies")


def rated(sheet, rater, **more):
    """A rating of each task."""
    return [
        Rating(
            rater=rater,
            task=task.id,
            shown=[card.code for card in shown_cards(sheet, task, rater)],
            places={card.code: place for place, card in enumerate(task.cards, 1)},
            **more,
        )
        for task in sheet.tasks
    ]


def test_ratings_come_back_from_their_table(folder, tmp_path):
    """Finished ones, without any word of conditions; unfinished ones are left out."""
    sheet = read_sheet(folder)
    ratings = rated(sheet, "=Ada".removeprefix("="))
    for rating in ratings[1:]:
        write_rating(folder, rating)
    write_rating(folder, ratings[0].model_copy(update={"done": False}))
    text = ratings_csv(sheet, all_ratings(folder))
    (tmp_path / "ratings.csv").write_text(text, "utf-8")
    brought = read_ratings_csv(tmp_path / "ratings.csv", sheet)
    assert {each.task: each for each in brought} == {each.task: each for each in ratings[1:]}
    assert not any(condition in text for condition in CONDITIONS)
    assert len(ratings_of(folder, "ADA")) == len(ratings)
    for mark in (";", "\t"):  # as spreadsheets save it
        (tmp_path / "ratings.csv").write_text("\ufeff" + text.replace(",", mark), "utf-8")
        assert read_ratings_csv(tmp_path / "ratings.csv", sheet) == brought


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (",1\n", ",5\n", "'5' is not a place from 1 to 4"),
        ("Ada,1,", "Ada,1,x", "no such task or code"),
        ("rater,", "who,", "has no column rater"),
        ("Ada,", "_,", "name of a rater"),
    ],
)
def test_what_is_wrong_is_told(folder, tmp_path, old, new, said):
    """Places, tasks, columns and names."""
    sheet, file = read_sheet(folder), tmp_path / "ratings.csv"
    file.write_text(ratings_csv(sheet, rated(sheet, "Ada")).replace(old, new, 1), "utf-8")
    with pytest.raises((CorruptFile, BadArgument), match=said):
        read_ratings_csv(file, sheet)


def test_a_sheet_that_is_not_made_yet_is_no_damage(folder):
    """While not everyone has been asked, users are told to go on asking, not to restore a file."""
    (folder.root / "sheet.json").unlink()
    with pytest.raises(CorruptFile, match="`ask` again"):
        read_sheet(folder)


def test_orders_are_drawn_for_each_rater(folder):
    """The same for the same rater, however it is spelt; person by person."""
    sheet = read_sheet(folder)
    assert tasks_of(sheet, "Ada") == tasks_of(sheet, "ada")
    people = [task.person for task in tasks_of(sheet, "Ben")]
    assert people == sorted(people, key=people.index)
    orders = {tuple(card.code for card in shown_cards(sheet, sheet.tasks[0], f"r{n}")) for n in range(60)}
    assert len(orders) > 15


def test_same_answers_share_a_card():
    """Questions that all answer alike are not ranked; a condition without an answer is left out."""
    asked = {"Ada": {"one": "What?", "two": "And?"}}
    answers = {
        "full": {"Ada": {"one": "Yes.", "two": "No."}},
        "none": {"Ada": {"one": "Yes.", "two": "Well."}},
        "no_reflection": {"Ada": {"one": "Yes.", "two": "No."}},
        "people": {"Ada": {"two": "Perhaps."}},
    }
    sheet, key = made_sheet(1, asked, answers)
    (task,) = sheet.tasks
    assert (task.asked, sheet.unranked) == ("And?", 1)
    found = {card.text: key.conditions[task.id][card.code] for card in task.cards}
    assert found == {"No.": ["full", "no_reflection"], "Well.": ["none"], "Perhaps.": ["people"]}


def test_the_key_is_apart(folder):
    """It has every code of the sheet, and the sheet has no condition."""
    sheet, key = read_sheet(folder), read_key(folder)
    assert all({card.code for card in task.cards} == set(key.conditions[task.id]) for task in sheet.tasks)
    assert not any(condition in sheet.model_dump_json() for condition in CONDITIONS)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "../a", "<b>", "a/b", "_a"])
def test_raters_have_plain_names(name):
    with pytest.raises(BadArgument):
        checked_rater(name)
