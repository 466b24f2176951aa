"""The session of an engine without a prompt, from its start to a signal or the end of the program that started it."""

import argparse
import asyncio
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ville.assembly.run import announcement
from ville.command_lines import START as OPEN_TOWN
from ville.command_lines import typed
from ville.errors import BadArgument, ReverieError, SetupError, SimulationInUse
from ville.jobs.tied import at_end_of
from ville.service.opening_plan import START
from ville.service.served_engine import ServedEngine
from ville.settings import load_settings
from ville.simulation.requests.engine_requests import EngineOpen
from ville.simulation.running.heartbeat import publish_engine
from ville.simulation.running.run_loop import StopRequest, stop_on_interrupt
from ville.storage.exchange.temp_storage import TempStorage
from ville.storage.files import writing
from ville.storage.records.lock import Lock
from ville.terminal.session import run_session
from ville.terminal.terminal import Terminal

CRASHED_OPENING = "The engine ended unexpectedly while it opened {name}, and was started again."


def run_served(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Serve requests of other programs and return the exit code."""

    async def session(terminal: Terminal) -> int:
        return await _session(choice, flags, terminal)

    return run_session(session)


async def _session(choice: argparse.Namespace, flags: Mapping[str, object], terminal: Terminal) -> int:
    wanted = _wanted(choice)
    settings = load_settings(flags)
    temp_storage, stop = TempStorage(settings.fs_temp_storage), StopRequest()
    before = temp_storage.engine() if choice.reopen else {}
    with _only_engine(settings.fs_temp_storage):
        lost = before.get("hosts") if isinstance(before.get("hosts"), str) else None
        opening = str(lost or before.get("sim_code") or "") if choice.reopen else wanted.name if wanted else ""
        engine = ServedEngine(flags, settings, terminal, opening=opening, lost=lost)
        loop = asyncio.get_running_loop()

        def leave() -> None:
            with suppress(RuntimeError):  # the program is ending
                loop.call_soon_threadsafe(engine.leave)

        with publish_engine(engine.status, temp_storage), stop_on_interrupt(stop, leave):
            _at_end_of_input(leave)
            if choice.reopen:
                await _reopen(engine, before, wanted)
            elif wanted:
                await engine.open_first(wanted)
            with suppress(SetupError):  # shown already
                terminal.say(announcement(settings))
            await engine.serve(take_early=choice.reopen)
    return stop.code


def _wanted(choice: argparse.Namespace) -> EngineOpen | None:
    """Return what to open at once. Raises BadArgument for flags that only the prompt has."""
    only = {"--replay": choice.replay, "--interventions": choice.interventions}
    for flag, given in only.items():
        if given:
            raise BadArgument(f"{flag} does not go with --serve. Leave out one of them.")
    if choice.origin and not choice.name:
        raise BadArgument("--origin needs the name of the new simulation. Add --name")
    return _opening(choice.origin or choice.name, choice.name) if choice.name else None


def _opening(origin: str, name: str) -> EngineOpen:
    return EngineOpen(id=START, request="open", origin=origin, name=name)


async def _reopen(engine: ServedEngine, before: Mapping[str, object], wanted: EngineOpen | None) -> None:
    """Open what was open, or to be opened at once, in an engine that has ended unexpectedly. Say what has happened."""
    hosted, opening = before.get("hosts"), before.get("sim_code")
    try:
        with suppress(ReverieError), engine.noting_faults():
            if isinstance(hosted, str):
                await engine.open_again(_opening(hosted, hosted))
            elif wanted and opening == wanted.name:
                await engine.open_again(wanted)
            elif before.get("state") == "opening":
                raise BadArgument(CRASHED_OPENING.format(name=opening))
    finally:
        engine.end_reopening()


@contextmanager
def _only_engine(temp_storage: Path) -> Iterator[None]:
    """Hold the lock of the engine that takes requests here. Raises SimulationInUse, which says what to do."""
    with writing(temp_storage):
        temp_storage.mkdir(parents=True, exist_ok=True)
    try:
        lock = Lock(temp_storage / "engine")
    except SimulationInUse as fault:
        template = (
            "The Ville is running here already (%(holder)s). Quit it there with Ctrl-C first, or start another with "
            f"a prompt: {typed(OPEN_TOWN, '--prompt')}"
        )
        raise SimulationInUse(template, holder=fault.values.get("holder", "this process")) from None
    with lock:
        yield


def _at_end_of_input(act: Callable[[], None]) -> None:
    """If standard input is a pipe, call `act` when the program at its other end has ended, or closes it."""
    try:
        descriptor = sys.stdin.fileno()
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return
    except (OSError, ValueError):
        return
    at_end_of(descriptor, act)
