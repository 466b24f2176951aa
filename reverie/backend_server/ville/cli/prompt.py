"""The prompt: fork a simulation or resume one, let it run, look into it, talk to its people."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import FrameType

from ville.assembly.run import (
    announcement,
    check_names,
    copy_notice,
    open_simulation,
    re_embed_simulation,
    recorded_run,
)
from ville.cli.console import INTERRUPTED, input_has_ended
from ville.cli.older_flags import answer_older_flags
from ville.errors import BadArgument, ReverieError
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.plain_text import one_line
from ville.settings import Settings, add_flags, load_settings
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
from ville.simulation.terminal import LEFT, STOPPING, Progress, Terminal, show_waiting
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
The people of this town are computational constructs: programs, driven by rules or by language models.
They have no agency, consciousness or feelings of their own. Nothing that they say or do is meant by anybody,
and nothing that is said to them is felt. Please remember this when you watch them and talk to them,
and tell those to whom you show them.
---"""
FLAGS = ("provider", "language", "re_embed", "max_cost", "max_calls", "max_tokens", "max_concurrency", "seed", "debug")
"""The settings that can be said on the command line."""
NOTHING_YET = "Nothing yet."
LEAVING = "'fin' saves and leaves, 'exit' leaves without saving."
SPANS = (Steps, Duration, UntilTime, UntilMoment)

