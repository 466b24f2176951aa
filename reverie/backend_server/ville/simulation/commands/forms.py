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


class Blank(Enum):
    """What follows the words of a command; the value is how help writes it."""

    NOTHING = ""
    PERSONA = "NAME"
    SPAN = "100 | 2 hours | until 08:00"
    TILE = "X, Y"
    FILE = "the_ville/FILE.csv"


@dataclass(frozen=True)
class Form:
    """One way to give a command."""

    words: str
    verb: Verb
    blank: Blank
    sentence: str


_MEMORY = "print persona associative memory"
FORMS = (
    Form("run", Verb.RUN, Blank.SPAN, "let so many steps, so much time, or the time until then pass"),
    Form("estimate", Verb.ESTIMATE, Blank.SPAN, "what that would cost in calls, tokens, money and time"),
    Form("fin", Verb.FINISH, Blank.NOTHING, "save and leave"),
    Form("f", Verb.FINISH, Blank.NOTHING, "the same"),
    Form("finish", Verb.FINISH, Blank.NOTHING, "the same"),
    Form("save and finish", Verb.FINISH, Blank.NOTHING, "the same"),
    Form("save", Verb.SAVE, Blank.NOTHING, "save and go on"),
    Form("exit", Verb.EXIT, Blank.NOTHING, "leave without saving; a simulation that was never saved is removed"),
    Form("print current time", Verb.CURRENT_TIME, Blank.NOTHING, "the time in town and the number of steps"),
    Form("print persona schedule", Verb.SCHEDULE, Blank.PERSONA, "the day as it is planned now"),
    Form("print all persona schedule", Verb.ALL_SCHEDULES, Blank.NOTHING, "the same of everybody"),
    Form("print hourly org persona schedule", Verb.HOURLY_SCHEDULE, Blank.PERSONA, "the day as it was planned first"),
    Form("print persona current tile", Verb.CURRENT_TILE, Blank.PERSONA, "where somebody stands"),
    Form("print persona chatting with buffer", Verb.CHATTING_BUFFER, Blank.PERSONA, "with whom not to talk again yet"),
    Form(f"{_MEMORY} (event)", Verb.EVENTS, Blank.PERSONA, "what was perceived, newest first"),
    Form(f"{_MEMORY} (thought)", Verb.THOUGHTS, Blank.PERSONA, "what was thought, newest first"),
    Form(f"{_MEMORY} (chat)", Verb.CHATS, Blank.PERSONA, "what was talked about, newest first"),
    Form("print persona spatial memory", Verb.SPATIAL_MEMORY, Blank.PERSONA, "the places somebody knows"),
    Form("print tile event", Verb.TILE_EVENT, Blank.TILE, "what happens on a tile"),
    Form("print tile details", Verb.TILE_DETAILS, Blank.TILE, "all there is to know of a tile"),
    Form("print ledger", Verb.LEDGER, Blank.NOTHING, "what was asked of a language model so far, and what it cost"),
    Form("call -- analysis", Verb.ANALYSIS, Blank.PERSONA, "interview somebody, who will not remember it"),
    Form("call -- whisper", Verb.WHISPER, Blank.PERSONA, "give somebody a thought that stays"),
    Form("call -- load history", Verb.LOAD_HISTORY, Blank.FILE, "whisper to everybody what a file says"),
    Form("start path tester mode", Verb.PATH_TESTER, Blank.NOTHING, "show what is seen from the map's path tester"),
    Form("help", Verb.HELP, Blank.NOTHING, "this list"),
)
