"""One session at the prompt: open a simulation and carry out commands until the user leaves."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from types import FrameType
from typing import Any

from ville.assembly.forking import Beginning
from ville.assembly.run import (
    announcement,
    check_names,
    open_at,
    recorded_run,
)
from ville.console import input_has_ended
from ville.errors import ReverieError
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.prompt import inspect, path_tester
from ville.prompt.completion import completions
from ville.prompt.consent import asking
from ville.prompt.dialogues import DIALOGUES, Dialogues
from ville.prompt.parse import Meeting, NewBranch, PromptCommand, parse
from ville.prompt.prompt_past import PromptPast
from ville.prompt.syntax import Verb
from ville.service.hosting import HostedRuns, TerminalScreen, error_line, published
from ville.service.listener import listening
from ville.settings import Settings, load_settings
from ville.simulation.clock import Duration, Span, Steps, UntilMoment, UntilStep, UntilTime
from ville.simulation.map_fit import map_notice
from ville.simulation.progress import quantity
from ville.simulation.run import (
    SIGNAL_EXIT_BASE,
    StopRequest,
    on_end_signal,
    stop_on_interrupt,
)
from ville.simulation.run_control import Speed
from ville.simulation.simulation import Simulation
from ville.simulation.spans import steps_ahead
from ville.simulation.summary import saved_line
from ville.storage.dates import time_text
from ville.storage.exchange.temp_storage import TempStorage
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
NOTHING_YET = "Nothing so far."
STOPPED = "Stopped by a signal. Saving ..."
LEAVING = "Type 'fin' to save and leave, or 'exit' to leave without saving."


def run_prompt(choice: argparse.Namespace, flags: Mapping[str, Any]) -> int:
    """Serve one session at the prompt and return the exit code."""
    signal.signal(signal.SIGINT, _interrupted)

    async def session(terminal: Terminal) -> int:
        return await _session(choice, flags, terminal)

    return run_session(session)


def _interrupted(_signal: int, _frame: FrameType | None) -> None:
    """Raise at once: asyncio would replace the default handler by one that only cancels the main task."""
    raise KeyboardInterrupt


async def _session(choice: argparse.Namespace, flags: Mapping[str, Any], terminal: Terminal) -> int:
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
        self._simulation = simulation
        self._settings = settings
        self._terminal = terminal
        self._ask = ask
        self._dialogues = Dialogues(simulation, terminal, ask=ask, assets=settings.assets)
        self._past = past
        self._runs = HostedRuns(simulation, settings, TerminalScreen(terminal), on_crash=self.leave)
        self._serving: asyncio.Task[Any] | None = None
        self._leaving = False
        self._code = 0

    @property
    def _names(self) -> list[str]:
        return list(self._simulation.town.personas)

    async def serve(self) -> int:
        """Carry out commands; return the exit code."""
        clock, personas = self._simulation.clock, quantity(len(self._names), "persona", "personas")
        status = f"{self._simulation.name}: {personas}, {time_text(clock.now)}, step {clock.step:,}."
        completion = " Press Tab to complete." if self._terminal.live else ""
        self._terminal.say(f"{status} Type 'help' for a list of commands.{completion}")
        notice = await self._serve_commands()
        if notice is not None:
            self._terminal.say(*(["", notice] if notice else []))
            await self._runs.end()
            await self.save()
        await self._past.close()
        return self._code

    async def _serve_commands(self) -> str | None:
        """Carry out commands. If something else than a command ends the session, return what to say before saving."""
        self._serving = asyncio.current_task()
        try:
            with on_end_signal(self._canceller()):
                while not self._leaving:
                    await self._one_command()
        except EOFError:
            return "End of input. Saving and leaving."
        except asyncio.CancelledError:
            if not self._leaving:
                raise
            return STOPPED if self._code else ""
        finally:
            self._serving = None
        return STOPPED if self._code else None

    def _canceller(self) -> Callable[[int], None]:
        """Return a signal handler that cancels the current command at its next await, so nothing is saved half done."""
        loop = asyncio.get_running_loop()

        def end(number: int) -> None:
            self._code = SIGNAL_EXIT_BASE + number
            loop.call_soon_threadsafe(self.leave)

        return end

    # What requests of other programs do here

    def notice(self, line: str) -> None:
        self._simulation.said.add(line)
        self._terminal.say(line)

    def begin(self, until_step: int, *, until_talk: bool) -> None:
        self._runs.go(until_step, until_talk=until_talk)

    def leave(self) -> None:
        """Leave after the current command, which is cancelled at its next await."""
        self._leaving = True
        if self._serving:
            self._serving.cancel()

    # Commands

    async def _one_command(self) -> None:
        try:
            text = await self._ask(OPTION, lambda typed: completions(typed, self._names))
        except KeyboardInterrupt:
            self._terminal.say(*([STOPPING] if self._runs.active else ["", LEAVING]))
            await self._runs.end()
            return
        try:
            await self._execute(parse(text, self._names))
        except ReverieError as fault:
            self._terminal.say(error_line(fault, debug=self._settings.debug))

    async def _execute(self, command: PromptCommand) -> None:
        match command:
            case PromptCommand(Verb.RUN, (Steps() | Duration() | UntilTime() | UntilMoment() | UntilStep()) as span):
                await self._run(span)
            case PromptCommand(Verb.SPEED, Speed() as speed):
                self._simulation.control.speed = speed
                self._terminal.say(f"Speed: {speed}.")
            case PromptCommand(verb) if verb is not Verb.NOTHING:
                with show_waiting(self._terminal, self._simulation.waiting):
                    await self._cancellable(self._execute_between_steps(command))

    async def _cancellable(self, work: Coroutine[Any, Any, None]) -> None:
        """Carry out a command. Ctrl-C while it waits, say for a model, cancels it: it has changed nothing then."""
        task = asyncio.ensure_future(work)
        try:
            with interruption() as interrupted:
                either: set[asyncio.Future[Any]] = {task, interrupted}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
            await asyncio.wait({task})
        if task.cancelled():
            self._terminal.say("", INTERRUPTED)
        else:
            task.result()

    async def _execute_between_steps(self, command: PromptCommand) -> None:
        """Carry out a command that waits for the end of the step if a run is in progress."""
        match command:
            case PromptCommand(Verb.BRANCH, NewBranch() as new, at):
                await self._past.branch(new, at)
            case PromptCommand(Verb.ANALYSIS, Meeting() as meeting, str(at)):
                await self._dialogues.analyse(meeting, await self._past.interviews(at, meeting.name))
            case PromptCommand(_, _, str(at)):
                self._terminal.say(await self._past.show(command, at))
            case PromptCommand(verb, argument) if verb in DIALOGUES:
                await DIALOGUES[verb](self._dialogues, argument)
            case PromptCommand(verb) if verb in ACTIONS:
                await ACTIONS[verb](self)
            case _:
                async with self._simulation.between_steps:
                    self._terminal.say(inspect.answer(self._simulation, command) or NOTHING_YET)

    async def _run(self, span: Span) -> None:
        """Run this far; Ctrl-C finishes the step, saves, and returns to the prompt. Raises BadArgument."""
        clock = self._simulation.clock
        self._runs.go(clock.step + steps_ahead(clock, span))
        stop = self._runs.stop
        try:
            with stop_on_interrupt(stop, lambda: self._terminal.say(STOPPING)):
                await self._runs.finished()
        finally:
            self._end_with(stop)

    def _end_with(self, stop: StopRequest) -> None:
        if stop.signal_number:
            self._leaving, self._code = True, stop.code

    async def save(self) -> None:
        async with self._simulation.between_steps:
            self._simulation.save()
            self._terminal.say(saved_line(self._simulation))

    async def finish(self) -> None:
        await self._runs.end()
        await self.save()
        self._leaving = True

    async def exit(self) -> None:
        await self._runs.end(save=False)
        async with self._simulation.between_steps:
            kept = self._simulation.revert()
        result = f"is back at its save of step {kept.step:,}" if kept else "was never saved and has been deleted"
        self._terminal.say(f"{self._simulation.name} {result}.")
        self._leaving = True

    async def show_branches(self) -> None:
        self._past.show_branches()

    async def help(self) -> None:
        self._terminal.say(inspect.help_text())

    async def test_paths(self) -> None:
        """Answer the path tester page every second, until Ctrl-C or the end of input."""
        temp_storage, places, stop = TempStorage(self._settings.fs_temp_storage), SpatialMemory(), StopRequest()
        self._terminal.say("Path tester mode is on. Press Ctrl-C to return to the prompt.")
        with stop_on_interrupt(stop, self._terminal.clear):
            while not stop.requested:
                camera = temp_storage.take_camera()
                if camera and path_tester.learn(places, self._simulation.town.maze, camera):
                    temp_storage.show_places(places.tree)
                    self._terminal.say("= " * 15, inspect.tree_text(places.tree))
                if input_has_ended(sys.stdin):
                    return
                await asyncio.sleep(1)
        self._end_with(stop)


ACTIONS: Mapping[Verb, Callable[[Prompt], Awaitable[None]]] = {
    Verb.SAVE: Prompt.save,
    Verb.FINISH: Prompt.finish,
    Verb.EXIT: Prompt.exit,
    Verb.HELP: Prompt.help,
    Verb.BRANCHES: Prompt.show_branches,
    Verb.PATH_TESTER: Prompt.test_paths,
}
