"""A job on a machine that does not see the storage has the results of one that does, and brings back what it saves."""

import asyncio
import io
import re
import tarfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from inline_engine import InlineEngine
from simulation_content import content_of

from ville.analysis.named_measures import named_measure
from ville.errors import BadArgument, SimulationInUse
from ville.jobs.job_report import JobReport
from ville.jobs.ray.carried_files import unpack
from ville.jobs.ray.driver_storage import DriverStorage, StorageMark
from ville.jobs.ray.ray_pool import settings_to_send
from ville.jobs.ray.ray_worker import FarRun
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest
from ville.storage.records.lock import is_locked
from ville.storage.records.staging import Staging

STUDY = """\
base: base
steps: 90
seeds: 1
settings: {autosave: 20}
arms:
  plain: {}
  told: {interventions: [{step: 60, kind: whisper, who: Ada Stone, words: The zebra is closed}]}
questions: [{ask: "What have you heard?", of: [Ada Stone]}, {ask: "Who are you?", of: [Ben Reed], when: "01:00"}]
measures: [conversations, {news: zebra, name: know}]
"""
ALONE = "base: base\nsteps: 90\nseeds: 1\nsettings: {autosave: 20}\narms: {plain: {}}\n"


class FarEngine(InlineEngine):
    """Carries out each job as if its worker did not see the storage; after `breaks_after` takes, the worker is lost."""

    def __init__(self, storage, *, mark="", breaks_after=None):
        super().__init__()
        self.storage, self.takes = DriverStorage(storage), []
        self._mark, self._left = mark, breaks_after

    async def send(self, job):
        return await self.storage.send(job)

    async def take(self, job, change):
        if self._left is not None and len(self.takes) >= self._left:
            raise ConnectionError
        await self.storage.take(job, change)
        self.takes.append((job, change))

    def _carry_out(self, spec):
        worker = str(len(self.specs))
        asyncio.run(self.storage.begin(spec.name, worker))
        sent = replace(spec, settings=settings_to_send(spec.settings))
        run = FarRun(sent, lambda _: None, StopRequest(), courier=self, worker=worker)
        try:
            report = asyncio.run(run.carry_out(self._mark, ""))
        except ConnectionError:
            report, self._left = JobReport(spec.name, "lost"), None
        asyncio.run(self.storage.end(spec.name))
        self._reports.append(report)


@pytest.fixture
def far(desk):
    """Return the function that makes an engine whose machine does not see the storage of the desk."""
    return lambda **more: FarEngine(Path(desk.given["fs_storage"]), **{"mark": "unseen", **more})


def test_what_is_brought_back_is_what_was_computed(desk, far):
    """Tables, answers and all files, of shared beginnings and of what branches from them."""
    desk.run(STUDY, "whole")
    desk.run(STUDY, engine=far())
    assert desk.table() == desk.table(name="whole")
    assert desk.table("answers.csv") == desk.table("answers.csv", name="whole")
    for run in ("plain-s1", "told-s1"):
        assert desk.files(f"study-{run}") == desk.files(f"whole-{run}")


def test_a_lost_machine_costs_what_was_not_brought_back(desk, far):
    """The job goes on from what was: it is sent there, and only what is new comes back."""
    desk.run(ALONE, "whole")
    engine = far(breaks_after=2)
    results = desk.run(ALONE, engine=engine)
    assert {job.state for job in results.jobs} == {"done"}
    assert desk.files("study-plain-s1") == desk.files("whole-plain-s1")
    steps = [_steps_in(change) for _, change in engine.takes]
    assert sum(map(len, steps)) <= 90 + 20
    assert len(steps) > 3


def _steps_in(change):
    with tarfile.open(fileobj=io.BytesIO(change.archive)) as archive:
        return {name for name in archive.getnames() if name.startswith("movement/")}


def test_who_sees_the_storage_works_in_it(desk, far):
    """Recognized by a file, not by its path; nothing is carried."""
    mark = StorageMark(Path(desk.given["fs_storage"]))
    engine = far(mark=mark.name)
    desk.run(ALONE, engine=engine)
    mark.remove()
    assert engine.takes == []
    assert desk.run(ALONE, engine=engine).jobs[0].state == "done"
    assert not list(Path(desk.given["fs_storage"]).glob(".seen-*"))


def test_a_job_has_one_writer(desk, far):
    """Results of another worker are refused, and the simulation cannot be opened meanwhile."""
    engine = far()
    desk.run(ALONE, engine=engine)
    storage, (job, change) = engine.storage, engine.takes[-1]
    asyncio.run(storage.begin("study-plain-s1", "new"))
    with pytest.raises(SimulationInUse):
        asyncio.run(storage.take(job, change))
    asyncio.run(storage.send(replace(job, worker="new")))
    assert is_locked(Path(desk.given["fs_storage"]) / "study-plain-s1")
    asyncio.run(storage.end("study-plain-s1"))
    assert not is_locked(Path(desk.given["fs_storage"]) / "study-plain-s1")


def test_a_bring_that_was_interrupted_is_undone_or_finished(desk, far):
    """The next worker is sent what the last complete one has left."""
    engine = far()
    desk.run(ALONE, engine=engine)
    root, (job, _) = Path(desk.given["fs_storage"]) / "study-plain-s1", engine.takes[0]
    whole = content_of(root)
    with suppress(KeyboardInterrupt), Staging(root) as staging:
        staging.write("reverie/meta.json", "half")
        (root / ".save").rename(root / ".kept")
        raise KeyboardInterrupt
    (root / ".kept").rename(root / ".save")
    asyncio.run(engine.storage.begin(job.simulation, job.worker))
    archive = asyncio.run(engine.storage.send(job))
    asyncio.run(engine.storage.end(job.simulation))
    unpack(archive, desk.root / "there")
    assert content_of(root) == whole == content_of(desk.root / "there" / job.simulation)


def test_settings_are_those_of_the_driver(desk, monkeypatch):
    """The environment of the driver counts, too; but no key is sent."""
    monkeypatch.setenv("VILLE_RETRIEVAL", "paper")
    monkeypatch.setenv("VILLE_AUTOSAVE", "7")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    sent = settings_to_send({**desk.given, "model_plan": "m", "embedder": "hashing", "provider": "openai"})
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("VILLE_RETRIEVAL", "released")
    assert "sk-secret" not in repr(sent)
    settings = load_settings(sent)
    assert (settings.retrieval, settings.autosave, settings.provider) == ("paper", 7, "openai")
    assert settings.models == {"plan": "m"}


def test_a_function_that_is_not_there_is_said_in_a_line(tmp_path):
    """With the folder to copy."""
    with pytest.raises(BadArgument, match=re.escape(f"copy the folder {tmp_path / 'gone'} to")):
        named_measure("elsewhere:half", tmp_path / "gone")
