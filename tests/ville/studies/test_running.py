"""Results of a study do not depend on how, when and where it is run."""

import csv
import io
import os
import shutil
import signal
import subprocess
from tempfile import TemporaryFile

import pytest
from inline_engine import InlineEngine

import ville
from ville.errors import BadArgument, BadStudy
from ville.jobs.local_pool import LocalPool, _WorkerProcess
from ville.jobs.run_spec import RunSpec
from ville.jobs.worker_process import CAN_FORK, WorkerStarter
from ville.storage.records.meta import META, read_meta

STUDY = """\
base: base
steps: 90
seeds: {seeds}
arms:
  plain: {{}}
  told:
    interventions:
      - {{step: 60, kind: whisper, who: Ada Stone, words: The zebra is closed}}
questions:
  - ask: What have you heard of the zebra?
  - {{ask: "Who are you?", of: [Ben Reed], when: [start, "01:00"]}}
measures: [conversations, {{news: zebra, name: know}}]
"""
submit = _WorkerProcess.submit
PATIENCE = 300
"""Seconds to wait on a busy machine."""
ONE, TWO = STUDY.format(seeds=1), STUDY.format(seeds=2)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def whole(write_small_town, make_desk, tmp_path_factory):
    """A study of two seeds that was run in one go, which nobody changes."""
    desk = make_desk(write_small_town(tmp_path_factory.mktemp("whole") / "town").root)
    desk.run(TWO)
    return desk


@pytest.fixture
def copy(whole, make_desk, tmp_path):
    """A copy of it, to go on with."""
    return make_desk(shutil.copytree(whole.root, tmp_path / "copy"))


def test_a_run_is_a_row_with_its_measures(whole):
    """Arms are compared by what was measured; everyone is asked, or who is named, once or before and after."""
    found = rows(whole.table())
    assert [(row["arm"], row["seed"], row["state"]) for row in found] == [
        (arm, seed, "done") for arm in ("plain", "told") for seed in ("1", "2")
    ]
    assert {(row["arm"], row["know"]) for row in found} == {("plain", "0"), ("told", "1")}
    answers = rows(whole.table("answers.csv"))
    assert len(answers) == 4 * (3 + 2)
    assert {(row["who"], row["when"]) for row in answers if row["when"] != "end"} == {
        ("Ben Reed", "start"),
        ("Ben Reed", "01:00"),
    }


def test_two_runs_of_a_study_are_identical(desk, whole):
    """Tables and every file of every run, under another name, too."""
    desk.run(TWO, "again")
    for table in ("runs.csv", "answers.csv"):
        assert whole.table(table) == desk.table(table, "again")
    for run in ("plain-s1", "told-s2"):
        assert whole.files(f"study-{run}") == desk.files(f"again-{run}")


def test_a_study_that_is_stopped_anywhere_goes_on(desk, whole):
    """Stopped in the middle of its runs again and again, it ends with the same tables, and no run is done twice."""
    done = 0
    for stopped in range(4):
        engine = InlineEngine(stop_after=stopped % 2)
        results = desk.run(TWO, engine=engine, stop=lambda engine=engine: len(engine.specs) > 0)
        states = [job.state for job in results.jobs if not job.is_shared]
        assert states.count("done") >= done
        done = states.count("done")
    engine = InlineEngine()
    desk.run(TWO, engine=engine)
    assert sum(bool(spec.measures) for spec in engine.specs) == 4 - done
    assert desk.table() == whole.table()
    assert desk.files("study-told-s1") == whole.files("study-told-s1")


def test_more_seeds_run_only_the_new_ones(copy):
    """So do questions and measures that are added: they ask and measure what is there, and run no step."""
    before = copy.files("study-told-s1")
    engine = InlineEngine()
    copy.run(STUDY.format(seeds=3), engine=engine)
    assert [spec.name for spec in engine.specs if spec.measures] == ["study-plain-s3", "study-told-s3"]
    assert [row["seed"] for row in rows(copy.table())] == ["1", "2", "3"] * 2
    engine = InlineEngine()
    copy.run(STUDY.format(seeds=3).replace("[conversations,", "[conversations, pairs who talked,"), engine=engine)
    assert sum(bool(spec.measures) for spec in engine.specs) == 6
    assert copy.files("study-told-s1") == before
    engine = InlineEngine()
    copy.run(TWO, engine=engine)
    assert engine.specs == []


