"""The studies in their folder: listed, and found by name, with all of their runs."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from translator.damage import message
from translator.errors import NotFound
from translator.forms import CODE
from translator.storage.folder_names import folder_names
from ville.errors import CorruptFile
from ville.json_types import Json
from ville.storage.files import check_no_links
from ville.storage.studies.registration import Registration, registration_of
from ville.storage.studies.study_calls import StudyCalls, read_calls
from ville.storage.studies.study_folder import JOBS, STUDY, JobManifest, StudyFolder, StudyNote


@dataclass(frozen=True)
class FoundStudy:
    """A study as it is now."""

    name: str
    note: StudyNote
    jobs: tuple[JobManifest, ...]
    """Shared beginnings, then runs, in the order of the tables."""
    is_running: bool
    changed: float
    """Seconds since the epoch when it was last begun."""
    damage: tuple[str, ...]
    """Why other runs cannot be shown."""

    @property
    def runs(self) -> list[JobManifest]:
        """All but the shared beginnings."""
        return [job for job in self.jobs if not job.is_shared]

    @property
    def calls(self) -> StudyCalls | None:
        """Return the calls and tokens of all runs so far; None without calls. Raises CorruptFile."""
        return read_calls(settings.STUDIES / self.name, is_running=self.is_running)

    @property
    def registration(self) -> Registration | None:
        """Plan that was registered before the study was run; None if none was. Raises CorruptFile."""
        return registration_of(StudyFolder(settings.STUDIES, self.name))

    def table(self, file: str) -> str:
        """Return the text of a table. Raises CorruptFile."""
        return StudyFolder(settings.STUDIES, self.name).read_table(file)

    @property
    def validity(self) -> dict[str, Json] | None:
        """The report of validity as it was last made; None if there is none."""
        return StudyFolder(settings.STUDIES, self.name).read_validity()


@dataclass(frozen=True)
class StudyListing:
    """All studies, newest first."""

    studies: tuple[FoundStudy, ...]
    damage: tuple[str, ...]
    """Why the others cannot be listed."""

    @property
    def simulations(self) -> set[str]:
        """Names of all runs, which lists of towns leave out."""
        return {job.simulation for study in self.studies for job in study.jobs}


def find_study(name: str) -> FoundStudy:
    """Return a study. Raises NotFound, and CorruptFile if its own file is damaged."""
    if name not in _names():
        raise NotFound(_("There is no study called %(name)s.") % {"name": name})
    folder = StudyFolder(settings.STUDIES, name)
    note = folder.note()
    check_no_links(folder.root / JOBS, settings.STUDIES)
    running, faults = folder.is_running, list[CorruptFile]()
    known = {job.run: job for job in folder.jobs(faults) if CODE.fullmatch(job.run)}
    jobs = tuple(_shown(known[run], is_running=running) for run in (*note.shared, *note.runs) if run in known)
    changed = (folder.root / STUDY).stat().st_mtime
    return FoundStudy(name, note, jobs, running, changed, tuple(map(message, faults)))


def studies() -> StudyListing:
    """Return every study."""
    found, damage = [], []
    for name in sorted(_names()):
        try:
            found.append(find_study(name))
        except CorruptFile as fault:
            damage.append(f"{name}: {message(fault)}")
    return StudyListing(tuple(sorted(found, key=lambda study: study.changed, reverse=True)), tuple(damage))


def _names() -> set[str]:
    return {name for name in folder_names(settings.STUDIES) if (settings.STUDIES / name / STUDY).exists()}


def _shown(job: JobManifest, *, is_running: bool) -> JobManifest:
    """Return a job, as stopped if the program was killed that ran it."""
    was_killed = job.state == "running" and not is_running
    return job.model_copy(update={"state": "stopped"}) if was_killed else job
