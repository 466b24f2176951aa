"""A beginning that several runs share is run once; their results are the same."""

from inline_engine import InlineEngine

from ville.studies import shared_beginnings
from ville.studies.results import StudyResults
from ville.studies.runner import StudyRunner

STUDY = """\
base: base
steps: 200
seeds: 1
interventions: [{step: 10, kind: whisper, who: Ben Reed, words: You want to swim}]
arms:
  plain: {}
  told:
    interventions: [{step: 90, kind: whisper, who: Ada Stone, words: The zebra is closed}]
  told_late:
    interventions: [{step: 160, kind: whisper, who: Ada Stone, words: The zebra is closed}]
  other: {settings: {retrieval: paper}}
questions:
  - {ask: "What have you heard of the zebra?", when: "01:00"}
  - {ask: "What have you heard of the zebra?", when: "02:00"}
measures: [conversations, {news: zebra, name: know}]
"""
RUNS = ("plain-s1", "told-s1", "told_late-s1", "other-s1")


def test_runs_are_the_same_with_and_without_a_shared_beginning(desk, monkeypatch):
    """Tables, answers at moments before and after the branching, and every file. Two begin with the first 90 steps of
    three, and these with nothing; runs with other settings share nothing.
    """
    engine = InlineEngine()
    desk.run(STUDY, engine=engine)
    assert len(engine.specs) == 6
    starts = {spec.name: spec.origin for spec in engine.specs}
    first, second = (name for name in starts if "shared" in name)
    assert [starts[name] for name in (first, second)] == ["base@0", f"{first}@90"]
    assert [starts[f"study-{run}"] for run in RUNS] == [f"{second}@160", f"{first}@90", f"{second}@160", "base@0"]
    monkeypatch.setattr(shared_beginnings, "SHORTEST", 10_000)
    engine = InlineEngine()
    desk.run(STUDY, "alone", engine=engine)
    assert len(engine.specs) == 4
    for table in ("runs.csv", "answers.csv"):
        assert desk.table(table) == desk.table(table, "alone")
    for run in RUNS:
        assert desk.files(f"study-{run}") == desk.files(f"alone-{run}")


def test_an_arm_that_is_added_takes_the_beginning_that_is_there(desk):
    """If there is none, a single new run makes none."""
    later = (
        "  later:\n    interventions: [{step: 160, kind: whisper, who: Ben Reed, words: You like zebras}]\nquestions:"
    )
    desk.run(STUDY)
    engine = InlineEngine()
    desk.run(STUDY.replace("questions:", later), engine=engine)
    (spec,) = engine.specs
    assert "shared" in spec.origin
    one = "base: base\nsteps: 100\nseeds: 1\narms: {plain: {}"
    more = "more: {interventions: [{step: 90, kind: whisper, who: Ben Reed, words: You like zebras}]}"
    desk.run(f"{one}}}", "single")
    engine = InlineEngine()
    desk.run(f"{one}, {more}}}", "single", engine=engine)
    assert [spec.origin for spec in engine.specs] == ["base@0"]


def test_a_beginning_that_fails_fails_its_runs_with_its_reason(desk):
    """Nothing waits for ever."""
    study, folder = desk.read(STUDY), desk.folder()
    (desk.root / "assets" / "small" / "matrix").rename(desk.root / "hidden")
    folder.create()
    StudyRunner(study, folder, desk.given).run(InlineEngine(), lambda _: None, lambda: False)
    results = StudyResults(folder)
    assert {job.state for job in results.jobs} == {"failed"}
    assert any("its shared beginning failed" in job.fault for job in results.jobs)
