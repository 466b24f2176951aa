"""Runs a simulation without a browser and without a prompt, and says at the end what became of it."""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from ville.assembly.run import (
    RecordedRun,
    announcement,
    copy_notice,
    open_simulation,
    re_embed_simulation,
    recorded_run,
)
from ville.cli.console import INTERRUPTED
from ville.cli.older_flags import answer_older_flags
from ville.errors import BadArgument, LedgerError, ReverieError
from ville.settings import Settings, add_flags, load_settings
from ville.simulation.clock import Span, Steps, UntilMoment
from ville.simulation.commands.inspect import estimate
from ville.simulation.commands.parse import read_moment
from ville.simulation.commands.talk import load_history
from ville.simulation.map_fit import map_notice
from ville.simulation.progress import EventLog, bar_line
from ville.simulation.run import EndSignal, StopRequest, on_end_signal, raise_end_signal, run, stop_on_interrupt
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport
from ville.simulation.summary import Summary, saved_line
from ville.simulation.terminal import LEFT, STOPPING, Progress, Terminal, show_waiting
from ville.storage.storage import delete

FLAGS = (
    "provider",
    "language",
    "re_embed",
    "max_cost",
    "max_calls",
    "max_tokens",
    "max_concurrency",
    "seed",
    "autosave",
    "debug",
)
"""The settings that can be said on the command line."""

EXAMPLE = (
    "Exit code 0: as far as asked; 1: a fault, told in one line; 130, or 128 and the number of another signal to end: "
    "interrupted, finished the step and saved. "
    "Example: python reverie_offline.py -o base_the_ville_n25 -t one_day -s 8640 --seed 1"
)


def main(arguments: Sequence[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    terminal = Terminal(sys.stdout)
    try:
        settings = load_settings({flag: getattr(choice, flag) for flag in FLAGS})
        terminal.say(announcement(settings, choice.replay))
        with on_end_signal(raise_end_signal):
            return asyncio.run(_session(settings, terminal, choice))
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        terminal.say("", LEFT)
        return INTERRUPTED
    except EndSignal as ended:
        return ended.code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLE)
    parser.add_argument("-o", "--origin", metavar="BASE", help="the simulation to fork, or to resume")
    parser.add_argument(
        "-t", "--target", required=True, metavar="NEW", help="what the new one is called; the same name resumes"
    )
    parser.add_argument("-s", "--steps", type=int, help="how many steps to run; a day has 8640 of ten seconds")
    parser.add_argument(
        "--until", metavar="MOMENT", help='run until this moment of game time: "February 14, 2023, 18:00:00"'
    )
    parser.add_argument("--load-history", metavar="FILE", help="whisper first what a table below the assets says")
    parser.add_argument("--replay", metavar="NAME", default="", help="run a recorded simulation again, asking nobody")
    parser.add_argument("--estimate", action="store_true", help="only tell what it would cost, then leave")
    add_flags(parser, FLAGS)
    answer_older_flags(parser, headless=True)
    return parser


async def _session(settings: Settings, terminal: Terminal, choice: argparse.Namespace) -> int:
    """The exit code."""
    recording = recorded_run(settings, choice.replay) if choice.replay else None
    origin = choice.origin or (recording.origin if recording else "")
    if not origin:
        raise BadArgument("Which simulation shall it begin from? Say -o NAME.")
    spans = _spans(choice, recording)
    if settings.re_embed and not recording:
        terminal.say(f"{await re_embed_simulation(settings, origin, choice.target):,} vectors made anew.")
        origin = choice.target
    terminal.say(*copy_notice(settings, origin, choice.target))
    simulation = open_simulation(settings, origin, choice.target, recording=choice.replay)
    terminal.say(*map_notice(simulation))
    try:
        if choice.estimate:
            terminal.say(*(estimate(simulation, span) for span in spans))
            simulation.revert()
            return 0
        if choice.load_history:
            terminal.say(await _load_history(simulation, settings.assets / choice.load_history))
        steps = min(map(simulation.clock.steps_in, spans))
        with _delete_if_incomplete(simulation) if recording and origin != choice.target else nullcontext():
            return await _run(simulation, steps, settings, terminal)
    finally:
        await simulation.close()


async def _load_history(simulation: Simulation, history: Path) -> str:
    """However it fails or is called off, nothing is left of a new simulation."""
    with ExitStack() as undo:
        undo.callback(simulation.revert)
        told = await load_history(simulation, history)
        undo.pop_all()
    return told


@contextmanager
def _delete_if_incomplete(replay: Simulation) -> Iterator[None]:
    """Half a replay would be taken for the whole one, and can be had again for nothing. Raises LedgerError."""
    first = replay.clock.step
    try:
        yield
    except LedgerError as fault:
        delete(replay.folder)
        good = replay.clock.step - first - 1
        again = f"; with -s {good} it would be whole" if good else ""
        raise LedgerError(f"{fault} '{replay.name}' is removed{again}.") from None


def _spans(choice: argparse.Namespace, recording: RecordedRun | None) -> list[Span]:
    """How far to run; where two ends are given, the first one counts. Raises BadArgument."""
    spans: list[Span] = [UntilMoment(read_moment(choice.until))] if choice.until else []
    if choice.steps is not None and choice.steps >= 0:
        spans.append(Steps(choice.steps))
    if not spans and recording and choice.steps is None:
        spans.append(Steps(recording.steps))
    if not spans or (choice.steps or 0) < 0:
        raise BadArgument("How far shall it run? Say -s 8640 for a day, or --until with a moment of game time.")
    return spans


async def _run(simulation: Simulation, steps: int, settings: Settings, terminal: Terminal) -> int:
    """Run, save, and say what became of it, however it ends."""
    simulation.save()
    progress, summary, stop = Progress(terminal, steps, bar_line), Summary(simulation), StopRequest()
    narrator, waiting = EventLog(debug=settings.debug), simulation.services.status

    def watch(report: StepReport) -> None:
        summary.count(report)
        if settings.debug:
            terminal.say(*narrator.lines(report))
        progress.step(report)

    try:
        with stop_on_interrupt(stop, lambda: terminal.say(STOPPING)), show_waiting(terminal, waiting):
            await run(simulation, steps, autosave=settings.autosave, watch=watch, stop=stop)
    finally:
        progress.end()
        terminal.say("", *summary.report().lines())
    simulation.save()
    terminal.say(saved_line(simulation))
    return stop.code