def test_what_was_run_otherwise_is_not_mixed(copy):
    """An arm, the length or a setting that has changed since is refused, with what it is; nothing has changed."""
    before = copy.table()
    for old, new, what in (
        ("steps: 90", "steps: 91", "the steps"),
        ("is closed", "is open", "the interventions"),
        ("seeds: 2", "seeds: 2\nsettings: {retrieval: paper}", "the settings"),
    ):
        with pytest.raises(BadStudy, match=f"{what} of .* changed"):
            copy.run(TWO.replace(old, new))
    assert copy.table() == before


def test_a_run_that_fails_says_why_and_is_tried_as_often_as_the_study_says(desk):
    """A measure that raises fails in one line, and no other run with it."""
    (desk.root / "mine.py").write_text(
        "def half(run):\n    if run.name.endswith('2'):\n        raise KeyError('no luck')\n    return 0.5\n"
    )
    engine = InlineEngine()
    results = desk.run(TWO.replace("[conversations,", "[mine:half,") + "tries: 3\n", engine=engine)
    assert [(job.state, job.fault, job.tries) for job in results.jobs if not job.is_shared] == [
        ("done", "", 0), ("failed", "the measure 'mine:half' failed at mine.py:3: KeyError: 'no luck'", 3),
    ] * 2  # fmt: skip
    assert [row["mine:half"] for row in results.runs] == [0.5, None] * 2
    engine = InlineEngine()
    desk.run(TWO.replace("[conversations,", "[mine:half,") + "tries: 3\n", engine=engine)
    assert engine.specs == []


def test_a_worker_that_ends_with_its_job_makes_room_for_another(desk):
    """The other runs are run, even if there was only one worker."""
    (desk.root / "deadly.py").write_text("import os\n\n\ndef ends(run):\n    if run.steps:\n        os._exit(3)\n")
    text = "base: base\nsteps: 1\nseeds: 2\nmeasures: [deadly:ends]\n"
    results = desk.run(text, engine=LocalPool(1))
    assert [job.state for job in results.jobs] == ["failed", "failed"]


def test_only_one_program_runs_a_study(desk):
    """The second one is told, and changes nothing."""
    desk.folder().create()
    with desk.folder().lock(), pytest.raises(BadArgument, match="is being run"):
        desk.folder().lock()


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.slow
def test_a_worker_that_is_killed_costs_what_was_not_saved(desk):
    """Its run begins again from the last save in another process, and the tables are the same."""
    text = ONE.replace("steps: 90", "steps: 420").replace("seeds: 1", "seeds: 1\nsettings: {autosave: 40}\ntries: 3")
    desk.run(text, "whole")
    engine, killed = LocalPool(2), []

    def kill() -> bool:
        saved = [desk.root / "storage" / each.spec.name / META for each in engine._workers if each.spec]
        if len(killed) < 2 and any(path.exists() and read_meta(path).step > 0 for path in saved):
            killed.append(next(each for each in engine._workers if each.spec))
            killed[-1]._process.kill()  # it may have ended by itself
        return False

    results = desk.run(text, engine=engine, stop=kill)
    assert killed
    assert {job.state for job in results.jobs} == {"done"}
    assert desk.table() == desk.table(name="whole")
    assert desk.files("study-told-s1") == desk.files("whole-told-s1")


def test_a_worker_that_ends_before_it_has_its_job_loses_it(monkeypatch):
    """Killed in its first moment; the study hears of it, and does not wait for ever."""

    def killed(*arguments, **named):
        process = popen(*arguments, **named)
        process.kill()
        process.wait()
        return process

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", killed)
    monkeypatch.setattr(_WorkerProcess, "submit", lambda worker, spec: (worker._listening.join(), submit(worker, spec)))
    engine = LocalPool(1)
    engine.submit(RunSpec(origin="base", name="run", request="id", until_step=1))
    (report,) = engine.reports(PATIENCE)
    assert (report.name, report.state) == ("run", "lost")
    assert engine.free == 1
    engine.close()


