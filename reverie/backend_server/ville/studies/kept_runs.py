"""Reduces the simulations of a study's runs to what its file says with `keep`.

What is to stay is written first, together with the results: a ledger, and what is collected over time, beside the job;
a compressed form among the recordings. Then the rest is removed. A program that is killed in between has lost nothing:
the next one finds the job done, and removes what is left.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ville.errors import SimulationExists, SimulationInUse
from ville.llm.accounting.ledger_lines import ledger_lines
from ville.llm.wire.providers import OFFLINE
from ville.settings import Settings
from ville.storage.compressed.compression import META_COPY, compress
from ville.storage.folder.branches import is_made_for
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import delete, unchanged
from ville.storage.keeping.shrinking import drop_all_but_minds
from ville.storage.records.lock import Lock
from ville.storage.records.meta import META, read_meta
from ville.storage.steps.step_store import MOVEMENT
from ville.storage.studies.study_folder import COLLECTED, LEDGER, JobManifest, Keep, StudyFolder
from ville.studies.collecting import collected_content
from ville.studies.job import StudyJob
from ville.studies.study import Study

KEPT_WORDS: Mapping[Keep, str] = {
    "all": "the whole simulation",
    "compressed": "a compressed recording",
    "memories": "only the memories of people",
    "tables": "nothing but its tables",
}
"""Names of these parts in sentences about a run."""


def keep_of(study: Study, job: JobManifest) -> Keep:
    """Return what stays of a job that is done. Beginnings are only there for those that branch from them."""
    return study.keep if study.keep == "all" or not job.is_shared else "tables"


def reduced_runs(study: Study, folder: StudyFolder) -> int:
    """Return how many runs that are done lose parts of their simulations because the study file now says another
    `keep` than when it was last run. Raises CorruptFile.
    """
    if not folder.is_there or study.keep in {"all", folder.note().keep}:
        return 0
    return sum(job.state == "done" and not job.is_shared and job.kept == "all" for job in folder.each_job())


class KeptRuns:
    """Reduces the simulations of one study."""

    def __init__(self, study: Study, settings: Settings) -> None:
        self._study, self._settings = study, settings

    def root(self, job: JobManifest) -> Path:
        """Return the folder of its simulation."""
        return self._settings.fs_storage / job.simulation

    def is_there(self, simulation: str) -> bool:
        """Return whether there is a simulation of this name."""
        return (self._settings.fs_storage / simulation).exists()

    def is_taken(self, job: StudyJob, earlier: JobManifest | None) -> bool:
        """Return whether the recording that a job keeps would have the name of one that it has not made."""
        is_done = earlier is not None and earlier.state == "done"
        has_none = self._study.keep != "compressed" or not job.arm or is_done or self.is_there(job.simulation)
        return not has_none and (self._settings.replays / job.simulation / META_COPY).exists()

    def settings_of(self, job: StudyJob) -> Mapping[str, object]:
        """Return the settings with which a job is run. What is removed in the end, and costs nothing to compute again,
        does not wait for the disk at each save.
        """
        is_brief = self._study.keep != "all" and job.provenance["models"] == OFFLINE
        return {"fsync": False, **job.settings} if is_brief else job.settings

    def contents(self, job: JobManifest, jobs: Mapping[str, JobManifest]) -> dict[tuple[str, str], bytes]:
        """Return what has to be written before anything of a run is removed, by run and kind, and write its compressed
        form, if it keeps one. `jobs` are all, by simulation. Raises a ReverieError.
        """
        keep, root = keep_of(self._study, job), self.root(job)
        found: dict[tuple[str, str], bytes] = {}
        if keep != "memories" and (lines := "".join(ledger_lines(root / "reverie"))):
            found[job.run, LEDGER] = lines.encode()
        if self._study.collect and not job.is_shared:
            content = collected_content(job, jobs, self._study.collect, settings=self._settings)
            found[job.run, COLLECTED] = content
        if keep == "compressed":
            self._compress(root)
        return found

    def _compress(self, root: Path) -> None:
        """Write the compressed form, unless an earlier program has done that."""
        target = self._settings.replays / root.name
        if (target / META_COPY).exists():
            if read_meta(target / META_COPY) == read_meta(root / META):
                return
            template = "%(folder)s is already there, and not that of the run. Rename it, then run the study again."
            raise SimulationExists(template, folder=target)
        with unchanged(root):
            compress(root, target)

    def remove(self, job: JobManifest, request: str) -> None:
        """Remove what does not stay of the simulation of a job; one that is open stays until the study is run again.

        `request` is the identifier of the job. Raises CannotWrite.
        """
        root = self.root(job)
        with suppress(SimulationInUse):
            if job.kept == "memories" and (root / MOVEMENT).exists():
                with Lock(root):
                    drop_all_but_minds(root)
            elif job.kept in {"tables", "compressed"} and root.exists() and is_made_for(root, request):
                with Lock(root):
                    delete(SimulationFolder(root))
