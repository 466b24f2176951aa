"""The figures of a study: `figures/<measure>.svg`, one for each measure."""

from collections.abc import Sequence

from ville.analysis.study_figures import draw_measure, figure_files
from ville.analysis.study_statistics import measures_by_arm
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.study import Study


def write_figures(folder: StudyFolder, study: Study, jobs: Sequence[JobManifest]) -> None:
    """Draw the measures of all runs that are done. Raises CannotWrite."""
    names = [measure.name for measure in study.measures]
    files = figure_files(names)
    found = measures_by_arm(names, [arm.name for arm in study.arms], jobs)
    if found:
        folder.write_figures({files[each.measure]: draw_measure(each, title=each.measure) for each in found})
