"""One run elsewhere, as a worker carries it out."""

import asyncio
import json

import pytest
from simulation_content import content_of

from ville.jobs.job_run import JobRun
from ville.jobs.run_spec import BranchTerms, RunSpec
from ville.simulation.run import StopRequest


@pytest.fixture
def carried_out(small_town):
    """Return the function that carries out the run of a branch `new` of `base`, and returns its final report."""
    root = small_town.root
    folders = {"fs_storage": root / "storage", "fs_temp_storage": root / "temp", "assets": root / "assets"}
    settings = {name: str(path) for name, path in folders.items()} | {"fsync": False}

    def carry_out(request, until_step, *, stops=False):
        terms = BranchTerms(by="Eve")
        spec = RunSpec(
            origin="base@0", name="new", request=request, until_step=until_step, settings=settings, branch=terms
        )
        sent = RunSpec.of(json.loads(json.dumps(spec.as_json())))
        stop = StopRequest()
        run = JobRun(sent, lambda _report: stop.request() if stops else None, stop)
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


def test_a_name_that_was_taken_meanwhile_is_not_run_on(carried_out, small_town):
    """The run fails in one line, and the other simulation stays as it is."""
    carried_out("1", 10)
    before = content_of(small_town.root / "storage/new")
    for until_step in (10, 30):
        report = carried_out("2", until_step)
        assert report.state == "failed"
        assert "already a simulation 'new'" in report.fault
    assert content_of(small_town.root / "storage/new") == before
