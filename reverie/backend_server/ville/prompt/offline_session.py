"""One headless run: open a simulation, run it, save it, and print a summary."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from ville.assembly.forking import Beginning, BeginningHistory
from ville.assembly.run import (
    RecordedRun,
    announcement,
    open_at,
    recorded_run,
)
from ville.errors import BadArgument, GivenUp, LedgerError
from ville.plain_text import quantity
from ville.prompt.consent import asking
from ville.prompt.inspect import estimate
from ville.service.listener import listening
from ville.settings import Settings, load_settings
from ville.simulation.clock import Span, Steps
from ville.simulation.interventions.intervention import Source
from ville.simulation.map_fit import map_notice
from ville.simulation.pacing.spans import read_span
from ville.simulation.running.progress import EventLog, bar_line
from ville.simulation.running.run_loop import StopRequest, run, stop_on_interrupt
from ville.simulation.running.run_summary import Summary, saved_line
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport
from ville.simulation.talks.whispers import history_id, load_history
from ville.storage.folder.storage import delete
from ville.terminal.session import run_session
from ville.terminal.terminal import STOPPING, Progress, Terminal, returning, show_waiting

if TYPE_CHECKING:
    from ville.jobs.ray.ray_districts import RayDistricts

Away = Callable[[Simulation], Sequence[str]]
RAY = "ray"
"""The engine whose processes are on the nodes of a cluster."""


def run_offline(choice: argparse.Namespace, flags: Mapping[str, object], base: str) -> int:
    """Run as the flags ask and return the exit code. Without an origin, `base` is forked, or the recording's origin."""

    async def session(terminal: Terminal) -> int:
        return await _session(flags, terminal, choice, base=base)

    return run_session(session)


async def _session(flags: Mapping[str, object], terminal: Terminal, choice: argparse.Namespace, *, base: str) -> int:
    """Do what the flags ask, and return the exit code."""
    if not choice.target:
        raise BadArgument("Give the new simulation a name, for example: -t one_day")
    settings = load_settings(flags)
    with _cluster(settings, choice) as cluster:
        away = partial(cluster.move_in, given=flags) if cluster else None
        code = await _simulated(settings, terminal, choice, base=base, away=away)
        if cluster:
            terminal.say(*cluster.lines())
        return code


async def _simulated(
    settings: Settings, terminal: Terminal, choice: argparse.Namespace, *, base: str, away: Away | None
) -> int:
    """Open the simulation and do what the flags ask. Return the exit code. `away` lets minds live elsewhere."""
    terminal.say(announcement(settings, choice.replay))
    recording = recorded_run(settings, choice.replay) if choice.replay else None
    origin = choice.origin or (recording.origin if recording else base)
    if recording and choice.listen:
        raise BadArgument("A replay takes no requests. Leave out --listen.")
    spans = _spans(choice, recording)
    with returning(terminal) as watch:
        beginning, agree = _beginning(settings, choice), asking(terminal)
        simulation = await open_at(
            settings, origin, choice.target, beginning=beginning, watch=watch, agree=agree, say=terminal.say
        )
    terminal.say(*map_notice(simulation), *simulation.notes)
    try:
        if choice.estimate:
            terminal.say(*(estimate(simulation, span) for span in spans))
            simulation.revert()
            return 0
        if choice.load_history:
            terminal.say(await _load_history(simulation, _history(settings, choice), terminal))
        steps = min(map(simulation.clock.steps_in, spans))
        with _delete_if_incomplete(simulation) if recording and origin != choice.target else nullcontext():
            async with listening(simulation, settings, _HeadlessHost(terminal)) if choice.listen else nullcontext():
                if away:
                    terminal.say(*away(simulation))
                return await _run(simulation, steps, settings, terminal)
    finally:
        await simulation.close()


@contextmanager
def _cluster(settings: Settings, choice: argparse.Namespace) -> "Iterator[RayDistricts | None]":
    """Connect to the cluster on which minds are to live, if the flags say so. Raise a ReverieError."""
    if choice.engine != RAY:
        if choice.districts or choice.address:
            raise BadArgument("--districts and --address are for --engine ray. Add it, or leave them out.")
        yield None
        return
    from ville.jobs.ray.ray_districts import RayDistricts, check_districts  # noqa: PLC0415 - a run here needs none of it

    check_districts(settings, choice.replay)
    if choice.estimate:
        yield None
        return
    with RayDistricts(choice.districts or 0, choice.address) as districts:
        yield districts


