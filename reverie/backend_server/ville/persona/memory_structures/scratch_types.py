"""What the values of scratch.json have to be, so that nobody finds out in the middle of a step."""

from collections.abc import Mapping
from typing import Any

from ville.errors import CorruptFile

Kind = tuple[type, ...]
WHOLE: Kind = (int,)
NUMBER: Kind = (int, float)
TEXT: Kind = (str,)
LIST: Kind = (list,)
OBJECT: Kind = (dict,)
TEXT_OR_NULL: Kind = (str, type(None))
NAMES: Mapping[Kind, str] = {
    WHOLE: "a whole number", NUMBER: "a number", TEXT: "a text", LIST: "a list", OBJECT: "an object in braces",
    TEXT_OR_NULL: "a text or null",
}  # fmt: skip
KINDS: Mapping[Kind, tuple[str, ...]] = {
    WHOLE: ("vision_r", "att_bandwidth", "retention", "act_duration"),
    NUMBER: (
        "recency_w", "relevance_w", "importance_w", "recency_decay", "importance_trigger_max",
        "importance_trigger_curr", "importance_ele_n",
    ),
    TEXT: (
        "name", "first_name", "last_name", "innate", "learned", "currently", "lifestyle", "living_area",
        "daily_plan_req", "act_address", "act_description", "act_pronunciatio", "act_obj_description", "chatting_with",
    ),
    LIST: (
        "curr_tile", "daily_req", "f_daily_schedule", "f_daily_schedule_hourly_org", "act_event", "act_obj_event",
        "chat", "planned_path",
    ),
    OBJECT: ("chatting_with_buffer", "relationship"),
}  # fmt: skip
INSIDE: Mapping[str, Kind] = {
    "act_event": TEXT_OR_NULL, "act_obj_event": TEXT_OR_NULL, "daily_req": TEXT, "curr_tile": NUMBER,
    "f_daily_schedule": LIST, "f_daily_schedule_hourly_org": LIST, "chat": LIST, "planned_path": LIST,
    "chatting_with_buffer": NUMBER,
}  # fmt: skip
"""What each part of a list or an object is."""
ROWS: Mapping[str, tuple[Kind, Kind]] = {
    "f_daily_schedule": (TEXT, NUMBER), "f_daily_schedule_hourly_org": (TEXT, NUMBER), "chat": (TEXT, TEXT),
    "planned_path": (NUMBER, NUMBER),
}  # fmt: skip
"""What the two parts of each row in a list are."""
NEVER_NULL = frozenset((*KINDS[WHOLE][:3], *KINDS[NUMBER], *KINDS[TEXT][:8]))
"""The rest is null in a mind that has not begun to live."""


def check_types(values: Mapping[str, Any]) -> None:
    """Raises CorruptFile for the first value that cannot be. A missing key is for the reader to judge."""
    for kind, keys in KINDS.items():
        for key in keys:
            value = values.get(key)
            if value is None and (key not in values or key not in NEVER_NULL):
                continue
            check_type(key, value, kind)
            if key in INSIDE:
                _check_inside(key, value)


def check_type(what: str, value: Any, kind: Kind) -> None:
    """Raises CorruptFile."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise CorruptFile(f"{what} is {value!r:.60}, but should be {NAMES[kind]}: mend it or restore the file.")


def _check_inside(key: str, value: Any) -> None:
    for place, part in value.items() if isinstance(value, dict) else enumerate(value):
        where = f"{key}[{place!r}]"
        check_type(where, part, INSIDE[key])
        for number, kind in enumerate(ROWS.get(key, ())):
            check_type(f"{where}[{number}]", part[number] if number < len(part) else None, kind)
