"""A plan that is registered before a study is run cannot be changed unnoticed, and is told apart from what was not."""

import json
import re
from datetime import date

import pytest

from ville.analysis.hypotheses import AGAINST, HELD, NOISE, TOO_FEW, outcome
from ville.analysis.run_statistics import MeasuredRun, difference
from ville.analysis.study_statistics import measures_by_arm
from ville.cli.study_command import main
from ville.errors import BadArgument, BadStudy, CorruptFile
from ville.settings import load_settings
from ville.sharing.report.methods import methods_text
from ville.sharing.report.study_facts import StudyFacts
from ville.storage.studies.registration import (
    REGISTRATION,
    Registration,
    plan_digest,
    read_registration,
    registration_beside,
)
from ville.storage.studies.study_folder import JobManifest, JobResult
from ville.studies.batch import remove_study
from ville.studies.confirming import (
    begin_confirmation,
    confirmation_of,
    confirmations_of,
    end_confirmation,
    hypothesis_outcomes,
)
from ville.studies.registering import changed_parts, place_words, register
from ville.studies.runner import StudyRunner

STUDY = """\
base: base
steps: 20
seeds: 1
arms:
  plain: {}
  told:
    interventions:
      - {step: 10, kind: whisper, who: Ada Stone, words: The zebra is closed}
measures: [conversations, {news: zebra, name: know}]
hypotheses:
  - {measure: know, arm: told, direction: more}
primary: know
stop: after one seed
eligible_models: [offline, other-model]
"""
TODAY = date(2026, 11, 28)
FAULTY = """\
hypotheses:
  - {measure: known, arm: told, direction: more} #!
  - {measure: know, arm: plain, direction: more} #!
  - {measure: know, arm: told, direction: up} #!
  - {measure: know, arm: told} #!
primary: conversations #!
eligible_models: [a, a] #!
"""


def refused(desk, text) -> list[str]:
    with pytest.raises(BadStudy) as raised:
        desk.run(text)
    return [fault.message for fault in raised.value.faults]


def test_keys_of_a_plan_are_checked_with_their_lines(desk):
    """As all other keys."""
    text = STUDY.partition("hypotheses:")[0] + FAULTY
    with pytest.raises(BadStudy) as raised:
        desk.read(text)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("#!")]
    assert sorted(fault.line for fault in raised.value.faults) == lines


def test_a_changed_plan_is_refused_by_the_name_of_what_changed(desk):
    """With the old and the new value; what is not of the plan may change, and the registration itself may not."""
    path, registered = register(desk.read(STUDY), desk.given, TODAY)
    assert path == registration_beside(desk.file)
    assert registered.digest == plan_digest(json.loads(path.read_text("utf-8"))["plan"])
    for old, new, said in (
        ("seeds: 1", "seeds: 2", "the list of seeds: changed since the study was registered (then: 1; now: 1, 2)"),
        (
            "is closed",
            "is open",
            "the words of intervention 1 (base) of the arm told: changed since the study was registered (then: The",
        ),
        ("direction: more", "direction: fewer", "the direction of hypothesis 1: changed"),
        ("news: zebra", "news: lion", "the news of the measure know: changed"),
        ("steps: 20", "steps: 30", "the last step of the base base: changed"),
    ):
        faults = refused(desk, STUDY.replace(old, new))
        assert any(said in fault for fault in faults), faults
    with pytest.raises(BadArgument, match="registered on 2026-11-28"):
        register(desk.read(STUDY), desk.given, TODAY)
    desk.run(STUDY.replace("[conversations,", "[conversations, steps,"))
    assert read_registration(desk.folder().root / REGISTRATION) == registered
    path.unlink()
    assert "the list of seeds" in refused(desk, STUDY.replace("seeds: 1", "seeds: 2"))[0]
    kept = desk.folder().root / REGISTRATION
    kept.write_text(kept.read_text("utf-8").replace("after one seed", "when it looks good"), "utf-8")
    with pytest.raises(CorruptFile, match="digest"):
        desk.run(STUDY)


def test_runs_of_a_registered_plan_that_are_deleted_stay_noted(desk):
    """Whoever tries a plan until it fits cannot do so in silence; what was never begun is no try."""
    path, _ = register(desk.read(STUDY), desk.given, TODAY)
    desk.run(STUDY)
    remove_study(load_settings(desk.given), desk.folder(), TODAY)
    again = desk.run(STUDY)
    (told,) = again.registration().deleted
    assert re.fullmatch(rf"(\d+) of \1 runs with offline, deleted on {TODAY}", told)
    assert told in methods_text(StudyFacts(desk.folder(), load_settings(desk.given)))
    assert read_registration(path).deleted == [told]


