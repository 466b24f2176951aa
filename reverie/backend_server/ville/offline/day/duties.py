"""Read a daily plan requirement: who is where from when to when."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ville.offline.day.hours import DATE, DAY, HOUR, PARTS_OF_DAY, Span, hours_for, span_in, without_times
from ville.offline.day.work import projects_of, trade_of
from ville.offline.grammar import base, first_of, lower_first, sentences, with_opening
from ville.offline.profile import Profile
from ville.offline.table import load, shape, shows

GENERIC = {"be", "work", "write", "serve", "stand", "stay", "sell", "sit", "keep", "open", "study", "read"}
"""Verbs that may refer to the place named before them."""
_WORD = re.compile(r"\w")
_SHIFT = re.compile(r"\b(?:behind|counter|serv\w+|customers)\b")
_PROPER = r"(?:The )?[A-Z][\w'’&-]*(?:(?: (?:and|of|for|the))? [A-Z][\w'’&-]*)*"
_WHERE = re.compile(
    rf"\b(?:in|at|to|behind) (?:(?:the |his |her |their )?(?:[a-z]+ ){{0,2}}(?:of|at) )?(?:the )?{_PROPER}"
)
_PLACE = re.compile(rf"\b(?:at|in|of|to|behind|opens?|keeps?|closes?|runs|visits?|into|from)\s+(?:the )?({_PROPER})")


@dataclass(frozen=True)
class Duty:
    """A phrase in base form with its place, and its minutes after midnight. Without a start: whenever it fits."""

    what: str
    start: int | None = None
    end: int | None = None
    hours: int | None = None

    @property
    def is_shift(self) -> bool:
        return bool(_SHIFT.search(self.what))


@dataclass(frozen=True)
class _Piece:
    """One verb of the requirement, with the place that it names or that was named before it."""

    text: str
    span: Span
    place: str
    where: str
    """The place with its preposition."""

    @property
    def verb(self) -> str:
        return base(first_of(self.text).lower())


@lru_cache(maxsize=1024)
def duties_of(person: Profile) -> tuple[Duty, ...]:
    """Return the duties in the order in which the requirement names them."""
    found: list[Duty] = []
    opens = Span()
    for piece in _pieces(person):
        what = _bare(piece)
        start = opens.start if opens.start is not None else piece.span.start
        end = piece.span.end if piece.span.end is not None else opens.end
        opens = Span()
        if shape("ends a duty").match(what):
            _end_last(found, start or (person.dines if "dinner" in piece.text else None))
        elif piece.verb in {"open", "keep"}:
            opens = Span(start, end)
        else:
            _add(found, Duty(_meant(what, piece, person).strip(), start, end, hours_for(piece.text)))
    return tuple(found)


def _pieces(person: Profile) -> list[_Piece]:
    found: list[_Piece] = []
    place = where = ""
    for sentence in (text for text in sentences(person.requirement) if _WORD.search(text) and not DATE.search(text)):
        for text in with_opening(sentence, person.name, person.pronoun) or [lower_first(sentence)]:
            for name in [name for name in _PLACE.findall(text) if name not in {person.name, person.first}][:1]:
                said = _WHERE.search(text)
                place = name
                where = re.sub("^to ", "in " if " at " in said[0] else "at ", said[0]) if said else f"at {place}"
            found.append(_Piece(text, _span(text), place, where))
    return found


def _span(text: str) -> Span:
    """Return the hours of a piece, by the clock or by the part of the day."""
    span, low = span_in(text), text.lower()
    start, end = next((hours for part, hours in PARTS_OF_DAY.items() if re.search(rf"\b{part}\b", low)), (None, None))
    if span.start is not None:
        return span
    if span.end is not None:
        return Span(start, span.end)
    return Span(start, start + HOUR if start is not None and shows("takes an hour", text) else end)


def _end_last(found: list[Duty], ends: int | None) -> None:
    if found and found[-1].start is not None and ends and found[-1].start < ends < (found[-1].end or DAY):
        found[-1] = replace(found[-1], end=ends)


def _add(found: list[Duty], duty: Duty) -> None:
    """Add a duty; what goes on at the same time or place is one duty."""
    last = found[-1] if found else Duty("")
    if duty.start is None and last.start is not None and (duty.what == last.what or last.end is None):
        found[-1] = replace(last, end=max(last.end or 0, duty.end or 0) or None)
    elif duty.start is None and last.end is not None and (duty.end or duty.what.startswith("have a drink")):
        found.append(replace(duty, start=last.end, end=duty.end or last.end + 2 * HOUR))
    elif duty.start is None or last.start is None:
        found.append(duty)
    elif last.end is None:
        found[-1:] = [replace(last, end=duty.start), duty]
    elif duty.start < last.end and not shows("takes an hour", last.what):
        found[-1] = Duty(last.what if last.is_shift else duty.what, last.start, max(last.end, duty.end or last.end))
    else:
        found.append(duty)


def _bare(piece: _Piece) -> str:
    """Return a piece in base form, without its times."""
    verb, _, rest = piece.text.partition(" ")
    bare = shape("when it is done").sub("", " " + without_times(f"{base(verb.lower())} {rest}"))
    bare = re.sub(r"\s+(?:on|at|from|by)$", "", shape("when it is done").sub("", bare).strip(" ,"))
    bare = re.sub(r" or (\w+s)\b", lambda found: f" or {base(found[1])}", bare).strip(" ,")
    return re.sub(r"^spend (?=\w+ (?:streaming|gaming)|gaming)", "", shape("must").sub("", bare))


def _meant(what: str, piece: _Piece, person: Profile) -> str:
    """Return what a person does who is said to be, to work, to write or to go somewhere, with its place."""
    if re.search(r"\bhome\b|\b(?:his|her|their) (?:room|desk|house)\b", piece.text):
        return f"{_own_work(person)} at home" if piece.verb == "work" else what
    if shape("goes or stays").match(what) and not re.match(r"go for\b", what):
        return _visit_or_work(what, piece, person)
    if piece.verb in GENERIC and piece.place and piece.place.lower() not in what.lower():
        return f"{what} {'of' if what.endswith('counter') else 'at'} {piece.place}"
    return what


def _visit_or_work(what: str, piece: _Piece, person: Profile) -> str:
    where = piece.where.lower()
    settled = re.search(r"librar|cafe|college|school|university", where)
    if re.match(r"go to|visit", what) and not re.search(r"librar|stud|writ", f"{what} {piece.text}"):
        place = piece.place or re.sub(r"^(?:go to|visit) (?:the )?", "the ", what)
        visits = load("places.yaml")["visits"].items()
        return (
            f"{next((deed for kind, deed in visits if re.search(kind, place.lower())), 'spend some time at')} {place}"
        )
    if person.is_child and re.search(r"school|class|kindergarten", where):
        return f"have lessons {piece.where}"
    if "stud" in what or ("stud" in person.learned.lower() and what != "write"):
        return f"study {piece.where}" if settled else "study in the library"
    return f"{_own_work(person)} {piece.where if settled or piece.verb in GENERIC else ''}"


def _own_work(person: Profile) -> str:
    """Return the person's own project, or what its trade does."""
    return (*projects_of(person), *trade_of(person).work)[0]


@lru_cache(maxsize=1024)
def meal_place(person: Profile) -> str:
    """Return where the person is said to eat, or an empty string."""
    for text in (person.requirement, person.currently, person.lifestyle):
        place = ""
        for sentence in sentences(text):
            named = [name for name in _PLACE.findall(sentence) if re.search(r"cafe|pub|diner|crown", name.lower())]
            place = next(iter(named), place)
            if place and shows("meals", sentence) and not re.search(r"\bdinner\b", sentence):
                return place
    return ""
