"""`studies/<study>/`: what is kept of a study beside the simulations of its runs.

The program that runs a study is the only one that writes there, and holds its lock.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ville.errors import BadArgument, CorruptFile, SimulationInUse
from ville.json_types import Json
from ville.storage.files import (
    compact,
    pretty,
    read_bytes,
    read_object,
    read_object_if_whole,
    read_text,
    write_text,
    writing,
)
from ville.storage.records.lock import Lock, is_locked
from ville.storage.shapes import Number, Text, Whole
from ville.storage.stored_part import StoredPart, part_of, read_part
from ville.storage.studies.job_store import JobStore

STUDY_FILE, STUDY, JOBS, FIGURES, STOP = "study.yaml", "study.json", "jobs", "figures", "stop"
VALIDITY = "validity.json"
JobState = Literal["waiting", "running", "done", "failed", "stopped"]
Keep = Literal["all", "compressed", "memories", "tables"]
"""Part of the simulation of a run that stays when its measures are taken."""
LEDGER, COLLECTED = "ledger", "collected"
"""Kinds of what is kept in `jobs.sqlite3` of a run whose simulation was removed."""


class StudyAnswer(StoredPart):
    """Answer of a persona to a question of the study."""

    ask: Text
    when: Text
    """As in the study file: `end`, or a time."""
    role: Text = ""
    who: Text
    answer: Text
    """As it was given."""
    name: Text = ""
    """Name of the question in measures; empty if the answer is in words."""
    step: Whole = 0
    """When it was asked."""
    form: Text = "text"
    """In which it was asked to be, in words: `scale 1 to 7`."""
    value: Text | Number | None = None
    """A choice or a number; None: in words, or not usable."""
    group: Text = ""
    """That the persona was drawn for; empty if the study draws none."""


class JobResult(StoredPart):
    """Result of a run; the same whenever and wherever it is computed."""

    measures: dict[str, Number | None] = {}
    answers: list[StudyAnswer] = []
    calls: Whole = 0
    tokens: Annotated[int, Field(ge=0)] = 0
    cost: Number = 0.0
    """US dollars."""
    asked: Whole = 0
    """Questions that personas have asked by its end, of the rules or a model, also in what it began with."""


class JobManifest(StoredPart):
    """A row of `jobs.sqlite3`: a run of the study, or a beginning that several runs share."""

    v: Literal[1] = 1
    run: Text
    """Name within the study, such as `untouched-s1`."""
    simulation: Text
    base: Text
    """As in the study file, with its moment."""
    arm: Text
    """Empty for a shared beginning."""
    seed: int
    origin: Text
    """Simulation to fork, with the moment: its base, or a shared beginning."""
    first_step: Whole
    until_step: Whole
    fingerprint: dict[str, Text] = {}
    """Digests of what decides the outcome, by what they are of."""
    state: JobState = "waiting"
    fault: Text = ""
    """Why it failed or stopped, in one line."""
    tries: Whole = 0
    """How often it was begun and failed."""
    step: Whole = 0
    """The next one to compute."""
    result: JobResult | None = None
    groups: dict[Text, list[Text]] = {}
    """People who were drawn for each group, and the rest."""
    provenance: dict[str, object] = {}
    """Versions, settings without secrets, models, prices and host."""
    started: Text = ""
    """UTC."""
    ended: Text = ""
    """UTC."""
    seconds: Number = 0.0
    """Time that was worked on it, over all tries."""
    kept: Keep = "all"
    """Part of its simulation that is there, or will be when the rest is removed."""

    @property
    def is_shared(self) -> bool:
        """Whether it is a beginning that several runs share."""
        return not self.arm


class StudyNote(StoredPart):
    """`study.json`: the study as a whole, as it was last run."""

    v: Literal[1] = 1
    name: Text
    title: Text = ""
    file: Text = ""
    """The study file; a copy of it is beside this one."""
    measures: list[Text] = []
    arms: list[Text] = []
    seeds: list[int] = []
    bases: list[Text] = []
    budget: dict[str, Number] = {}
    """Limits over all runs: `dollars`, `calls`, `tokens`."""
    runs: list[Text] = []
    """Names of the runs, in the order of the tables."""
    shared: list[Text] = []
    """Names of the shared beginnings."""
    prompts: dict[str, Text] = {}
    """Digest of each prompt template, by its name."""
    keep: Keep = "all"
    """Parts of runs that are kept."""


class StudyFolder:
    """Reads and writes the files of one study."""

    def __init__(self, studies: Path, name: str) -> None:
        self.name = name
        self.root = studies / name
        self._store = JobStore(self.root)

    def without_fsync(self) -> None:
        """Do not wait for the disk when jobs are written: a failure of the machine may cost results then."""
        self._store.fsync = False

    def create(self) -> None:
        """Make the folder, if need be. Raises CannotWrite."""
        with writing(self.root):
            self.root.mkdir(parents=True, exist_ok=True)

    def lock(self) -> Lock:
        """Return the lock of the program that runs the study. Raises BadArgument while another one has it."""
        try:
            return Lock(self.root)
        except SimulationInUse:
            line = f"The study {self.name} is being run by another program. To stop it: study.py stop {self.name}"
            raise BadArgument(line) from None

    @property
    def is_running(self) -> bool:
        """Whether a program runs the study now."""
        return is_locked(self.root)

    @property
    def is_there(self) -> bool:
        """Whether the study was begun."""
        return (self.root / STUDY).exists()

    def read_file(self) -> str:
        """Return the study file as it was last run. Raises CorruptFile."""
        try:
            return read_text(self.root / STUDY_FILE)
        except (OSError, ValueError) as fault:
            template = "%(file)s cannot be read (%(reason)s). Restore the file, or give the study another name."
            raise CorruptFile(template, file=self.root / STUDY_FILE, reason=fault) from None

    def write_file(self, text: str) -> None:
        """Write the study file, or a copy of it. Raises CannotWrite."""
        write_text(self.root / STUDY_FILE, text)

    def write_note(self, note: StudyNote, text: str) -> None:
        """Write what the study is, and a copy of its file. Raises CannotWrite."""
        self.write_file(text)
        write_text(self.root / STUDY, pretty(note.as_json()))

    def note(self) -> StudyNote:
        """Return what the study is. Raises CorruptFile."""
        return read_part(StudyNote, self.root / STUDY)

    def write_job(self, job: JobManifest) -> None:
        """Write the state of a run, atomically. Raises CannotWrite."""
        self.write_jobs([job])

    def write_jobs(self, jobs: Iterable[JobManifest], kept: Mapping[tuple[str, str], bytes] | None = None) -> None:
        """Write the states of runs, and what is `kept` of simulations that will be removed, by run and kind: all of it
        or nothing. It is on disk then, unless that is switched off. Raises CannotWrite.
        """
        found = {job.run: compact(job.as_json()) for job in jobs}
        older = self._older_jobs()
        self._store.write(found, {path.stem: compact(read_object(path)) for path in older}, kept)
        if older:
            with writing(self.root / JOBS):
                shutil.rmtree(self.root / JOBS)

    def kept(self, run: str, what: str) -> bytes | None:
        """Return what is kept of a run whose simulation was removed; None if nothing of this kind is."""
        return self._store.kept(run, what)

    def job(self, run: str) -> JobManifest | None:
        """Return the state of a run; None if it was never begun. Raises CorruptFile."""
        for job in self.some_jobs([run]):
            return job
        path = self.root / JOBS / f"{run}.json"
        return read_part(JobManifest, path) if path.exists() else None

    def some_jobs(self, runs: Iterable[str]) -> Iterator[JobManifest]:
        """Yield those of these runs that are in `jobs.sqlite3`, in no order. Raises CorruptFile."""
        return (self._read_job(run, text) for run, text in self._store.read(runs))

    def jobs(self, faults: list[CorruptFile] | None = None) -> list[JobManifest]:
        """Return all runs and shared beginnings, sorted by name. What cannot be read is added to `faults`, if they are
        given. Raises CorruptFile.
        """
        found = {job.run: job for job in self.each_job(faults)}
        return [found[run] for run in sorted(found)]

    def each_job(self, faults: list[CorruptFile] | None = None) -> Iterator[JobManifest]:
        """Yield the same without holding all, in no order; of a job that is there twice, the newer one comes last."""
        for path in self._older_jobs():
            with _noted(faults):
                yield read_part(JobManifest, path)
        with _noted(faults):
            for run, text in self._store.read_all():
                with _noted(faults):
                    yield self._read_job(run, text)

    def _older_jobs(self) -> list[Path]:
        """Return the files of jobs of older studies, one for each."""
        return sorted((self.root / JOBS).glob("[!.]*.json"))

    def _read_job(self, run: str, text: str) -> JobManifest:
        place = self._store.path / run
        try:
            return part_of(JobManifest, json.loads(text), place)
        except (ValueError, RecursionError) as fault:
            template = "%(file)s is no JSON (%(reason)s). Restore the file, or give the study another name."
            raise CorruptFile(template, file=place, reason=str(fault)) from None

    def remove(self) -> None:
        """Delete the folder: it loses its name first, so that no part of it is left if this is interrupted.

        Raises CannotWrite.
        """
        trash = self.root.with_name(f".{self.name}.deleted")
        with writing(self.root):
            shutil.rmtree(trash, ignore_errors=True)
            self.root.replace(trash)
            shutil.rmtree(trash)

    def write_table(self, file: str, content: str | Iterable[str]) -> None:
        """Write a table of results, atomically, as a whole or part by part. Raises CannotWrite."""
        if isinstance(content, str):
            write_text(self.root / file, content)
            return
        path, partial = self.root / file, self.root / f".{file}.partial"
        with writing(path):
            with partial.open("w", encoding="utf-8", newline="") as written:
                written.writelines(content)
            partial.replace(path)

    def write_figures(self, figures: Mapping[str, str]) -> None:
        """Write figures by file name, each atomically. Raises CannotWrite."""
        folder = self.root / FIGURES
        if figures:
            with writing(folder):
                folder.mkdir(exist_ok=True)
        for file, content in figures.items():
            write_text(folder / file, content)

    def read_table(self, file: str) -> str:
        """Return the text of a table. Raises CorruptFile if there is none yet."""
        path = self.root / file
        try:
            return read_bytes(path).decode("utf-8")
        except FileNotFoundError:
            raise CorruptFile("%(file)s is missing. Run the study first.", file=path) from None

    def write_validity(self, text: str) -> None:
        """Write the report of validity, atomically. Raises CannotWrite."""
        write_text(self.root / VALIDITY, text)

    def read_validity(self) -> dict[str, Json] | None:
        """Return the report of validity as it was last made; None if there is none that can be read."""
        return read_object_if_whole(self.root / VALIDITY, self.root)

    def ask_to_stop(self) -> None:
        """Ask the program that runs the study to save and stop. Raises CannotWrite."""
        write_text(self.root / STOP, "")

    @property
    def stop_is_wanted(self) -> bool:
        return (self.root / STOP).exists()

    def forget_stop(self) -> None:
        """Remove an earlier request to stop."""
        with suppress(FileNotFoundError), writing(self.root):
            (self.root / STOP).unlink(missing_ok=True)


@contextmanager
def _noted(faults: list[CorruptFile] | None) -> Iterator[None]:
    """Add what cannot be read to a list, if there is one."""
    try:
        yield
    except CorruptFile as fault:
        if faults is None:
            raise
        faults.append(fault)


def find_studies(studies: Path) -> list[str]:
    """Return the names of all studies, sorted."""
    return sorted(path.parent.name for path in studies.glob(f"[!.]*/{STUDY}"))


def find_study(studies: Path, name: str) -> StudyFolder:
    """Return a study that was run. Raises BadArgument with the known names."""
    if name not in (known := find_studies(studies)):
        raise BadArgument(f"There is no study '{name}' in {studies}. There are: {', '.join(known) or 'none'}.")
    return StudyFolder(studies, name)
