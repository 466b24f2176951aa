"""Run a study: many runs of a town, by seeds and arms, from one file (`python study.py run FILE.yaml`)."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from ville.analysis.answer_measures import unusable
from ville.analysis.group_measures import INTERFERENCE
from ville.analysis.statistics_table import FOR_PAPERS, interval_words
from ville.assembly.model_choice import chat_config
from ville.cli import audit_command, paper_command, report_command, validity_command
from ville.cli.bundle_command import add_bundle_flags, add_verify_flags, bundle, verify
from ville.cli.number_flags import positive_number
from ville.cli.register_command import add_confirm_flags, add_register_flags, confirm, hypothesis_lines, register
from ville.cli.study_run import (
    STOPPING,
    Flags,
    add_engine_flags,
    add_paying,
    agreed,
    failure_line,
    may_pay,
    model_lines,
    run_shown,
    status_lines,
)
from ville.command_lines import typed
from ville.errors import BadArgument, ReverieError
from ville.plain_text import printable, quantity
from ville.result_table import ResultTable
from ville.settings import add_flags, load_settings
from ville.storage.studies.study_folder import StudyFolder, find_studies, find_study
from ville.studies.audit.auditing import check_no_audit
from ville.studies.batch import remove_study, study_estimate
from ville.studies.confirming import confirmations_of, hypothesis_outcomes, model_settings
from ville.studies.kept_runs import KEPT_WORDS, reduced_runs
from ville.studies.reading.study_file import read_study
from ville.studies.results import StudyResults
from ville.studies.study import Study

Act = Callable[[argparse.Namespace, Flags], int]


FLAGS = ("provider", "fs_storage", "fs_studies", "assets")
"""Settings that can be given on the command line."""
GO_ON = f"{typed('study')} {{}} {{}}"


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    flags = {name: value for name in FLAGS if (value := getattr(choice, name)) is not None}
    try:
        return int(choice.act(choice, flags))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1


def _run(choice: argparse.Namespace, flags: Flags) -> int:
    return _run_file(choice, flags, Path(choice.file), choice.name)


def _audit(choice: argparse.Namespace, flags: Flags) -> int:
    return audit_command.audit(choice, flags)


def _run_file(choice: argparse.Namespace, flags: Flags, file: Path, name: str) -> int:
    study = read_study(file, name=name, settings=flags, tell=lambda line: print(printable(line), flush=True))
    if not _is_agreed(choice, flags, study):
        return 0 if choice.estimate else 1
    return _run_study(choice, flags, study, again=f"{file}" + (f" --name {name}" if name else ""))


def _is_agreed(choice: argparse.Namespace, flags: Flags, study: Study, *, like: str = "") -> bool:
    """Say what is to be known of a study before it is run, and return whether it may be. `like`: a study whose runs say
    what these take.
    """
    print(*model_lines(study, flags), sep="\n")
    arms = (load_settings({**flags, **arm.settings}) for arm in study.arms)
    if not (choice.estimate or any(map(chat_config, arms))):
        return True
    estimate = study_estimate(study, flags, choice.workers, like=like)
    print(*estimate.lines(), sep="\n")
    return not choice.estimate and may_pay(choice, is_free=estimate.is_free)


def _run_study(choice: argparse.Namespace, flags: Flags, study: Study, *, again: str) -> int:
    folder = StudyFolder(load_settings(flags).studies, study.name)
    if (less := reduced_runs(study, folder)) and not choice.yes:
        told = f"{quantity(less, 'run that is', 'runs that are')} done will keep {KEPT_WORDS[study.keep]} each."
        if not agreed(f"{told} The rest is removed for good. Type yes: "):
            print("Nothing was run. To keep it, write `keep: all` into the study file.")
            return 1
    verb = "confirm" if choice.act is _confirm else "run"
    return run_shown(
        choice,
        flags,
        study,
        written=lambda results: [
            f"Written: {results.folder}",
            *failure_line(study.name, results.jobs),
            *answer_lines(results),
        ],
        again=GO_ON.format(verb, again),
    )


def _confirm(choice: argparse.Namespace, flags: Flags) -> int:
    given = {**flags, **model_settings(choice.model)}
    return confirm(
        choice,
        flags,
        agree=lambda study: _is_agreed(choice, given, study, like=choice.name),
        run=lambda study: _run_study(choice, given, study, again=f"{choice.name} --model {choice.model}"),
    )


def _list(_choice: argparse.Namespace, flags: Flags) -> int:
    studies = load_settings(flags).studies
    for name in find_studies(studies):
        folder = StudyFolder(studies, name)
        results = StudyResults(folder)
        states = [row["state"] for row in results.runs]
        running = ", is being run" if folder.is_running else ""
        print(printable(f"{name}: {states.count('done')} of {len(states)} runs are done{running}"))
    return 0


def _status(choice: argparse.Namespace, flags: Flags) -> int:
    folder = find_study(load_settings(flags).studies, choice.name)
    jobs = StudyResults(folder).jobs
    failures = () if folder.is_running else failure_line(folder.name, jobs)
    print(*map(printable, (*status_lines(folder, jobs), *failures)), sep="\n")
    return 0


def _statistics(choice: argparse.Namespace, flags: Flags) -> int:
    results = StudyResults(find_study(load_settings(flags).studies, choice.name))
    found = results.differences(choice.against)
    if choice.latex:
        print(found.to_latex(FOR_PAPERS), end="")
        return 0
    print(*map(printable, (*difference_lines(found), *answer_lines(results))), sep="\n")
    tested = hypothesis_lines(hypothesis_outcomes(results))
    confirmed = (f"Confirmation: {name}" for name in confirmations_of(results.folder.parent, results.name))
    earlier = results.registration()
    deleted = (f"Run before, and deleted: {line}" for line in (earlier.deleted if earlier else ()))
    if lines := [*tested, *deleted, *confirmed]:
        print(*map(printable, lines), sep="\n")
    if choice.to_see is not None:
        print(*map(printable, seed_lines(results.seeds_to_see(choice.to_see), choice.to_see)), sep="\n")
    return 0


def answer_lines(results: StudyResults) -> Iterator[str]:
    """Yield how many answers are not in their form, and that groups of one town influence each other."""
    without, typed = unusable(results.answers)
    if without:
        verb = "is" if without == 1 else "are"
        yield f"{without:,} of {quantity(typed, 'typed answer', 'typed answers')} {verb} not usable, and left out."
    if any(job.groups for job in results.jobs):
        yield INTERFERENCE


def difference_lines(found: ResultTable) -> Iterator[str]:
    """Yield the differences of arms to one of them, and what can be said of each."""
    if not found:
        yield "No two arms have runs that are done: there is nothing to compare yet."
    for row in found:
        between = interval_words(row)
        effect = "" if row["effect"] is None else f", g {row['effect']:+.2f}"
        effect += "" if row["effect_low"] is None else f" [{row['effect_low']:+.2f}, {row['effect_high']:+.2f}]"
        tested = f"p {row['p']:.3f}, adjusted {row['adjusted_p']:.3f}"
        seen = "" if row["seen_from"] is None else f"; seen from {row['seen_from']:.3g}"
        part = f" [{row['plan']}]" if row["plan"] else ""
        yield f"{row['measure']}, {row['arm']} ({row['base']}){part}: {row['difference']:+.4g}{between}{effect}"
        yield f"  {tested}: {row['verdict']}{seen}"


def seed_lines(found: ResultTable, difference: float) -> Iterator[str]:
    """Yield how many seeds it takes to see a difference."""
    yield f"Seeds with which four studies of five see a difference of {difference:g}:"
    for row in found:
        if row["seeds"] is None:
            told = "cannot be said: the runs that are done do not vary"
        elif row["cautious_seeds"] is None:
            told = f"{row['seeds']:,}, and more than can be run if the {row['runs']} runs vary less than usual"
        else:
            told = f"{row['seeds']:,}; {row['cautious_seeds']:,} if the {row['runs']} runs vary less than usual"
        yield f"  {row['measure']}, {row['arm']} ({row['base']}): {told}"


def _stop(choice: argparse.Namespace, flags: Flags) -> int:
    folder = find_study(load_settings(flags).studies, choice.name)
    if not folder.is_running:
        raise BadArgument(f"The study {choice.name} is not being run.")
    folder.ask_to_stop()
    print(STOPPING)
    return 0


def _retry(choice: argparse.Namespace, flags: Flags) -> int:
    folder = find_study(load_settings(flags).studies, choice.name)
    check_no_audit(folder, folder.note().file)
    with folder.lock():
        for job in folder.jobs():
            if job.state == "failed":
                folder.write_job(job.model_copy(update={"state": "waiting", "fault": "", "tries": 0}))
    return _run_file(choice, flags, Path(folder.note().file), choice.name)


def _clean(choice: argparse.Namespace, flags: Flags) -> int:
    settings = load_settings(flags)
    folder = find_study(settings.studies, choice.name)
    runs = len(folder.jobs())
    if not choice.yes and not agreed(f"Delete the study {choice.name} with {runs} simulations? Type yes: "):
        print("Nothing was deleted.")
        return 1
    print(f"{len(remove_study(settings, folder, datetime.now().astimezone().date()))} simulations deleted.")
    return 0


def _add_flags(name: str, added: argparse.ArgumentParser) -> None:
    """Add what a command takes that is about one study."""
    added.add_argument("name", metavar="NAME", help="name of the study")
    if name == "statistics":
        added.add_argument("--against", default="", metavar="ARM", help="compare with this arm (default: the first)")
        added.add_argument("--latex", action="store_true", help="print a LaTeX table")
        added.add_argument(
            "--to-see", type=positive_number, metavar="X", help="say how many seeds see a difference of X"
        )
    if name == "bundle":
        add_bundle_flags(added)
    if name == "clean":
        added.add_argument("--yes", action="store_true", help="do not ask")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    common = argparse.ArgumentParser(add_help=False)
    add_flags(common, FLAGS)
    engine = argparse.ArgumentParser(add_help=False)
    add_engine_flags(engine)
    paying = argparse.ArgumentParser(add_help=False)
    add_paying(paying)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, act: Act, about: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=[common, *parents])
        added.set_defaults(act=act)
        return added

    run = command("run", _run, "run what is not done yet", engine, paying)
    run.add_argument("file", metavar="FILE", help="a study file; examples/studies/ has some")
    run.add_argument("--name", default="", help="name of the study (default: that of the file)")
    command("list", _list, "list all studies")
    _named(command, (engine, paying))
    audit_command.add_arguments(
        command("audit", _audit, "try whether an effect survives small changes that should not matter", engine, paying)
    )
    add_register_flags(command("register", register, "lay down hypotheses, arms and seeds before the study is run"))
    add_confirm_flags(command("confirm", _confirm, "run a registered study once with a new model", engine, paying))
    add_verify_flags(command("verify", verify, "check a bundle: compute its tables again, without a call"))
    for name, more in (("validity", validity_command), ("paper", paper_command), ("report", report_command)):
        more.add_arguments(command(name, more.act, more.ABOUT))
    return parser


def _named(command: Callable[..., argparse.ArgumentParser], running: Sequence[argparse.ArgumentParser]) -> None:
    """Add the commands for a study that is there, by its name; `running` are the flags of one that runs it."""
    for name, act, about, parents in (
        ("status", _status, "show how far each run has come", ()),
        ("statistics", _statistics, "tell how arms differ, and what can be said of it", ()),
        ("stop", _stop, "save all runs and stop", ()),
        ("retry", _retry, "run again what has failed", running),
        ("clean", _clean, "delete a study and its simulations", ()),
        ("bundle", bundle, "write a study as one archive for others", ()),
    ):
        _add_flags(name, command(name, act, about, *parents))
