"""The log of interventions loses no whole row, and drops half of one."""

import json

import pytest

from ville.errors import CorruptFile
from ville.storage.records.intervention_log import AHEAD_FILE, LOG, InterventionLog, cut_to_save, read_ahead, read_rows

ENVELOPE = {"kind": "whisper", "door": "prompt", "by": "", "id": "x"}
JUMP = {"v": 1, "n": 5, "step": 0, "at": "", **ENVELOPE}


def add(log, *words):
    for each in words:
        log.append([log.next_row(7, {**ENVELOPE, "words": each, "id": each})])


def test_rows_are_numbered_and_read_back(tmp_path):
    """Also by a log that is opened later; numbers go on."""
    add(InterventionLog(tmp_path), "one", "двa")
    log = InterventionLog(tmp_path)
    add(log, "three")
    assert [(row["n"], row["step"], row["words"]) for row in read_rows(tmp_path / LOG)] == [
        (1, 7, "one"),
        (2, 7, "двa"),
        (3, 7, "three"),
    ]
    assert log.ids == {"one", "двa", "three"}


def test_a_log_cut_anywhere_keeps_its_whole_rows(tmp_path):
    """Whatever byte a killed program stopped at; the next row begins on a line of its own."""
    add(InterventionLog(tmp_path), "one", "two")
    whole = (tmp_path / LOG).read_bytes()
    first = whole.index(b"\n") + 1
    for size in range(len(whole) + 1):
        (tmp_path / LOG).write_bytes(whole[:size])
        kept = InterventionLog(tmp_path)
        assert len(kept.rows) == (size >= first) + (size == len(whole))
        add(kept, "next")
        assert [row["words"] for row in read_rows(tmp_path / LOG)][-1] == "next"
        assert len(read_rows(tmp_path / LOG)) == len(kept.rows)


def test_leaving_without_saving_cuts_the_log(tmp_path):
    """To the rows of the save; without any, there is no file."""
    add(InterventionLog(tmp_path), "one", "two")
    (tmp_path / "run.json").write_text('{"interventions": 1}')
    cut_to_save(tmp_path)
    assert [row["words"] for row in read_rows(tmp_path / LOG)] == ["one"]
    (tmp_path / "run.json").write_text("{}")
    cut_to_save(tmp_path)
    assert not (tmp_path / LOG).exists()


@pytest.mark.parametrize(
    "line",
    ["[]", "{", "\x00", '{"v": 1}', "9" * 5000, "null", json.dumps(JUMP)],
)
def test_a_foreign_line_is_refused_with_its_number(tmp_path, line):
    add(InterventionLog(tmp_path), "one")
    with (tmp_path / LOG).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(CorruptFile, match=r"interventions.jsonl:2 "):
        read_rows(tmp_path / LOG)


def test_a_row_of_a_newer_version_says_so(tmp_path):
    add(InterventionLog(tmp_path), "one")
    row = (tmp_path / LOG).read_text()
    (tmp_path / LOG).write_text(row + json.dumps({**json.loads(row), "v": 2, "n": 2}) + "\n")
    with pytest.raises(CorruptFile, match=r"interventions.jsonl:2 has format 2, .* newer version"):
        read_rows(tmp_path / LOG)


@pytest.mark.parametrize("count", ['"many"', "-1", "true"])
def test_a_count_that_is_none_is_refused(tmp_path, count):
    add(InterventionLog(tmp_path), "one")
    (tmp_path / "run.json").write_text(f'{{"interventions": {count}}}')
    with pytest.raises(CorruptFile, match="run.json"):
        cut_to_save(tmp_path)


def test_a_log_shorter_than_the_save_is_refused(tmp_path):
    add(InterventionLog(tmp_path), "one")
    InterventionLog(tmp_path).check_has(1)
    with pytest.raises(CorruptFile, match="interventions.jsonl has 1 "):
        InterventionLog(tmp_path).check_has(2)


@pytest.mark.parametrize("change", [{"step": "3"}, {"step": None}, {"id": ["a"]}, {"kind": 3}, {"door": None}])
def test_a_plan_that_is_none_is_refused(tmp_path, change):
    row = {"step": 3, "kind": "whisper", "door": "file", "by": "", "id": "a", "who": "Ada", "words": "x"}
    (tmp_path / AHEAD_FILE).write_text(json.dumps({"rows": [row]}))
    assert read_ahead(tmp_path) == [row]
    for rows in (None, "abc", 5, [5], [row, row | change]):
        (tmp_path / AHEAD_FILE).write_text(json.dumps({"rows": rows}))
        with pytest.raises(CorruptFile, match=AHEAD_FILE):
            read_ahead(tmp_path)
