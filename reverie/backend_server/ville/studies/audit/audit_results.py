"""The result of an audit: what becomes of the effect under each perturbation, and how much had to be asked for it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from ville.analysis.perturbed_effects import PerturbedEffect, RunPerturbation, perturbed_effects
from ville.analysis.run_statistics import MeasuredRun, RunDifference, difference
from ville.errors import ReverieError
from ville.llm.wire.providers import OFFLINE
from ville.simulation.simulation import ASKED
from ville.storage.files import compact, read_object_if_whole
from ville.storage.folder.earlier_save import EarlierSave
from ville.storage.past.checkpoints import stems
from ville.storage.past.moments import find_moment, split_moment
from ville.storage.records.intervention_log import RUN_FILE
from ville.storage.records.meta import META, read_meta
from ville.storage.records.saved_memories import read_memories
from ville.storage.studies.study_folder import JobManifest
from ville.studies.audit.audit_plan import AuditPlan

ACCESSED = "last_accessed"


@dataclass(frozen=True)
class AuditShare:
    """How much an audit took, beside running each of its arms from the start of the simulation."""

    steps: int
    all_steps: int
    asked: int
    """Questions of personas, answered by the rules or a model."""
    all_asked: int
    calls: int
    """Calls to a model."""


@dataclass(frozen=True)
class CauseFound:
    """Whether an intervention is necessary and sufficient for the effect."""

    what: str
    without: RunDifference | None
    """With all interventions, minus without this one."""
    alone: RunDifference | None
    """With this one alone, minus without any."""


@dataclass(frozen=True)
class AuditResults:
    """The result of an audit so far."""

    plain: RunDifference | None
    """The effect as it is; None: no pair of runs is done."""
    effects: tuple[PerturbedEffect, ...]
    causes: tuple[CauseFound, ...]
    share: AuditShare
    whole: bool
    """Whether the measure counts something."""


def audit_results(plan: AuditPlan, jobs: Sequence[JobManifest], storage: Path) -> AuditResults:
    """Return what the jobs of an audit have found. Raises CorruptFile."""
    values = _values(plan.contrast.measure, jobs)
    contrast = plan.contrast
    lived = {(job.arm, job.seed): _lived(storage / job.simulation) for job in jobs if job.arm and job.state == "done"}
    arms = contrast.control.name, contrast.treated.name

    def sides(names: tuple[str, str]) -> tuple[Sequence[MeasuredRun], Sequence[MeasuredRun]]:
        return values.get(names[0], ()), values.get(names[1], ())

    def run(names: tuple[str, str]) -> bool:
        """Return whether a run lived otherwise than the one that is as it is."""
        pairs = [(lived[name, seed], lived.get((plain, seed))) for name, plain in zip(names, arms, strict=True)
                 for other, seed in lived if other == name]  # fmt: skip
        return any(own is None or own != plain for own, plain in pairs)

    perturbed = [
        RunPerturbation(
            each.perturbation.name,
            each.perturbation.says,
            each.perturbation.needs,
            sides(each.arms) if each.arms else ((), ()),
            each.left_out,
            each.note,
            changed=each.arms is not None and run(each.arms),
            expects_nothing=each.perturbation.expects == "nothing",
        )
        for each in plan.perturbations
    ]
    plain, effects = perturbed_effects(sides(arms), perturbed)
    causes = tuple(
        CauseFound(what, _minus(sides((without, arms[1]))), _minus(sides((nothing, only))))
        for what, (without, only, nothing) in plan.causes.items()
    )
    whole = all(value.value.is_integer() for runs in values.values() for value in runs)
    return AuditResults(plain, tuple(effects), causes, audit_share(plan, jobs, storage), whole)


def _minus(sides: tuple[Sequence[MeasuredRun], Sequence[MeasuredRun]]) -> RunDifference | None:
    return difference(*sides) if all(sides) else None


def _values(measure: str, jobs: Sequence[JobManifest]) -> Mapping[str, Sequence[MeasuredRun]]:
    found: dict[str, list[MeasuredRun]] = {}
    for job in jobs:
        value = job.result.measures.get(measure) if job.result and job.state == "done" else None
        if job.arm and value is not None:
            found.setdefault(job.arm, []).append(MeasuredRun(job.run, job.seed, value))
    return found


def _lived(simulation: Path) -> str | None:
    """Return a digest of what everyone remembers; None if that cannot be read any more."""
    state = blake2b(digest_size=8)
    try:
        for name in sorted(read_meta(simulation / META).persona_names):
            for node in read_memories(simulation, name).nodes:
                state.update(compact([name, {key: node[key] for key in node if key != ACCESSED}]).encode())
    except ReverieError:
        return None
    return state.hexdigest()


def audit_share(plan: AuditPlan, jobs: Sequence[JobManifest], storage: Path) -> AuditShare:
    """Return what the jobs took, and what it takes to run both arms of each perturbation from the start of the
    simulation, also those that are not run again because nothing is otherwise in them.
    """
    arms = Counter(arm for each in plan.perturbations for arm in each.arms or ())
    arms.update(arm.name for arm in plan.study.arms if arm.name == plan.contrast.control.name or arm.name not in arms)
    asked = {job.simulation: job.result.asked for job in jobs if job.result}
    before: dict[str, int] = {}
    own = 0
    for job in (job for job in jobs if job.result):
        origin = split_moment(job.origin)
        if origin.name not in asked and job.origin not in before:
            before[job.origin] = _asked_at(storage / origin.name, origin.at or "end")
        own += asked[job.simulation] - asked.get(origin.name, before.get(job.origin, 0))
    runs = [job for job in jobs if job.arm]
    return AuditShare(
        steps=sum(job.until_step - job.first_step for job in jobs),
        all_steps=sum(job.until_step * arms[job.arm] for job in runs),
        asked=own,
        all_asked=sum(job.result.asked * arms[job.arm] for job in runs if job.result),
        calls=sum(job.result.calls for job in jobs if job.result and job.provenance.get("models") != OFFLINE),
    )


def _asked_at(simulation: Path, at: str) -> int:
    """Return how many questions were asked before a moment, by the save at it or the last one before it."""
    step = find_moment(simulation, at).step
    known = [stem for stem in stems(simulation) if stem.step <= step]
    if read_meta(simulation / META).step == step or not known:
        noted = read_object_if_whole(simulation / "reverie" / RUN_FILE) or {}
    else:
        noted = dict(EarlierSave(simulation, known[-1]).checkpoint.files.get(RUN_FILE, {}))
    asked = noted.get(ASKED, 0)
    return asked if isinstance(asked, int) else 0


def counted(effects: Sequence[PerturbedEffect], *verdicts: str) -> Iterator[PerturbedEffect]:
    """Yield the perturbations with one of these verdicts, without placebos."""
    yield from (each for each in effects if each.verdict in verdicts and not each.is_placebo)
