"""Two checkouts are compared in everything but what cannot be the same."""

import json
import sqlite3
from functools import partial

import pytest
from checkout_runs import ROOT, Checkout
from same_files import content, differences


@pytest.fixture
def written(server):
    return partial(write, server)


def write(server, folder, at, words="Ada said hello", seconds=1.0):
    """Return the files of a run that was made at a time of day, in a folder, as they are compared."""
    reverie = folder / "storage/run/reverie"
    reverie.mkdir(parents=True)
    row = {"kind": "whisper", "words": words, "at": at}
    (reverie / "interventions.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    (reverie / "run.json").write_text(json.dumps({"recording": f"{folder}/storage/other"}), "utf-8")
    with sqlite3.connect(reverie / "ledger.sqlite3") as ledger:
        ledger.execute("CREATE TABLE calls (began, answer, seconds)")
        ledger.executemany("INSERT INTO calls VALUES (?, ?, ?)", [(at, words, seconds), (at, "yes", 2 * seconds)])
    ledger.close()
    checkout = Checkout(ROOT, folder, server)
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {name: content(name, path, checkout) for path in paths if (name := path.relative_to(folder).as_posix())}


def test_when_and_where_something_ran_makes_no_difference(tmp_path, written):
    one = written(tmp_path / "one", "09:00")
    assert len(one) == 3
    assert differences(one, written(tmp_path / "other", "10:30", seconds=2.5)) == []


def test_every_other_difference_is_named(tmp_path, written):
    """A word of an answer, a word of an intervention, a file that one of them did not write."""
    one, other = written(tmp_path / "one", "09:00"), written(tmp_path / "other", "09:00", words="Ada said nothing")
    del one["storage/run/reverie/run.json"]
    found = differences(one, other)
    assert [line.partition(":")[0].rpartition("/")[2] for line in found] == [
        "interventions.jsonl", "ledger.sqlite3", "run.json"
    ]  # fmt: skip
    assert "hello" in found[0]
    assert "nothing" in found[0]
    assert "only in the other" in found[2]
