"""Commitments of one persona: appointments and promises, with whom, when, where, and what became of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any, Literal, get_args

from ville.json_types import JsonObject
from ville.persona.memory_structures.facts.fact_words import are_same_event
from ville.storage.dates import node_time_text, parse_node_time, weekday_text

Outcome = Literal["open", "kept", "broken", "called off", "refused"]
"""Of a commitment; `refused`: it did not fit, so that it never held."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
USUAL = 60
"""Minutes that an appointment takes if nothing else is known."""
TOMORROW = timedelta(days=1)
NEVER = datetime(9999, 1, 1)  # noqa: DTZ001 - game time has no zone


@dataclass(frozen=True, kw_only=True)
class Commitment:
    """An appointment, or a promise without a time. Replaced when something becomes of it, never changed."""

    what: str
    """Activity or promise, in the words in which it was agreed on."""
    people: tuple[str, ...] = ()
    """Full names of the others."""
    day: date | None = None
    """None: a promise without a day."""
    at: time | None = None
    """None: at any time of the day."""
    minutes: int = USUAL
    place: str = ""
    """Name of the sector or arena; empty if none was named."""
    made: datetime
    source: str
    """Where it comes from: id of a node, `identity`, or `intervention`."""
    outcome: Outcome = "open"
    ended: datetime | None = None
    """When the outcome was found."""
    reason: str = ""
    """Why it was refused or called off, in a few words."""

    @property
    def start(self) -> datetime | None:
        """When it begins; None if day or time are open."""
        return datetime.combine(self.day, self.at) if self.day is not None and self.at is not None else None

    @property
    def end(self) -> datetime | None:
        """When it is over: midnight, if only its day is known; None for a promise."""
        if self.day is None:
            return None
        return self.start + timedelta(minutes=self.minutes) if self.start else datetime.combine(self.day, time.max)

    @property
    def begins(self) -> datetime:
        """When it is due first: a promise never is."""
        if self.day is None:
            return NEVER
        return datetime.combine(self.day, self.at or time.min)

    @property
    def is_open(self) -> bool:
        return self.outcome == "open"

    def is_of(self, name: str) -> bool:
        """Return whether a person takes part in it, or is named in it."""
        return name in self.people or name in self.what

    def overlaps(self, other: "Commitment") -> bool:
        """Return whether both have times, and one begins before the other ends."""
        if self.start is None or other.start is None or self.end is None or other.end is None:
            return False
        return self.start < other.end and other.start < self.end

    def is_same(self, other: "Commitment") -> bool:
        """Return whether both are about the same: at the same hour the same words or people, else both."""
        if self.day != other.day and None not in {self.day, other.day}:
            return False
        alike = are_same_event(self.what, other.what)
        people, others = set(self.people), set(other.people)
        if self.start is not None and self.start == other.start:
            return alike or bool(people & others)
        return alike and (bool(people & others) or not (people and others))

    def text(self, now: datetime) -> str:
        """Return it in a line: `today at 17:00: having dinner, at Hobbs Cafe, with Maria Lopez`."""
        day = {None: "", now.date(): "today", now.date() + TOMORROW: "tomorrow"}.get(
            self.day, weekday_text(self.day) if self.day else ""
        )
        when = " at ".join(part for part in (day, f"{self.at:%H:%M}" if self.at else "") if part)
        where = f"at {self.place}" if self.place and self.place not in self.what else ""
        others = [name for name in self.people if name not in self.what]
        company = f"with {' and '.join(others)}" if others else ""
        told = ", ".join(part for part in (self.what, where, company) if part)
        return f"{when}: {told}" if when else told

    def as_json(self) -> JsonObject:
        """Return what is saved; nothing of what is as usual."""
        values: JsonObject = {
            "what": self.what,
            "people": list(self.people),
            "day": self.day.isoformat() if self.day else "",
            "at": f"{self.at:%H:%M}" if self.at else "",
            "minutes": self.minutes if self.minutes != USUAL else 0,
            "place": self.place,
            "made": node_time_text(self.made),
            "source": self.source,
            "outcome": self.outcome,
            "ended": node_time_text(self.ended) if self.ended else "",
            "reason": self.reason,
        }
        return {key: value for key, value in values.items() if value}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Commitment":
        """Return what was saved. Raise TypeError, ValueError, KeyError or CorruptFile."""
        outcome = values["outcome"]
        if outcome not in OUTCOMES:
            raise ValueError(f"{outcome!r} is no outcome")
        day, at, ended = values.get("day"), values.get("at"), values.get("ended")
        return cls(
            what=str(values["what"]),
            people=tuple(map(str, values.get("people", ()))),
            day=date.fromisoformat(day) if day else None,
            at=time.fromisoformat(at) if at else None,
            minutes=int(values.get("minutes", USUAL)),
            place=str(values.get("place", "")),
            made=parse_node_time(values["made"]),
            source=str(values["source"]),
            outcome=outcome,
            ended=parse_node_time(ended) if ended else None,
            reason=str(values.get("reason", "")),
        )


