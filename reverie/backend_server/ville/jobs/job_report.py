"""How far a run elsewhere has come: reported by its worker, shown to pages, noted by studies."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from ville.jobs.run_spec import BranchTerms, RunSpec
from ville.json_types import JsonObject
from ville.storage.exchange.background_files import BackgroundStatus, Going, Over
from ville.storage.studies.study_folder import JobResult

RunState = Going | Over | Literal["spent", "lost"]
"""`spent`: the budget admits no more calls; `lost`: the worker was killed, or its machine has ended."""
GOING = ("waiting", "copying", "recomputing", "running")


@dataclass(frozen=True)
class JobReport:
    """How far a run has come, or how it has ended."""

    name: str
    state: RunState = "waiting"
    first_step: int = 0
    """Where the present state began."""
    step: int = 0
    """The next one to compute, or to compute again; 0: not known."""
    until_step: int = 0
    """Where the present state ends."""
    curr_time: str = ""
    """Game time of the next step."""
    models: str = ""
    cost: JsonObject | None = None
    """As in the status of an engine."""
    notes: str = ""
    """Said when it is opened: what a folder brings, settings that change nothing."""
    fault: str = ""
    """Why it has failed, in one line."""
    seconds: float = 0.0
    """Time that was worked on it, at the end."""
    host: str = ""
    result: JsonObject | None = None
    """Fields of `JobResult`."""

    @property
    def is_final(self) -> bool:
        """Whether the worker is free again."""
        return self.state not in GOING

    @property
    def outcome(self) -> JobResult | None:
        return None if self.result is None else JobResult.model_validate(self.result)

    def as_json(self) -> JsonObject:
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        return cls(**values)

    @classmethod
    def beginning(cls, spec: RunSpec) -> Self:
        """Return the report of a run whose simulation is being made."""
        again = (spec.branch or BranchTerms()).again
        begins = spec.first_step - again
        state: Going = "recomputing" if again else "copying"
        return cls(spec.name, state, first_step=begins, step=begins, until_step=spec.first_step)

    @classmethod
    def unbegun(cls, spec: RunSpec, state: RunState, fault: str = "") -> Self:
        """Return the report of a run that no worker has yet, or will have."""
        step = spec.first_step
        return cls(spec.name, state, first_step=step, step=step, until_step=spec.until_step, fault=fault)


def branch_status(spec: RunSpec, report: JobReport) -> BackgroundStatus:
    """Return what pages are shown of a run."""
    told = {name: value for name, value in report.as_json().items() if name in BackgroundStatus.model_fields}
    by = spec.branch.by if spec.branch else ""
    about = {"sim_code": spec.name, "from": spec.origin, "id": spec.request, "by": by, "title": spec.title}
    return BackgroundStatus.model_validate({**told, **about})
