"""People tell and ask each other nothing a second time within two days."""

import pytest
from few_people import copy_base, history_of
from said_again import again, questions, tellings

import ville
from ville.analysis.measures import SavedRun
from ville.storage.folder.storage import find

MOORES, LINS = ("Sam Moore", "Jennifer Moore"), ("John Lin", "Mei Lin", "Eddy Lin")
"""Two families: these people talk with each other most often."""


@pytest.mark.slow
def test_nobody_tells_or_asks_the_same_again(tmp_path):
    """Though they have much to tell, and meet many times a day: after two days, everything was told and asked once."""
    people = {*MOORES, *LINS, "Isabella Rodriguez"}
    copy_base(tmp_path / "few", people)
    with ville.fork("few", "two_days", seed=2, fs_storage=str(tmp_path)) as town:
        town.intervene(history_of(people))
        town.run(until="February 14, 2023, 18:00:00")
        town.save()
    saved = SavedRun(find(tmp_path, "two_days"))
    told, asked = tellings(saved), questions(saved)
    assert told
    assert asked
    assert [str(said) for said in [*again(told), *again(asked)]] == []
