"""Carries out jobs on a Ray cluster.

A job is sent with the settings of this machine but for keys: those of another machine are not to change its results.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from uuid import uuid4

from ville.assembly.model_choice import chat_config, embedding_config, local_kind
from ville.jobs.job_report import JobReport
from ville.jobs.ray.cluster import connected, last_line
from ville.jobs.ray.driver_storage import StorageMark
from ville.jobs.ray.ray_worker import BudgetKeeper, RayHandle, RayWorker, StorageKeeper
from ville.jobs.run_spec import RunSpec
from ville.json_types import JsonObject
from ville.llm.accounting.prices import own_text
from ville.llm.wire.providers import OFFLINE
from ville.settings import FIELDS, WALLET, load_settings

OWN = ("keys", "models", "key_owner", "collision_block_id", "prices", *WALLET)
"""Settings that are not sent: keys and wallet, and those that are sent otherwise or not used."""


def settings_to_send(given: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a job, those of this machine's environment and files included, without keys.

    Raises SetupError.
    """
    settings = load_settings(given)
    values = {name: getattr(settings, name) for name in FIELDS if name not in OWN}
    chat, vectors = chat_config(settings), embedding_config(settings)
    values |= {
        "provider": chat.endpoint.provider.name if chat else OFFLINE,
        "embedder": vectors.endpoint.provider.name if vectors else local_kind(settings),
        "checkpoints": "all" if settings.checkpoints is None else settings.checkpoints,
    }
    values |= {f"model_{kind.replace('/', '_')}": model for kind, model in settings.models.items()}
    given_values = {name: value for name, value in values.items() if value is not None}
    return {name: str(value) if isinstance(value, Path) else value for name, value in given_values.items()}


MANY = 10_000
"""Calls that may wait at a keeper at the same time."""


@dataclass
class _RemoteJob:
    """A job on a node."""

    name: str
    """Of its worker, as long as it has this job."""
    actor: RayHandle
    spec: RunSpec
    progress: object = None
    """Reference to a report that was asked for."""


class RayPool:
    """Actors of a Ray cluster, each of which has one job at a time. Dropping an actor ends it."""

    def __init__(self, workers: int = 0, address: str = "") -> None:
        """`workers`: how many; 0: as many as the cluster has processors. Raises MissingPackage and BadArgument."""
        self._ray = connected(workers, address)
        self._workers = workers
        self._jobs: dict[object, _RemoteJob] = {}
        """By the reference to the final report."""
        self._idle: list[RayHandle] = []
        """Workers whose job has ended since the last call of `reports`."""
        self._budget: RayHandle = None
        self._storage: RayHandle = None
        self._mark: StorageMark | None = None

    @property
    def free(self) -> int:
        """How many more jobs it can begin now."""
        there = int(self._ray.cluster_resources().get("CPU", 0))
        return min(self._workers or there, there) - len(self._jobs)

    def submit(self, spec: RunSpec) -> None:
        """Begin a job, in a worker that has just ended another one, or else in a new one."""
        name = uuid4().hex
        actor = self._idle.pop() if self._idle else self._ray.remote(num_cpus=1, max_concurrency=3)(RayWorker).remote()
        settings = load_settings(spec.settings)
        sent = replace(spec, settings=settings_to_send(spec.settings))
        values = json.loads(json.dumps(sent.as_json(), default=str))
        budget = self._kept_budget(spec.budget) if spec.budget else None
        storage, mark = self._kept_storage(settings.fs_storage)
        self._ray.get(
            storage.begin.remote(spec.name, name, settings.answers_from.split())
        )  # before the worker asks for anything
        prices = own_text(settings.prices)
        reference = actor.carry_out.remote(name, values, budget, storage, mark=mark.name, prices=prices)
        self._jobs[reference] = _RemoteJob(name, actor, spec)

    def _kept_budget(self, description: JsonObject) -> RayHandle:
        if self._budget is None:
            self._budget = self._on_this_node(BudgetKeeper).remote(dict(description))
        return self._budget

    def _kept_storage(self, storage: Path) -> tuple[RayHandle, StorageMark]:
        if self._mark is None:
            self._mark = StorageMark(storage)
            self._storage = self._on_this_node(StorageKeeper).remote(str(storage))
        return self._storage, self._mark

    def _on_this_node(self, kind: type) -> RayHandle:
        """Return what makes an actor that runs on the node of this program."""
        strategies = import_module("ray.util.scheduling_strategies")
        here = self._ray.get_runtime_context().get_node_id()
        on_node = strategies.NodeAffinitySchedulingStrategy(here, soft=False)
        return self._ray.remote(num_cpus=0, max_concurrency=MANY, scheduling_strategy=on_node)(kind)

    def reports(self, seconds: float) -> list[JobReport]:
        """Return what has been reported since the last call; wait so long for the first final report."""
        self._idle.clear()  # whoever has not got a job since the last call would only keep a processor
        if not self._jobs:
            return []
        ended, _ = self._ray.wait(list(self._jobs), num_returns=1, timeout=seconds)
        found = [report for job in self._jobs.values() if (report := self._progress_of(job))]
        return [*found, *(self._final(reference) for reference in ended)]

    def _progress_of(self, job: _RemoteJob) -> JobReport | None:
        if job.progress is None:
            job.progress = job.actor.progress.remote()
            return None
        if not self._ray.wait([job.progress], timeout=0)[0]:
            return None
        reference, job.progress = job.progress, None
        try:
            values = self._ray.get(reference)
        except self._ray.exceptions.RayError:  # its final report says so, too
            return None
        return JobReport.of(values) if values else None

    def _final(self, reference: object) -> JobReport:
        job, errors = self._jobs.pop(reference), self._ray.exceptions
        try:
            report = JobReport.of(self._ray.get(reference))
        except errors.RayTaskError as fault:
            return JobReport(job.spec.name, "failed", fault=last_line(fault))
        except errors.RayError as fault:
            self._ray.kill(job.actor)  # its node may be there, and only the way to it gone
            return JobReport(job.spec.name, "lost", fault=f"its node has ended: {last_line(fault)}")
        else:
            self._idle.append(job.actor)
            return report
        finally:
            self._storage.end.remote(job.spec.name)
            if self._budget:
                self._budget.forget.remote(job.name)

    def stop(self) -> None:
        """Ask all jobs to save and stop after their current step."""
        for job in self._jobs.values():
            job.actor.stop.remote()

    def close(self) -> None:
        """End all workers; a cluster that was started here ends, too."""
        self._idle.clear()
        self._ray.shutdown()
        if self._mark:
            self._mark.remove()
