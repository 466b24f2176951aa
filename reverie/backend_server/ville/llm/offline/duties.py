"""What a day has to hold by its daily plan requirement: who is where from when to when."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ville.llm.offline.grammar import lower_first, sentences, with_opening
from ville.llm.offline.hours import DATE, DAY, HOUR, NOON, Span, hours_for, span_in, without_times
from ville.llm.offline.profile import Profile
from ville.llm.offline.table import load
from ville.llm.offline.verbs import base, first_of
from ville.llm.offline.work import projects_of, trade_of

PARTS_OF_DAY = {
    "early morning": (7 * HOUR, NOON), "morning": (7 * HOUR, NOON), "noon": (NOON, 13 * HOUR),
    "afternoon": (13 * HOUR, 17 * HOUR), "evening": (19 * HOUR, 21 * HOUR), "night": (20 * HOUR, 23 * HOUR),
    "all day": (9 * HOUR, 17 * HOUR), "during the day": (9 * HOUR, 17 * HOUR), "days": (9 * HOUR, 17 * HOUR),
    "afterwards": (None, 17 * HOUR), "after that": (None, None), "then": (None, None),
}  # fmt: skip
"""Words → minutes after midnight; None: when what stood before it is over."""
MEALS = re.compile(r"\b(?:meals?|eats?|lunch|something to eat)\b")
GENERIC = {"be", "work", "write", "serve", "stand", "stay", "sell", "sit", "keep", "open", "study", "read"}
"""Verbs that may mean the place named before them."""
SHORT = re.compile(r"^(?:go for|take a|have a)\b|\b(?:walk|run|jog|swim)\b")
"""What takes an hour or two, whatever part of the day it falls in."""
_SHIFT = re.compile(r"\b(?:behind|counter|serv\w+|customers)\b")
_PROPER = r"(?:The )?[A-Z][\w'’&-]*(?:(?: (?:and|of|for|the))? [A-Z][\w'’&-]*)*"
_WHERE = re.compile(
    rf"\b(?:in|at|to|behind) (?:(?:the |his |her |their )?(?:[a-z]+ ){{0,2}}(?:of|at) )?(?:the )?{_PROPER}"
)
_PLACE = re.compile(rf"\b(?:at|in|of|to|behind|opens?|keeps?|closes?|runs|visits?|into|from)\s+(?:the )?({_PROPER})")
_HOMEWARD = re.compile(r"^(?:go|return|come)(?: back)? home\b|^(?:close|lock up)\b")
_VAGUE = re.compile(r"^(?:be|stay|spend|sit|go|visit|hang)\b")
_EATS = re.compile(r"^(?:eat|(?:take|have) (?:\w+ )?(?:meals?|lunch|dinner|supper|breakfast|something to eat))\b")
_MUST = re.compile(r"^(?:have to|need to|must|should|want to|plan to|ha(?:s|ve) got to)\s+")
_TAIL = re.compile(
    r",? (?:from the early morning on|early in the morning|in the (?:early )?(?:morning|afternoon|evening)|all day"
    r"|during the day|every ?day|each day|afterwards|at night|at the very least|at least"
    r"|for (?:at least )?\w+ hours(?: a day)?"
    r"|\w+ hours a day|after that|on|daily|every (?:morning|afternoon|evening)|at which point.*|where .*)(?=\s|$|,)"
)


@dataclass(frozen=True)
class Duty:
    """Something the day has to hold. `what` is a phrase in base form with its place; no start: whenever it fits."""

    what: str
    start: int | None = None
    end: int | None = None
    hours: int | None = None

    @property
    def is_shift(self) -> bool:
        return bool(_SHIFT.search(self.what))


@dataclass(frozen=True)
class _Piece:
    """One verb of the requirement."""

    text: str
    span: Span
    place: str
    """The place it names, or that was named before it."""
    where: str
    """The same with its preposition."""

    @property
    def verb(self) -> str:
        return base(first_of(self.text).lower())


@lru_cache(maxsize=1024)
def duties_of(person: Profile) -> tuple[Duty, ...]:
    """The duties in the requirement of a day, in the order in which it names them."""
    pieces = _pieces(person)
    found: list[Duty] = []
    for number, piece in enumerate(pieces):
        what = _bare(piece)
        following = pieces[number + 1] if number + 1 < len(pieces) else None
        if _HOMEWARD.match(what) or _EATS.match(what):
            _end_last(found, piece, person)
        elif piece.verb in {"open", "keep"} and following and following.place == piece.place:
            pieces[number + 1] = replace(following, span=_both(piece.span, following.span))
        else:
            _add(found, _duty(what, piece, person), person)
    return tuple(found)


def _pieces(person: Profile) -> list[_Piece]:
    found: list[_Piece] = []
    place = where = ""
    for sentence in sentences(person.requirement):
        if DATE.search(sentence):
            continue
        for text in with_opening(sentence, person.name, person.pronoun) or [lower_first(sentence)]:
            places = [name for name in _PLACE.findall(text) if name not in {person.name, person.first}]
            if places:
                place = places[0]
                said = _WHERE.search(text)
                where = re.sub("^to ", "in " if " at " in said[0] else "at ", said[0]) if said else f"at {place}"
            found.append(_Piece(text, _span(text), place, where))
    return found


def _span(text: str) -> Span:
    """The hours of a piece, by the clock or by the part of the day."""
    span = span_in(text)
    part = next(
        (hours for words, hours in PARTS_OF_DAY.items() if re.search(rf"\b{words}\b", text.lower())), (None, None)
    )
    if span.start is not None:
        return span
    if span.end is not None:
        return Span(part[0], span.end)
    return Span(part[0], part[0] + HOUR) if part[0] is not None and SHORT.search(text) else Span(*part)


def _both(one: Span, other: Span) -> Span:
    start = one.start if one.start is not None else other.start
    return Span(start, other.end if other.end is not None else one.end)


def _end_last(found: list[Duty], piece: _Piece, person: Profile) -> None:
    """Going home, closing, dinner: what has no end yet ends then."""
    ends = piece.span.start or (person.dines if "dinner" in piece.text else None)
    if found and found[-1].start is not None and ends and found[-1].start < ends < (found[-1].end or DAY):
        found[-1] = replace(found[-1], end=ends)


def _add(found: list[Duty], duty: Duty, person: Profile) -> None:
    """The next duty; what goes on at the same time or place is one duty."""
    last = found[-1] if found else None
    if last is None or last.start is None:
        found.append(duty)
    elif duty.start is None:
        _add_after(found, duty, person)
    elif last.end is None:
        found[-1:] = [replace(last, end=duty.start), duty]
    elif duty.start < last.end and not SHORT.search(last.what):
        what = last.what if last.is_shift or not duty.what else duty.what
        found[-1] = Duty(what, last.start, max(last.end, duty.end or last.end))
    else:
        found.append(duty)


def _add_after(found: list[Duty], duty: Duty, person: Profile) -> None:
    """A duty without a beginning of its own: `and then goes to the pub`, `stays there afterwards`."""
    last = found[-1]
    if duty.what == last.what or last.end is None:
        found[-1] = replace(last, end=max(last.end or 0, duty.end or 0) or None)
    elif duty.end is not None:
        found.append(replace(duty, start=last.end))
    elif duty.what.startswith("have a drink"):
        later = person.dines if last.end < person.dines <= last.end + 3 * HOUR else last.end + 2 * HOUR
        found.append(replace(duty, start=last.end, end=later))
    else:
        found.append(duty)


def _duty(what: str, piece: _Piece, person: Profile) -> Duty:
    at_home = re.search(r"\bhome\b|\b(?:his|her|their) (?:room|desk|house)\b", piece.text)
    if at_home:
        what = f"{_own_work(person)} at home" if piece.verb == "work" else what
    elif _VAGUE.match(what) or what in {"work", "write", "study", "read"} or what.startswith("keep "):
        what = _meant(what, piece, person)
    elif piece.verb in GENERIC and piece.place and piece.place.lower() not in what.lower():
        what = f"{what} {'of' if what.endswith('counter') else 'at'} {piece.place}"
    return Duty(what.strip(), piece.span.start, piece.span.end, hours_for(piece.text))


def _bare(piece: _Piece) -> str:
    """A piece in base form, without its times."""
    verb, _, rest = piece.text.partition(" ")
    bare = _TAIL.sub("", " " + without_times(f"{base(verb.lower())} {rest}"))
    bare = re.sub(r"\s+(?:on|at|from|by)$", "", _TAIL.sub("", bare).strip(" ,"))
    bare = re.sub(r" or (\w+s)\b", lambda found: f" or {base(found[1])}", bare).strip(" ,")
    return re.sub(r"^spend (?=\w+ (?:streaming|gaming)|gaming)", "", _MUST.sub("", bare))


def _meant(what: str, piece: _Piece, person: Profile) -> str:
    """What somebody does who is said to be, to work, to write or to go somewhere."""
    if re.match(r"go for\b", what):
        return what
    if re.match(r"go to|visit", what) and not re.search(r"librar|stud|writ", f"{what} {piece.text}"):
        return _visit(piece.place or re.sub(r"^(?:go to|visit) (?:the )?", "the ", what))
    settled = re.search(r"librar|cafe|college|school|university", piece.where.lower())
    if person.is_child and re.search(r"school|class|kindergarten", piece.where.lower()):
        return f"have lessons {piece.where}"
    if "stud" in what or ("stud" in person.learned.lower() and what != "write"):
        return f"study {piece.where}" if settled else "study in the library"
    return f"{_own_work(person)} {piece.where if settled or piece.verb in GENERIC else ''}".strip()


def _visit(place: str) -> str:
    deed = next(
        (deed for words, deed in load("places.yaml")["visits"].items() if re.search(words, place.lower())),
        "spend some time at",
    )
    return f"{deed} {place}"


def _own_work(person: Profile) -> str:
    """The person's own project, or what the trade does."""
    own = projects_of(person)
    return own[0] if own else trade_of(person).work[0]


@lru_cache(maxsize=1024)
def meal_place(person: Profile) -> str:
    """Where the person is said to eat, or nothing."""
    for text in (person.requirement, person.currently, person.lifestyle):
        place = ""
        for sentence in sentences(text):
            named = [
                name for name in _PLACE.findall(sentence) if re.search(r"cafe|pub|diner|restaurant|crown", name.lower())
            ]
            place = named[0] if named else place
            meal = MEALS.search(sentence)
            if place and meal and not re.search(r"\bdinner\b", sentence):
                return place
    return ""
