"""Pools that carry out the jobs of a study: processes of this machine, or a cluster.

An engine gets tasks and returns reports; both can be written as JSON. Only the program that runs the study writes its
files.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, Self

from ville.storage.studies.study_folder import JobResult

ReportKind = Literal["step", "done", "failed", "stopped", "spent", "lost"]
"""`spent`: the budget admits no more calls; `lost`: the worker was killed, or its machine has ended."""


@dataclass(frozen=True)
class AskedOfRun:
    """A question of a run, with the moment at which it is asked."""

    ask: str
    of: tuple[str, ...]
    """Empty: everyone."""
    when: str
    step: int
    role: str = ""


@dataclass(frozen=True)
class JobTask:
    """Task of a worker: all that it needs to know."""

    simulation: str
    origin: str
    """With the step."""
    request: str
    """Identifies the job, so that a half-made simulation is recognized."""
    until_step: int
    rows: Sequence[Mapping[str, Any]]
    """Planned interventions."""
    known: Sequence[str]
    """Identifiers of all interventions of the run, also of those in a shared beginning."""
    settings: Mapping[str, Any]
    questions: Sequence[Mapping[str, Any]] = ()
    """Fields of `AskedOfRun`."""
    measures: Sequence[Any] = ()
    """As in the study file."""
    measured: bool = True
    """Whether questions and measures are to be computed; not for a shared beginning."""
    folder: str = ""
    """Folder of the study file, in which functions are found."""
    budget: Mapping[str, Any] = field(default_factory=dict)
    """How calls are counted over all runs; empty: they are not."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class JobReport:
    """Progress of a job."""

    simulation: str
    kind: ReportKind
    step: int = 0
    """The next one to compute."""
    fault: str = ""
    seconds: float = 0.0
    """Time that was worked on it, at the end."""
    host: str = ""
    result: Mapping[str, Any] | None = None
    """Fields of `JobResult`."""

    @property
    def is_final(self) -> bool:
        """Whether the worker is free again."""
        return self.kind != "step"

    @property
    def outcome(self) -> JobResult | None:
        return None if self.result is None else JobResult.model_validate(self.result)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        return cls(**values)


class JobPool(Protocol):
    """Carries out jobs at the same time."""

    @property
    def free(self) -> int:
        """How many more jobs it can begin now."""
        ...

    def submit(self, task: JobTask) -> None:
        """Begin a job."""
        ...

    def reports(self, seconds: float) -> list[JobReport]:
        """Return what has been reported since the last call; wait so long for the first report."""
        ...

    def stop(self) -> None:
        """Ask all jobs to save and stop after their current step. Each still sends a final report."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
