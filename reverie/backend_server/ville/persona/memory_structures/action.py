"""The current action of a persona."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Self

from ville.json_types import JsonObject
from ville.storage.dates import parse_time, time_text
from ville.world.address import parse_destination
from ville.world.tile_event import Event

Parts = tuple[str | None, str | None, str | None]
"""Subject, predicate and object; files of the released code may lack any of them."""
NOTHING: Parts = (None, None, None)
SLEEP_WORD = "sleeping"
"""Part of the description of every action that is sleep, in files of the released code too."""
KEYS = (
    "act_address", "act_start_time", "act_duration", "act_description", "act_pronunciatio", "act_event",
    "act_obj_description", "act_obj_pronunciatio", "act_obj_event",
)  # fmt: skip
MENDS = "act_mends"
"""Key of `mends`, only where an object is to be put right."""


@dataclass(frozen=True)
class ActionPlace:
    """Where and with what an action is done, and how it is displayed."""

    sector: str
    arena: str
    game_object: str = ""
    emoji: str = ""
    object_state: str = ""
    """State of the used object meanwhile."""


@dataclass(frozen=True, kw_only=True)
class Action:
    """Activity of a persona: what, where, since when and for how long. Replaced, never changed."""

    address: str
    """Text of a destination, see `ville.world.address`."""
    start: datetime
    minutes: int
    description: str
    emoji: str | None
    event: Parts
    object_description: str | None = None
    """State of the used object meanwhile."""
    object_emoji: str | None = None
    object_event: Parts = NOTHING
    mends: str | None = None
    """Address of the object whose lasting state this action ends."""

    @cached_property
    def ends(self) -> datetime:
        """End of the action, counted from the next full minute after its start."""
        full = self.start.replace(second=0, microsecond=0)
        if full < self.start:
            full += timedelta(minutes=1)
        return full + timedelta(minutes=self.minutes)

    @property
    def asleep(self) -> bool:
        """Whether this action is sleep. The only place that decides it; other code must not search the description."""
        return SLEEP_WORD in self.description

    def finished(self, now: datetime) -> bool:
        """Return whether the action is over. One without a duration is over at once."""
        return self.minutes <= 0 or now >= self.ends

    @property
    def visible_event(self) -> Event:
        """The action as an event that others perceive."""
        subject, predicate, whom = self.event
        return Event(subject or "", predicate, whom, self.description)

    @property
    def visible_object_event(self) -> Event:
        """The state of the used object as an event that others perceive."""
        return Event(self.address, self.object_event[1], self.object_event[2], self.object_description)

    def as_json(self) -> JsonObject:
        values = (
            self.address, time_text(self.start), self.minutes, self.description, self.emoji, self.event,
            self.object_description, self.object_emoji, self.object_event,
        )  # fmt: skip
        return dict(zip(KEYS, values, strict=True)) | ({MENDS: self.mends} if self.mends else {})

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self | None:
        """Return the action in the content of scratch.json, or None if none has begun. Raise CorruptFile."""
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
            mends=values.get(MENDS),
        )


def _parts(value: Parts | None) -> Parts:
    subject, predicate, whom = value or NOTHING
    return subject, predicate, whom
