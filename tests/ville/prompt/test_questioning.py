"""Questions to the people of a saved simulation, on the command line."""

import io
import json
import shutil

import pytest

from ville.api.functions import interview
from ville.cli import offline_command as reverie_offline


@pytest.fixture(scope="module")
def morning(tmp_path_factory, write_small_town):
    """Return the folder of a run of eight hours; it is only copied."""
    town = write_small_town(tmp_path_factory.mktemp("morning"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VILLE_FS_STORAGE", str(town.root / "storage"))
        patch.setenv("VILLE_ASSETS", str(town.root / "assets"))
        told = ("-o", "base", "-t", "run", "-s", "480", "--seed", "3", "--autosave", "120")
        assert reverie_offline.main([*told]) == 0
    return town.root / "storage/run"


@pytest.fixture
def ask(small_town, morning, monkeypatch, capsys):
    """Return exit code and output of reverie_offline.py in an empty folder; `run` is a saved morning."""
    shutil.copytree(morning, small_town.root / "storage/run")
    monkeypatch.setenv("VILLE_FS_STORAGE", str(small_town.root / "storage"))
    monkeypatch.setenv("VILLE_ASSETS", str(small_town.root / "assets"))
    (small_town.root / "here").mkdir()
    monkeypatch.chdir(small_town.root / "here")

    def command(*arguments):
        code = reverie_offline.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return command


def everything(small_town, name):
    folder = small_town.root / "storage" / name
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("origin", ["run", "run@05:00"])
def test_everyone_answers_the_given_question_and_nothing_changes(ask, small_town, origin):
    """Answers and memories are those of an interview, in the order of meta.json, printed and in two files."""
    before, question = everything(small_town, "run"), "What are you doing?"
    code, printed = ask("-o", origin, "-t", "asked", "-q", question)
    assert code == 0, printed
    assert everything(small_town, "run") == before
    assert not (small_town.root / "storage/asked").exists()
    text = (small_town.root / "here/asked_question.txt").read_text("utf-8")
    assert text in printed
    ((block,),) = [json.loads((small_town.root / "here/asked_question.json").read_text("utf-8"))["questions"]]
    assert block["question"] == question
    assert [each["name"] for each in block["answers"]] == ["Ada Stone", "Ben Reed", "Cleo Adams Moor"]
    for each in block["answers"]:
        alone = interview(origin, each["name"], question)
        assert each["answer"] == alone.text
        assert f"{each['name']}: {alone.text}" in text
        assert [memory["score"] for memory in each["memories"]] == [memory.score for memory in alone.memories]


def test_a_file_holds_a_question_in_each_line(ask, small_town):
    """Blank lines are skipped, and with -c only one person answers."""
    file = small_town.root / "here/what.txt"
    file.write_text("\ufeffWho are you?\n\n  What is on your mind, née?\t\n", "utf-8")
    assert ask("-o", "run", "-c", "Ben", "-q", file.name)[0] == 0
    found = json.loads((small_town.root / "here/run_question.json").read_text("utf-8"))["questions"]
    assert [block["question"] for block in found] == ["Who are you?", "What is on your mind, née?"]
    assert {each["name"] for block in found for each in block["answers"]} == {"Ben Reed"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"Who?\n\xff\xfe", "UTF-8"),
        (b"x" * 100_001, "100,000"),
        (b"Who?\n" + b"why " * 600, "what.txt:2: "),
        (b"Who?\n\x1b[2J\n", "what.txt:2: "),
        (b"\n \n", "no questions"),
    ],
)
def test_a_faulty_file_is_one_line_and_nobody_is_asked(ask, small_town, content, says):
    """The line says what is wrong, and where."""
    (small_town.root / "here/what.txt").write_bytes(content)
    code, printed = ask("-o", "run", "-q", "what.txt")
    assert (code, printed.count("\n"), says in printed) == (1, 1, True), printed
    assert not list((small_town.root / "here").glob("*_question.*"))


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["-q", "nowhere.txt"], "no file nowhere.txt"),
        (["-q", " "], "says nothing"),
        (["-q", "Who?", "-s", "0"], "--steps"),
        (["-q", "Who?", "-c", "Zoe"], "Zoe"),
        (["-q", "Who?" * 600], "2,000"),
        (["-q", "Who?", "-t", "/some/path"], "'/some/path' is a path"),
        (["-q", "Who?", "-t", "..\\asked"], "is a path"),
    ],
)
def test_what_cannot_be_asked_is_one_line(ask, flags, says):
    """The last one, beside the announcement of the model."""
    code, printed = ask("-o", "run", *flags)
    assert code == 1
    assert says in printed.splitlines()[-1]
    assert "Traceback" not in printed


def test_answers_replace_no_file(ask, small_town):
    """The second time, no question is asked."""
    assert ask("-o", "run", "-q", "Who are you?")[0] == 0
    before = (small_town.root / "here/run_question.txt").read_bytes()
    code, printed = ask("-o", "run", "-q", "And now?")
    assert (code, printed.count("\n"), "run_question.txt exists" in printed) == (1, 1, True)
    assert (small_town.root / "here/run_question.txt").read_bytes() == before


def test_without_a_question_an_interview_is_held(ask, small_town, monkeypatch):
    """Lines are answered until an empty one; nothing is written."""
    monkeypatch.setattr("sys.stdin", io.StringIO("Who are you?\n\n"))
    before = everything(small_town, "run")
    code, printed = ask("-o", "run", "-c", "Ada")
    assert code == 0
    assert "Interview with Ada Stone" in printed
    assert f"Ada Stone: {interview('run', 'Ada Stone', 'Who are you?').text}" in printed
    assert everything(small_town, "run") == before
    assert not list((small_town.root / "here").iterdir())
