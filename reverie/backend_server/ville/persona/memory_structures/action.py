"""What a persona is doing now."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self

from ville.storage.dates import parse_time, time_text
from ville.world.address import parse_destination
from ville.world.event import Event

Parts = tuple[str | None, str | None, str | None]
"""Subject, predicate, object, of which classic files may lack any."""
NOTHING: Parts = (None, None, None)
SLEEP_WORD = "sleeping"
KEYS = (
    "act_address", "act_start_time", "act_duration", "act_description", "act_pronunciatio", "act_event",
    "act_obj_description", "act_obj_pronunciatio", "act_obj_event",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Action:
    """Frozen: a new one takes its place."""

    address: str
    """Where, in one of the classic forms."""
    start: datetime
    minutes: int
    description: str
    emoji: str | None
    event: Parts
    object_description: str | None = None
    """The state it puts an object into."""
    object_emoji: str | None = None
    object_event: Parts = NOTHING

    @property
    def ends(self) -> datetime:
        """From the next full minute after the start."""
        full = self.start.replace(second=0, microsecond=0)
        if full < self.start:
            full += timedelta(minutes=1)
        return full + timedelta(minutes=self.minutes)

    @property
    def asleep(self) -> bool:
        """Whether the persona is asleep, which only the description tells."""
        return SLEEP_WORD in self.description

    def finished(self, now: datetime) -> bool:
        """Also on any later day, and at once if it takes no time."""
        return self.minutes <= 0 or now >= self.ends

    @property
    def visible_event(self) -> Event:
        """How it looks to others."""
        subject, predicate, whom = self.event
        return Event(subject or "", predicate, whom, self.description)

    @property
    def visible_object_event(self) -> Event:
        """How the object it uses looks."""
        return Event(self.address, self.object_event[1], self.object_event[2], self.object_description)

    def as_json(self) -> dict[str, Any]:
        values = (
            self.address, time_text(self.start), self.minutes, self.description, self.emoji, self.event,
            self.object_description, self.object_emoji, self.object_event,
        )  # fmt: skip
        return dict(zip(KEYS, values, strict=True))

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self | None:
        """From scratch.json; None if no action has begun there. Raises CorruptFile."""
        if any(values.get(key) is None for key in KEYS[:4]):
            return None
        parse_destination(values["act_address"])
        return cls(
            address=values["act_address"],
            start=parse_time(values["act_start_time"]),
            minutes=values["act_duration"],
            description=values["act_description"],
            emoji=values.get("act_pronunciatio"),
            event=_parts(values.get("act_event")),
            object_description=values.get("act_obj_description"),
            object_emoji=values.get("act_obj_pronunciatio"),
            object_event=_parts(values.get("act_obj_event")),
        )


def _parts(value: Any) -> Parts:
    subject, predicate, whom = value or NOTHING
    return subject, predicate, whom
