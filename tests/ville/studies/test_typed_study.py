"""Typed answers are measures, groups are drawn by the seed, and functions are tried before a study spends anything."""

import csv
import io
from collections import defaultdict
from statistics import fmean

import pytest
from inline_engine import InlineEngine

from ville.analysis.group_measures import INTERFERENCE
from ville.analysis.measures import NewsTopic, hearings
from ville.analysis.named_measures import named_measure
from ville.analysis.run import REST, Run
from ville.cli.study_command import answer_lines, main
from ville.errors import BadArgument, BadStudy
from ville.settings import load_settings
from ville.sharing.report.study_facts import StudyFacts
from ville.sharing.report.study_report import report_text
from ville.storage.folder.storage import find
from ville.studies.assignment import drawn_groups
from ville.studies.bundle.bundle_check import verify_bundle
from ville.studies.bundle.bundle_files import write_bundle

STUDY = """\
title: Zebras
base: base
steps: 90
seeds: 2
assign: {told: 1}
arms:
  plain: {}
  news:
    interventions:
      - {step: 60, kind: whisper, who: told, words: The zebra is closed}
      - {step: 60, kind: whisper, who: rest, words: The weather is fine}
questions:
  - ask: Have you heard of the zebra?
    name: zebra
    answer: {choice: [yes, no]}
    when: [start, end]
  - {ask: "How old are you?", of: [Ada Stone, Ben Reed], answer: {number: {least: 0, unit: years}}}
  - {ask: "How happy are you?", answer: {scale: [1, 7], labels: [not at all, very]}, name: happy}
  - {ask: "What is new?"}
measures:
  - conversations
  - {news: zebra, group: told}
  - {of: memories, group: told, name: more memories}
  - looked:looks
collect: {every: 1 day, persona: [memories]}
"""
MINE = """\
def looks(run):
    drawn = {who: run.group_of(who) for who in run.people}
    if sorted(run.groups) != ["rest", "told"] or set(drawn.values()) != {"rest", "told"}:
        raise ValueError("who is told?")
    people = run.table("people")
    assert [row["person"] for row in people] and len(run.calls) == 0
    assert all(talk.people for talk in run.conversations)
    shown = [step for step, frame in run.movements(every=10) if set(frame) <= set(run.people)]
    answered = {row["who"] for row in run.answers if row["value"] is not None}
    run.groups.clear()
    return len(shown) + len(answered) / 10
"""


@pytest.fixture(scope="module")
def ran(write_small_town, make_desk, tmp_path_factory):
    """A desk with a study that was run to its end, and its results."""
    desk = make_desk(write_small_town(tmp_path_factory.mktemp("typed")).root)
    (desk.root / "looked.py").write_text(MINE)
    return desk, desk.run(STUDY)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_values_are_measures(ran):
    """Means and shares are those of the answers that can be used, and a change is one of each person who gave both."""
    desk, results = ran
    answers = rows(desk.table("answers.csv"))
    for run in rows(desk.table()):
        own = [row for row in answers if row["run"] == run["run"]]
        said = {when: {row["who"]: row["value"] == "yes" for row in own if (row["ask"], row["when"]) == (ASKED, when)}
                for when in ("start", "end")}  # fmt: skip
        assert set(said["start"]) == set(said["end"]) == {"Ada Stone", "Ben Reed", "Cleo Adams Moor"}
        assert float(run["zebra: yes (end)"]) == pytest.approx(fmean(said["end"].values()))
        changes = [said["end"][who] - said["start"][who] for who in said["end"]]
        assert float(run["zebra: yes (after - before)"]) == pytest.approx(fmean(changes))
        ages = [float(row["answer"]) for row in own if row["form"] == "number of years"]
        assert float(run["How old are you?"]) == fmean(ages)
        assert run["happy"] == ""
    assert {row["value"] for row in answers if row["form"] in {"scale 1 to 7", "text"}} == {""}
    assert not [name for name in results.measures if "zebra: no" in name or "What is new" in name]
    assert [int(run["looked:looks"]) for run in results.runs] == [9] * 4  # steps of the shared beginning are shown, too
    unusable = sum(row["form"] != "text" and row["value"] == "" for row in answers)
    assert any(line.startswith(f"{unusable} of ") for line in answer_lines(results))


