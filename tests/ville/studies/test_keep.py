"""Whatever a study keeps of its runs, its tables are the same; a kill at any moment of a removal loses nothing."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_engine import InlineEngine
from simulation_content import content_of

import ville
from ville.cli.study_command import main as study_command
from ville.errors import BadArgument, BadStudy, SimulationExists
from ville.jobs import job_run
from ville.settings import load_settings
from ville.storage.folder import storage
from ville.storage.keeping import shrinking
from ville.storage.studies.job_store import JobStore
from ville.studies import job_states, kept_runs
from ville.studies.batch import remove_study
from ville.studies.bundle.bundle_check import verify_bundle
from ville.studies.bundle.bundle_files import write_bundle
from ville.studies.job import StudyJob
from ville.studies.results import StudyResults
from ville.studies.waiting_jobs import WaitingJobs

STUDY = """\
base: base
steps: 64
seeds: 1
arms:
  plain: {}
  told: {interventions: [{step: 60, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
questions: [{ask: "What have you heard of the zebra?", of: [Ada Stone]}, {ask: "Who are you?", when: "00:05"}]
measures: [conversations, {news: zebra, name: know}]
collect: {every: 5 minutes, persona: [place, memories], pair: [talked], town: [density]}
"""
LATER = "  later: {interventions: [{step: 60, kind: whisper, who: Ben Reed, words: You like zebras}]}\nquestions:"
TABLES = (
    "runs.csv",
    "answers.csv",
    "statistics.csv",
    "collected/persona.csv",
    "collected/pair.csv",
    "collected/town.csv",
)
PLACES = ("fs_storage", "assets")
LESS = ("compressed", "memories", "tables")


def keeping(keep: str, text: str = STUDY) -> str:
    return f"{text}keep: {keep}\n"


def tables(desk, name: str = "study") -> dict[str, str]:
    return {table: desk.table(table, name) for table in TABLES}


def simulations(desk) -> set[str]:
    return {path.name for path in (desk.root / "storage").glob("study-*")}


@pytest.fixture(scope="module")
def whole(write_small_town, make_desk, tmp_path_factory):
    """A study that has kept all, which nobody changes."""
    desk = make_desk(write_small_town(tmp_path_factory.mktemp("kept") / "town").root)
    desk.run(STUDY)
    return desk


@pytest.fixture
def copy(whole, make_desk, tmp_path):
    """Return how to get another copy of it."""
    count = iter(range(1000))

    def copied():
        return make_desk(shutil.copytree(whole.root, tmp_path / str(next(count))))

    return copied


@pytest.mark.parametrize("keep", LESS)
def test_a_study_that_keeps_less_has_the_same_tables(desk, whole, keep):
    """Its beginning is removed when no run needs it any more, and nothing is run again."""
    desk.run(keeping(keep))
    assert tables(desk) == tables(whole)
    assert simulations(desk) == ({"study-plain-s1", "study-told-s1"} if keep == "memories" else set())
    assert {job.kept for job in desk.folder().jobs() if job.arm} == {keep}
    engine = InlineEngine()
    desk.run(keeping(keep), engine=engine)
    assert engine.specs == []
    assert tables(desk) == tables(whole)


class KilledError(BaseException):
    """As if the process ended here, so that no handler for errors sees it."""


@contextmanager
def killed_after(monkeypatch, moment: int) -> Iterator[list[str]]:
    """Kill the program when it has done so many things that stay: nothing is done after that."""
    done: list[str] = []

    def counted(owner, name):
        act = getattr(owner, name)

        def instead(*arguments, **named):
            if len(done) >= moment:
                raise KilledError
            found = act(*arguments, **named)
            done.append(name)
            if len(done) >= moment:
                raise KilledError
            return found

        patch.setattr(owner, name, instead)

    with monkeypatch.context() as patch:
        patch.setattr(job_states, "FEW", 1)
        counted(JobStore, "write")
        counted(kept_runs, "compress")
        counted(storage.shutil, "rmtree")
        counted(shrinking, "_drop_moments")
        counted(shrinking, "_drop_vectors")
        yield done


@pytest.mark.parametrize("keep", LESS)
def test_a_kill_at_any_moment_of_a_removal_loses_nothing(copy, whole, monkeypatch, keep):
    """Killed after each thing that stays in turn: the next program runs nothing again, and ends with the same."""
    moment = 0
    while True:
        moment += 1
        desk = copy()
        with killed_after(monkeypatch, moment) as done:
            try:
                desk.run(keeping(keep))
                break
            except KilledError:
                assert len(done) == moment
        engine = InlineEngine()
        desk.run(keeping(keep), engine=engine)
        assert engine.specs == [], done
        assert tables(desk) == tables(whole), done
        assert {job.kept for job in desk.folder().jobs() if job.arm} == {keep}
        assert len(simulations(desk)) == (2 if keep == "memories" else 0)
        shutil.rmtree(desk.root)
    assert moment > 5


def test_what_stops_a_removal_costs_no_other_run(copy, whole):
    """There is another recording of a name: all is kept that belongs to the runs before it."""
    desk = copy()
    taken = load_settings(desk.given).replays / "study-plain-s1"
    shutil.copytree(desk.root / "storage/base/reverie", taken)
    with pytest.raises(SimulationExists, match="not that of the run"):
        desk.run(keeping("compressed"))
    shutil.rmtree(taken)
    desk.run(keeping("compressed"))
    assert tables(desk) == tables(whole)
    assert {job.kept for job in desk.folder().jobs() if job.arm} == {"compressed"}


def test_a_study_that_is_killed_while_it_runs_computes_no_step_twice(desk, whole, monkeypatch):
    """Killed after each write in turn, it goes on; what was saved is not computed again."""
    steps = 0
    run = job_run.run

    async def counted(simulation, many, **named):
        nonlocal steps
        steps += many
        return await run(simulation, many, **named)

    monkeypatch.setattr(job_run, "run", counted)
    for moment in range(3, 100):
        with killed_after(monkeypatch, moment):
            try:
                desk.run(keeping("tables"))
                break
            except KilledError:
                continue
    assert tables(desk) == tables(whole)
    assert steps == 60 + 4 + 4
    assert simulations(desk) == set()


def test_minds_that_are_kept_answer_as_before(copy, whole):
    """An interview needs no more."""
    desk = copy()
    desk.run(keeping("memories"))
    asked = ("study-told-s1", "Ada Stone", "What have you heard of the zebra?")
    assert ville.interview(*asked, **desk.given).text == ville.interview(*asked, **whole.given).text


def test_what_was_not_kept_cannot_be_measured_and_says_so(copy):
    """Neither by more measures or questions, nor by what looks at runs; the study goes on with what it has."""
    desk = copy()
    desk.run(keeping("tables"))
    before = tables(desk)
    for more in ("measures: [pairs who talked, ", 'questions: [{ask: "Why?"}, '):
        key = more.partition("[")[0]
        with pytest.raises(BadStudy, match="keeps nothing but its tables"):
            desk.run(keeping("tables", STUDY.replace(f"{key}[", more)))
    with pytest.raises(BadStudy, match="was not looked at over time"):
        desk.run(keeping("tables", STUDY.replace("5 minutes", "4 minutes")))
    with pytest.raises(BadArgument, match="keep: all"):
        ville.validity("study", **desk.given)
    assert tables(desk) == before


def test_an_arm_that_needs_a_removed_beginning_has_it_made_again(copy, desk):
    """By the rules it comes out as it was: the tables are those of a study that had the arm from the start."""
    other = copy()
    other.run(keeping("tables"))
    engine = InlineEngine()
    other.run(keeping("tables", STUDY.replace("questions:", LATER)), engine=engine)
    assert [bool(spec.measures) for spec in engine.specs] == [False, True]
    desk.run(STUDY.replace("questions:", LATER))
    assert tables(other) == tables(desk)
    assert simulations(other) == set()


@pytest.mark.parametrize(("keep", "measured"), [("tables", 0), ("memories", 0), ("compressed", 2)])
def test_a_bundle_says_what_cannot_be_measured_again(copy, keep, measured):
    """It is equal all the same; a number that was changed in a job is found in the tables."""
    desk = copy()
    desk.run(keeping(keep))
    out = desk.root / "study.zip"
    report = write_bundle(desk.folder(), load_settings(desk.given), out)
    verdict = verify_bundle(out)
    assert (verdict.faults, verdict.runs, verdict.unkept, report.unkept) == ([], measured, 2 - measured, 2 - measured)
    assert any("keep no steps" in line for line in verdict.lines()) is (measured == 0)
    job = desk.folder().job("told-s1")
    desk.folder().write_job(
        job.model_copy(
            update={"result": job.result.model_copy(update={"measures": {"conversations": 7.0, "know": 3.0}})}
        )
    )
    write_bundle(desk.folder(), load_settings(desk.given), out)
    assert any("'know'" in fault for fault in verify_bundle(out).faults)


def test_an_older_study_has_a_file_for_each_job(copy, whole):
    """It is read as it is, and becomes one file when the study is run; a kill in between changes nothing."""
    desk = copy()
    jobs, folder = desk.folder().jobs(), desk.folder().root
    (folder / "jobs.sqlite3").unlink()
    (folder / "jobs").mkdir()
    for job in jobs:
        (folder / f"jobs/{job.run}.json").write_text(json.dumps(job.as_json()))
    assert desk.folder().jobs() == jobs
    assert desk.folder().job("told-s1") in jobs
    assert StudyResults(desk.folder()).runs == StudyResults(whole.folder()).runs
    shutil.copytree(folder / "jobs", folder / "before")
    engine = InlineEngine()
    desk.run(STUDY, engine=engine)
    assert (engine.specs, (folder / "jobs").exists(), desk.folder().jobs()) == ([], False, jobs)
    (folder / "before").rename(folder / "jobs")
    (folder / "jobs/told-s1.json").write_text(json.dumps({**jobs[-1].as_json(), "run": "told-s1", "state": "failed"}))
    assert desk.folder().jobs() == jobs
    desk.run(STUDY, engine=engine)
    assert (engine.specs, (folder / "jobs").exists(), desk.folder().jobs()) == ([], False, jobs)


class Watched(InlineEngine):
    """Notes the files of a beginning when it has been made."""

    def __init__(self, root):
        super().__init__()
        self.root, self.before = root, {}

    def submit(self, spec):
        super().submit(spec)
        if "shared" in spec.name:
            self.before[spec.name] = content_of(self.root / "storage" / spec.name)


@pytest.mark.parametrize("can_link", [True, False])
def test_runs_share_the_files_of_their_beginning_and_never_change_them(desk, whole, monkeypatch, can_link):
    """Steps are the same files, where the system can do that; what runs save is theirs alone."""
    if not can_link:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError("no links here")))
    engine = Watched(desk.root)
    desk.run(STUDY.replace("seeds: 1", "seeds: 1\nsettings: {autosave: 20}"), engine=engine)
    ((name, before),) = engine.before.items()
    assert content_of(desk.root / "storage" / name) == before
    linked = (desk.root / "storage" / name / "movement/30.json").stat().st_nlink
    assert linked == (3 if can_link else 1)
    for run in ("plain-s1", "told-s1"):
        steps = {file: text for file, text in desk.files(f"study-{run}").items() if file.startswith("movement")}
        assert steps.items() <= whole.files(f"study-{run}").items()


@given(st.data())
def test_jobs_begin_in_the_order_of_the_study(data):
    """As if all were looked at each time, whatever ends when."""
    count = data.draw(st.integers(1, 8))
    runs = [f"r{place}" for place in range(count)]
    jobs: dict[str, StudyJob] = {}
    for place, run in enumerate(runs):
        after, other = (data.draw(st.sampled_from(["", *runs[:place]])) for _ in range(2))
        jobs[run] = a_job(run, after, [jobs[other]] if other else [])
    states = dict.fromkeys(runs, "waiting")

    def is_ready(job):
        over = all(states[each] == "done" for each in job.needs)
        return over and states[job.run] == "waiting"

    waiting = WaitingJobs(jobs, is_ready)
    for _ in range(3 * count):
        assert waiting.next() is next((job for job in jobs.values() if is_ready(job)), None)
        run = data.draw(st.sampled_from(runs))
        states[run] = data.draw(st.sampled_from(["waiting", "running", "done"]))
        waiting.changed(run)


def a_job(run: str, after: str, answers_of: list[StudyJob]) -> StudyJob:
    empty = {"rows": (), "settings": {}, "fingerprint": {}}
    steps = {"origin": "b@0", "first_step": 0, "until_step": 1}
    return StudyJob(
        run=run, simulation=run, base="b", arm="a", seed=1, after=after, answers_of=tuple(answers_of), **steps, **empty
    )


def test_parts_of_runs_that_are_done_are_removed_only_if_the_user_says_yes(copy, monkeypatch):
    """If the study file says another `keep` than before. More runs with the same one are not asked about."""
    desk = copy()
    desk.write(keeping("tables"))
    told = ["run", str(desk.file), *(f"--{name.replace('_', '-')}={desk.given[name]}" for name in PLACES)]
    before = simulations(desk)
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "no")
    assert study_command(told) == 1
    assert "2 runs that are done will keep nothing but its tables each." in asked[0]
    assert simulations(desk) == before
    assert study_command([*told, "--yes"]) == 0
    assert not simulations(desk)
    monkeypatch.setattr("builtins.input", None)
    assert study_command(told) == 0


def test_deleting_a_study_deletes_its_recordings_and_no_others(desk):
    """With `keep: compressed`; one of another origin in the way is told before anything is run."""
    desk.run(keeping("compressed"))
    replays = load_settings(desk.given).replays
    made = {path.name for path in replays.glob("study-*")}
    shutil.copytree(replays / "study-plain-s1", replays / "study-plain-s2")
    assert made == {"study-plain-s1", "study-told-s1"}
    assert set(remove_study(load_settings(desk.given), desk.folder(), date(2026, 11, 28))) >= made
    assert {path.name for path in replays.glob("study-*")} == {"study-plain-s2"}
    with pytest.raises(BadStudy, match="there is a recording study-plain-s2 that is not of this study"):
        desk.run(keeping("compressed", STUDY.replace("seeds: 1", "seeds: 2")))
    assert not simulations(desk)
