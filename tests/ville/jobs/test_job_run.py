"""One run elsewhere, as a worker carries it out."""

import asyncio
import json
from dataclasses import replace

import pytest
from simulation_content import content_of

from ville.jobs import job_run
from ville.jobs.job_run import JobRun
from ville.jobs.run_spec import BranchTerms, RunSpec
from ville.simulation.running.run_loop import StopRequest
from ville.storage.records.meta import META, read_meta
from ville.storage.records.saved_memories import read_memories


@pytest.fixture
def spec_of(small_town):
    """Return the function that describes the run of a branch `new` of `base`."""
    root = small_town.root
    folders = {"fs_storage": root / "storage", "fs_temp_storage": root / "temp", "assets": root / "assets"}
    settings = {name: str(path) for name, path in folders.items()} | {"fsync": False}

    def described(request, until_step):
        terms = BranchTerms(by="Eve")
        spec = RunSpec(
            origin="base@0", name="new", request=request, until_step=until_step, settings=settings, branch=terms
        )
        return RunSpec.of(json.loads(json.dumps(spec.as_json())))

    return described


@pytest.fixture
def carried_out(spec_of):
    """Return the function that carries out such a run, and returns its final report."""

    def carry_out(request, until_step, *, stops=False):
        stop = StopRequest()
        run = JobRun(spec_of(request, until_step), lambda _report: stop.request() if stops else None, stop)
        return asyncio.run(run.carry_out())

    return carry_out


def test_a_run_that_was_cut_off_goes_on_in_its_own_simulation(carried_out, small_town):
    """It is recognized by its request, and nothing that is done already is done again."""
    stopped = carried_out("1", 30, stops=True)
    assert stopped.state == "stopped"
    assert 0 < stopped.step < 30
    done = carried_out("1", 30)
    assert (done.state, done.step) == ("done", 30)
    before = content_of(small_town.root / "storage/new")
    assert carried_out("1", 30).state == "done"
    assert content_of(small_town.root / "storage/new") == before


def test_a_run_that_is_stopped_before_its_simulation_is_made_says_so(small_town, spec_of, monkeypatch):
    """There is no folder and nothing to resume: whoever asked for it has to ask again."""
    run = JobRun(spec_of("1", 30), lambda _report: None, StopRequest())

    async def stopped_meanwhile(*_arguments, **_options):
        run.stop()
        await asyncio.Event().wait()

    monkeypatch.setattr(job_run, "open_at", stopped_meanwhile)
    report = asyncio.run(run.carry_out())
    assert report.state == "stopped"
    assert "Begin it again" in report.fault
    assert not (small_town.root / "storage/new").exists()


def test_what_takes_effect_at_once_needs_no_step(spec_of, small_town):
    """A branch that is only made is saved with it, and nothing is left to come."""
    source = {"step": 0, "door": "page", "by": "", "at": "12:00:00"}
    person = {"age": 30, "innate": "calm", "learned": "Dora binds books.", "currently": "Dora is new here."}
    home = {"lifestyle": "Dora goes to bed around 10pm.", "home": "the Town:Cleo's flat:main room"}
    rows = [
        {**source, "id": "1", "kind": "resident_out", "who": "Cleo Adams Moor"},
        {**source, "id": "2", "kind": "trait", "who": "Ada Stone", "field": "currently", "now": "Ada hums."},
        {**source, "id": "3", "kind": "resident_in", "name": "Dora Quill", "look": "Klaus Mueller", **person, **home},
    ]
    report = asyncio.run(
        JobRun(replace(spec_of("1", 0), interventions=rows), lambda _report: None, StopRequest()).carry_out()
    )
    assert (report.state, report.step) == ("done", 0)
    made = small_town.root / "storage/new"
    assert read_meta(made / META).persona_names == ("Ada Stone", "Ben Reed", "Dora Quill")
    assert read_memories(made, "Ada Stone").scratch["currently"] == "Ada hums."
    assert read_memories(made, "Dora Quill").scratch["living_area"] == home["home"]
    assert not (made / "reverie/interventions_ahead.json").exists()
    assert list(made.glob("movement/*.json")) == []


def test_a_name_that_was_taken_meanwhile_is_not_run_on(carried_out, small_town):
    """The run fails in one line, and the other simulation stays as it is."""
    carried_out("1", 10)
    before = content_of(small_town.root / "storage/new")
    for until_step in (10, 30):
        report = carried_out("2", until_step)
        assert report.state == "failed"
        assert "already a simulation 'new'" in report.fault
    assert content_of(small_town.root / "storage/new") == before
