"""A study made from a comparison repeats it: with the seed of the compared runs, it makes the same runs again."""

import pytest
from simulation_content import content_of

from ville.analysis.comparison.compared_run import find_run
from ville.errors import BadArgument
from ville.studies.reading.study_file import study_text
from ville.studies.repeated_comparison import SEEDS, repeated

STUDY = """\
base: base
steps: 60
seeds: [1, 2]
settings: {retrieval: paper, provider: offline}
interventions:
  - {step: 5, kind: memory_add, who: Ben Reed, words: It rains}
arms:
  plain: {}
  told:
    interventions:
      - {step: 30, kind: whisper, who: Ada Stone, words: The zebra is closed}
  brief: {settings: {conversations: whole}}
"""


@pytest.fixture
def compared(desk):
    """Returns the study that repeats two runs of a study of the small town."""
    desk.run(STUDY, "first")
    storage = desk.root / "storage"

    def of(*names, chat="offline"):
        return repeated(*(find_run(storage, desk.root / "none", name) for name in names), storage, chat)

    return of


def test_the_same_seed_makes_the_same_runs_again(desk, compared):
    """From the moment at which they came apart, with what both have and what only one of them has; and ten others."""
    content = compared("first-plain-s1", "first-told-s1")
    assert content["seeds"] == SEEDS
    assert [*content["arms"]] == ["first-plain-s1", "first-told-s1"]
    desk.run(study_text({**content, "seeds": [1]}), "again")
    for run in ("plain", "told"):
        made = desk.files(f"again-first-{run}-s1-s1")
        whole = desk.files(f"first-{run}-s1")
        memories = {name for name in whole if "/associative_memory/" in name}
        assert memories
        assert {name: made[name] for name in memories} == {name: whole[name] for name in memories}


def test_settings_that_differ_are_those_of_an_arm(compared):
    """Those of both runs are given once."""
    content = compared("first-plain-s1", "first-brief-s1")
    plain, brief = content["arms"].values()
    assert "conversations" not in plain.get("settings", {})
    assert brief["settings"] == {"conversations": "whole"}
    assert content["settings"]["retrieval"] == "paper"
    assert [(row["step"], row["words"]) for row in content["interventions"]] == [(5, "It rains")]


def test_what_cannot_be_repeated_is_refused_in_one_line(desk, compared):
    """Two seeds of the same; a run and its own past; towns that have nothing in common; other vectors."""
    storage = desk.root / "storage"
    before = content_of(storage)
    for names, words in (
        (("first-plain-s1", "first-plain-s2"), "Nothing but chance"),
        (("first-plain-s1", "first-plain-s1@20"), "no steps after"),
    ):
        with pytest.raises(BadArgument, match=words):
            compared(*names)
    run_file = storage / "first-told-s1/reverie/run.json"
    run_file.write_text(run_file.read_text("utf-8").replace("hashing", "meaning"), "utf-8")
    with pytest.raises(BadArgument, match="the embedder"):
        compared("first-plain-s1", "first-told-s1")
    assert {*content_of(storage)} == {*before}


def test_what_a_model_answered_is_not_repeated_with_another_one(desk, compared):
    """Nor by the rules, nor the other way round: what is paid and compared would be something else."""
    storage = desk.root / "storage"
    compared("first-plain-s1", "first-told-s1")
    for run in ("first-plain-s1", "first-told-s1"):
        note = storage / run / "reverie/branch.json"
        note.write_text(note.read_text("utf-8").replace('"offline"', '"openai:big"'), "utf-8")
        (storage / run / "reverie/ledger.sqlite3").touch()
    with pytest.raises(BadArgument, match="was answered by openai:big, and offline would answer now"):
        compared("first-plain-s1", "first-told-s1")