ASKED = "Have you heard of the zebra?"


def test_a_group_is_told_and_compared_with_the_rest(ran):
    """One value for each town; the same people in both arms, and others with another seed are as likely."""
    desk, results = ran
    drawn = defaultdict(dict)
    for row in rows(desk.table("groups.csv")):
        drawn[row["run"]].setdefault(row["group"], []).append(row["who"])
    assert drawn["plain-s1"] == drawn["news-s1"]
    for row in results.runs:
        groups, run = drawn[row["run"]], Run(find(load_settings(desk.given).fs_storage, f"study-{row['run']}"))
        assert sorted(name for people in groups.values() for name in people) == sorted(run.people)
        knowing = {each.who for each in hearings(run, NewsTopic.matching("zebra"))}
        share = {name: fmean(who in knowing for who in people) for name, people in groups.items()}
        assert row["know of zebra: told - rest"] == pytest.approx(share["told"] - share[REST])
        assert row["know of zebra: told - rest"] == (1 if row["arm"] == "news" else 0)
        memories = {name: fmean(len(run.memories[who]) for who in people) for name, people in groups.items()}
        assert row["more memories"] == pytest.approx(memories["told"] - memories[REST])
    collected = rows(desk.table("collected/persona.csv"))
    assert {(row["run"], row["persona"], row["group"]) for row in collected} == {
        (run, who, name) for run, groups in drawn.items() for name, people in groups.items() for who in people
    }
    assert {row["group"] for row in rows(desk.table("answers.csv"))} == {"told", REST}


def test_what_groups_mean_is_said_wherever_they_are_compared(ran, capsys):
    """At the command line and in the report, with what is to be done."""
    desk, results = ran
    assert INTERFERENCE in list(answer_lines(results))
    report = report_text(StudyFacts(desk.folder(), load_settings(desk.given)))
    assert INTERFERENCE in report
    assert "randomly assigned" in report
    assert "groups drawn within each town: told 1" in report
    with pytest.MonkeyPatch.context() as patch:
        for name, value in desk.given.items():
            patch.setenv(f"VILLE_{name.upper()}", str(value))
        assert main(["audit", str(desk.file), "--estimate"]) == 1
    assert "draws groups within a town" in capsys.readouterr().err


def test_a_bundle_computes_typed_answers_and_groups_again(ran, tmp_path):
    """Also the functions of a study, if their code is there."""
    desk, _ = ran
    out = tmp_path / "study.zip"
    write_bundle(desk.folder(), load_settings(desk.given), out)
    verdict = verify_bundle(out, code=desk.root)
    assert verdict.faults == []
    assert verdict.measures == 4 + 3 + 1 + 1 + 1 + 1 + 1


def test_the_same_study_runs_nothing_again_and_another_draw_is_refused(ran):
    """Nor is another form of answers mixed with the first: people are asked again, and no step is run."""
    desk, _ = ran
    engine = InlineEngine()
    desk.run(STUDY, engine=engine)
    assert engine.specs == []
    for other in ("assign: {told: 2}", "assign: {warned: 1}", ""):
        text = STUDY.replace("assign: {told: 1}", other)
        if "told" not in other:
            text = text.replace("who: told", "who: Ada Stone").replace("who: rest", "who: Ben Reed")
            text = text.replace(", group: told", "").replace("{of: memories, name", "{news: sun, name")
        with pytest.raises(BadStudy, match="the groups"):
            desk.run(text)


