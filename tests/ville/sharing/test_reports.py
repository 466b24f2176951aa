"""Comparisons and studies as files: what pages show of them to those who may not act, and no more."""

import json
from dataclasses import replace

import pytest
from shared_contents import data_of, everything_in
from study_files import finish_party, write_party

from ville.analysis.comparison.compared_run import find_run
from ville.analysis.comparison.comparison import compare_runs
from ville.api.town_session import TownSession
from ville.sharing.shared_comparison import comparison_text
from ville.sharing.shared_study import study_text


def test_nothing_private_is_in_a_comparison(lived, secrets):
    """Of a run with talks of a user and one without: what differs is in it, but none of their words."""
    storage = lived.settings.fs_storage
    with TownSession(replace(lived.settings, seed=1), "base", "quiet") as town:
        town.run(steps=find_run(storage, lived.root / "none", "lived").steps)
    runs = [find_run(storage, lived.root / "none", name) for name in ("lived", "quiet")]
    found = compare_runs(*runs)
    assert any(words in json.dumps(found.as_json()) for words in secrets)
    text = comparison_text(found, runs)
    whole = everything_in(text)
    assert not [words for words in (*secrets, str(lived.root)) if words in whole]
    told = data_of(text, "comparison")
    assert told["a"]["name"] == "lived"
    assert told["outcomes"]["measures"]


def test_a_study_is_shared_without_answers_costs_and_faults(tmp_path):
    """Its numbers are those of its runs; its figures are there in each language."""
    (tmp_path / "storage").mkdir()
    folder = write_party(tmp_path)
    finish_party(folder)
    answers = {answer.answer for job in folder.jobs() if job.result for answer in job.result.answers}
    faults = {job.fault for job in folder.jobs() if job.fault}
    assert answers
    assert faults
    text = study_text(folder)
    whole = everything_in(text)
    assert not [words for words in (*answers, *faults) if words in whole]
    told = data_of(text, "study")
    assert (told["runs"], told["done"]) == (6, 5)
    values = [job.result.measures["guests"] for job in folder.jobs() if job.arm == "plain"]
    (arm, *_) = told["measures"][0]["bases"][0]["arms"]
    assert arm["estimate"]["mean"] == pytest.approx(sum(values) / len(values))
    assert set(told["measures"][0]["svg"]) == {"en", "ru"}
