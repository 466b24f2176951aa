"""Run a study in the terminal: what it will ask, how far each run is, and how to go on."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from ville.assembly.model_choice import announcement
from ville.command_lines import typed
from ville.console import INTERRUPTED
from ville.plain_text import printable, quantity
from ville.settings import load_settings
from ville.simulation.running.progress import BAR, SEPARATOR
from ville.simulation.running.run_loop import StopRequest, stop_on_interrupt
from ville.storage.studies.study_calls import StudyCalls, read_calls
from ville.storage.studies.study_folder import JobManifest, StudyFolder
from ville.studies.batch import ENGINES, run_study, study_notes
from ville.studies.results import StudyResults
from ville.studies.study import Study
from ville.terminal.terminal import REDRAW_INTERVAL, Terminal

Flags = Mapping[str, object]
"""Settings of the command line."""
OVER = ("done", "failed", "stopped")
RETRY = f"{{}} failed: {{}}. To run them again: {typed('study')} retry {{}}"
STOPPING = "Saving all runs. This takes until their current step is done."
WITH_ERRORS = 2
"""Exit code of a study in which a run has failed."""


def add_engine_flags(parser: argparse.ArgumentParser) -> None:
    """Add what carries out the runs."""
    parser.add_argument("--engine", choices=ENGINES, default="local", help="what carries out the runs (default: local)")
    parser.add_argument("--workers", type=int, default=0, help="runs at the same time (default: as many as processors)")
    parser.add_argument("--address", default="", help="address of a running Ray cluster (default: one is started here)")


def model_lines(study: Study, flags: Flags) -> list[str]:
    """Return the models that answer, and what is to be known before the study is run."""
    models = dict.fromkeys(announcement(load_settings({**flags, **arm.settings})) for arm in study.arms)
    return [printable(line) for line in (*models, *study_notes(study, flags))]


def agreed(question: str) -> bool:
    """Return whether the user types yes; not if there is no terminal, or Ctrl-C is pressed."""
    try:
        return input(question) == "yes"
    except (EOFError, KeyboardInterrupt):
        print()
        return False


def add_paying(parser: argparse.ArgumentParser) -> None:
    """Add how a command that may cost money says so, and asks nothing first."""
    parser.add_argument("--estimate", action="store_true", help="only say what it will take")
    parser.add_argument(
        "--yes",
        action="store_true",
        help="do not ask before a model is paid for, or parts of runs are removed",
    )


def may_pay(choice: argparse.Namespace, *, is_free: bool) -> bool:
    """Return whether what was estimated may be asked of a model: it is free, there is --yes, or the user types yes."""
    if is_free or choice.yes or agreed("Type yes to pay for it (or add --yes): "):
        return True
    print("Nothing was run.")
    return False


def run_shown(
    choice: argparse.Namespace,
    flags: Flags,
    study: Study,
    *,
    written: Callable[[StudyResults], Sequence[str]],
    again: str = "",
) -> int:
    """Run a study while the terminal shows how far it is, and return the exit code. `written`: what is said of one that
    has come to its end. `again`: the command that goes on; if empty, the same one. Raises a ReverieError.
    """
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
    states = {job.state for job in results.jobs}
    if {"waiting", "stopped"} & states:
        terminal.say(printable(go_on_line(results.jobs, again)))
        return stop.code or INTERRUPTED
    terminal.say(*map(printable, written(results)))
    return WITH_ERRORS if "failed" in states else 0


def go_on_line(jobs: Sequence[JobManifest], again: str = "") -> str:
    """Return how a study that was stopped goes on: if a limit stopped it, which one has to be raised first."""
    limit = next((job.fault for job in jobs if job.state == "stopped" and job.fault), "")
    command = f"type: {again}" if again else "type the same command."
    return f"{limit} Then {command}" if limit else f"To go on, {command}"


def share_done(jobs: Sequence[JobManifest]) -> float:
    """Return the share of all steps that are computed."""
    whole = sum(job.until_step - job.first_step for job in jobs)
    return sum(job.step - job.first_step for job in jobs) / whole if whole else 1.0


def bar(share: float) -> str:
    filled = int(BAR * share)
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {100 * share:3.0f} %"


def job_line(job: JobManifest) -> str:
    """Return a job as a line, with its steps if it was begun."""
    is_begun = job.state != "waiting" or job.step > job.first_step
    share = f" {bar(share_done([job]))}{SEPARATOR}step {job.step:,} of {job.until_step:,}" if is_begun else ""
    return SEPARATOR.join(filter(None, [f"{job.run:<24} {job.state:<8}{share}".rstrip(), job.fault]))


def failure_line(study: str, jobs: Sequence[JobManifest]) -> Iterator[str]:
    """Yield how many runs have failed, why the first one did, and how to go on; nothing if none has."""
    failed = [job for job in jobs if job.state == "failed" and not job.is_shared]
    if failed:
        yield RETRY.format(quantity(len(failed), "run", "runs"), failed[0].fault.rstrip("."), study)


def spent_text(spent: StudyCalls | None, budget: float | None) -> str:
    """Return what all runs have used, and how many dollars they may; empty without calls."""
    if spent is None:
        return ""
    of = "" if budget is None else f" of {budget:.2f}"
    answered = f", {spent.open:,} open" if spent.open else ""
    return f"{quantity(spent.calls, 'call', 'calls')}{answered}, {spent.cost:.2f}{of} dollars"


def study_line(jobs: Sequence[JobManifest], spent: str, seconds: float = 0.0, begun: float = 0.0) -> str:
    """Return the study as a line; `begun` is the share that was done before these seconds."""
    runs = [job for job in jobs if not job.is_shared]
    share = share_done(jobs)
    counts = [f"{sum(job.state == 'done' for job in runs)} of {quantity(len(runs), 'run', 'runs')} done"]
    counts += [f"{failed:,} failed"] if (failed := sum(job.state == "failed" for job in jobs)) else []
    counts += [spent] if spent else []
    if share > begun and seconds:
        left = round(seconds * (1 - share) / (share - begun))
        counts += [f"{left // 60}:{left % 60:02} left"] if left else []
    return SEPARATOR.join([bar(share), *counts])


def status_lines(folder: StudyFolder, jobs: Sequence[JobManifest]) -> Iterator[str]:
    """Yield the study, and each job. Raises CorruptFile."""
    is_running = folder.is_running
    spent = read_calls(folder.root, is_running=is_running)
    line = study_line(jobs, spent_text(spent, folder.note().budget.get("dollars")))
    yield line + ("" if is_running else f"{SEPARATOR}not being run")
    for job in jobs:
        was_killed = job.state == "running" and not is_running
        yield job_line(job.model_copy(update={"state": "stopped"}) if was_killed else job)


class StudyDisplay:
    """Shows a study while it is run."""

    def __init__(self, terminal: Terminal, study: Study, folder: StudyFolder) -> None:
        self._terminal, self._folder, self._budget = terminal, folder, study.budget.cost
        self._states: dict[str, str] = {}
        self._began, self._begun = time.monotonic(), -1.0
        self._shown = 0.0
        title = f": {study.title}" if study.title else ""
        terminal.say(f"{study.name}{title}")

    def show(self, jobs: Sequence[JobManifest]) -> None:
        """Show the jobs as they are now."""
        if self._begun < 0:
            self._begun = share_done(jobs)
        changed = [job for job in jobs if self._states.get(job.run, "waiting") != job.state]
        first, self._states = not self._states, {job.run: job.state for job in jobs}
        if not first:
            self._terminal.say(*(job_line(job) for job in changed if job.state in OVER))
        if self._terminal.live and time.monotonic() - self._shown >= REDRAW_INTERVAL:
            self._shown = time.monotonic()
            running = [job_line(job) for job in jobs if job.state == "running"]
            self._terminal.block([self._line(jobs, is_running=True), *running])

    def end(self, jobs: Sequence[JobManifest]) -> None:
        """Show the end."""
        self._terminal.clear()
        self._terminal.say(self._line(jobs, is_running=False))
        minutes, seconds = divmod(round(time.monotonic() - self._began), 60)
        self._terminal.say(f"{minutes}:{seconds:02} minutes.")

    def _line(self, jobs: Sequence[JobManifest], *, is_running: bool) -> str:
        spent = spent_text(read_calls(self._folder.root, is_running=is_running), self._budget)
        return study_line(jobs, spent, time.monotonic() - self._began if is_running else 0.0, self._begun)