def test_what_a_registered_measure_asks_and_whom_a_study_draws_cannot_change(desk):
    """Other questions may."""
    asked = "assign: {early: 1}\nquestions:\n  - {ask: Is it late, name: late, answer: {choice: [yes, no]}}\narms:"
    text = STUDY.replace("arms:", asked, 1).replace("measure: know,", "measure: 'late: yes',")
    text = text.replace("primary: know", "primary: 'late: yes'")
    register(desk.read(text), desk.given, TODAY)
    for old, new, said in (
        ("Is it late", "Is it dark", "the wording of question 1 of the measure late: yes: changed"),
        (
            "[yes, no]",
            "[yes, no, perhaps]",
            "the choice of the answer of question 1 of the measure late: yes: changed",
        ),
        ("early: 1", "early: 2", "the number of people drawn for early of the arm plain: changed"),
    ):
        faults = refused(desk, text.replace(old, new))
        assert any(said in fault for fault in faults), faults
    more = text.replace("questions:", "questions:\n  - {ask: Is it early, answer: number}")
    assert desk.read(more)
    assert StudyRunner(desk.read(more), desk.folder(), desk.given).jobs


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("answers: plain", "the arm whose answers are taken of the arm told"),
        ("other_seeds: 7", "the shift of seeds of the arm told"),
        ("past: {arm: plain, at: 5}", "the past of the arm told: .*then: arm: plain; at: 5; now: nothing"),
    ],
)
def test_where_an_arm_begins_and_whose_answers_it_takes_are_part_of_a_plan(desk, part, said):
    text = STUDY.replace("  told:\n", f"  told:\n    {part}\n")
    register(desk.read(text), desk.given, TODAY)
    with pytest.raises(BadStudy, match=said):
        desk.run(STUDY)


def test_what_is_known_cannot_be_registered(desk):
    """Nor what does not say when it stops; and what is not registered cannot be confirmed."""
    with pytest.raises(BadArgument, match="`stop`"):
        register(desk.read(STUDY.replace("stop: after one seed\n", "")), desk.given, TODAY)
    path, _ = register(desk.read(STUDY), desk.given, TODAY)
    kept = path.read_bytes()
    path.unlink()
    desk.run(STUDY)
    with pytest.raises(BadArgument, match="known cannot be registered"):
        register(desk.read(STUDY), desk.given, TODAY)
    with pytest.raises(BadArgument, match="not registered"):
        confirmation_of(desk.folder().root.parent, "study", model="offline", given=desk.given)
    path.write_bytes(kept)
    assert "before it was registered" in refused(desk, STUDY)[0]


def test_a_plan_is_confirmed_once_with_a_model_that_was_named_and_not_used(desk, capsys):
    """And says what became of each hypothesis."""
    register(desk.read(STUDY), desk.given, TODAY)
    results = desk.run(STUDY + "budget: $5\n")
    studies = desk.folder().root.parent

    def confirm(model):
        study = confirmation_of(studies, "study", model=model, given=desk.given)
        begin_confirmation(studies, "study", model=model, today=TODAY)
        return study

    with pytest.raises(BadArgument, match="was used in study"):
        confirm("offline")
    with pytest.raises(BadArgument, match="not eligible"):
        confirm("best-model")
    for job in results.jobs:  # as if the first runs had been answered by a model
        desk.folder().write_job(job.model_copy(update={"provenance": {**job.provenance, "models": "openai:pilot"}}))
    flags = ["--fs-storage", desk.given["fs_storage"], "--assets", desk.given["assets"]]
    assert main(["confirm", "study", "--model", "offline", "--estimate", *flags]) == 0
    assert "It has the whole budget again: 5.00 dollars for this confirmation" in capsys.readouterr().out
    assert confirmations_of(studies, "study") == []
    study = confirm("offline")
    assert study.name == "study-confirm-offline"
    done = desk.run(STUDY, study.name)
    assert {each["measure"]: each["plan"] for each in done.differences()} == {
        "know": "primary", "conversations": "exploratory",
    }  # fmt: skip
    (row,) = hypothesis_outcomes(done)
    assert (row["measure"], row["primary"], row["difference"], row["outcome"]) == ("know", True, 1.0, TOO_FEW)
    with pytest.raises(BadArgument, match="run once"):
        confirm("offline")
    end_confirmation(studies, "study", model="offline", results=done)
    assert confirmations_of(studies, "study") == [study.name]
    remove_study(load_settings(desk.given), desk.folder(study.name), TODAY)
    with pytest.raises(BadArgument, match=f"on 2026-11-28, and its runs were deleted .*{TOO_FEW}.* is run once"):
        confirm("offline")
    assert not read_registration(registration_beside(desk.file)).deleted  # it is no try of the study itself
    (named,) = confirmations_of(studies, "study")
    assert named.startswith(f"{study.name} (with offline, begun on 2026-11-28")
    assert TOO_FEW in named


