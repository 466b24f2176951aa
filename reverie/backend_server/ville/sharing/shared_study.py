"""A study as one HTML file: its arms, and what was measured, as figures and as a table.

What people answered when they were asked is not in it, and neither are costs, faults, models and machines.
"""

from collections.abc import Mapping
from gettext import GNUTranslations
from pathlib import Path

from ville.analysis.study_figures import FigureWords, draw_measure
from ville.analysis.study_numbers import measure_numbers
from ville.analysis.study_statistics import MeasureByArm, measures_by_arm
from ville.json_types import JsonObject
from ville.sharing.html_file import HtmlFile
from ville.sharing.recording_file import LOCALE, SCRIPTS, script_text, style_text
from ville.storage.studies.registration import registration_of
from ville.storage.studies.study_folder import StudyFolder

ENGLISH = "en"
DECIMALS = {"ru": ","}
"""Sign before the digits after the point, where it is another."""


def study_text(folder: StudyFolder) -> str:
    """Return the file of a study. Raises CorruptFile."""
    content = _content(folder)
    script = script_text(SCRIPTS / "study_report.js")
    return HtmlFile(str(content["title"]), script, style_text("study.css"), {"study": content}, {}).text()


def _content(folder: StudyFolder) -> JsonObject:
    note = folder.note()
    runs = [job for run in note.runs if (job := folder.job(run))]
    words = {ENGLISH: FigureWords(), **_translated_words(LOCALE)}
    measures = measures_by_arm(note.measures, note.arms, runs, registration_of(folder))
    return {
        "title": note.title or note.name,
        "arms": list(note.arms),
        "seeds": len(note.seeds),
        "runs": len(note.runs),
        "done": sum(job.state == "done" for job in runs),
        "measures": [_measure(each, words) for each in measures],
    }


def _measure(measure: MeasureByArm, words: Mapping[str, FigureWords]) -> JsonObject:
    """Return a measure with its figure in each language."""
    figures: JsonObject = {language: draw_measure(measure, words=texts) for language, texts in words.items()}
    return {**measure_numbers(measure), "svg": figures}


def _translated_words(locale: Path) -> Mapping[str, FigureWords]:
    """Return the texts of figures by language."""
    found: dict[str, FigureWords] = {}
    for path in sorted(locale.glob("*/LC_MESSAGES/django.mo")):
        with path.open("rb") as file:
            catalogue = GNUTranslations(file)
        language, english = path.parts[-3], FigureWords()
        found[language] = FigureWords(
            note=catalogue.gettext(english.note),
            difference=catalogue.gettext(english.difference),
            paired=catalogue.gettext(english.paired),
            unpaired=catalogue.gettext(english.unpaired),
            exploratory=catalogue.gettext(english.exploratory),
            p=catalogue.gettext(english.p),
            below=catalogue.gettext(english.below),
            too_few=catalogue.gettext(english.too_few),
            partly=catalogue.gettext(english.partly),
            seed=catalogue.gettext(english.seed),
            decimal=DECIMALS.get(language, english.decimal),
        )
    return found
