"""Types of the values of scratch.json, checked when loading so that no step fails halfway."""

from collections.abc import Mapping

from ville.errors import CorruptFile

ValueType = tuple[type, ...]
WHOLE: ValueType = (int,)
NUMBER: ValueType = (int, float)
TEXT: ValueType = (str,)
LIST: ValueType = (list,)
OBJECT: ValueType = (dict,)
TEXT_OR_NULL: ValueType = (str, type(None))
TYPE_NAMES: Mapping[ValueType, str] = {
    WHOLE: "a whole number", NUMBER: "a number", TEXT: "a text", LIST: "a list", OBJECT: "an object in braces",
    TEXT_OR_NULL: "a text or null",
}  # fmt: skip
TYPES: Mapping[ValueType, tuple[str, ...]] = {
    WHOLE: ("vision_r", "att_bandwidth", "retention", "act_duration"),
    NUMBER: (
        "recency_w", "relevance_w", "importance_w", "recency_decay", "importance_trigger_max",
        "importance_trigger_curr", "importance_ele_n", "usual_rating",
    ),
    TEXT: (
        "name", "first_name", "last_name", "innate", "learned", "currently", "lifestyle", "living_area",
        "daily_plan_req", "act_address", "act_description", "act_pronunciatio", "act_obj_description", "act_mends",
        "chatting_with",
    ),
    LIST: (
        "curr_tile", "daily_req", "f_daily_schedule", "f_daily_schedule_hourly_org", "act_event", "act_obj_event",
        "chat", "planned_path", "dropped_memories",
    ),
    OBJECT: ("chatting_with_buffer", "relationship", "sights", "action_places", "chatting_kept"),
}  # fmt: skip
INSIDE: Mapping[str, ValueType] = {
    "act_event": TEXT_OR_NULL, "act_obj_event": TEXT_OR_NULL, "daily_req": TEXT, "curr_tile": NUMBER,
    "f_daily_schedule": LIST, "f_daily_schedule_hourly_org": LIST, "chat": LIST, "planned_path": LIST,
    "chatting_with_buffer": NUMBER, "sights": WHOLE, "action_places": LIST, "dropped_memories": WHOLE,
}  # fmt: skip
"""Type of the parts of a list or an object."""
ROWS: Mapping[str, tuple[ValueType, ...]] = {
    "f_daily_schedule": (TEXT, NUMBER), "f_daily_schedule_hourly_org": (TEXT, NUMBER), "chat": (TEXT, TEXT),
    "planned_path": (NUMBER, NUMBER), "action_places": (TEXT,) * 5,
}  # fmt: skip
"""Types of the parts of each row of a list."""
LARGEST = 10**9
RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(TYPES[WHOLE][:3], (0, LARGEST)), **dict.fromkeys(TYPES[NUMBER], (-LARGEST, LARGEST)),
    "recency_decay": (0, 1), "importance_trigger_max": (1, LARGEST), "usual_rating": (0, LARGEST),
}  # fmt: skip
"""Least and greatest value. With a trigger of 0, every step would be a reason to reflect."""
NEVER_NULL = frozenset((*TYPES[WHOLE][:3], *TYPES[NUMBER], *TYPES[TEXT][:8]))
"""All other keys are null before the first step."""


def check_types(values: Mapping[str, object]) -> None:
    """Raise CorruptFile for the first value of a wrong type. Missing keys are not checked here."""
    for value_type, keys in TYPES.items():
        for key in keys:
            value = values.get(key)
            if value is None and (key not in values or key not in NEVER_NULL):
                continue
            check_type(key, value, value_type)
            if key in RANGES and isinstance(value, int | float):
                _check_range(key, value)
            if key in INSIDE and isinstance(value, list | dict):
                _check_inside(key, value)


def check_type(what: str, value: object, value_type: ValueType) -> None:
    """Raise CorruptFile if a value is of another type."""
    if not isinstance(value, value_type) or isinstance(value, bool):
        raise CorruptFile(
            f"{what} is {value!r:.60}, but should be {TYPE_NAMES[value_type]}. Correct it or restore the file."
        )


def _check_range(key: str, value: float) -> None:
    least, most = RANGES[key]
    if not least <= value <= most:
        raise CorruptFile(f"{key} is {value!r:.60}, but should be from {least:,} to {most:,}. Correct it.")


def _check_inside(key: str, value: list[object] | dict[str, object]) -> None:
    for place, part in value.items() if isinstance(value, dict) else enumerate(value):
        where = f"{key}[{place!r}]"
        check_type(where, part, INSIDE[key])
        row = part if isinstance(part, list) else []
        for number, value_type in enumerate(ROWS.get(key, ())):
            check_type(f"{where}[{number}]", row[number] if number < len(row) else None, value_type)