def registration(*hypotheses, primary) -> Registration:
    plan = {"hypotheses": [dict(zip(("measure", "arm", "direction"), each, strict=True)) for each in hypotheses]}
    plan |= {"primary": [primary]}
    return Registration(digest=plan_digest(plan), registered="2026-11-28", plan=plan)


def jobs(values) -> list[JobManifest]:
    """Return jobs with ten seeds of two arms, by measure the values of the second; the first has zeros."""
    return [
        JobManifest(
            run=f"{arm}-s{seed}", simulation=f"x-{arm}-{seed}", base="base", arm=arm, seed=seed, origin="base@0",
            first_step=0, until_step=9, state="done",
            result=JobResult(measures={what: float(of(seed)) * (arm == "b") for what, of in values.items()}),
        )
        for arm in ("a", "b") for seed in range(10)
    ]  # fmt: skip


def test_registered_hypotheses_are_a_family_of_their_own():
    """Primary measures come first; what was not registered is tested apart, and costs the hypotheses nothing."""
    values = {f"m{number}": (lambda seed, number=number: seed % 3 + number) for number in range(5)}
    registered = registration(("m3", "b", "more"), ("m1", "b", "fewer"), primary="m3")
    plain = measures_by_arm([*values], ["a", "b"], jobs(values))
    found = measures_by_arm([*values], ["a", "b"], jobs(values), registered)
    assert [each.measure for each in found] == ["m3", "m0", "m1", "m2", "m4"]
    by_name = {each.measure: each.bases[0].differences[0].found for each in found}
    assert {name: each.plan for name, each in by_name.items()} == {
        "m3": "primary", "m1": "registered", "m0": "exploratory", "m2": "exploratory", "m4": "exploratory",
    }  # fmt: skip
    assert {each.tests for each in by_name.values()} == {2, 3}
    assert {each.bases[0].differences[0].found.tests for each in plain} == {5}
    assert by_name["m3"].adjusted_p == pytest.approx(2 * by_name["m3"].p)


@pytest.mark.parametrize(
    ("values", "direction", "said"),
    [
        ([3, 4, 5, 4, 3, 5, 4, 3], "more", HELD),
        ([3, 4, 5, 4, 3, 5, 4, 3], "fewer", AGAINST),
        ([-3, -4, -5, -4, -3, -5, -4, -3], "fewer", HELD),
        ([3, 4, 5, 4, 3, 5, 4, 3], "other", HELD),
        ([1, -1, 1, -1, 1, -1, 1, -1], "more", NOISE),
        ([3, 4, 5], "more", TOO_FEW),
    ],
)
def test_a_hypothesis_holds_in_its_direction_only(values, direction, said):
    first = [MeasuredRun(f"a{seed}", seed, 0.0) for seed in range(len(values))]
    other = [MeasuredRun(f"b{seed}", seed, float(value)) for seed, value in enumerate(values)]
    assert outcome(difference(first, other), direction) == said


def test_changes_are_named_by_their_path():
    """In words; also what is new, what is gone, and the order of arms."""
    old = {"seeds": [1], "arms": {"a": {"x": 1}, "b": {}}, "list": [{"k": 1}, {"k": 2}]}
    assert [place for place, *_ in changed_parts(old, old)] == []
    new = {"seeds": [1, 2], "arms": {"b": {}, "a": {"x": 2}}, "list": [{"k": 1}, {"k": 3}], "more": 1}
    found = [place for place, *_ in changed_parts(old, new)]
    assert [*map(place_words, found)] == [
        "the list of seeds", "the x of the arm a", "the order of the arms", "the k of the 2 of the list", "the more",
    ]  # fmt: skip
