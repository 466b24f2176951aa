"""Arms can differ in a part of a mind, which is a class beside the study file."""

import sys
from itertools import count

import pytest
from step_texts import shown_in

from ville.cli.compare_command import main as compare
from ville.cli.study_command import main
from ville.errors import BadStudy
from ville.settings import load_settings
from ville.studies.job import jobs_of

SLEEPY = """\
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import Schedule


class Sleepy:
    async def plan(self, mind, moment, day):
        scratch, now = mind.scratch, moment.now
        scratch.schedule = scratch.hourly_schedule = Schedule.whole_day([])
        event = (mind.name, "is", "sleeping")
        bed = scratch.identity.living_area + ":bed"
        if scratch.action_finished(now):
            scratch.begin(Action(address=bed, start=now, minutes=60, description="sleeping", emoji="💤", event=event))
"""
STUDY = """\
base: base
steps: 500
seeds: 1
arms:
  plain: {}
  sleepy:
    settings: {minds: {plan: "MODULE:Sleepy"}}
measures: [conversations]
"""
numbers = count()


@pytest.fixture
def sleepy(desk, monkeypatch):
    """A study in whose second arm everyone sleeps all day, and the name of its module."""
    module = f"sleepy_{next(numbers)}"
    (desk.root / f"{module}.py").write_text(SLEEPY, "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    return STUDY.replace("MODULE", module), module


def test_an_arm_thinks_with_its_own_class(desk, sleepy, capsys):
    """Its people do otherwise; its run says why, and so does a comparison."""
    text, module = sleepy
    desk.run(text)
    storage = desk.root / "storage"
    ran = {path.name: "minds" in (path / "reverie/run.json").read_text("utf-8") for path in storage.glob("study-*")}
    assert ran == {"study-plain-s1": False, "study-sleepy-s1": True}
    last = {name: str(shown_in(storage / name, 499)).count("sleeping") for name in ran}
    assert last == {"study-plain-s1": 0, "study-sleepy-s1": 3}
    compare(["study-plain-s1", "study-sleepy-s1", "--storage", str(storage), "--no-trace"])
    assert f"plan {module}:Sleepy" in capsys.readouterr().out


def test_other_code_is_another_run(desk, sleepy):
    """The name of a class and the text of its file decide the outcome of a run."""
    text, module = sleepy

    def settings():
        return {job.arm: job.fingerprint["the settings"] for job in jobs_of(desk.read(text), desk.given)}

    before = settings()
    assert before["plain"] != before["sleepy"]
    (desk.root / f"{module}.py").write_text(SLEEPY + "# changed\n", "utf-8")
    after = settings()
    assert (after["plain"], after["sleepy"] == before["sleepy"]) == (before["plain"], False)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (":Sleepy", ":Ever", "has no class 'Ever'"),
        ("plan: ", "react: ", "has no method react"),
        ("plan: ", "eat: ", "'eat' is no part of a mind"),
        ('minds: {plan: "MODULE:Sleepy"}', "minds_folder: .", "minds_folder"),
    ],
)
def test_what_does_not_fit_is_a_fault_of_its_line(desk, sleepy, was, now, said):
    """Before anything runs."""
    text, module = sleepy
    with pytest.raises(BadStudy) as refused:
        desk.read(text.replace(was.replace("MODULE", module), now))
    (fault,) = refused.value.faults
    assert (fault.line, said in str(fault)) == (7, True)


def test_whoever_runs_it_is_told_before_anything_is_imported(desk, capsys, monkeypatch):
    """As of measures."""
    (desk.root / "their_mind.py").write_text("print('imported')\n" + SLEEPY, "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    desk.write(STUDY.replace("MODULE", "their_mind").replace("500", "1"))
    for name, value in desk.given.items():
        monkeypatch.setenv(f"VILLE_{name.upper()}", str(value))
    assert main(["run", str(desk.file), "--estimate"]) == 0
    said = capsys.readouterr().out.splitlines()
    (told,) = [line for line in said if "brings minds that are code: their_mind:Sleepy." in line]
    assert said.index(told) < said.index("imported")
    assert load_settings().minds == ""
