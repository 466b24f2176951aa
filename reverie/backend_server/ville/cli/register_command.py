"""Commands of `study.py` for plans that are laid down in advance: register one, confirm it with another model."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from ville.analysis.statistics_table import interval_words
from ville.command_lines import typed
from ville.plain_text import printable
from ville.result_table import ResultTable
from ville.settings import load_settings
from ville.storage.studies.study_folder import find_study
from ville.studies.confirming import begin_confirmation, confirmation_of, end_confirmation, hypothesis_outcomes
from ville.studies.reading.study_file import read_study
from ville.studies.registering import register as write_registration
from ville.studies.results import StudyResults
from ville.studies.study import Study
from ville.studies.study_estimate import budget_again

Flags = Mapping[str, object]


def add_register_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a study file with hypotheses, primary and stop")


def add_confirm_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of a registered study that is done")
    parser.add_argument("--model", required=True, metavar="MODEL", help="one of its eligible_models")


def register(choice: argparse.Namespace, flags: Flags) -> int:
    """Write the registration of a study beside its file."""
    study = read_study(choice.file, settings=flags, tell=lambda line: print(printable(line), flush=True))
    path, registered = write_registration(study, flags, datetime.now().astimezone().date())
    print(printable(f"Registered on {registered.registered}: {path}"))
    print(f"SHA-256 of the plan, to be published or given to someone: {registered.digest}")
    print("From now on the study is refused if what it lays down is changed.")
    return 0


def confirm(
    choice: argparse.Namespace, flags: Flags, *, agree: Callable[[Study], bool], run: Callable[[Study], int]
) -> int:  # fmt: skip
    """Run a registered plan with a new model, if the user agrees to what it takes, and say whether each hypothesis
    held. `run` shows how far it has come, and returns the exit code.
    """
    studies = load_settings(flags).studies
    find_study(studies, choice.name)
    study = confirmation_of(studies, choice.name, model=choice.model, given=flags)
    if again := budget_again(study, "this confirmation"):
        print(again)
    if not agree(study):
        return 0 if choice.estimate else 1
    begin_confirmation(studies, choice.name, model=choice.model, today=datetime.now().astimezone().date())
    code = run(study)
    results = StudyResults(find_study(studies, study.name))
    if all(job.state == "done" for job in results.jobs):
        end_confirmation(studies, choice.name, model=choice.model, results=results)
        print(*map(printable, hypothesis_lines(hypothesis_outcomes(results))), sep="\n")
        print(printable(f"This was the one confirmation with {choice.model}: {typed('study')} statistics {study.name}"))
    return code


def hypothesis_lines(found: ResultTable) -> Iterator[str]:
    """Yield what became of each hypothesis; nothing without any."""
    if found:
        yield "Hypotheses, tested together (Holm):"
    for row in found:
        first = " primary," if row["primary"] else ""
        yield f"  {row['measure']}, {row['arm']} ({row['base']}),{first} expected {row['direction']}: {row['outcome']}"
        if row["difference"] is not None:
            yield f"    {row['difference']:+.4g}{interval_words(row)}, adjusted p {row['adjusted_p']:.3f}"
