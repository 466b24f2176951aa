"""The jobs of a study: one for each base, arm and seed, with all that decides its outcome."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ville.assembly.model_choice import chat_name, embedder_name
from ville.assembly.models import COMPUTING
from ville.assembly.own_minds import named_modules
from ville.assembly.provenance import digest, files_digest, provenance
from ville.jobs.run_spec import AskedOfRun
from ville.llm.wire.providers import OFFLINE
from ville.persona.prompt_template.question import TEMPLATES
from ville.settings import Settings, load_settings
from ville.storage.records.intervention_log import Row
from ville.storage.studies.study_folder import JobManifest
from ville.studies.assignment import drawn_groups, rows_for_groups
from ville.studies.study import Study, StudyArm, StudyBase

DECIDING = (*COMPUTING, "language", "temperature", "reasoning_effort", "answer_tokens", "models")
"""Settings that decide what is computed or answered."""
GROUPS = "the groups"
"""Fingerprint that only runs with groups have."""
UNSEEN = ("seed", "provider", "temperature", "reasoning_effort", "answer_tokens")
"""Settings by which the same question may be answered otherwise."""
ITS_ANSWERS = "its answers"
"""Fingerprint of a run that takes answers of others. A beginning takes none."""


@dataclass(frozen=True)
class StudyJob:
    """A simulation to make and run, or a beginning that several runs share."""

    run: str
    """Name within the study."""
    simulation: str
    base: str
    arm: str
    """Empty for a shared beginning."""
    seed: int
    origin: str
    """With the step: `base_the_ville_n25@0`."""
    first_step: int
    until_step: int
    rows: tuple[Row, ...]
    """Interventions from `first_step` on."""
    settings: Mapping[str, object]
    """By name, as for `load_settings`."""
    fingerprint: Mapping[str, str]
    """Digests of what decides the outcome, by what they are of."""
    questions: tuple[AskedOfRun, ...] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """People who were drawn for each group, and the rest; empty: none were."""
    after: str = ""
    """The shared beginning from which it branches; empty: none."""
    provenance: Mapping[str, object] = field(default_factory=dict)
    past: "StudyJob | None" = None
    """The job of another arm as which it runs until `turn`."""
    turn: int = 0
    answers_of: tuple["StudyJob", ...] = ()
    """The runs whose answers to identical questions it takes, so that only what differs makes a difference."""

    @property
    def answering(self) -> dict[str, str]:
        """The setting that names the simulations whose answers it takes; empty: it takes none."""
        names = " ".join(each.simulation for each in self.answers_of)
        return {"answers_from": names} if names else {}

    @property
    def needs(self) -> tuple[str, ...]:
        """The jobs that have to be over before it begins: the beginning that it shares, and whose answers it takes."""
        return (*filter(None, [self.after]), *(each.run for each in self.answers_of))


def jobs_of(study: Study, given: Mapping[str, object]) -> tuple[StudyJob, ...]:
    """Return all runs of a study, in the order of bases, arms and seeds. `given` are settings for all of them."""
    arms = [(arm, load_settings({**given, **arm.settings})) for arm in study.arms]
    jobs = {
        (base.name, arm.name, seed): _with_seed(job, study.name, seed, arm=arm, people=base.people)
        for number, base in enumerate(study.bases, 1)
        for arm, settings in arms
        for job in [_job(study, number, base, arm=arm, given=given, settings=settings)]
        for seed in study.seeds
    }
    arms_by_name = {arm.name: arm for arm in study.arms}
    bases = {base.name: base for base in study.bases}

    def whole(job: StudyJob) -> StudyJob:
        arm = arms_by_name[job.arm]
        if arm.answers:
            job = _with_answers(job, jobs[job.base, arm.answers, job.seed])
        if arm.past is None:
            return job
        return _after_past(job, jobs[job.base, arm.past.arm, job.seed], bases[job.base].step_at(arm.past.at))

    return tuple(map(whole, jobs.values()))


def new_manifest(job: StudyJob) -> JobManifest:
    """Return what is kept of a job that has not begun."""
    return JobManifest(
        run=job.run,
        simulation=job.simulation,
        base=job.base,
        arm=job.arm,
        seed=job.seed,
        origin=job.origin,
        first_step=job.first_step,
        until_step=job.until_step,
        fingerprint=dict(job.fingerprint),
        step=job.first_step,
        groups={name: list(people) for name, people in job.groups.items()} if job.arm else {},
        provenance=dict(job.provenance),
    )


def _with_answers(job: StudyJob, other: StudyJob) -> StudyJob:
    """Return a job that takes the answers of another one, unless settings that are no part of a question differ."""
    if any(job.settings.get(name) != other.settings.get(name) for name in UNSEEN):
        return job
    if other.run in {each.run for each in job.answers_of}:
        return job
    taken = (*job.answers_of, other)
    fingerprint = {**job.fingerprint, ITS_ANSWERS: digest([each.run for each in taken])}
    return replace(job, answers_of=taken, fingerprint=fingerprint)


def _after_past(job: StudyJob, past: StudyJob, turn: int) -> StudyJob:
    """Return a job that is another one until a step."""
    before = tuple(row for row in past.rows if row["step"] < turn)
    rows = (*before, *(row for row in job.rows if row["step"] >= turn))
    fingerprint = {
        **job.fingerprint,
        "the interventions": rows_digest(rows),
        "its past": digest([dict(past.fingerprint), turn]),
    }
    return _with_answers(replace(job, rows=rows, fingerprint=fingerprint, past=past, turn=turn), past)


def rows_digest(rows: Sequence[Row]) -> str:
    """Return a digest of interventions, whatever their identifiers."""
    return digest([{**row, "id": ""} for row in rows])


def _job(
    study: Study, number: int, base: StudyBase, *, arm: StudyArm, given: Mapping[str, object], settings: Settings
) -> StudyJob:
    """Return what the jobs of a base and an arm have in common: a job without seed, whose run ends its name."""
    rows = arm.rows[base.name]
    settings = replace(settings, seed=0)
    return StudyJob(
        run=f"-b{number}" if number > 1 else "",
        simulation="",
        base=base.name,
        arm=arm.name,
        seed=0,
        origin=str(base.origin),
        first_step=base.clock.step,
        until_step=base.until_step,
        rows=rows,
        settings={**given, **arm.settings},
        fingerprint=_fingerprint(base, settings, rows),
        questions=tuple(
            AskedOfRun(
                *(each.ask, each.of, each.when, base.step_at(each.when), each.role),
                name=each.name,
                form=each.form.as_json(),
            )
            for each in study.questions
        ),
        provenance={**provenance(settings), "map": base.map_digest, "cast": base.digest},
    )


def _with_seed(job: StudyJob, study: str, seed: int, *, arm: StudyArm, people: Sequence[str]) -> StudyJob:
    """Return the job of a seed, to which the arm may add something, with the groups that are drawn of the people."""
    sign, own = f"s{seed}" if seed >= 0 else f"s_{-seed}", seed + arm.other_seeds
    if groups := drawn_groups(people, arm.assign, seed):
        rows = rows_for_groups(job.rows, groups)
        drawn = {GROUPS: digest(groups), "the interventions": rows_digest(rows)}
        job = replace(job, groups=groups, rows=rows, fingerprint={**job.fingerprint, **drawn})
    run = f"{job.arm}-{sign}{job.run}"
    chosen = job.provenance["settings"]
    return replace(
        job,
        run=run,
        simulation=f"{study}-{run}",
        seed=seed,
        settings={**job.settings, "seed": own},
        fingerprint={**job.fingerprint, "the seed": digest(own)},
        provenance={**job.provenance, "settings": {**chosen, "seed": own} if isinstance(chosen, Mapping) else chosen},
    )


def _fingerprint(base: StudyBase, settings: Settings, rows: tuple[Row, ...]) -> dict[str, str]:
    chat = chat_name(settings)
    decided = {name: getattr(settings, name) for name in DECIDING}
    if settings.minds:
        decided["minds"] = named_modules(settings).record or settings.minds
    return {
        "the base": digest([str(base.origin), base.digest]),
        "the steps": digest([base.clock.step, base.until_step]),
        "the seed": digest(settings.seed),
        "the interventions": rows_digest(rows),
        "the models": digest([chat, embedder_name(settings)]),
        "the settings": digest({name: dict(value) if name == "models" else value for name, value in decided.items()}),
        "the prompts": "" if chat == OFFLINE else files_digest(TEMPLATES, "*.txt"),
    }
