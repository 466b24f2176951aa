"""Arms can differ in a part of a mind, which is a class beside the study file."""

import sys

import pytest

from ville.cli.compare import main as compare
from ville.cli.study import main
from ville.errors import BadStudy
from ville.settings import load_settings
from ville.studies.job import jobs_of

NEVER = """\
from ville.persona.cognitive_modules.view import CarryOn


class Never:
    async def react(self, mind, moment, recalled):
        return CarryOn()
"""
STUDY = """\
base: base
steps: 700
seeds: 1
arms:
  plain: {}
  aloof:
    settings: {minds: {react: "MODULE:Never"}}
measures: [conversations]
"""


@pytest.fixture
def aloof(desk, monkeypatch, request):
    """A study whose second arm never reacts to anybody, and the name of its module."""
    module = f"aloof_{abs(hash(request.node.name))}"
    (desk.root / f"{module}.py").write_text(NEVER, "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    return STUDY.replace("MODULE", module), module


def test_an_arm_thinks_with_its_own_class(desk, aloof, capsys):
    """It talks with nobody, its run says why, and so does a comparison."""
    text, module = aloof
    desk.run(text)
    talks = {row.split(",")[0]: row for row in desk.table().splitlines()[1:]}
    assert len(talks) == len({*talks}) == 2
    storage = desk.root / "storage"
    ran = {path.name: "minds" in (path / "reverie/run.json").read_text("utf-8") for path in storage.glob("study-*")}
    assert ran == {"study-plain-s1": False, "study-aloof-s1": True}
    runs = desk.folder().runs if hasattr(desk.folder(), "runs") else None
    assert runs is None
    compare(["study-plain-s1", "study-aloof-s1", "--fs-storage", str(storage)])
    assert f"react {module}:Never" in capsys.readouterr().out


def test_other_code_is_another_run(desk, aloof):
    """What a class is called, and what its file says, decides the outcome of a run."""
    text, module = aloof

    def settings():
        return {job.arm: job.fingerprint["the settings"] for job in jobs_of(desk.read(text), desk.given)}

    before = settings()
    assert before["plain"] != before["aloof"]
    (desk.root / f"{module}.py").write_text(NEVER + "# changed\n", "utf-8")
    after = settings()
    assert (after["plain"], after["aloof"] == before["aloof"]) == (before["plain"], False)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (":Never", ":Ever", "has no class 'Ever'"),
        ("react: ", "plan: ", "has no method plan"),
        ("react: ", "eat: ", "'eat' is no part of a mind"),
        ('minds: {react: "MODULE:Never"}', "minds_folder: .", "minds_folder"),
    ],
)
def test_what_does_not_fit_is_a_fault_of_its_line(desk, aloof, was, now, said):
    """Before anything runs."""
    text, module = aloof
    with pytest.raises(BadStudy) as refused:
        desk.read(text.replace(was.replace("MODULE", module), now))
    (fault,) = refused.value.faults
    assert (fault.line, said in str(fault)) == (7, True)


def test_whoever_runs_it_is_told_before_anything_is_imported(desk, capsys, monkeypatch):
    """As of measures."""
    (desk.root / "their_mind.py").write_text("print('imported')\n" + NEVER, "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    desk.write(STUDY.replace("MODULE", "their_mind").replace("700", "1"))
    for name, value in desk.given.items():
        monkeypatch.setenv(f"VILLE_{name.upper()}", str(value))
    assert main(["run", str(desk.file), "--estimate"]) == 0
    said = capsys.readouterr().out.splitlines()
    (told,) = [line for line in said if "brings minds that are code: their_mind:Never." in line]
    assert said.index(told) < said.index("imported")
    assert load_settings().minds == ""
