"""Studies from Python: the same as from a file."""

import io
import json
from importlib import import_module

import numpy as np
import pytest
from inline_engine import InlineEngine

import ville
from ville.analysis.comparison import noise
from ville.analysis.paper_measures import Measure
from ville.analysis.study_statistics import measures_by_arm
from ville.cli.study_command import main
from ville.cli.study_run import job_line
from ville.errors import BadArgument, BadStudy
from ville.studies import batch
from ville.studies.reading.study_file import study_of

ARMS = {"plain": {}, "paper": {"settings": {"retrieval": "paper"}}}
STUDY = {"base": "base", "steps": 5, "seeds": 1, "arms": ARMS, "measures": ["conversations"]}


def test_a_study_from_python_is_that_of_the_command(desk, capsys, monkeypatch):
    """The same table; results are read by name; an estimate runs nothing."""
    monkeypatch.setattr(batch, "LocalPool", lambda _workers: InlineEngine())
    file = desk.write(json.dumps(STUDY))
    flags = [f"--fs-storage={desk.given['fs_storage']}", f"--assets={desk.given['assets']}"]
    assert main(["run", str(file), "--estimate", *flags]) == 0
    assert "2 runs to do." in capsys.readouterr().out
    assert main(["list", *flags]) == 0
    assert capsys.readouterr().out == ""
    results = ville.batch_run(STUDY, name="mine", **desk.given)
    assert [row["state"] for row in results.runs] == ["done", "done"]
    assert main(["run", str(file), *flags]) == 0
    assert desk.table() == desk.table(name="mine")
    loaded = ville.load_study("mine", **desk.given)
    assert loaded.runs == results.runs
    assert loaded.simulation("paper", 1) == "mine-paper-s1"
    assert list(loaded.to_frame()["arm"]) == ["plain", "paper"]
    capsys.readouterr()
    assert main(["status", "mine", *flags]) == 0
    assert "2 of 2 runs done" in capsys.readouterr().out
    assert main(["clean", "mine", "--yes", *flags]) == 0
    assert not (desk.root / "studies" / "mine").exists()
    assert not [path for path in (desk.root / "storage").iterdir() if "mine" in path.name]


LUCK = """
def luck(run):
    arm, seed = run.name.split("-")[-2:]
    return {"s1": 10, "s2": 31, "s3": 55}[seed] + (arm == "paper") * {"s1": 5, "s2": 7, "s3": 5}[seed]
"""


def test_the_same_runs_differ_as_much_in_a_study_and_in_a_comparison(desk, monkeypatch):
    """Difference, interval, p, and whether there are too few: seeds vary much more than arms, and pair."""
    monkeypatch.setattr(batch, "LocalPool", lambda _workers: InlineEngine())
    (desk.root / "chance.py").write_text(LUCK)
    desk.write(json.dumps({**STUDY, "seeds": 3, "measures": ["chance:luck"]}))
    results = ville.batch_run(desk.file, **desk.given)
    (measured,) = measures_by_arm(["chance:luck"], [*ARMS], results.jobs)
    in_study = measured.bases[0].differences[0].found
    monkeypatch.setattr(noise, "MEASURES", (Measure("luck", import_module("chance").luck),))
    sides = ([results.simulation(arm, seed) for seed in (2, 1, 3)] for arm in ARMS)
    compared = ville.compare_sides(*sides, **desk.given)
    (found,) = compared.measures
    assert found.difference.as_json() == in_study.as_json()
    assert (compared.smallest_p, len(compared.pairs)) == (in_study.smallest_p, 3)
    assert found.difference.estimate.mean == pytest.approx(17 / 3)
    assert found.difference.estimate.low > 0
    assert compared.too_few
    (row,) = results.differences()
    (same,) = compared.table()
    assert same == {"measure": "luck"} | {name: row[name] for name in same if name != "measure"}
    told = row["verdict"], row["pairs"], row["difference"]
    assert told == (
        "too few runs to say",
        3,
        found.difference.estimate.mean,
    )
    (back,) = results.differences(to="paper")
    assert (back["arm"], back["difference"], back["p"]) == ("plain", -row["difference"], row["p"])
    with pytest.raises(BadArgument, match="no arm 'none'. There are: plain, paper"):
        results.differences(to="none")
    written = results.folder
    assert (written / "statistics.csv").read_text() == results.statistics().to_csv()
    assert "too few runs to say" in (written / "differences.tex").read_text()


