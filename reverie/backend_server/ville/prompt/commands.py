"""Table of the commands at the prompt: a row each, from which parsing, help, completion and documents follow."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ville.errors import BadArgument, UnknownCommand
from ville.prompt import dialogues, inspect
from ville.prompt.arguments import (
    BRANCH,
    FILE,
    INTERVENTION,
    MEETING,
    PERSONA,
    RULE,
    SPAN,
    SPEED,
    TILE,
    Argument,
)
from ville.prompt.path_tester import show_places_at_camera
from ville.prompt.user_session import UserSession

NOTHING_YET = "Nothing so far."
WIDTH = 50
"""Columns of the left half of the help."""
PAST = ("print ... @18:00 | @8000", "as it was then; also after 'call -- analysis NAME'")
"""Last line of the help."""


@dataclass(frozen=True)
class Shows:
    """Shows something: the text of a function of the simulation, and of the argument if the command has one."""

    view: Callable[..., str]
    past: bool = True
    """Whether it can be about an earlier moment, typed after it: `@18:00`. The function is given a `PastTown` then."""
    stops_itself = False

    async def __call__(self, session: UserSession, argument: object, at: str | None) -> None:
        arguments = () if argument is None else (argument,)
        if at is not None:
            session.terminal.say(await session.past.show(lambda town: self.view(town, *arguments), at))
            return
        async with session.simulation.between_steps:
            session.terminal.say(self.view(session.simulation, *arguments) or NOTHING_YET)


@dataclass(frozen=True)
class Does:
    """Does something: a coroutine of the session and the argument, if there is one; of the moment, too, with `past`."""

    action: Callable[..., Awaitable[None]]
    past: bool = False
    stops_itself: bool = False
    """Whether it sees to Ctrl-C, and shows what it waits for. Any other command is cancelled by Ctrl-C."""

    async def __call__(self, session: UserSession, argument: object, at: str | None) -> None:
        moment = (at,) if self.past else ()
        await self.action(session, *(() if argument is None else (argument,)), *moment)


@dataclass(frozen=True)
class Phrase:
    """One way to type a command."""

    words: str
    does: Shows | Does
    description: str
    argument: Argument | None = None

    @property
    def notation(self) -> str:
        """Notation of its argument; empty without one."""
        return self.argument.notation if self.argument else ""

    @property
    def usage(self) -> str:
        return f"{self.words} {self.notation}".rstrip()


async def show_help(session: UserSession) -> None:
    session.terminal.say(help_text())


def help_text() -> str:
    """Return all commands with their descriptions."""
    rows = [(command.usage, command.description) for command in COMMANDS]
    return "\n".join(f"{usage:<{WIDTH}}{description}" for usage, description in (*rows, PAST))


_RUN = "run for this many steps, this long, or until this time"
_MEMORY = "print persona associative memory"
_FINISH = "short for 'save and finish'"
_BRANCH = "begin another simulation from here, or an earlier moment; run it in the background"
_INTERVIEW = "interview a persona; it will not remember it"
_INTERVENE = "change something from outside: a memory, a trait, an object …"
_BUFFER = "steps until the persona talks to the same partner again"
COMMANDS = (
    Phrase(
        "run", Does(UserSession.run, stops_itself=True), "run for this many steps, this long, or until this time", SPAN
    ),
    Phrase("speed", Does(UserSession.set_speed), "game seconds per second while running", SPEED),
    Phrase("estimate", Shows(inspect.estimate, past=False), "estimate the calls, tokens, cost and time of a run", SPAN),
    Phrase("fin", Does(UserSession.finish), _FINISH),
    Phrase("f", Does(UserSession.finish), _FINISH),
    Phrase("finish", Does(UserSession.finish), _FINISH),
    Phrase("save and finish", Does(UserSession.finish), "save and leave"),
    Phrase("save", Does(UserSession.save), "save and continue"),
    Phrase("exit", Does(UserSession.exit), "leave without saving; a simulation that was never saved is deleted"),
    Phrase("print current time", Shows(inspect.current_time), "game time and step number"),
    Phrase("print persona schedule", Shows(inspect.schedule), "today's plan as it is now", PERSONA),
    Phrase("print all persona schedule", Shows(inspect.all_schedules), "today's plan of every persona"),
    Phrase("print hourly org persona schedule", Shows(inspect.hourly_schedule), "today's plan as first made", PERSONA),
    Phrase("print persona current tile", Shows(inspect.current_tile), "position on the map", PERSONA),
    Phrase("print persona chatting with buffer", Shows(inspect.chatting_buffer), _BUFFER, PERSONA),
    Phrase(f"{_MEMORY} (event)", Shows(inspect.events), "perceived events, newest first", PERSONA),
    Phrase(f"{_MEMORY} (thought)", Shows(inspect.thoughts), "thoughts, newest first", PERSONA),
    Phrase(f"{_MEMORY} (chat)", Shows(inspect.chats), "conversations, newest first", PERSONA),
    Phrase("print persona spatial memory", Shows(inspect.spatial_memory), "places the persona knows", PERSONA),
    Phrase("print tile event", Shows(inspect.tile_event), "events on a tile", TILE),
    Phrase("print tile details", Shows(inspect.tile_details), "everything the map stores about a tile", TILE),
    Phrase("print ledger", Shows(inspect.ledger, past=False), "calls to language models so far, and their cost"),
    Phrase(
        "call -- analysis",
        Does(dialogues.interview, past=True),
        "interview a persona; it will not remember it",
        MEETING,
    ),
    Phrase("call -- talk", Does(dialogues.talk), "talk with a persona; it will remember it", MEETING),
    Phrase("call -- whisper", Does(dialogues.whisper), "give a persona a thought to remember", PERSONA),
    Phrase("call -- load history", Does(dialogues.load_history), "whisper the lines of a file to all personas", FILE),
    Phrase("intervene", Does(dialogues.intervene), _INTERVENE, INTERVENTION),
    Phrase("branch", Does(UserSession.begin_branch, past=True), _BRANCH, BRANCH),
    Phrase("call -- branch", Does(UserSession.begin_branch, past=True), _BRANCH, BRANCH),
    Phrase("print branches", Does(UserSession.show_branches), "how far simulations in the background have come"),
    Phrase("call -- rule", Does(dialogues.rule), "keep people from something: freeze, cut, silence, swap, pin", RULE),
    Phrase("start path tester mode", Does(show_places_at_camera), "show the places seen from the path tester page"),
    Phrase("help", Does(show_help), "show this list"),
)


MOMENT = re.compile(r"\s*@(.*?)(?=\s+until\s|$)", re.IGNORECASE)
"""A moment after a command, or after a name in it. The end of a branch may follow it."""


@dataclass(frozen=True)
class TypedCommand:
    """A command with its argument."""

    command: Phrase
    argument: object = None
    """Value that its kind of argument reads; None if it has none."""
    at: str | None = None
    """An earlier moment that it is about, as after `@` in the name of a simulation; None: now."""


def parse(text: str, names: Sequence[str]) -> TypedCommand:
    """Return the command in a line of text; `names` are the personas of the simulation. Raises CommandError."""
    command, at = _command(text.split()), None
    if command.does.past and (match := MOMENT.search(text)):
        text, at = text[: match.start()] + text[match.end() :], match[1].strip()
    count = len(command.words.split())
    rest = " ".join(text.split()[count:])
    if command.argument is None:
        if rest:
            raise BadArgument(f"'{command.words}' takes no argument. Leave out '{rest}'.")
        return TypedCommand(command, at=at)
    if not rest:
        raise BadArgument(f"'{command.words}' needs an argument: {command.usage}")
    if command.argument.verbatim:
        rest = text.split(maxsplit=count)[-1].strip()
    return TypedCommand(command, command.argument.read(rest, names), at)


def _command(words: list[str]) -> Phrase:
    """Return the longest command that the words begin with, ignoring case."""
    typed = [word.lower() for word in words]
    for command in sorted(COMMANDS, key=lambda command: -len(command.words.split())):
        if typed[: len(command.words.split())] == command.words.split():
            return command
    near = get_close_matches(" ".join(typed), [command.words for command in COMMANDS], n=1)
    hint = f"Did you mean '{near[0]}'?" if near else "Type 'help' for a list."
    raise UnknownCommand(f"'{' '.join(words)}' is not a command. {hint}")


def completions(typed: str, names: Iterable[str]) -> Iterator[str]:
    """Yield whole lines that begin with what was typed, ignoring case; lines that need an argument end in a blank."""
    begun = typed.lower()
    for command in COMMANDS:
        line = f"{command.words} " if command.argument else command.words
        if command.argument and begun.startswith(line):
            rest = begun.removeprefix(line)
            yield from (line + each for each in command.argument.offered(names) if each.lower().startswith(rest))
        elif line.startswith(begun):
            yield line