@pytest.mark.skipif(not CAN_FORK, reason="needs fork")
def test_workers_are_forked_and_what_is_killed_is_told_or_begun_again(desk):
    """The process that forks them is none of their runs: without it, they go on, and the next has another one."""
    text = "base: base\nsteps: 1\nseeds: 3\nmeasures: [conversations]\n"
    engine, servers = LocalPool(2), []

    def end_server() -> bool:
        server = engine._starter._server
        if server and len(servers) < 2 and server not in servers:
            servers.append(server)
            server.kill()
            server.wait()
            engine.end_idle()
        return False

    results = desk.run(text, engine=engine, stop=end_server)
    assert servers
    assert [job.state for job in results.jobs] == ["done"] * 3
    starter = WorkerStarter(forks=True)
    with TemporaryFile() as errors:
        workers = [starter.start(errors, asks=False) for _ in range(2)]
        with pytest.raises(subprocess.TimeoutExpired):
            workers[0].wait(0)
        workers[0].kill()
        workers[1].stdin.close()
        assert [worker.wait(PATIENCE) for worker in workers] == [-signal.SIGKILL, 0]
        for worker in workers:
            worker.stdin.close()
            worker.stdout.close()
    starter.close()


def test_no_text_in_a_table_is_run_by_a_spreadsheet_program(desk):
    """A formula gets an apostrophe before it, and control characters are replaced; only in the tables."""
    asked, name = "@SUM(1)", "=know\x1b"
    results = desk.run(
        f"base: base\nsteps: 1\nseeds: [-1]\nquestions: [{{ask: '{asked}'}}]\n"
        'measures: [{news: zebra, name: "=know\\e"}]\n'
    )
    (run,), answers = rows(desk.table()), rows(desk.table("answers.csv"))
    assert run["'=know\ufffd"] == "0"
    assert run["seed"] == "-1"
    assert {row["ask"] for row in answers} == {f"'{asked}"}
    assert [row[name] for row in results.runs] == list(results.to_frame()[name]) == [0]
    assert [row["ask"] for row in results.answers] == [asked] * len(answers)


def test_a_simulation_of_somebody_else_is_not_taken_for_a_run(desk):
    """Neither one that the user has made, nor one of another study. Nothing is written, so that nothing is deleted."""
    ville.fork("base", "study-one-s1", **desk.given).close()
    desk.run("base: base\nsteps: 5\nseeds: 1\narms: {b-c: {}}\n", "a")
    for name, arm in (("study", "one"), ("a-b", "c")):
        with pytest.raises(BadStudy, match="not of this study"):
            desk.run(f"base: base\nsteps: 5\nseeds: 1\narms: {{{arm}: {{}}}}\n", name)
        assert not desk.folder(name).jobs()


@pytest.mark.parametrize("words", ["", "The lion is out"])
def test_what_is_done_by_hand_is_not_a_result(desk, words):
    """A whisper, or steps after the end, in the simulation of a run: it fails, and says so."""
    desk.run(ONE.replace("90", "70"))
    with ville.open("study-plain-s1", **desk.given) as town:
        if words:
            town.whisper("Ada Stone", words)
        else:
            town.run(5)
        town.save()
    more = ONE.replace("90", "70").replace("[conversations,", "[density at the end, conversations,")
    states = {job.run: (job.state, job.fault) for job in desk.run(more).jobs}
    assert states["told-s1"] == ("done", "")
    assert states["plain-s1"][0] == "failed"
    assert "study-plain-s1 " in states["plain-s1"][1]


def test_measures_do_not_change_each_other(desk, whole):
    """A function of the user gets a run of its own."""
    (desk.root / "wild.py").write_text("def clears(run):\n    run.memories.clear()\n    return 1\n")
    desk.run(ONE.replace("[conversations,", "['wild:clears', conversations,"))
    alone = [row["know"] for row in rows(whole.table()) if row["seed"] == "1"]
    assert [row["know"] for row in rows(desk.table())] == alone
