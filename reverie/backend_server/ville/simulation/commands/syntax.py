"""Every command, word for word, with what follows it and what it does: help, completion and parsing read this table."""

from dataclasses import dataclass
from enum import Enum, auto


class Verb(Enum):
    NOTHING = auto()
    HELP = auto()
    SAVE = auto()
    FINISH = auto()
    EXIT = auto()
    RUN = auto()
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
    WHISPER = auto()
    LOAD_HISTORY = auto()


class ArgumentKind(Enum):
    """What follows the words of a command; the value is how help writes it."""

    NOTHING = ""
    PERSONA = "NAME"
    SPAN = "100 | 2 hours | until 08:00"
    TILE = "X, Y"
    FILE = "the_ville/FILE.csv"


@dataclass(frozen=True)
class CommandSyntax:
    """One way to give a command."""

    words: str
    verb: Verb
    argument: ArgumentKind
    description: str


_MEMORY = "print persona associative memory"
COMMANDS = (
    CommandSyntax("run", Verb.RUN, ArgumentKind.SPAN, "let so many steps, so much time, or the time until then pass"),
    CommandSyntax(
        "estimate", Verb.ESTIMATE, ArgumentKind.SPAN, "what that would cost in calls, tokens, money and time"
    ),
    CommandSyntax("fin", Verb.FINISH, ArgumentKind.NOTHING, "save and leave"),
    CommandSyntax("f", Verb.FINISH, ArgumentKind.NOTHING, "the same"),
    CommandSyntax("finish", Verb.FINISH, ArgumentKind.NOTHING, "the same"),
    CommandSyntax("save and finish", Verb.FINISH, ArgumentKind.NOTHING, "the same"),
    CommandSyntax("save", Verb.SAVE, ArgumentKind.NOTHING, "save and go on"),
    CommandSyntax(
        "exit", Verb.EXIT, ArgumentKind.NOTHING, "leave without saving; a simulation that was never saved is removed"
    ),
    CommandSyntax(
        "print current time", Verb.CURRENT_TIME, ArgumentKind.NOTHING, "the time in town and the number of steps"
    ),
    CommandSyntax("print persona schedule", Verb.SCHEDULE, ArgumentKind.PERSONA, "the day as it is planned now"),
    CommandSyntax("print all persona schedule", Verb.ALL_SCHEDULES, ArgumentKind.NOTHING, "the same of everybody"),
    CommandSyntax(
        "print hourly org persona schedule",
        Verb.HOURLY_SCHEDULE,
        ArgumentKind.PERSONA,
        "the day as it was planned first",
    ),
    CommandSyntax("print persona current tile", Verb.CURRENT_TILE, ArgumentKind.PERSONA, "where somebody stands"),
    CommandSyntax(
        "print persona chatting with buffer",
        Verb.CHATTING_BUFFER,
        ArgumentKind.PERSONA,
        "with whom not to talk again yet",
    ),
    CommandSyntax(f"{_MEMORY} (event)", Verb.EVENTS, ArgumentKind.PERSONA, "what was perceived, newest first"),
    CommandSyntax(f"{_MEMORY} (thought)", Verb.THOUGHTS, ArgumentKind.PERSONA, "what was thought, newest first"),
    CommandSyntax(f"{_MEMORY} (chat)", Verb.CHATS, ArgumentKind.PERSONA, "what was talked about, newest first"),
    CommandSyntax(
        "print persona spatial memory", Verb.SPATIAL_MEMORY, ArgumentKind.PERSONA, "the places somebody knows"
    ),
    CommandSyntax("print tile event", Verb.TILE_EVENT, ArgumentKind.TILE, "what happens on a tile"),
    CommandSyntax("print tile details", Verb.TILE_DETAILS, ArgumentKind.TILE, "all there is to know of a tile"),
    CommandSyntax(
        "print ledger", Verb.LEDGER, ArgumentKind.NOTHING, "what was asked of a language model so far, and what it cost"
    ),
    CommandSyntax(
        "call -- analysis", Verb.ANALYSIS, ArgumentKind.PERSONA, "interview somebody, who will not remember it"
    ),
    CommandSyntax("call -- whisper", Verb.WHISPER, ArgumentKind.PERSONA, "give somebody a thought that stays"),
    CommandSyntax(
        "call -- load history", Verb.LOAD_HISTORY, ArgumentKind.FILE, "whisper to everybody what a file says"
    ),
    CommandSyntax(
        "start path tester mode", Verb.PATH_TESTER, ArgumentKind.NOTHING, "show what is seen from the map's path tester"
    ),
    CommandSyntax("help", Verb.HELP, ArgumentKind.NOTHING, "this list"),
)
