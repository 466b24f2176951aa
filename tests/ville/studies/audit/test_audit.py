"""An audit runs both arms again under each perturbation, from where they part, and says what becomes of the effect."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_engine import InlineEngine

from ville.cli.study_command import main
from ville.errors import BadArgument, BadStudy
from ville.settings import load_settings
from ville.studies import shared_beginnings
from ville.studies.audit import audit_plan
from ville.studies.audit.audit_plan import AuditTerms
from ville.studies.audit.audit_report import PLAN
from ville.studies.audit.auditing import check_no_audit, plan_audit, write_results
from ville.studies.audit.other_people import other_traits
from ville.studies.audit.perturbation import Perturbation, own_perturbations
from ville.studies.audit.reworded_rows import reworded_rows
from ville.studies.job import jobs_of
from ville.studies.runner import StudyRunner

STUDY = """\
base: base
steps: 200
seeds: 2
settings: {fsync: false}
arms:
  plain: {}
  told:
    interventions: [{step: 90, kind: whisper, who: Ada Stone, words: The zebra is closed}]
measures: [{news: zebra, name: know}, conversations]
audit: {only: [NAMES]}
"""
SOME = ("people_order", "told_as_news", "placebo", "temperature_low", "no_reflection")


def planned(desk, names=SOME, text=STUDY, **terms):
    desk.write(text.replace("NAMES", ", ".join(names)))
    return plan_audit(desk.file, AuditTerms(**terms), desk.given)


def carried_out(desk, plan, stop=lambda: False):
    folder = desk.folder(plan.study.name)
    folder.create()
    engine = InlineEngine()
    StudyRunner(plan.study, folder, desk.given).run(engine, lambda _: None, stop)
    return engine, folder


def tables(folder) -> dict[str, str]:
    return {name: folder.read_table(name) for name in ("runs.csv", "audit.csv", "audit.txt", "figures/audit.svg")}


def test_an_audit_stopped_and_resumed_says_what_one_in_one_go_says(desk):
    """Perturbations begin where the arms part, on beginnings that are run once; what cannot be read is not run; the
    placebo is not counted; fewer questions are asked than from the start.
    """
    plan = planned(desk)
    reports = iter([False] * 6 + [True] * 100)
    _, folder = carried_out(desk, plan, stop=lambda: next(reports))
    engine, folder = carried_out(desk, plan)
    lines = write_results(plan, folder, desk.given)
    first = tables(folder)
    origins = {spec.name.removeprefix("study-audit-"): spec.origin for spec in engine.specs}
    assert all(
        re.fullmatch(r"study-audit-shared-90-\w+@90", origin) for run, origin in origins.items() if "order" in run
    )
    by_name = {row.split(",")[0]: row for row in first["audit.csv"].splitlines()[1:]}
    assert "without effect here" in by_name["temperature_low"]
    assert "the rules answer" in by_name["temperature_low"]
    assert any("With a placebo of the same length it vanishes" in line for line in lines)
    headline = next(line for line in lines if "survives" in line)
    assert re.search(r"survives \d of \d perturbations?", headline)
    asked, whole = re.search(r"Asked: ([\d,]+) questions?, .* of the ([\d,]+)", "\n".join(lines)).groups()
    assert int(asked.replace(",", "")) < int(whole.replace(",", ""))
    for job in folder.jobs():
        (desk.root / "storage" / job.simulation).rename(desk.root / job.simulation)
    folder.root.rename(desk.root / "before")
    _, again = carried_out(desk, plan)
    write_results(plan, again, desk.given)
    assert tables(again) == first


def test_runs_with_a_past_are_those_of_the_other_arm_until_their_turn(desk, monkeypatch):
    """Whatever the shortest beginning that is worth sharing, also if they are all that is to be run."""
    text = STUDY.replace("  told:", "  turned: {past: {arm: plain, at: 90}, other_seeds: 100}\n  told:").replace(
        "[NAMES]", "[]"
    )
    study = desk.read(text)
    plain, turned, *_ = (job for job in jobs_of(study, desk.given) if job.seed == 1)
    assert (turned.past, turned.settings["seed"], turned.seed) == (plain, 101, 1)
    monkeypatch.setattr(shared_beginnings, "SHORTEST", 10_000)
    engine = InlineEngine()
    desk.run(text, engine=engine)
    seeds = {spec.name: spec.settings["seed"] for spec in engine.specs}
    shared = [name for name in seeds if "shared" in name]
    assert sorted(seeds[name] for name in shared) == [1, 2]
    assert seeds["study-turned-s1"] == 101
    same = [desk.files(name) for name in ("study-turned-s1", "study-plain-s1")]
    moves = [{name: text for name, text in each.items() if name.startswith("movement/")} for each in same]
    assert all(moves[0][f"movement/{step}.json"] == moves[1][f"movement/{step}.json"] for step in range(90))
    with pytest.raises(BadStudy, match="no arm 'absent' without a past"):
        desk.read(text.replace("arm: plain", "arm: absent"))


def test_perturbations_of_interventions_leave_the_other_arm_as_it_is(desk):
    plan = planned(desk, ("told_as_news", "other_voice", "placebo", "other_person", "earlier", "later"))
    assert {each.arms[0] for each in plan.perturbations if each.arms} == {"plain"}
    rows = {arm.name.removesuffix("-told"): arm.rows["base"] for arm in plan.study.arms if "-" in arm.name}
    words = {name: (row["who"], row["words"], row["step"]) for name, (row,) in rows.items()}
    assert words["told_as_news"] == ("Ada Stone", "There is news: the zebra is closed", 90)
    assert words["other_person"][0] == "Ben Reed"
    assert abs(len(words["placebo"][1]) - len("The zebra is closed")) < 6
    assert (words["earlier"][2], words["later"][2]) == (30, 150)


def test_a_study_adds_perturbations_of_its_own_and_chooses(desk):
    own = "audit: {without: [later], add: {deaf: {says: nobody listens, settings: {talks_per_hour: 0.1}}}}\n"
    plan = planned(desk, text=STUDY.rsplit("audit:", 1)[0] + own)
    names = [each.perturbation.name for each in plan.perturbations]
    assert "deaf" in names
    assert "later" not in names
    assert len(names) == len(own_perturbations())
    with pytest.raises(BadStudy, match="changes nothing"):
        planned(desk, text=STUDY.rsplit("audit:", 1)[0] + "audit: {add: {idle: {says: as it is}}}\n")
    with pytest.raises(BadStudy, match="did you mean 'placebo'"):
        planned(desk, ("placebos",))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("arms:\n", "arms:\n  third: {settings: {retrieval: paper}}\n"), "Choose one with --arm: plain, told"),
        (("measures:", "questions:"), "measure"),
    ],
)
def test_without_one_contrast_there_is_nothing_to_audit(desk, change, said):
    text = STUDY.replace(*change).replace("questions: [{news: zebra, name: know}, conversations]\n", "")
    with pytest.raises(BadArgument, match=said):
        planned(desk, text=text)


def test_at_least_eighteen_perturbations_reach_the_rules():
    """Names, data and words of all of them are whole."""
    reach = [each for each in own_perturbations() if "rules" in each.of and each.expects == "same"]
    assert len(reach) >= 18
    assert len({each.says for each in own_perturbations()}) == len(own_perturbations())


@pytest.mark.parametrize("installed", [True, False])
def test_another_embedder_that_is_not_installed_is_left_out(desk, monkeypatch, installed):
    """Before anything is run; so is one that a study file sets."""
    monkeypatch.setattr(audit_plan, "is_installed", lambda: installed)
    text = STUDY.rsplit("audit:", 1)[0].replace("fsync: false", "fsync: false, embedder: hashing")
    settings = "{embedder: meaning, talks_per_hour: 0.1}"
    own = f"audit: {{only: [other_embedder, own], add: {{own: {{says: mine, settings: {settings}}}}}}}\n"
    planned_ones = planned(desk, text=text + own).perturbations
    assert [each.left_out == "" for each in planned_ones] == [installed] * 2
    assert all("the-ville[meaning]" in each.left_out for each in planned_ones if not installed)


def test_an_estimate_says_that_the_audit_has_a_budget_of_its_own(desk, capsys):
    desk.write(STUDY.replace("NAMES", "placebo") + "budget: {dollars: 2, calls: 900}\n")
    flags = ["--fs-storage", desk.given["fs_storage"], "--assets", desk.given["assets"]]
    assert main(["audit", str(desk.file), "--estimate", *flags]) == 0
    said = capsys.readouterr().out
    assert "It has the whole budget again: 2.00 dollars, 900 calls for the audit, beside what" in said


def test_an_audit_is_of_the_study_that_was_run_under_a_name(desk):
    desk.write(STUDY.replace("NAMES", "placebo"))
    assert plan_audit(desk.file, AuditTerms(), desk.given, name="other").study.name == "other-audit"
    folder = desk.folder("other-audit")
    folder.create()
    with pytest.raises(BadArgument, match=f"'study.py audit {re.escape(str(desk.file))} --name other'"):
        folder.write_table(PLAN, "{}")
        check_no_audit(folder, str(desk.file))


def test_descriptions_keep_who_they_are_of():
    people = {
        "Ada Stone": {
            "innate": "kind, calm",
            "learned": "Ada Stone owns a shop. She is content when it rains.",
            "lifestyle": "Ada sleeps late.",
        },
        "Ben Reed": {
            "innate": "loud",
            "learned": "Ben Reed studies bees. He keeps two.",
            "lifestyle": "Ben Reed gets up at 6am.",
        },
    }
    swapped = {(row["who"], row["field"]): row["now"] for row in other_traits(people, "swapped")}
    assert swapped["Ada Stone", "learned"] == "Ada Stone studies bees. He keeps two."
    assert swapped["Ben Reed", "lifestyle"] == "Ben sleeps late."
    ordered = {(row["who"], row["field"]): row["now"] for row in other_traits(people, "other_order")}
    assert ordered["Ada Stone", "learned"] == "Ada Stone is content when it rains. Ada Stone owns a shop."
    assert ordered["Ada Stone", "innate"] == "calm, kind"
    words = {(row["who"], row["field"]): row["now"] for row in other_traits(people, "other_words")}
    assert words["Ada Stone", "learned"] == "Ada Stone is the owner of a shop. She is happy when it rains."


def test_each_way_of_setting_is_one_that_studies_may_set():
    settings = [each.settings for each in own_perturbations() if each.settings]
    for each in settings:
        load_settings(each)


@pytest.mark.parametrize("setting", ["max_cost", "api_key", "autosave", "talks_an_hour"])
def test_a_perturbation_changes_only_what_decides_what_people_do(desk, setting):
    """Also where the rules answer, who need no key and no limit."""
    own = f"audit: {{add: {{mine: {{says: mine, settings: {{{setting}: 1}}}}}}}}\n"
    with pytest.raises(BadStudy, match=f"the perturbation mine: '{setting}' is no setting that decides"):
        planned(desk, text=STUDY.rsplit("audit:", 1)[0] + own)


@given(st.integers(10, 900))
def test_a_placebo_is_whole_sentences_of_about_the_same_length(length):
    filler = next(each for each in own_perturbations() if each.name == "placebo").filler
    sentences = {each.strip(".") for each in filler.split(". ")}
    found = reworded_rows(
        [{"kind": "whisper", "words": "x" * length}], Perturbation("own", "own", "own", filler=filler), ()
    )[0]["words"]
    assert set(found.split(". ")) <= sentences
    assert abs(len(found) - length) <= max(10, length / 10)
