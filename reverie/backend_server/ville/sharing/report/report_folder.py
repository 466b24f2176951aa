"""The folder of a report: what it shows as tables, figures and texts, with their digests."""

from collections.abc import Mapping
from pathlib import Path

from ville.json_types import JsonObject
from ville.sharing.report.methods import methods_text, study_bibtex
from ville.sharing.report.study_facts import StudyFacts
from ville.storage.files import pretty
from ville.storage.named_files import check_place, placed
from ville.storage.studies.study_folder import STUDY_FILE, JobManifest
from ville.studies.bundle.bundle_files import check_clean
from ville.studies.bundle.crate import SUMS, BundledFile, sums_text
from ville.studies.tables import ANSWERS, RUNS, statistics_files

LEFT_OUT = ("host", "settings")
"""Keys of the provenance of a run that tell of the machine."""
HYPOTHESES, METHODS, BIBTEX, PROVENANCE = "hypotheses.csv", "methods.txt", "references.bib", "provenance.json"


def report_files(facts: StudyFacts) -> Mapping[str, str]:
    """Return the files by their names in the folder, with a list of their digests. Raises as `report_text` does."""
    note, results = facts.note, facts.results
    found = {
        STUDY_FILE: facts.file,
        RUNS: results.runs.to_csv(),
        ANSWERS: results.answers.to_csv(),
        **statistics_files(note.measures, note.arms, facts.runs, facts.registration),
        METHODS: methods_text(facts) + "\n",
        BIBTEX: study_bibtex(facts),
        PROVENANCE: pretty(_provenance(facts)) + "\n",
    }
    if facts.registration:
        found[HYPOTHESES] = facts.outcomes.to_csv()
    for name, text in found.items():
        check_clean(name, text.encode(), facts.settings)
    listed = [BundledFile.of(name, text.encode()) for name, text in sorted(found.items())]
    return found | {SUMS: sums_text(listed)}


def _provenance(facts: StudyFacts) -> JsonObject:
    """Return what each run was computed with, without what tells of the machine."""
    runs: JsonObject = {job.run: _provenance_of(job) for job in facts.runs}
    return {"v": 1, "study": facts.note.name, "prompts": dict(facts.note.prompts), "runs": runs}


def _provenance_of(job: JobManifest) -> JsonObject:
    told = job.as_json()
    known = told["provenance"]
    kept = {key: value for key, value in known.items() if key not in LEFT_OUT} if isinstance(known, dict) else {}
    return {**kept, "fingerprint": told["fingerprint"]}


def write_report_folder(folder: Path, files: Mapping[str, str], *, replace: bool) -> None:
    """Write a folder as a whole or not at all. Raises CannotWrite."""
    check_place(folder, replace=replace)
    with placed(folder) as partial:
        for name, text in files.items():
            path = partial / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