@pytest.mark.parametrize("size", [1, 2, 0.4, 0.5])
def test_a_draw_is_fair_repeatable_and_nested(size):
    """Everyone is drawn as often, over seeds; with the same seed a larger group holds those of a smaller one."""
    people, times = ["Ada", "Ben", "Cleo", "Dan", "Eve"], 2000
    draws = [drawn_groups(people, {"told": size}, seed) for seed in range(times)]
    assert draws == [drawn_groups(people, {"told": size}, seed) for seed in range(times)]
    count = len(draws[0]["told"])
    for who in people:
        chosen = sum(who in draw["told"] for draw in draws)
        assert abs(chosen - times * count / 5) < 5 * (times * count / 5 * (1 - count / 5)) ** 0.5
    for seed, draw in enumerate(draws):
        assert sorted(draw["told"] + draw[REST]) == people
        assert set(draw["told"]) <= set(drawn_groups(people, {"told": 4}, seed)["told"])


def test_a_contrast_is_of_the_groups_that_were_drawn(ran):
    """Those without a value are left out; a group of no values gives none."""
    desk, _ = ran
    groups = {"told": ["Ada Stone"], REST: ["Ben Reed", "Cleo Adams Moor"]}
    run = Run(find(load_settings(desk.given).fs_storage, "study-plain-s1"), groups=groups)
    assert run.contrast({"Ada Stone": 3, "Ben Reed": 1, "Cleo Adams Moor": None}, "told") == 2
    assert run.contrast({"Ben Reed": 1}, "told") is None
    with pytest.raises(BadArgument, match="no group 'warned'"):
        run.contrast({}, "warned")


def test_a_function_that_fails_stops_a_study_before_it_begins(desk, capsys):
    """In one line: file, line and reason. Nothing is run, and no study is there; `--estimate` says the same."""
    (desk.root / "trial.py").write_text("def it(run):\n    return {}[run.name]\n")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in desk.given.items():
            patch.setenv(f"VILLE_{name.upper()}", str(value))
        desk.write("base: base\nsteps: 90\nseeds: 2\nmeasures: ['trial:it']\n")
        assert main(["run", str(desk.file), "--estimate"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert "dry run on base@0: the measure 'trial:it' failed at trial.py:2: KeyError: 'study-plain-s1'" in said
    assert not (desk.folder().root / "study.json").exists()


def test_a_function_may_end_its_process_and_gives_a_number(desk):
    """The process that ends is that of the trial; another value is told with its kind."""
    (desk.root / "ending.py").write_text("import sys\n\n\ndef it(run):\n    print('bye')\n    sys.exit()\n")
    with pytest.raises(BadStudy, match="ended its process: exit code 0"):
        desk.run("base: base\nsteps: 90\nseeds: 2\nmeasures: ['ending:it']\n")
    (desk.root / "wordy.py").write_text("def it(run):\n    return 'much'\n")
    measure = named_measure("wordy:it", desk.root)
    with pytest.raises(BadArgument, match="'wordy:it' returns a str, not a number"):
        measure.of(Run(find(load_settings(desk.given).fs_storage, "base")))


def test_a_function_that_fails_on_the_shared_beginning_stops_the_rest(desk):
    """Only the beginning was run; after the mistake is corrected, the same study goes on."""
    (desk.root / "late.py").write_text("def it(run):\n    return 1 / (run.steps < 60)\n")
    text = STUDY.partition("questions:")[0].replace("seeds: 2", "seeds: 1") + "measures: ['late:it']\n"
    engine = InlineEngine()
    with pytest.raises(BadStudy, match=r"dry run on study-shared-60-\w+: .*late.py:2: ZeroDivisionError"):
        desk.run(text, engine=engine)
    assert [spec.name for spec in engine.specs if "shared" not in spec.name] == []
    (desk.root / "later.py").write_text("def it(run):\n    return run.steps\n")
    results = desk.run(text.replace("late:it", "later:it"))
    assert {job.state for job in results.jobs} == {"done"}
