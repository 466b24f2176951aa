"""Facts of a study from which its report is written, without what tells of the machine."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from ville.analysis.comparison.compared_run import find_run
from ville.analysis.comparison.rerun import citation, rerun_command
from ville.analysis.named_measures import is_code
from ville.analysis.run_statistics import RunDifference
from ville.analysis.study_statistics import MeasureByArm
from ville.errors import ReverieError
from ville.llm.wire.providers import OFFLINE
from ville.result_table import ResultTable
from ville.settings import Settings
from ville.storage.folder.storage import find
from ville.storage.past.moments import split_moment
from ville.storage.records.meta import Meta
from ville.storage.stored_part import read_part
from ville.storage.studies.registration import CONFIRMATION, Registration
from ville.storage.studies.study_folder import FIGURES, JobManifest, StudyFolder, StudyNote
from ville.studies.audit.audit_plan import ENDING
from ville.studies.audit.audit_report import FIGURE, TEXT
from ville.studies.confirming import Confirmation, confirmations_of, hypothesis_outcomes
from ville.studies.results import StudyResults

FOLDERS = re.compile(r"(?<![\w./:\\-])(?:~?(?:/[\w.@+-]+)+/(?=[\w.@+-])|~/|[A-Za-z]:\\(?:[\w.@+ -]+\\)*)")
"""Folders of a path of a machine, before the name of its file."""
SEED = "seed"
"""Setting that every run has for itself."""
PLANS = ("primary", "registered", "exploratory", "")


@dataclass(frozen=True)
class ReportedAudit:
    """The result of an audit of the study, in words and as a figure."""

    name: str
    lines: Sequence[str]
    figure: bytes
    """SVG; empty if there is none."""


@dataclass(frozen=True)
class StudyFacts:
    """A study as a report tells it. Parts are read on demand; raises CorruptFile."""

    folder: StudyFolder
    settings: Settings

    @cached_property
    def note(self) -> StudyNote:
        return self.folder.note()

    @cached_property
    def results(self) -> StudyResults:
        return StudyResults(self.folder)

    @cached_property
    def jobs(self) -> Sequence[JobManifest]:
        """Runs and the beginnings that they share."""
        return self.results.jobs

    @cached_property
    def runs(self) -> Sequence[JobManifest]:
        return [job for job in self.jobs if not job.is_shared]

    @property
    def done(self) -> Sequence[JobManifest]:
        return [job for job in self.runs if job.state == "done"]

    @property
    def is_finished(self) -> bool:
        return len(self.done) == len(self.note.runs)

    @property
    def title(self) -> str:
        return self.note.title or self.note.name

    @cached_property
    def measures(self) -> tuple[MeasureByArm, ...]:
        """As the study has them; if a plan was registered, what it foresaw before what is exploratory."""

        def place(measure: MeasureByArm) -> int:
            plans = [each.found.plan for base in measure.bases for each in base.differences]
            return min(map(PLANS.index, plans), default=len(PLANS))

        return tuple(sorted(self.results.by_arm(), key=place))

    @cached_property
    def differences(self) -> Sequence[RunDifference]:
        return [each.found for measure in self.measures for base in measure.bases for each in base.differences]

    @cached_property
    def registration(self) -> Registration | None:
        return self.results.registration()

    @cached_property
    def outcomes(self) -> ResultTable:
        """The outcome of each hypothesis."""
        return hypothesis_outcomes(self.results)

    @cached_property
    def confirmations(self) -> Sequence[str]:
        return confirmations_of(self.folder.root.parent, self.note.name)

    @cached_property
    def confirms(self) -> Confirmation | None:
        """The study that this one confirms, and with which model; None if it is no confirmation."""
        path = self.folder.root / CONFIRMATION
        return read_part(Confirmation, path) if path.exists() else None

    @cached_property
    def file(self) -> str:
        """The study file, without folders of a machine."""
        return without_folders(self.folder.read_file())

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """The study file by its keys; empty if it cannot be read."""
        try:
            found = yaml.safe_load(self.file)
        except (yaml.YAMLError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def code(self) -> Sequence[str]:
        """Functions that measure, which are not part of the study file."""
        found = self.content.get("measures")
        return [str(each) for each in found if is_code(each)] if isinstance(found, list) else []

    @cached_property
    def town(self) -> Meta | None:
        """People, clock and map of the first run; None if its simulation is not here."""
        for job in self.runs:
            try:
                return find(self.settings.fs_storage, job.simulation).meta
            except ReverieError:
                continue
        return None

    def told(self, key: str) -> Mapping[str, int]:
        """Return what the provenance of runs says under a key, with the number of runs that say it."""
        return Counter(told for job in self.runs if (told := _plain(job.provenance.get(key) or "")))

    @property
    def by_rules(self) -> bool:
        """Whether the offline rules answered in all runs."""
        return set(self.told("models")) <= {OFFLINE}

    @cached_property
    def audit(self) -> ReportedAudit | None:
        folder = StudyFolder(self.folder.root.parent, f"{self.note.name}{ENDING}")
        if not (folder.root / TEXT).exists():
            return None
        figure = folder.root / FIGURES / FIGURE
        return ReportedAudit(
            folder.name, folder.read_table(TEXT).splitlines(), figure.read_bytes() if figure.exists() else b""
        )

    @cached_property
    def beginnings(self) -> Sequence[tuple[str, str]]:
        """How each base is cited that was itself computed, and the command that computes it; empty if not known."""
        found = []
        for base in dict.fromkeys(job.base for job in self.runs):
            try:
                run = find_run(self.settings.fs_storage, self.settings.replays, base)
                name = split_moment(base).name
                command = rerun_command(run).replace(f"{name}_again", name) if run.steps else ""
            except ReverieError:
                continue
            if run.steps:
                found.append((citation(run), "" if ".." in command else command))
        return found


def without_folders(text: str) -> str:
    """Return a text in which paths of a machine have only the name of their file."""
    return FOLDERS.sub("…/", text)


def _plain(value: object) -> str:
    """Return a value of a record as text."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(each)}" for key, each in sorted(value.items()) if each and key != SEED)
    return without_folders(str(value))
