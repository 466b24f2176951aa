"""Current state of a persona: identity, plans, action, conversation and path, as in scratch.json."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import Json, JsonObject
from ville.persona.memory_structures.action import KEYS as ACTION_KEYS
from ville.persona.memory_structures.action import MENDS, NOTHING, Action, ActionPlace
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch_types import check_types
from ville.persona.memory_structures.social_impression import SocialImpression, read_impressions, written_impressions
from ville.storage.dates import parse_time, time_text
from ville.world.address import Tile
from ville.world.tile_event import Event


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Parameters from scratch.json. Defaults apply to missing keys."""

    vision_r: int = 4
    """Radius of vision in tiles."""
    att_bandwidth: int = 3
    """Number of events perceived in a step, nearest first."""
    retention: int = 5
    """Number of latest observations that are not perceived again."""
    recency_w: float = 1
    """Weight of recency in retrieval (paper §4.1)."""
    relevance_w: float = 1
    """Weight of relevance in retrieval."""
    importance_w: float = 1
    """Weight of importance in retrieval."""
    recency_decay: float = 0.995
    """Factor of recency per hour since the last access."""
    importance_trigger_max: int = 150
    """Sum of poignancy of observations that triggers a reflection (paper §4.2)."""


def tuned(tuning: Tuning, given: str) -> Tuning:
    """Return parameters with those that are given, as in `recency_w=0 vision_r=2`."""
    numbers: dict[str, Any] = {
        name: float(number) for name, _, number in (each.partition("=") for each in given.split())
    }
    whole = {field.name for field in fields(Tuning) if isinstance(field.default, int) and not field.name.endswith("_w")}
    return replace(tuning, **{name: int(number) if name in whole else number for name, number in numbers.items()})


Transcript = tuple[tuple[str, str], ...]
KEYS = (
    "vision_r", "att_bandwidth", "retention", "curr_time", "curr_tile", "daily_plan_req", "name", "first_name",
    "last_name", "age", "innate", "learned", "currently", "lifestyle", "living_area", "concept_forget",
    "daily_reflection_time", "daily_reflection_size", "overlap_reflect_th", "kw_strg_event_reflect_th",
    "kw_strg_thought_reflect_th", "recency_w", "relevance_w", "importance_w", "recency_decay",
    "importance_trigger_max", "importance_trigger_curr", "importance_ele_n", "thought_count", "daily_req",
    "f_daily_schedule", "f_daily_schedule_hourly_org", *ACTION_KEYS, "chatting_with", "chat",
    "chatting_with_buffer", "chatting_end_time", "act_path_set", "planned_path",
)  # fmt: skip
"""Keys of scratch.json in their order; those of OWN_KEYS may follow. Seven only the released code knows."""
RELATIONSHIP, SIGHTS, PLACES, DROPPED = "relationship", "sights", "action_places", "dropped_memories"
RATING = "usual_rating"
USUAL_RATING = 2.5
"""Importance that what others do gets as a rule."""
OPEN, KEPT = "chatting_open", "chatting_kept"
OWN_KEYS = (RELATIONSHIP, SIGHTS, PLACES, MENDS, DROPPED, OPEN, KEPT, RATING)
"""Keys that the released code does not have."""
PRESENT_IF_SET = (SIGHTS, PLACES, MENDS, OPEN, KEPT, RATING)
"""Keys that are written only while they have a value, so that a save depends on the state and not on earlier saves."""


@dataclass(frozen=True)
class Conversation:
    """A conversation in progress."""

    partner: str
    transcript: Transcript
    until: datetime | None
    is_open: bool = False
    """Whether it goes on turn by turn, with a visitor. The transcript is complete otherwise."""
    kept: JsonObject | None = None
    """Memories that the persona will keep of it, if written with the conversation; None: asked at its end."""


