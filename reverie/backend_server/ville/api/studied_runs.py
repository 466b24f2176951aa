"""The runs that an evaluation looks at: the runs of a study that are done, or simulations by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import yaml

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.errors import BadArgument
from ville.json_types import Json
from ville.settings import Settings
from ville.storage.past.moments import split_moment
from ville.storage.studies.study_folder import JobManifest, StudyFolder, find_studies
from ville.studies.kept_runs import KEPT_WORDS


@dataclass(frozen=True)
class StudiedRun:
    """A run with its place in a study, and the moment at which it is asked for the first time."""

    run: ComparedRun
    arm: str
    seed: int | None
    start: str
    """A simulation with a moment: its first step, after histories were whispered."""


@dataclass(frozen=True)
class StudiedRuns:
    """Runs of a study, or simulations."""

    of: str
    title: str
    """Title of the study; empty without one."""
    measures: tuple[Json, ...]
    """As in the study file."""
    runs: tuple[StudiedRun, ...]
    folder: StudyFolder | None = None

    def of_arm(self, arm: str = "") -> tuple[StudiedRun, ...]:
        """Return the runs of an arm, by default of the first one. Raises BadArgument."""
        arms = list(dict.fromkeys(each.arm for each in self.runs))
        if arm and arm not in arms:
            raise BadArgument(f"{self.of} has no arm '{arm}'. There are: {', '.join(filter(None, arms)) or 'none'}.")
        return tuple(each for each in self.runs if each.arm == (arm or arms[0]))


def find_studied_runs(settings: Settings, names: Sequence[str]) -> StudiedRuns:
    """Return the runs of a study that are done, or, if its name is none, simulations. Raises a ReverieError."""
    if len(names) == 1 and names[0] in find_studies(settings.studies):
        return _of_study(settings, StudyFolder(settings.studies, names[0]))
    runs = tuple(_of_simulation(settings, name) for name in names)
    return StudiedRuns(", ".join(names), "", (), runs)


def _of_simulation(settings: Settings, name: str) -> StudiedRun:
    run = find_run(settings.fs_storage, settings.replays, name)
    seed = run.run_file.get("seed")
    first = min(run.first + 1, run.steps)
    return StudiedRun(run, "", seed if isinstance(seed, int) else None, f"{split_moment(name).name}@{first}")


def _of_study(settings: Settings, folder: StudyFolder) -> StudiedRuns:
    note, jobs = folder.note(), folder.jobs()
    by_simulation = {job.simulation: job for job in jobs}
    order = {run: place for place, run in enumerate(note.runs)}
    done = sorted((job for job in jobs if job.state == "done" and job.run in order), key=lambda job: order[job.run])
    if not done:
        raise BadArgument(f"No run of the study {note.name} is done. Run it first: study.py run {note.file}")
    if reduced := next((job for job in done if job.kept != "all"), None):
        line = (
            f"The study {note.name} keeps {KEPT_WORDS[reduced.kept]}, and this needs the whole runs. Run it again under"
        )
        raise BadArgument(f"{line} another name with `keep: all`: study.py run {note.file} --name NAME")
    runs = []
    for job in done:
        root = _root(job, by_simulation)
        run = find_run(settings.fs_storage, settings.replays, job.simulation)
        runs.append(StudiedRun(run, job.arm, job.seed, f"{root.simulation}@{root.first_step + 1}"))
    return StudiedRuns(note.name, note.title, _measures(folder, note.measures), tuple(runs), folder)


def _root(job: JobManifest, jobs: Mapping[str, JobManifest]) -> JobManifest:
    """Return the job in which a run begins: itself, or the beginning that it shares."""
    while (before := jobs.get(split_moment(job.origin).name)) is not None:
        job = before
    return job


def _measures(folder: StudyFolder, names: Sequence[str]) -> tuple[Json, ...]:
    """Return the measures as the study file has them, or else their names."""
    content = yaml.safe_load(folder.read_file())
    found = content.get("measures") if isinstance(content, Mapping) else None
    return tuple(found) if isinstance(found, list) else tuple(names)
