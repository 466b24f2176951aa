"""Run a study: many runs of a town, by seeds and arms, from one file (`python study.py run FILE.yaml`)."""

import argparse
import sys
from pathlib import Path
from typing import Any

from ville.assembly.providers import announcement
from ville.cli.study_display import StudyDisplay, failure_line, status_lines
from ville.console import INTERRUPTED
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable
from ville.settings import add_flags, load_settings
from ville.simulation.run import StopRequest, stop_on_interrupt
from ville.storage.studies.study_folder import StudyFolder, find_studies, find_study
from ville.studies.batch import ENGINES, remove_study, run_study, study_estimate, study_notes
from ville.studies.reading.study_file import read_study
from ville.studies.results import StudyResults
from ville.terminal.terminal import Terminal

FLAGS = ("provider", "fs_storage", "fs_studies", "assets")
"""Settings that can be given on the command line."""
STOPPING = "Saving all runs. This takes until their current step is done."
GO_ON = "To go on: python study.py run {}"
WITH_ERRORS = 2
"""Exit code of a study in which a run has failed."""


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    flags = {name: value for name in FLAGS if (value := getattr(choice, name)) is not None}
    try:
        return int(choice.act(choice, flags))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1


def _run(choice: argparse.Namespace, flags: dict[str, Any]) -> int:
    return _run_file(choice, flags, Path(choice.file), choice.name)


def _run_file(choice: argparse.Namespace, flags: dict[str, Any], file: Path, name: str) -> int:
    study = read_study(file, name=name, settings=flags, tell=lambda line: print(printable(line), flush=True))
    models = dict.fromkeys(announcement(load_settings({**flags, **arm.settings})) for arm in study.arms)
    print(*map(printable, (*models, *study_notes(study, flags))), sep="\n")
    if getattr(choice, "estimate", False):
        print(*study_estimate(study, flags, choice.workers).lines(), sep="\n")
        return 0
    terminal, stop = Terminal(sys.stdout), StopRequest()
    display = StudyDisplay(terminal, study, StudyFolder(load_settings(flags).studies, study.name))
    with stop_on_interrupt(stop, lambda: terminal.say(STOPPING)):
        results = run_study(
            study,
            flags,
            engine=choice.engine,
            workers=choice.workers,
            address=choice.address,
            watch=display.show,
            stop=lambda: stop.requested,
        )
    display.end(results.jobs)
    again = f"{file}" + (f" --name {name}" if name else "")
    states = [job.state for job in results.jobs]
    if {"waiting", "stopped"} & set(states):
        terminal.say(GO_ON.format(again))
        return stop.code or INTERRUPTED
    terminal.say(f"Written: {results.folder}", *failure_line(study.name, results.jobs))
    return WITH_ERRORS if "failed" in states else 0


def _list(_choice: argparse.Namespace, flags: dict[str, Any]) -> int:
    studies = load_settings(flags).studies
    for name in find_studies(studies):
        folder = StudyFolder(studies, name)
        results = StudyResults(folder)
        states = [row["state"] for row in results.runs]
        running = ", is being run" if folder.is_running else ""
        print(printable(f"{name}: {states.count('done')} of {len(states)} runs are done{running}"))
    return 0


def _status(choice: argparse.Namespace, flags: dict[str, Any]) -> int:
    folder = find_study(load_settings(flags).studies, choice.name)
    jobs = StudyResults(folder).jobs
    failures = () if folder.is_running else failure_line(folder.name, jobs)
    print(*map(printable, (*status_lines(folder, jobs), *failures)), sep="\n")
    return 0


def _stop(choice: argparse.Namespace, flags: dict[str, Any]) -> int:
    folder = find_study(load_settings(flags).studies, choice.name)
    if not folder.is_running:
        raise BadArgument(f"The study {choice.name} is not being run.")
    folder.ask_to_stop()
    print(STOPPING)
    return 0


def _retry(choice: argparse.Namespace, flags: dict[str, Any]) -> int:
    folder = find_study(load_settings(flags).studies, choice.name)
    with folder.lock():
        for job in folder.jobs():
            if job.state == "failed":
                folder.write_job(job.model_copy(update={"state": "waiting", "fault": "", "tries": 0}))
    return _run_file(choice, flags, Path(folder.note().file), choice.name)


def _clean(choice: argparse.Namespace, flags: dict[str, Any]) -> int:
    settings = load_settings(flags)
    folder = find_study(settings.studies, choice.name)
    runs = len(folder.jobs())
    if not choice.yes and not _agreed(f"Delete the study {choice.name} with {runs} simulations? Type yes: "):
        print("Nothing was deleted.")
        return 1
    print(f"{len(remove_study(settings, folder))} simulations deleted.")
    return 0


def _agreed(question: str) -> bool:
    """Return whether the user types yes; without a terminal, return False."""
    try:
        return input(question) == "yes"
    except EOFError:
        print()
        return False


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    add_flags(common, FLAGS)
    engine = argparse.ArgumentParser(add_help=False)
    engine.add_argument("--engine", choices=ENGINES, default="local", help="what carries out the runs (default: local)")
    engine.add_argument("--workers", type=int, default=0, help="runs at the same time (default: as many as processors)")
    engine.add_argument("--address", default="", help="address of a running Ray cluster (default: one is started here)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, act: Any, about: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=[common, *parents])
        added.set_defaults(act=act)
        return added

    run = command("run", _run, "run what is not done yet", engine)
    run.add_argument("file", metavar="FILE", help="a study file; examples/studies/ has some")
    run.add_argument("--name", default="", help="name of the study (default: that of the file)")
    run.add_argument("--estimate", action="store_true", help="only say what it will take")
    command("list", _list, "list all studies")
    for name, act, about, parents in (
        ("status", _status, "show how far each run has come", ()),
        ("stop", _stop, "save all runs and stop", ()),
        ("retry", _retry, "run again what has failed", (engine,)),
        ("clean", _clean, "delete a study and its simulations", ()),
    ):
        added = command(name, act, about, *parents)
        added.add_argument("name", metavar="NAME", help="name of the study")
        if name == "clean":
            added.add_argument("--yes", action="store_true", help="do not ask")
    return parser
