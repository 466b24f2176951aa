"""Table of all prompt commands, with their arguments and descriptions, for help, completion and parsing."""

from dataclasses import dataclass
from enum import Enum, auto


class Verb(Enum):
    NOTHING = auto()
    HELP = auto()
    SAVE = auto()
    FINISH = auto()
    EXIT = auto()
    RUN = auto()
    SPEED = auto()
    ESTIMATE = auto()
    LEDGER = auto()
    PATH_TESTER = auto()
    SCHEDULE = auto()
    ALL_SCHEDULES = auto()
    HOURLY_SCHEDULE = auto()
    CURRENT_TILE = auto()
    CHATTING_BUFFER = auto()
    EVENTS = auto()
    THOUGHTS = auto()
    CHATS = auto()
    SPATIAL_MEMORY = auto()
    CURRENT_TIME = auto()
    TILE_EVENT = auto()
    TILE_DETAILS = auto()
    ANALYSIS = auto()
    TALK = auto()
    WHISPER = auto()
    INTERVENE = auto()
    BRANCH = auto()
    BRANCHES = auto()
    RULE = auto()
    LOAD_HISTORY = auto()


class ArgumentKind(Enum):
    """Argument of a command; the value is its notation in help."""

    NOTHING = ""
    PERSONA = "NAME"
    MEETING = "NAME [as ROLE]"
    SPAN = "100 | 2 hours | until 08:00"
    SPEED = "60 | max"
    TILE = "X, Y"
    FILE = "the_ville/FILE.csv"
    INTERVENTION = "KIND | {JSON}"
    BRANCH = "NAME [until 20:00] [@18:00]"
    RULE = "freeze NAME | cut NAME, NAME | …"


@dataclass(frozen=True)
class CommandSyntax:
    """One way to type a command."""

    words: str
    verb: Verb
    description: str
    argument: ArgumentKind = ArgumentKind.NOTHING

    @property
    def shows_past(self) -> bool:
        """Whether it can be about an earlier moment, which is typed after it: `@18:00`."""
        return self.verb in ABOUT_PAST


ABOUT_PAST = {
    Verb.CURRENT_TIME, Verb.SCHEDULE, Verb.ALL_SCHEDULES, Verb.HOURLY_SCHEDULE, Verb.CURRENT_TILE, Verb.CHATTING_BUFFER,
    Verb.EVENTS, Verb.THOUGHTS, Verb.CHATS, Verb.SPATIAL_MEMORY, Verb.TILE_EVENT, Verb.TILE_DETAILS, Verb.ANALYSIS,
    Verb.BRANCH,
}  # fmt: skip
_MEMORY = "print persona associative memory"
_BRANCH = "begin another simulation from here, or an earlier moment; run it in the background"
_FINISH = "short for 'save and finish'"
COMMANDS = (
    CommandSyntax("run", Verb.RUN, "run for this many steps, this long, or until this time", ArgumentKind.SPAN),
    CommandSyntax("speed", Verb.SPEED, "game seconds per second while running", ArgumentKind.SPEED),
    CommandSyntax("estimate", Verb.ESTIMATE, "estimate the calls, tokens, cost and time of a run", ArgumentKind.SPAN),
    CommandSyntax("fin", Verb.FINISH, _FINISH),
    CommandSyntax("f", Verb.FINISH, _FINISH),
    CommandSyntax("finish", Verb.FINISH, _FINISH),
    CommandSyntax("save and finish", Verb.FINISH, "save and leave"),
    CommandSyntax("save", Verb.SAVE, "save and continue"),
    CommandSyntax("exit", Verb.EXIT, "leave without saving; a simulation that was never saved is deleted"),
    CommandSyntax("print current time", Verb.CURRENT_TIME, "game time and step number"),
    CommandSyntax("print persona schedule", Verb.SCHEDULE, "today's plan as it is now", ArgumentKind.PERSONA),
    CommandSyntax("print all persona schedule", Verb.ALL_SCHEDULES, "today's plan of every persona"),
    CommandSyntax(
        "print hourly org persona schedule", Verb.HOURLY_SCHEDULE, "today's plan as first made", ArgumentKind.PERSONA
    ),
    CommandSyntax("print persona current tile", Verb.CURRENT_TILE, "position on the map", ArgumentKind.PERSONA),
    CommandSyntax(
        "print persona chatting with buffer",
        Verb.CHATTING_BUFFER,
        "steps until the persona talks to the same partner again",
        ArgumentKind.PERSONA,
    ),
    CommandSyntax(f"{_MEMORY} (event)", Verb.EVENTS, "perceived events, newest first", ArgumentKind.PERSONA),
    CommandSyntax(f"{_MEMORY} (thought)", Verb.THOUGHTS, "thoughts, newest first", ArgumentKind.PERSONA),
    CommandSyntax(f"{_MEMORY} (chat)", Verb.CHATS, "conversations, newest first", ArgumentKind.PERSONA),
    CommandSyntax(
        "print persona spatial memory", Verb.SPATIAL_MEMORY, "places the persona knows", ArgumentKind.PERSONA
    ),
    CommandSyntax("print tile event", Verb.TILE_EVENT, "events on a tile", ArgumentKind.TILE),
    CommandSyntax("print tile details", Verb.TILE_DETAILS, "everything the map stores about a tile", ArgumentKind.TILE),
    CommandSyntax("print ledger", Verb.LEDGER, "calls to language models so far, and their cost"),
    CommandSyntax(
        "call -- analysis", Verb.ANALYSIS, "interview a persona; it will not remember it", ArgumentKind.MEETING
    ),
    CommandSyntax("call -- talk", Verb.TALK, "talk with a persona; it will remember it", ArgumentKind.MEETING),
    CommandSyntax("call -- whisper", Verb.WHISPER, "give a persona a thought to remember", ArgumentKind.PERSONA),
    CommandSyntax(
        "call -- load history", Verb.LOAD_HISTORY, "whisper the lines of a file to all personas", ArgumentKind.FILE
    ),
    CommandSyntax(
        "intervene",
        Verb.INTERVENE,
        "change something from outside: a memory, a trait, an object …",
        ArgumentKind.INTERVENTION,
    ),
    CommandSyntax("branch", Verb.BRANCH, _BRANCH, ArgumentKind.BRANCH),
    CommandSyntax("call -- branch", Verb.BRANCH, _BRANCH, ArgumentKind.BRANCH),
    CommandSyntax("print branches", Verb.BRANCHES, "how far simulations in the background have come"),
    CommandSyntax(
        "call -- rule", Verb.RULE, "keep people from something: freeze, cut, silence, swap, pin", ArgumentKind.RULE
    ),
    CommandSyntax("start path tester mode", Verb.PATH_TESTER, "show the places seen from the path tester page"),
    CommandSyntax("help", Verb.HELP, "show this list"),
)