def test_the_command_tells_what_can_be_said_and_how_many_seeds_would_do(desk, capsys, monkeypatch):
    """With the numbers of the results; one arm beside any other, as lines or in LaTeX."""
    monkeypatch.setattr(batch, "LocalPool", lambda _workers: InlineEngine())
    (desk.root / "chance.py").write_text(LUCK)
    desk.write(json.dumps({**STUDY, "seeds": 3, "measures": ["chance:luck"]}))
    results = ville.batch_run(desk.file, **desk.given)
    flags = [f"--fs-storage={desk.given['fs_storage']}", f"--assets={desk.given['assets']}"]
    assert main(["statistics", results.name, "--to-see", "3", *flags]) == 0
    told = capsys.readouterr().out
    assert "chance:luck, paper (base): +5.667 [+2.798, +8.535]" in told
    (planned,) = results.seeds_to_see(3)
    assert "too few runs to say\n" in told
    assert f": {planned['seeds']}; {planned['cautious_seeds']} if the 3 runs vary less than usual" in told
    assert planned["spread"] == pytest.approx(np.std([5, 7, 5], ddof=1))
    assert 6 <= planned["seeds"] < planned["cautious_seeds"]
    assert main(["statistics", results.name, "--against", "paper", "--latex", *flags]) == 0
    assert "chance:luck & plain & $3$ & $-5.67$ &" in capsys.readouterr().out
    assert main(["statistics", results.name, "--against", "none", *flags]) == 1
    assert "no arm 'none'" in capsys.readouterr().err


def test_the_command_says_how_to_go_on_after_failures(desk, capsys, monkeypatch):
    """At the end of a run, of another one with nothing to do, and of the status; no time is left, and no step done
    that was not begun. What cannot be asked is not deleted, and there are never fewer than no workers.
    """
    monkeypatch.setattr(batch, "LocalPool", lambda _workers: InlineEngine())
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (desk.root / "bad.py").write_text("def luck(run):\n    if run.steps:\n        raise KeyError('none')\n")
    file = desk.write(json.dumps({**STUDY, "measures": ["bad:luck"]}))
    flags = [f"--fs-storage={desk.given['fs_storage']}", f"--assets={desk.given['assets']}"]
    assert main(["run", str(file), "--workers=-1", *flags]) == 1
    assert "There cannot be -1 workers." in capsys.readouterr().err
    for command, code in ((["run", str(file)], 2), (["run", str(file)], 2), (["status", "study"], 0)):
        assert main([*command, *flags]) == code
        said = capsys.readouterr().out
        assert " left" not in said
        last = said.splitlines()[-1]
        assert last.startswith("2 runs failed: ")
        assert "KeyError: 'none'" in last
        assert last.endswith("To run them again: python reverie/study.py retry study")
    assert main(["clean", "study", *flags]) == 1
    assert "Nothing was deleted." in capsys.readouterr().out
    (job, *_) = ville.load_study("study", **desk.given).jobs
    waiting = job.model_copy(update={"state": "waiting", "fault": "", "first_step": job.until_step})
    assert job_line(waiting).split() == [job.run, "waiting"]


def test_faults_of_a_study_from_python_are_lines(desk):
    """Of the file that it would be."""
    with pytest.raises(
        ville.ReverieError, match="mine.yaml:2: 'stpes' is not known in the study; did you mean 'steps'?"
    ):
        ville.batch_run({"base": "base", "stpes": 5, "seeds": 1}, name="mine", **desk.given)
    with pytest.raises(ville.ReverieError, match="needs a name"):
        ville.batch_run(STUDY, **desk.given)


def test_values_of_python_are_those_of_a_file(desk):
    """Ranges, tuples and numbers of numpy; what no file can hold is one line that names its key."""
    study = {"base": "base", "steps": np.int64(5)}
    for seeds, meant in ((range(1, 3), (1, 2)), ((3, 4), (3, 4)), ([np.int64(7)], (7,)), (np.int32(2), (1, 2))):
        assert study_of({**study, "seeds": seeds}, "mine", desk.given).seeds == meant
    endless = []
    endless.append(endless)
    for key, value in (("measures", [len]), ("seeds", {1, 2}), ("title", object()), ("budget", {"budget": 1j})):
        with pytest.raises(BadStudy, match=f"'{key}' has an object of the type \\w+; give [^\n]*$"):
            ville.batch_run({**study, "seeds": 1, key: value}, name="mine", **desk.given)
    for wrong in (5, None, [study], {**study, "seeds": endless}):
        with pytest.raises(ville.ReverieError, match="^[^\n]*$"):
            ville.batch_run(wrong, name="mine", **desk.given)
    with pytest.raises(ville.ReverieError, match="^[^\n]*$"):
        ville.batch_run(study, name=5, **desk.given)