@dataclass
class Scratch:
    """Current state of a persona, with its identity and tuning."""

    identity: Identity
    tuning: Tuning
    importance_trigger_curr: int
    """Poignancy left until the next reflection."""
    importance_ele_n: int = 0
    """Observations since the last reflection."""
    curr_time: datetime | None = None
    """Game time of the last computed step; None before the first."""
    curr_tile: Tile | None = None
    daily_req: list[str] = field(default_factory=list)
    """Today's plan in broad strokes."""
    schedule: Schedule = field(default_factory=Schedule)
    """Today, with the subtasks decomposed so far."""
    hourly_schedule: Schedule = field(default_factory=Schedule)
    """Today as it was planned in the morning."""
    action: Action | None = None
    conversation: Conversation | None = None
    cool_downs: dict[str, int] = field(default_factory=dict)
    """Steps until a persona may be talked to again; 0 or less: now."""
    path_set: bool = False
    planned_path: list[Tile] = field(default_factory=list)
    """Tiles still to walk, without the current one."""
    impressions: dict[str, SocialImpression] | None = None
    """Impressions of others; None until the first is noted."""
    sights: dict[str, int] = field(default_factory=dict)
    """Activities observed since the day was planned, each with the number of the memory that last made it news."""
    action_places: dict[str, ActionPlace] = field(default_factory=dict)
    """Places of the actions of today that are known, by their text in the schedule."""
    dropped_memories: list[int] = field(default_factory=list)
    """Numbers of the memories that are no longer retrieved."""
    usual_rating: float = USUAL_RATING
    """Importance that what others do usually gets of late."""
    as_read: JsonObject = field(default_factory=dict)
    """Content of scratch.json when loaded. Keys without a meaning here are written back from it, in their place."""

    @property
    def name(self) -> str:
        return self.identity.name

    def action_finished(self, now: datetime) -> bool:
        """Return whether there is no action, or the conversation or the action is over."""
        if self.action is None:
            return True
        if self.conversation and self.conversation.is_open:
            return False
        if self.conversation and self.conversation.until:
            return now >= self.conversation.until
        return self.action.finished(now)

    def mended(self, now: datetime) -> str | None:
        """Return the address of the object that the current action has just put in order, if any."""
        action, arrived = self.action, self.path_set and not self.planned_path
        return action.mends if action and arrived and action.finished(now) else None

    def begin(self, action: Action, conversation: Conversation | None = None) -> None:
        """Make this the current action; its path is still to be found."""
        self.action = action
        self.conversation = conversation
        self.path_set = False
        self.planned_path = []

    def forget_action(self) -> None:
        """Let the next step decide anew what to do."""
        self.action = self.conversation = None
        self.path_set, self.planned_path = False, []

    def end_conversation(self, when: datetime) -> None:
        """Let the current conversation end at another time."""
        if self.conversation:
            self.conversation = replace(self.conversation, until=when)

    def tick_cool_downs(self, steps: int = 1) -> None:
        """Count down so many steps for everyone but the current partner."""
        if not any(self.cool_downs.values()):
            return
        partner = self.conversation.partner if self.conversation else None
        for name, left in self.cool_downs.items():
            if name != partner and left > 0:
                self.cool_downs[name] = max(0, left - steps)

    def visible_event(self) -> Event:
        """Return the event that others see of this persona."""
        return self.action.visible_event if self.action else Event(self.name)

    def visible_object_event(self) -> Event | None:
        """Return the event that others see of the used object; None before the first action."""
        return self.action.visible_object_event if self.action else None

    def impression_of(self, name: str) -> SocialImpression:
        return (self.impressions or {}).get(name, SocialImpression())

    def note_impression(self, name: str, impression: SocialImpression) -> None:
        self.impressions = {**(self.impressions or {}), name: impression}

    @classmethod
    def load(cls, owner: str, values: JsonObject) -> "Scratch":
        """Return the state in scratch.json. Raise CorruptFile, naming persona and key."""
        try:
            check_types(values)
            return _read(values)
        except KeyError as fault:
            raise CorruptFile(f"{owner}: scratch.json has no {fault}. Add it or restore the file.") from None
        except (TypeError, ValueError, AttributeError) as fault:
            raise CorruptFile(f"{owner}: scratch.json has an invalid value ({fault}). Restore it.") from None
        except CorruptFile as fault:
            raise CorruptFile(f"{owner}: scratch.json: {fault}") from None

    def as_json(self) -> dict[str, Json]:
        """Return the content of scratch.json; keys of our own only if they have a value."""
        conversation = self.conversation
        resting = {**dict.fromkeys(ACTION_KEYS), "act_event": (self.name, None, None), "act_obj_event": NOTHING}
        values: dict[str, Json] = {
            **resting,
            **{key: value for key, value in self.as_read.items() if key not in PRESENT_IF_SET},
            **asdict(self.tuning),
            **asdict(self.identity),
            **(self.action.as_json() if self.action else {}),
            "curr_time": _text(self.curr_time),
            "curr_tile": self.curr_tile,
            "importance_trigger_curr": self.importance_trigger_curr,
            "importance_ele_n": self.importance_ele_n,
            "daily_req": self.daily_req,
            "f_daily_schedule": self.schedule.rows(),
            "f_daily_schedule_hourly_org": self.hourly_schedule.rows(),
            "chatting_with": conversation.partner if conversation else None,
            "chat": conversation.transcript if conversation else None,
            "chatting_with_buffer": self.cool_downs,
            "chatting_end_time": _text(conversation.until) if conversation else None,
            "act_path_set": self.path_set,
            "planned_path": self.planned_path,
        }
        if self.sights:
            values[SIGHTS] = self.sights
        if self.action_places:
            values[PLACES] = {text: astuple(place) for text, place in self.action_places.items()}
        if self.dropped_memories:
            values[DROPPED] = self.dropped_memories
        if self.usual_rating != USUAL_RATING:
            values[RATING] = self.usual_rating
        if conversation and conversation.is_open:
            values[OPEN] = True
        if conversation and conversation.kept:
            values[KEPT] = conversation.kept
        if self.impressions is not None:
            before = self.as_read.get(RELATIONSHIP)
            values[RELATIONSHIP] = written_impressions(self.impressions, before if isinstance(before, dict) else {})
        return {key: values[key] for key in _key_order(self.as_read) if key in values}


