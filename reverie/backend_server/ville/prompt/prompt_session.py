"""One session at the prompt: open a simulation and carry out commands until the user leaves."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from types import FrameType

from ville.assembly.forking import Beginning
from ville.assembly.run import (
    announcement,
    check_names,
    open_at,
    recorded_run,
    take_up_recording,
)
from ville.errors import ReverieError
from ville.plain_text import quantity
from ville.prompt.commands import TypedCommand, completions, parse
from ville.prompt.consent import asking
from ville.prompt.prompt_past import PromptPast
from ville.prompt.user_session import UserSession
from ville.service.hosting import HostedRuns, TerminalScreen, error_line, published
from ville.service.listener import listening
from ville.settings import Settings, load_settings
from ville.simulation.map_fit import map_notice
from ville.simulation.running.run_loop import SIGNAL_EXIT_BASE, on_end_signal
from ville.simulation.simulation import Simulation
from ville.storage.dates import time_text
from ville.storage.folder.storage import simulations
from ville.terminal.line_reader import ReadLine, interruption, line_reader
from ville.terminal.session import run_session
from ville.terminal.terminal import STOPPING, Terminal, returning, show_waiting

ORIGIN = "Enter the name of the forked simulation: "
NAME = "Enter the name of the new simulation: "
OPTION = "Enter option: "
BANNER = """\
The people in this town are computational agents: programs driven by rules or by language models.
They have no agency, consciousness or feelings of their own. Nobody means what they say or do,
and they feel nothing of what is said to them. Please keep this in mind when you watch them or talk to them,
and tell others to whom you show them.
---"""
INTERRUPTED = "Interrupted. Nothing was changed."
STOPPED = "Stopped by a signal. Saving ..."
LEAVING = "Type 'fin' to save and leave, or 'exit' to leave without saving."


def run_prompt(choice: argparse.Namespace, flags: Mapping[str, object]) -> int:
    """Serve one session at the prompt and return the exit code."""
    signal.signal(signal.SIGINT, _interrupted)

    async def session(terminal: Terminal) -> int:
        return await _session(choice, flags, terminal)

    return run_session(session)


def _interrupted(_signal: int, _frame: FrameType | None) -> None:
    """Raise at once: asyncio would replace the default handler by one that only cancels the main task."""
    raise KeyboardInterrupt


async def _session(choice: argparse.Namespace, flags: Mapping[str, object], terminal: Terminal) -> int:
    """Open the simulation that the flags or the user name, and serve its prompt. Return the exit code."""
    settings = load_settings(flags)
    replay = choice.replay
    terminal.say(BANNER, announcement(settings, replay))
    origin = choice.origin or (recorded_run(settings, replay).origin if replay else None)
    ask = line_reader(terminal=terminal, interactive=sys.stdin.isatty() and terminal.live)
    try:
        origin, name = await _names(settings, terminal, ask, (origin, choice.name))
    except EOFError:
        terminal.say("", "No simulation given. Nothing was started.")
        return 1
    with returning(terminal) as watch:
        beginning = Beginning(recording=replay, interventions=choice.interventions)
        simulation = await open_at(
            settings, origin, name, terminal.say,
            beginning=beginning, watch=watch, agree=asking(terminal), say=terminal.say,
        )  # fmt: skip
    terminal.say(*map_notice(simulation), *simulation.notes)
    past = PromptPast(simulation, settings, terminal, flags=flags)
    prompt = Prompt(simulation, settings, terminal, ask=ask, past=past)
    async with published(simulation, settings), listening(simulation, settings, prompt):
        return await prompt.serve()


async def _names(
    settings: Settings, terminal: Terminal, ask: ReadLine, given: tuple[str | None, str | None]
) -> tuple[str, str]:  # fmt: skip
    """Return origin and name, asking for those not given. On a terminal, ask again after an error; else raise it."""

    def known(_: str) -> list[str]:
        return simulations(settings.fs_storage)

    while True:
        origin = given[0] or (await ask(ORIGIN, known)).strip()
        name = given[1] or (await ask(NAME, known)).strip()
        try:
            take_up_recording(settings, origin, name, terminal.say)
            check_names(settings, origin, name)
        except ReverieError as fault:
            if not terminal.live or None not in given:
                raise
            terminal.say(str(fault))
        else:
            return origin, name


class Prompt:
    """Carries out commands until one of them, or a request of another program, ends the session."""

    def __init__(
        self, simulation: Simulation, settings: Settings, terminal: Terminal, *, ask: ReadLine, past: PromptPast
    ) -> None:
        runs = HostedRuns(simulation, settings, TerminalScreen(terminal), on_crash=self.leave)
        self._session = UserSession(simulation, settings, terminal, ask, past, runs)
        self._serving: asyncio.Task[object] | None = None

    @property
    def _names(self) -> list[str]:
        return list(self._session.simulation.town.personas)

    async def serve(self) -> int:
        """Carry out commands; return the exit code."""
        session, simulation, terminal = self._session, self._session.simulation, self._session.terminal
        clock, personas = simulation.clock, quantity(len(self._names), "persona", "personas")
        status = f"{simulation.name}: {personas}, {time_text(clock.now)}, step {clock.step:,}."
        completion = " Press Tab to complete." if terminal.live else ""
        terminal.say(f"{status} Type 'help' for a list of commands.{completion}")
        notice = await self._serve_commands()
        if notice is not None:
            terminal.say(*(["", notice] if notice else []))
            await session.runs.end(leaves=True)
            await session.save()
        await session.past.close()
        return session.code

    async def _serve_commands(self) -> str | None:
        """Carry out commands. If something else than a command ends the session, return what to say before saving."""
        session = self._session
        self._serving = asyncio.current_task()
        try:
            with on_end_signal(self._canceller()):
                while not session.leaving:
                    await self._one_command()
        except EOFError:
            return "End of input. Saving and leaving."
        except asyncio.CancelledError:
            if not session.leaving:
                raise
            return STOPPED if session.code else ""
        finally:
            self._serving = None
        return STOPPED if session.code else None

    def _canceller(self) -> Callable[[int], None]:
        """Return a signal handler that cancels the current command at its next await, so nothing is saved half done."""
        loop = asyncio.get_running_loop()

        def end(number: int) -> None:
            self._session.code = SIGNAL_EXIT_BASE + number
            loop.call_soon_threadsafe(self.leave)

        return end

    # What requests of other programs do here

    def notice(self, line: str) -> None:
        self._session.simulation.said.add(line)
        self._session.terminal.say(line)

    def begin(self, until_step: int, *, until_talk: bool) -> None:
        self._session.runs.go(until_step, until_talk=until_talk)

    def leave(self) -> None:
        """Leave after the current command, which is cancelled at its next await."""
        self._session.leaving = True
        if self._serving:
            self._serving.cancel()

    # Commands

    async def _one_command(self) -> None:
        session = self._session
        try:
            text = await session.ask(OPTION, lambda typed: completions(typed, self._names))
        except KeyboardInterrupt:
            session.terminal.say(*([STOPPING] if session.runs.active else ["", LEAVING]))
            await session.runs.end()
            return
        try:
            if text.split():
                await self._carry_out(parse(text, self._names))
        except ReverieError as fault:
            session.terminal.say(error_line(fault, debug=session.settings.debug))

    async def _carry_out(self, typed: TypedCommand) -> None:
        session, does = self._session, typed.command.does
        work = does(session, typed.argument, typed.at)
        if does.stops_itself:
            await work
            return
        with show_waiting(session.terminal, session.simulation.waiting):
            await self._cancellable(work)

    async def _cancellable(self, work: Coroutine[object, None, None]) -> None:
        """Carry out a command. Ctrl-C while it waits, say for a model, cancels it: it has changed nothing then."""
        task = asyncio.ensure_future(work)
        try:
            with interruption() as interrupted:
                either: set[asyncio.Future[None]] = {task, interrupted}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
            await asyncio.wait({task})
        if task.cancelled():
            self._session.terminal.say("", INTERRUPTED)
        else:
            task.result()