def _beginning(settings: Settings, choice: argparse.Namespace) -> Beginning:
    """Return what a new simulation begins with. Raises CorruptFile."""
    past = _history(settings, choice) if choice.load_history else None
    return Beginning(recording=choice.replay, interventions=choice.interventions, history=past)


def _history(settings: Settings, choice: argparse.Namespace) -> BeginningHistory:
    file = settings.assets / choice.load_history
    return BeginningHistory(file, Source(door="file", id=history_id(file)))


class _HeadlessHost:
    """A headless run, as requests see it: it can be changed, and ends by itself."""

    def __init__(self, terminal: Terminal) -> None:
        self.notice = terminal.say

    def begin(self, until_step: int, *, until_talk: bool) -> None:  # noqa: ARG002 - part of the protocol
        raise BadArgument(f"The run is over. Start another one to reach step {until_step:,}.")

    def leave(self) -> None:
        """No-op: the session ends with its run."""


async def _load_history(simulation: Simulation, history: BeginningHistory, terminal: Terminal) -> str:
    """Load a history; if that fails or is interrupted, revert the simulation, or keep a new one if calls were paid."""
    with ExitStack() as undo:
        undo.callback(_keep_or_revert, simulation, terminal)
        summary = await load_history(simulation, *history)
        undo.pop_all()
    return summary


def _keep_or_revert(simulation: Simulation, terminal: Terminal) -> None:
    """Revert a simulation whose history was not loaded. A new one stays with its ledger if that has answers."""
    spend = simulation.services.spend
    if not (simulation.is_new and spend and spend.calls):
        simulation.revert()
        return
    simulation.save()
    terminal.say(
        f"{simulation.name} is kept without its history: {quantity(spend.calls, 'answer', 'answers')} would be paid "
        f"again. Go on with -o {simulation.name} -t {simulation.name} and the same history; what was answered is not "
        "asked again."
    )


@contextmanager
def _delete_if_incomplete(replay: Simulation) -> Iterator[None]:
    """Delete a replay that its ledger cannot complete: it could be mistaken for the whole, and costs nothing to repeat.

    Raises LedgerError.
    """
    first = replay.clock.step
    try:
        yield
    except LedgerError as error:
        delete(replay.folder)
        good = replay.clock.step - first - 1
        hint = f" With -s {good} it would be complete." if good else ""
        raise LedgerError(f"{error} '{replay.name}' has been deleted.{hint}") from None


def _spans(choice: argparse.Namespace, recording: RecordedRun | None) -> list[Span]:
    """Return the spans to run; if two ends are given, the first one reached counts. Raises BadArgument."""
    spans = [read_span(f"until {choice.until}")] if choice.until else []
    if choice.steps is not None:
        if choice.steps < 0:
            raise BadArgument(f"-s {choice.steps} is not a number of steps. Give 0 or more, such as 8640 (a day)")
        spans.append(Steps(choice.steps))
    if not spans and recording:
        spans.append(Steps(recording.steps))
    if not spans:
        raise BadArgument("Give -s or --until, for example: -s 8640 (a day)")
    return spans


async def _run(simulation: Simulation, steps: int, settings: Settings, terminal: Terminal) -> int:
    """Run, save, and print the summary, however the run ends. Return the exit code."""
    simulation.save()
    progress, summary, stop = Progress(terminal, bar_line), Summary(simulation), StopRequest(leaves=True)
    events, waiting = EventLog(debug=settings.debug), simulation.services.status

    def watch(report: StepReport) -> None:
        summary.count(report)
        terminal.say(*(events.lines(report) if settings.debug else report.interventions))
        progress.step(report, simulation.steps_left)

    try:
        with stop_on_interrupt(stop, lambda: terminal.say(STOPPING)), show_waiting(terminal, waiting):
            await run(simulation, steps, autosave=settings.autosave, watch=watch, stop=stop)
            simulation.save()
            ended = saved_line(simulation)
    except GivenUp as fault:
        ended = str(fault)
    finally:
        progress.end()
        terminal.say("", *summary.report().lines())
    terminal.say(ended)
    return stop.code
