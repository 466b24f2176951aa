"""A study that was run, or is being run: its runs and answers as tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ville.analysis.planned_runs import planned_table
from ville.analysis.statistics_table import differences_table, statistics_table
from ville.analysis.study_statistics import MeasureByArm, measures_by_arm
from ville.errors import BadArgument
from ville.result_table import ResultTable
from ville.storage.studies.registration import Registration, registration_of
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.collecting import read_collected
from ville.studies.tables import answer_table, run_table


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
        found = {job.run: job for job in self._folder.jobs()}
        return [found[run] for run in (*self._note.runs, *self._note.shared) if run in found]

    @property
    def runs(self) -> ResultTable:
        """A dict for each run: what it is, its state, its measures, and what it used; the columns of runs.csv."""
        return run_table(self.jobs, self._note.measures)

    @property
    def answers(self) -> ResultTable:
        """A dict for each answer to a question of the study; the columns of answers.csv."""
        return answer_table(self.jobs)

    def collected(self, table: str) -> ResultTable:
        """Return what the study collects over time, as its runs were when it was last run to its end.

        Args:
            table: `persona`, `pair` or `town`.

        Returns:
            A dict for each value; the columns of `collected/persona.csv`, `pair.csv` or `town.csv`. Times are those of
            the town, missing values None.

        Raises:
            BadArgument: the study collects nothing of this kind, or was not run to its end since `collect` was added.
        """
        return read_collected(self._folder, table)

    def statistics(self) -> ResultTable:
        """Return a dict for each measure, base and arm; the columns of statistics.csv."""
        return statistics_table(self.by_arm())

    def differences(self, to: str = "") -> ResultTable:
        """Return a dict for each difference of an arm to another one, as in `statistics`.

        Args:
            to: the arm with which all others are compared; by default the first one.

        Raises:
            BadArgument: the study has no such arm.
        """
        return differences_table(self.by_arm(to))

    def seeds_to_see(self, difference: float) -> ResultTable:
        """Return how many seeds it takes to see a difference, by how much the runs of this study vary.

        Args:
            difference: in the unit of the measures. Say how large a difference would matter, not how large it was.

        Returns:
            A dict for each measure, base and arm: `spread`, the standard deviation of the differences of pairs, or
            within sides; `seeds`, with which four studies of five find the difference; and `cautious_seeds`, if runs
            vary as much as a pilot so small allows.
        """
        return planned_table(self.by_arm(), difference)

    def by_arm(self, first: str = "") -> tuple[MeasureByArm, ...]:
        """Return what was measured, by arm, compared with the first one or another. Raises BadArgument."""
        arms = self._note.arms
        if first and first not in arms:
            raise BadArgument(f"The study {self.name} has no arm '{first}'. There are: {', '.join(arms)}.")
        order = sorted(arms, key=lambda arm: arm != first) if first else arms
        registered = registration_of(self._folder)
        return measures_by_arm(self._note.measures, order, self.jobs, _unless_turned(registered, order, arms))

    def registration(self) -> Registration | None:
        """Return what was registered before the study was run; None if nothing was."""
        return registration_of(self._folder)

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
        return self.runs.to_frame()


def _unless_turned(registered: Registration | None, order: Sequence[str], arms: Sequence[str]) -> Registration | None:
    """Return what was registered; without its hypotheses if arms are compared with another one than the first."""
    if registered is None or order[0] == arms[0]:
        return registered
    return registered.model_copy(update={"plan": {**registered.plan, "hypotheses": []}})