Completer = Callable[[str], Iterable[str]]
"""What was typed so far to whole lines that begin like this."""
ReadLine = Callable[[str, Completer], Awaitable[str]]
"""Prompt and completion to what was typed. Raises EOFError and KeyboardInterrupt."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--origin", help="the simulation to fork, or to resume; asked for otherwise")
    parser.add_argument("--name", help="what the new one is called; the same name resumes; asked for otherwise")
    parser.add_argument("--replay", metavar="NAME", default="", help="run a recorded simulation again, asking nobody")
    add_flags(parser, FLAGS)
    answer_older_flags(parser, headless=False)
    choice = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, _interrupted)
    terminal = Terminal(sys.stdout)
    try:
        settings = load_settings({flag: getattr(choice, flag) for flag in FLAGS})
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


def _interrupted(_signal: int, _frame: FrameType | None) -> None:
    """Ctrl-C where nothing runs. Not the default, for that one asyncio would replace by a polite request."""
    raise KeyboardInterrupt


async def _session(settings: Settings, terminal: Terminal, choice: argparse.Namespace) -> int:
    replay = choice.replay
    terminal.say(BANNER, announcement(settings, replay))
    origin = choice.origin or (recorded_run(settings, replay).origin if replay else None)
    ask = line_reader(interactive=sys.stdin.isatty() and terminal.live)
    try:
        origin, name = await _names(settings, terminal, ask, (origin, choice.name))
    except EOFError:
        terminal.say("", "No simulation was named.")
        return 1
    if settings.re_embed and not replay:
        terminal.say(f"{await re_embed_simulation(settings, origin, name):,} vectors made anew.")
        origin = name
    terminal.say(*copy_notice(settings, origin, name))
    simulation = open_simulation(settings, origin, name, terminal.say, recording=replay)
    terminal.say(*map_notice(simulation))
    with publish_status(simulation, TempStorage(settings.fs_temp_storage)):
        try:
            return await Prompt(simulation, settings, terminal, ask=ask).serve()
        finally:
            await simulation.close()


def line_reader(*, interactive: bool) -> ReadLine:
    """With history and completion where somebody sits at a terminal; plain otherwise."""

    async def plain(prompt: str, _complete: Completer) -> str:
        with on_end_signal(raise_end_signal):  # while it waits here, nothing can be cancelled
            return input(prompt)  # noqa: ASYNC250 - nothing else is to happen meanwhile

    if not interactive:
        return plain
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - a pipe need not wait for it
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
    """The two questions. Somebody at a terminal is asked again after a fault, anybody else has the fault raised."""

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
    """Serves commands until one of them leaves."""

    def __init__(self, simulation: Simulation, settings: Settings, terminal: Terminal, *, ask: ReadLine) -> None:
        self._simulation = simulation
        self._settings = settings
        self._terminal = terminal
        self._ask = ask
        self._names = list(simulation.town.personas)
        self._leaving = self._left = False
        self._code = 0

    async def serve(self) -> int:
        """The exit code."""
        clock, people = self._simulation.clock, quantity(len(self._names), "person", "people")
        standing = f"{self._simulation.name}: {people}, {time_text(clock.now)}, step {clock.step:,}."
        self._terminal.say(f"{standing} 'help' lists all commands{', Tab completes' if self._terminal.live else ''}.")
        try:
            with on_end_signal(self._canceller()):
                while not self._leaving:
                    await self._one_command()
        except EOFError:
            self._terminal.say("", "Nothing more to read: saving and leaving.")
            await self.save()
        except EndSignal as ended:
            self._leave(ended.code)
        except asyncio.CancelledError:
            if not self._code:
                raise
        self._left = True
        if self._code:
            self._terminal.say("", "Asked to end: saving and leaving.")
            await self.save()
        return self._code

    def _canceller(self) -> Callable[[int], None]:
        """Ends what is under way at its next pause, so that nothing is saved half done."""
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
        """Without `match`: an older Python has to read this file far enough to be told that it is too old."""
        verb, argument = command.verb, command.argument
        if verb is Verb.RUN and isinstance(argument, SPANS):
            await self._run(argument)
        elif verb in DIALOGUES and isinstance(argument, str):
            await DIALOGUES[verb](self, argument)
        elif verb in ACTIONS:
            await ACTIONS[verb](self)
        elif verb is not Verb.NOTHING:
            self._terminal.say(inspect.answer(self._simulation, command) or NOTHING_YET)

    async def _run(self, span: Span) -> None:
        """Ctrl-C finishes the step, saves, and comes back to the prompt. What is past raises BadArgument."""
        clock = self._simulation.clock
        if isinstance(span, UntilMoment) and span.moment <= clock.now:
            raise BadArgument(f"{time_text(span.moment)} is past: it is {time_text(clock.now)}.")
        steps = clock.steps_in(span)
        progress, narrator = Progress(self._terminal, steps, run_line), EventLog(debug=self._settings.debug)
        stop = StopRequest()

        def watch(report: StepReport) -> None:
            self._terminal.say(*narrator.lines(report))
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
        back = f"is as it was saved at step {kept.step:,}" if kept else "was never saved and is removed"
        self._terminal.say(f"{self._simulation.name} {back}.")
        self._leave()

    async def help(self) -> None:
        self._terminal.say(inspect.commands())

    async def analyse(self, name: str) -> None:
        """An interview, until it is ended."""
        self._terminal.say(f"You talk to {name}, who will not remember it. '{END}' or an empty line ends it.")
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
        self._terminal.say(f"What {name} shall think; '{SEPARATOR}' parts one thought from the next.")
        if line := await self._input():
            self._terminal.say(await talk.whisper(self._simulation, name, line.split(SEPARATOR)))

    async def _input(self) -> str:
        """What is said; nothing at the end."""
        try:
            line = one_line(await self._ask(INPUT, lambda _: [END])).strip()
        except (EOFError, KeyboardInterrupt):
            return ""
        return "" if line == END else line

    async def load_history(self, file: str) -> None:
        self._terminal.say(await talk.load_history(self._simulation, self._settings.assets / file))

    async def test_paths(self) -> None:
        """Answer the path tester's page every second until Ctrl-C, or until nothing more can be typed."""
        mailbox, places, stop = TempStorage(self._settings.fs_temp_storage), SpatialMemory(), StopRequest()
        self._terminal.say("Answering the path tester. Ctrl-C comes back to the prompt.")
        with stop_on_interrupt(stop, self._terminal.clear):
            while not stop.requested:
                camera = mailbox.take_camera()
                if camera and path_tester.learn(places, self._simulation.town.maze, camera):
                    mailbox.show_places(places.tree)
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
    Verb.LOAD_HISTORY: Prompt.load_history,
}
