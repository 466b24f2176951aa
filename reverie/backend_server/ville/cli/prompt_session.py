"""One session at the prompt: open a simulation and carry out commands until the user leaves."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import FrameType
from typing import Any

from ville.assembly.run import (
    announcement,
    check_names,
    copy_notice,
    open_simulation,
    re_embed_simulation,
    recorded_run,
)
from ville.cli.console import input_has_ended
from ville.cli.intervention_dialogue import read_intervention
from ville.cli.session import run_session
from ville.errors import BadArgument, ReverieError
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.plain_text import one_line
from ville.settings import Settings, load_settings
from ville.simulation.clock import Duration, Span, Steps, UntilMoment, UntilTime
from ville.simulation.commands import inspect, path_tester, talk
from ville.simulation.commands.completion import completions
from ville.simulation.commands.parse import PromptCommand, parse
from ville.simulation.commands.syntax import Verb
from ville.simulation.heartbeat import publish_status
from ville.simulation.map_fit import map_notice
from ville.simulation.progress import EventLog, quantity, run_line
from ville.simulation.run import (
    SIGNAL_EXIT_BASE,
    EndSignal,
    StopRequest,
    on_end_signal,
    raise_end_signal,
    run,
    stop_on_interrupt,
)
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport
from ville.simulation.summary import saved_line
from ville.simulation.terminal import STOPPING, Progress, Terminal, show_waiting
from ville.storage.dates import time_text
from ville.storage.history import SEPARATOR
from ville.storage.storage import simulations
from ville.storage.temp_storage import TempStorage

ORIGIN = "Enter the name of the forked simulation: "
NAME = "Enter the name of the new simulation: "
OPTION = "Enter option: "
INPUT = "Enter Input: "
END = "end_convo"
BANNER = """\
The people in this town are computational agents: programs driven by rules or by language models.
They have no agency, consciousness or feelings of their own. Nobody means what they say or do,
and they feel nothing of what is said to them. Please keep this in mind when you watch them or talk to them,
and tell others to whom you show them.
---"""
NOTHING_YET = "Nothing so far."
LEAVING = "Type 'fin' to save and leave, or 'exit' to leave without saving."

Completer = Callable[[str], Iterable[str]]
"""Returns whole lines that begin with what was typed."""
ReadLine = Callable[[str, Completer], Awaitable[str]]
"""Reads a line, given the text of the prompt and completions. Raises EOFError and KeyboardInterrupt."""


def run_prompt(choice: argparse.Namespace, flags: Mapping[str, Any]) -> int:
    """Serve one session at the prompt and return the exit code."""
    signal.signal(signal.SIGINT, _interrupted)

    async def session(terminal: Terminal) -> int:
        return await _session(load_settings(flags), terminal, choice)

    return run_session(session)


def _interrupted(_signal: int, _frame: FrameType | None) -> None:
    """Raise at once: asyncio would replace the default handler by one that only cancels the main task."""
    raise KeyboardInterrupt


async def _session(settings: Settings, terminal: Terminal, choice: argparse.Namespace) -> int:
    """Open the simulation that the flags or the user name, and serve its prompt. Return the exit code."""
    replay = choice.replay
    terminal.say(BANNER, announcement(settings, replay))
    origin = choice.origin or (recorded_run(settings, replay).origin if replay else None)
    ask = line_reader(interactive=sys.stdin.isatty() and terminal.live)
    try:
        origin, name = await _names(settings, terminal, ask, (origin, choice.name))
    except EOFError:
        terminal.say("", "No simulation given. Nothing was started.")
        return 1
    if settings.re_embed and not replay:
        terminal.say(f"{await re_embed_simulation(settings, origin, name):,} embedding vectors computed.")
        origin = name
    terminal.say(*copy_notice(settings, origin, name))
    simulation = open_simulation(
        settings, origin, name, terminal.say, recording=replay, interventions=choice.interventions
    )
    terminal.say(*map_notice(simulation))
    with publish_status(simulation, TempStorage(settings.fs_temp_storage)):
        try:
            return await Prompt(simulation, settings, terminal, ask=ask).serve()
        finally:
            await simulation.close()


def line_reader(*, interactive: bool) -> ReadLine:
    """Return a reader with history and completion for a terminal, and a plain one for a pipe or file."""

    async def plain(prompt: str, _complete: Completer) -> str:
        with on_end_signal(raise_end_signal):  # `input` blocks, so cancelling has no effect here
            return input(prompt)  # noqa: ASYNC250 - nothing else runs meanwhile

    if not interactive:
        return plain
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - not needed for a pipe
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415

    session: PromptSession[str] = PromptSession()

    async def rich(prompt: str, complete: Completer) -> str:
        completer = WordCompleter(
            lambda: list(complete(session.app.current_buffer.text)), ignore_case=True, sentence=True
        )
        return await session.prompt_async(prompt, completer=completer, complete_while_typing=False)

    return rich


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
    """Carries out commands until one of them leaves."""

    def __init__(self, simulation: Simulation, settings: Settings, terminal: Terminal, *, ask: ReadLine) -> None:
        self._simulation = simulation
        self._settings = settings
        self._terminal = terminal
        self._ask = ask
        self._names = list(simulation.town.personas)
        self._leaving = self._left = False
        self._code = 0

    async def serve(self) -> int:
        """Carry out commands; return the exit code."""
        clock, personas = self._simulation.clock, quantity(len(self._names), "persona", "personas")
        status = f"{self._simulation.name}: {personas}, {time_text(clock.now)}, step {clock.step:,}."
        completion = " Press Tab to complete." if self._terminal.live else ""
        self._terminal.say(f"{status} Type 'help' for a list of commands.{completion}")
        try:
            with on_end_signal(self._canceller()):
                while not self._leaving:
                    await self._one_command()
        except EOFError:
            self._terminal.say("", "End of input. Saving and leaving.")
            await self.save()
        except EndSignal as signalled:
            self._leave(signalled.code)
        except asyncio.CancelledError:
            if not self._code:
                raise
        self._left = True
        if self._code:
            self._terminal.say("", "Stopped by a signal. Saving ...")
            await self.save()
        return self._code

    def _canceller(self) -> Callable[[int], None]:
        """Return a signal handler that cancels the current command at its next await, so nothing is saved half done."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel() -> None:
            if task and not self._left:
                task.cancel()

        def end(number: int) -> None:
            self._leave(SIGNAL_EXIT_BASE + number)
            loop.call_soon_threadsafe(cancel)

        return end

    def _leave(self, code: int = 0) -> None:
        self._leaving, self._code = True, code

    async def _one_command(self) -> None:
        try:
            text = await self._ask(OPTION, lambda typed: completions(typed, self._names))
        except KeyboardInterrupt:
            self._terminal.say("", LEAVING)
            return
        try:
            with show_waiting(self._terminal, self._simulation.waiting):
                await self._execute(parse(text, self._names))
        except ReverieError as fault:
            self._terminal.say(f"{type(fault).__name__}: {fault}" if self._settings.debug else str(fault))

    async def _execute(self, command: PromptCommand) -> None:
        match command:
            case PromptCommand(Verb.RUN, (Steps() | Duration() | UntilTime() | UntilMoment()) as span):
                await self._run(span)
            case PromptCommand(verb, str(argument)) if verb in DIALOGUES:
                await DIALOGUES[verb](self, argument)
            case PromptCommand(verb) if verb in ACTIONS:
                await ACTIONS[verb](self)
            case PromptCommand(verb) if verb is not Verb.NOTHING:
                self._terminal.say(inspect.answer(self._simulation, command) or NOTHING_YET)

    async def _run(self, span: Span) -> None:
        """Run this far; Ctrl-C finishes the step, saves, and returns to the prompt. Raises BadArgument."""
        clock = self._simulation.clock
        if isinstance(span, UntilMoment) and span.moment <= clock.now:
            raise BadArgument(f"{time_text(span.moment)} is in the past: game time is {time_text(clock.now)}.")
        steps = clock.steps_in(span)
        progress, events = Progress(self._terminal, steps, run_line), EventLog(debug=self._settings.debug)
        stop = StopRequest()

        def watch(report: StepReport) -> None:
            self._terminal.say(*events.lines(report))
            progress.step(report)

        try:
            with stop_on_interrupt(stop, lambda: self._terminal.say(STOPPING)):
                await run(self._simulation, steps, autosave=self._settings.autosave, watch=watch, stop=stop)
        finally:
            progress.end()
            self._end_with(stop)

    def _end_with(self, stop: StopRequest) -> None:
        if stop.signal_number:
            self._leave(stop.code)

    async def save(self) -> None:
        self._simulation.save()
        self._terminal.say(saved_line(self._simulation))

    async def finish(self) -> None:
        await self.save()
        self._leave()

    async def exit(self) -> None:
        kept = self._simulation.revert()
        result = f"is back at its save of step {kept.step:,}" if kept else "was never saved and has been deleted"
        self._terminal.say(f"{self._simulation.name} {result}.")
        self._leave()

    async def help(self) -> None:
        self._terminal.say(inspect.help_text())

    async def analyse(self, name: str) -> None:
        """Interview a persona until an empty line."""
        self._terminal.say(f"Interview with {name}, who will not remember it. Type '{END}' or an empty line to end it.")
        transcript: tuple[tuple[str, str], ...] = ()
        while line := await self._input():
            try:
                talk.check_length(line)
            except BadArgument as fault:
                self._terminal.say(str(fault))
                continue
            if await talk.treats_as_human(self._simulation, name, line):
                self._terminal.say(talk.DISCLAIMER)
                continue
            transcript = (*transcript, (talk.INTERVIEWER, line))
            answer = await talk.interview(self._simulation, name, transcript)
            transcript = (*transcript, (name, answer))
            self._terminal.say(f"{name}: {answer}" if answer else f"{name} says nothing.")

    async def whisper(self, name: str) -> None:
        self._terminal.say(f"Type a thought for {name}. Separate several thoughts with '{SEPARATOR}'.")
        if line := await self._input():
            self._terminal.say(await talk.whisper(self._simulation, name, line.split(SEPARATOR)))

    async def intervene(self, typed: str) -> None:
        """Change something from outside, given as JSON or field by field."""
        intervention = await read_intervention(typed, self._input)
        self._terminal.say(*await self._simulation.intervene(intervention, source=talk.PROMPT))

    async def _input(self, prompt: str = INPUT) -> str:
        """Return a line of input; empty at the end."""
        try:
            line = one_line(await self._ask(prompt, lambda _: [END])).strip()
        except (EOFError, KeyboardInterrupt):
            return ""
        return "" if line == END else line

    async def load_history(self, file: str) -> None:
        self._terminal.say(await talk.load_history(self._simulation, self._settings.assets / file))

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
    Verb.PATH_TESTER: Prompt.test_paths,
}
DIALOGUES: Mapping[Verb, Callable[[Prompt, str], Awaitable[None]]] = {
    Verb.ANALYSIS: Prompt.analyse,
    Verb.WHISPER: Prompt.whisper,
    Verb.INTERVENE: Prompt.intervene,
    Verb.LOAD_HISTORY: Prompt.load_history,
}
