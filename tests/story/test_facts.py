"""A run whose people keep commitments: the same after a save, a branch, a fork and compression; others go without."""

import json
from dataclasses import replace

import pytest
from short_runs import different, timeless, went

from ville.assembly.run import open_at
from ville.errors import CorruptFile
from ville.storage.compressed.compression import compress
from ville.storage.compressed.unpacking import unpack_once

HOURS = 360
FACTS = "reverie/facts.json"
WHO = "Cleo Adams Moor"
PLAN = [
    {"step": 200, "kind": "whisper", "who": WHO, "words": "You are giving a concert tomorrow at 5pm"},
    {"step": 210, "kind": "whisper", "who": WHO, "words": "You are giving a lecture tomorrow at 3pm"},
    {"step": 2 * HOURS, "kind": "whisper", "who": WHO, "words": "The concert is cancelled"},
]


@pytest.fixture
def settings(small_town):
    (small_town.root / "plan.yaml").write_text(json.dumps(PLAN), "utf-8")
    return replace(small_town.settings, fsync=False)


def outcomes(files):
    return [each["outcome"] for each in json.loads(files[FACTS])[WHO]["commitments"]]


@pytest.mark.slow
async def test_facts_are_part_of_a_save(settings, small_town, tmp_path):
    """Whenever it was saved, in a branch of an earlier moment, and after it was compressed and unpacked."""
    plan = small_town.root / "plan.yaml"
    whole = await went(settings, "base", "whole", 3 * HOURS, autosave=100, plan=plan)
    again = await went(settings, "base", "again", 3 * HOURS, autosave=333, plan=plan)
    assert different(again, whole) == []
    assert sorted(outcomes(whole)) == ["called off", "open"]
    branch = await went(settings, f"whole@{HOURS}", "branch", 0)
    assert outcomes(branch) == ["open", "open"]
    assert different(branch, await went(settings, "base", "stopped", HOURS, plan=plan)) == []
    assert different(await went(settings, "branch", "branch", 2 * HOURS), whole) == []
    compress(settings.fs_storage / "whole", tmp_path / "packed")
    unpack_once(tmp_path / "packed", settings.fs_storage / "unpacked")
    assert different(timeless(settings.fs_storage / "unpacked"), whole) == []


async def test_the_questions_of_the_paper_keep_no_facts(settings, small_town):
    files = await went(replace(settings, questions="paper"), "base", "paper", HOURS, plan=small_town.root / "plan.yaml")
    assert FACTS not in files


async def test_a_folder_goes_on_without_its_facts(settings, small_town):
    """As those of older versions and of other programs; a broken file is one clear line."""
    await went(settings, "base", "town", HOURS, plan=small_town.root / "plan.yaml")
    file = settings.fs_storage / "town" / FACTS
    file.write_text(json.dumps({WHO: {"commitments": 3}}), "utf-8")
    with pytest.raises(CorruptFile, match="facts.json is invalid"):
        await open_at(settings, "town", "town")
    file.unlink()
    await went(settings, "town", "town", 10)
