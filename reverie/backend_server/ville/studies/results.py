"""A study that was run, or is being run: its runs and answers as tables."""

from importlib import import_module
from pathlib import Path
from typing import Any

from ville.errors import MissingPackage
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.tables import TableRow, answer_rows, run_rows


class StudyResults:
    """The results of a study so far. They are read anew whenever they are asked for."""

    def __init__(self, folder: StudyFolder) -> None:
        self._folder = folder
        self._note = folder.note()

    def __repr__(self) -> str:
        done = sum(row["state"] == "done" for row in self.runs)
        return f"<study {self.name}: {done} of {len(self._note.runs)} runs are done>"

    @property
    def name(self) -> str:
        """Name of the study."""
        return self._note.name

    @property
    def folder(self) -> Path:
        """Folder of the study; docs/storage.md describes its files."""
        return self._folder.root

    @property
    def measures(self) -> list[str]:
        """Names of the measures, which are columns of `runs`."""
        return list(self._note.measures)

    @property
    def jobs(self) -> list[JobManifest]:
        """The state of each run, in the order of the study file, and of the beginnings that runs share."""
        found = (self._folder.job(run) for run in (*self._note.runs, *self._note.shared))
        return [job for job in found if job]

    @property
    def runs(self) -> list[TableRow]:
        """A dict for each run: what it is, its state, its measures, and what it used; the columns of runs.csv."""
        return run_rows(self.jobs, self._note.measures)

    @property
    def answers(self) -> list[dict[str, str]]:
        """A dict for each answer to a question of the study; the columns of answers.csv."""
        return [{name: str(value) for name, value in row.items()} for row in answer_rows(self.jobs)]

    def simulation(self, arm: str, seed: int, base: str = "") -> str:
        """Return the name of the simulation of a run, for `ville.open`, `ville.interview` or `ville.compare`.

        `base` is needed only if the study has several. Raises KeyError if there is no such run.
        """
        found = (job for job in self.jobs if (job.arm, job.seed) == (arm, seed) and base in {"", job.base})
        for job in found:
            return job.simulation
        raise KeyError((arm, seed))

    def to_frame(self) -> Any:
        """Return the runs as a `pandas.DataFrame`, a row for each. Raises MissingPackage without pandas."""
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise MissingPackage("Tables need pandas. In the project folder, type: pip install .[notebook]") from None
        return pandas.DataFrame(self.runs)