def _read(values: Mapping[str, Any]) -> Scratch:
    tuning = Tuning(**{key.name: values[key.name] for key in fields(Tuning) if key.name in values})
    return Scratch(
        identity=Identity(**{key.name: values[key.name] for key in fields(Identity)}),
        tuning=tuning,
        importance_trigger_curr=values.get("importance_trigger_curr", tuning.importance_trigger_max),
        importance_ele_n=values.get("importance_ele_n", 0),
        curr_time=_time(values.get("curr_time")),
        curr_tile=_tile(values["curr_tile"]) if values.get("curr_tile") else None,
        daily_req=list(values.get("daily_req") or []),
        schedule=Schedule.from_rows(values.get("f_daily_schedule") or []),
        hourly_schedule=Schedule.from_rows(values.get("f_daily_schedule_hourly_org") or []),
        action=Action.read(values),
        conversation=_conversation(values),
        cool_downs={name: int(steps) for name, steps in (values.get("chatting_with_buffer") or {}).items()},
        path_set=bool(values.get("act_path_set")),
        planned_path=[_tile(tile) for tile in values.get("planned_path") or []],
        impressions=None if values.get(RELATIONSHIP) is None else read_impressions(values[RELATIONSHIP]),
        sights=dict(values.get(SIGHTS) or {}),
        action_places={text: ActionPlace(*parts) for text, parts in (values.get(PLACES) or {}).items()},
        dropped_memories=list(values.get(DROPPED) or []),
        usual_rating=values.get(RATING, USUAL_RATING),
        as_read=dict(values),
    )


def _key_order(present: Iterable[str]) -> list[str]:
    """Return all keys in the order of the file, with missing ones after their predecessor in `KEYS`."""
    order, place = list(present), 0
    for key in (*KEYS, *OWN_KEYS):
        if key not in order:
            order.insert(place, key)
        place = order.index(key) + 1
    return order


def _tile(value: tuple[int, int]) -> Tile:
    x, y = value
    return Tile(int(x), int(y))


def _conversation(values: Mapping[str, Any]) -> Conversation | None:
    if values.get("chatting_with") is None:
        return None
    transcript = tuple((speaker, said) for speaker, said in values.get("chat") or [])
    until = _time(values.get("chatting_end_time"))
    is_open, kept = values.get(OPEN) is True, values.get(KEPT)
    return Conversation(values["chatting_with"], transcript, until, is_open=is_open, kept=kept)


def _time(text: str | None) -> datetime | None:
    return None if text is None else parse_time(text)


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else time_text(moment)
