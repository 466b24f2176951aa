"""Say in words how far runs can be trusted as evidence, from red to green: `study.py validity NAME`."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from ville.analysis.validity.report import report_lines
from ville.api.validity_functions import validity
from ville.cli.output_file import add_json, add_replace, check_json, write_json
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.studies.study_folder import StudyFolder, find_studies

ABOUT = "say in words how far runs can be trusted as evidence, from red to green, and what to do"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the report can be told."""
    parser.add_argument(
        "names", nargs="+", metavar="NAME", help="a study, or simulations of a town with different seeds"
    )
    parser.add_argument("--arm", default="", help="arm of the study (default: the first)")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="data of real people: docs/studies.md has the forms"
    )
    parser.add_argument("--purpose", default="", metavar="TEXT", help="what is tested, for a model that guesses it")
    parser.add_argument("--brief", action="store_true", help="leave out details")
    add_json(parser, "write all figures and answers to a file, too")
    add_replace(parser)
    parser.add_argument("--yes", action="store_true", help="let your model answer, which may cost money")


def act(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Print the report. Raises a ReverieError."""
    check_json(choice)
    found = validity(
        *choice.names,
        arm=choice.arm,
        data=choice.data or "",
        purpose=choice.purpose,
        say=lambda line: print(printable(line), file=sys.stderr, flush=True),
        model=choice.yes,
        **flags,
    )
    written = found.as_json()
    is_printed = write_json(choice, written)
    lines = [] if is_printed else [*report_lines(found, details=not choice.brief)]
    studies = load_settings(flags).studies
    if len(choice.names) == 1 and choice.names[0] in find_studies(studies):
        StudyFolder(studies, choice.names[0]).write_validity(json.dumps(written, indent=1, ensure_ascii=False) + "\n")
        lines += [] if is_printed else ["The page of the study shows it, too."]
    print(*map(printable, lines), sep="\n", end="\n" if lines else "")
    return 0