class Commitments:
    """All commitments of one persona, in the order in which they were made."""

    def __init__(self, made: Iterable[Commitment] = ()) -> None:
        self._made = list(made)
        self._earliest: datetime | None = None
        """Before which nothing is due; None: to be found."""

    def __iter__(self) -> Iterator[Commitment]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    @property
    def open(self) -> list[Commitment]:
        """Those of which nothing has become yet."""
        return [each for each in self._made if each.is_open]

    def ahead(self, now: datetime) -> list[Commitment]:
        """Return open appointments that are not over, the next one first."""
        return _by_time(each for each in self.open if each.end is not None and each.end > now)

    def on(self, day: date) -> list[Commitment]:
        """Return open appointments of a day, the first one first."""
        return _by_time(each for each in self.open if each.day == day)

    def promises(self) -> list[Commitment]:
        """Return what is promised without a day, the newest first."""
        return [each for each in reversed(self.open) if each.day is None]

    def with_person(self, name: str) -> list[Commitment]:
        """Return open commitments in which another person has a part, the newest first."""
        return [each for each in reversed(self.open) if each.is_of(name)]

    def ever_with(self, name: str) -> list[Commitment]:
        """Return all commitments with another person that held, whatever became of them, the newest first."""
        return [each for each in reversed(self._made) if each.is_of(name) and each.outcome != "refused"]

    @property
    def next_due(self) -> datetime:
        """When the first of the open appointments begins; those without an hour begin at midnight."""
        if self._earliest is None:
            self._earliest = min((each.begins for each in self.open), default=NEVER)
        return self._earliest

    def due(self, now: datetime) -> list[Commitment]:
        """Return open appointments that have begun."""
        return [] if now < self.next_due else [each for each in self.open if each.begins <= now]

    def clashing(self, commitment: Commitment) -> list[Commitment]:
        """Return other open appointments at the same time."""
        return [each for each in self.open if each.overlaps(commitment) and not each.is_same(commitment)]

    def note(self, commitment: Commitment) -> Commitment:
        """Add a commitment, or complete the open one that is the same; return what is noted."""
        before = next((each for each in reversed(self.open) if each.is_same(commitment)), None)
        if before is None or not commitment.is_open:
            self._made.append(commitment)
            self._earliest = None
            return commitment
        complete = replace(
            before,
            people=tuple(dict.fromkeys((*before.people, *commitment.people))),
            day=commitment.day or before.day,
            at=commitment.at or before.at,
            minutes=commitment.minutes if commitment.at else before.minutes,
            place=commitment.place or before.place,
        )
        self._put(before, complete)
        return complete

    def close(self, commitment: Commitment, outcome: Outcome, now: datetime, *, reason: str = "") -> None:
        """Note what has become of an open commitment."""
        self._put(commitment, replace(commitment, outcome=outcome, ended=now, reason=reason))

    def _put(self, before: Commitment, after: Commitment) -> None:
        self._made[self._made.index(before)] = after
        self._earliest = None

    def as_json(self) -> list[JsonObject]:
        return [each.as_json() for each in self._made]

    @classmethod
    def read(cls, values: Sequence[Mapping[str, Any]]) -> "Commitments":
        """Return what was saved. Raise TypeError, ValueError, KeyError or CorruptFile."""
        return cls(map(Commitment.read, values))


def _by_time(found: Iterable[Commitment]) -> list[Commitment]:
    return sorted(found, key=lambda each: (each.day or date.max, each.at or time.max))
