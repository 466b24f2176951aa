"""Say in words how far runs can be trusted as evidence, from red to green: `study.py validity NAME`."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from ville.analysis.validity.report import report_lines
from ville.api.validity_functions import validity
from ville.errors import BadArgument
from ville.plain_text import printable
from ville.settings import load_settings
from ville.storage.files import write_text
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
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures and answers to a file, too")
    parser.add_argument("--replace", action="store_true", help="replace a file that is there already")
    parser.add_argument("--yes", action="store_true", help="let your model answer, which may cost money")


def act(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Print the report. Raises a ReverieError."""
    check_free(choice)
    found = validity(
        *choice.names,
        arm=choice.arm,
        data=choice.data or "",
        purpose=choice.purpose,
        say=lambda line: print(printable(line), file=sys.stderr, flush=True),
        model=choice.yes,
        **flags,
    )
    print(*map(printable, report_lines(found, details=not choice.brief)), sep="\n")
    text = json.dumps(found.as_json(), indent=1, ensure_ascii=False) + "\n"
    if choice.json:
        write_text(choice.json, text)
    studies = load_settings(flags).studies
    if len(choice.names) == 1 and choice.names[0] in find_studies(studies):
        StudyFolder(studies, choice.names[0]).write_validity(text)
        print("The page of the study shows it, too.")
    return 0


def check_free(choice: argparse.Namespace) -> None:
    """Raise BadArgument if a file is there that may not be replaced, before anything is asked."""
    if choice.json and choice.json.exists() and not choice.replace:
        raise BadArgument(f"{choice.json} is there already. Add --replace, or choose another name.")
