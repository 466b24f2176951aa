"""Write the report of a study for people: `study.py report NAME`."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from ville.cli.output_file import add_replace
from ville.plain_text import printable, quantity
from ville.settings import load_settings
from ville.storage.named_files import check_free, check_place, write_named
from ville.storage.studies.study_folder import find_study

ABOUT = "write a report: design, plan, results, costs, validity, provenance, methods and citations, as one HTML file"
REPORT = "report.html"
"""In the folder of the study, from where a bundle takes it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the report can be told."""
    parser.add_argument("name", metavar="NAME", help="name of the study")
    parser.add_argument("--out", type=Path, metavar="FILE.html", help="file to write (default: in the study's folder)")
    add_replace(parser)
    parser.add_argument("--folder", action="store_true", help="write its tables, figures and texts beside it, too")


def act(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Write the report. Raises a ReverieError."""
    from ville.sharing.report.report_folder import report_files, write_report_folder  # noqa: PLC0415 - takes a second
    from ville.sharing.report.study_facts import StudyFacts  # noqa: PLC0415 - as above
    from ville.sharing.report.study_report import report_text  # noqa: PLC0415 - as above

    settings = load_settings(flags)
    study = find_study(settings.studies, choice.name)
    out: Path = choice.out or study.root / REPORT
    replace = choice.replace or choice.out is None
    folder = out.with_suffix("")
    check_free(out, replace=replace)
    if choice.folder:
        check_place(folder, replace=replace)
    facts = StudyFacts(study, settings)
    text = report_text(facts)
    files = report_files(facts) if choice.folder else {}
    write_named(out, [text], replace=replace)
    print(printable(f"Written: {out}. It needs no network: open it in a browser, or print it."))
    if files:
        write_report_folder(folder, files, replace=replace)
        print(printable(f"Written: {folder} ({quantity(len(files), 'file', 'files')}, with their digests)"))
    return 0
