"""Block numbers are permanent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from town_builder.grid.ids import WORLD, Ids, read_ids
from town_builder.problems import TownError

NAMES = st.tuples(
    st.sampled_from(["sector", "arena", "game_object"]),
    st.lists(st.text(st.characters(exclude_characters=":", categories=["L", "P", "Zs"]), min_size=1), min_size=1).map(
        tuple
    ),
)


@given(st.lists(NAMES), st.lists(NAMES))
def test_numbers_never_change_when_names_are_added(before, after):
    """Names added in any order get unused numbers, and old names keep theirs."""
    old = Ids({}).extended(before)
    new = old.extended(after)
    assert {key: new.numbers[key] for key in old.numbers} == dict(old.numbers)
    assert set(new.numbers) == {*before, *after}
    assert len(set(new.numbers.values())) == len(new.numbers)
    assert min(new.numbers.values(), default=WORLD + 1) > WORLD


@given(st.lists(NAMES), st.lists(NAMES))
def test_a_name_that_comes_back_has_its_old_number(names, others):
    """A name that was removed and added again has its old number."""
    kept = Ids({}).extended(names).extended(others)
    assert kept.extended(names) == kept


@given(names=st.lists(NAMES))
def test_the_file_keeps_everything(tmp_path_factory, names):
    """Writing and reading preserves the numbers; the file has one line for each, in order."""
    path = tmp_path_factory.mktemp("ids") / "town.ids.json"
    ids = Ids({}).extended(names)
    path.write_text(ids.text(), encoding="utf-8")
    assert read_ids(path) == ids
    assert list(json.loads(ids.text()).values()) == sorted(ids.numbers.values())


def test_a_missing_file_means_no_numbers(tmp_path):
    """A new town starts without numbers."""
    assert read_ids(tmp_path / "new.ids.json") == Ids({})


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"sector:Pub": "x"}',
        '{"sector:Pub": 32140, "sector:Inn": 32140}',
        '{"sector:Pub": 32134}',
        '{"sector:Pub": 32135000}',
    ],
    ids=["broken", "a list", "no number", "a number twice", "the world's number", "a number beyond all sheets"],
)
def test_a_damaged_file_is_refused(tmp_path, text):
    """A damaged file must be restored; numbers are never guessed."""
    path = tmp_path / "town.ids.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TownError, match="restore it from version control"):
        read_ids(path)


def test_a_folder_is_refused(tmp_path):
    """A path that cannot be read is not treated as a new town."""
    with pytest.raises(TownError, match="cannot be read"):
        read_ids(tmp_path)
