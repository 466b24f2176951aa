"""The form of an answer, found in what a model gave instead: wrapped, with other keys, or without any."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ville.persona.prompt_template.answers.meant import meant_item, meant_text, numbers_in

Fields = Mapping[str, FieldInfo]
WRAPPINGS = 3
"""Objects and lists around an answer that are looked through."""
OTHER_KEYS = {
    "text", "content", "value", "answer", "response", "reply", "message", "speech", "activity", "task", "action",
    "step", "decision", "score", "rating", "ratings", "importance", "hour", "time", "duration",
}  # fmt: skip
"""Keys that name whatever is asked for, spelled plainly; any other key that was not asked for is a remark."""


def in_form(value: object, fields: Fields) -> object:
    """Return an object with the keys of an answer: unwrapped, keys spelled as asked, or made of a bare value."""
    for _ in range(WRAPPINGS):
        value = _unwrapped(_listed(value, fields), fields)
    if isinstance(value, dict):
        return _with_keys(value, fields)
    lists = [name for name, field in fields.items() if item_type(field)]
    if isinstance(value, list):
        return {lists[0]: value} if len(lists) == 1 else value
    needed = [name for name, field in fields.items() if field.is_required()]
    single = len(needed) == 1 and not lists and fields[needed[0]].annotation is not str
    if single and isinstance(value, str | int | float):
        return {needed[0]: value}
    return value


def joined(values: Sequence[object], fields: Fields) -> Sequence[object]:
    """Return several objects as one list, in lines of its own each, if an answer is a list of nothing else."""
    lists = [name for name, field in fields.items() if item_type(field)]
    objects = all(isinstance(value, dict) and not _names_any(value, fields) for value in values)
    return [{lists[0]: list(values)}] if len(values) > 1 and len(fields) == len(lists) == 1 and objects else values


def _listed(value: object, fields: Fields) -> object:
    """Return the values of an object whose keys are the numbers from 1, as a list; other keys are remarks."""
    if not isinstance(value, dict) or _names_any(value, fields):
        return value
    numbered = {key: item for key, item in value.items() if str(key).isdecimal()}
    numbers = [str(number) for number in range(1, len(numbered) + 1)]
    return [value[number] for number in numbers] if numbered and set(numbered) == set(numbers) else value


def in_field(value: object, field: FieldInfo) -> object:
    """Return what is meant by the value of a field."""
    if kind := item_type(field):
        items = _items(value, kind)
        return [meant_item(item) if isinstance(item, str) and kind is str else item for item in items]
    while isinstance(value, list | dict) and len(value) == 1 and not is_answer(field.annotation):
        (value,) = value.values() if isinstance(value, dict) else value
    if field.annotation is str and (value is None or type(value) in (int, float)):
        return "" if value is None else str(value)
    return meant_text(value) if isinstance(value, str) else value


def item_type(field: FieldInfo) -> object:
    """Return the type of the items of a list, or None if the field holds no list."""
    if get_origin(field.annotation) is not list:
        return None
    (kind,) = get_args(field.annotation)
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _unwrapped(value: object, fields: Fields) -> object:
    """Return the object in a list of its own, or below a key that is none of the answer's."""
    if isinstance(value, list) and len(value) == 1 and _names_any(value[0], fields):
        return value[0]
    if isinstance(value, dict) and not _names_any(value, fields):
        inner = [each for each in value.values() if isinstance(each, dict | list)]
        return inner[0] if len(inner) == 1 else value
    return value


def _names_any(value: object, fields: Fields) -> bool:
    return isinstance(value, dict) and not _names(fields).keys().isdisjoint(map(_plain, value))


def _names(fields: Fields) -> dict[str, str]:
    """Return the names of fields by how they and their aliases are spelled plainly."""
    return {_plain(key): name for name, field in fields.items() for key in (name, field.alias or name)}


def _with_keys(value: Mapping[object, object], fields: Fields) -> dict[str, object]:
    """Return an object with keys as asked: `gameObject` for `game_object`, and a general word for a missing one."""
    names = _names(fields)
    found: dict[str, object] = {}
    others = []
    for key, item in value.items():
        name = names.get(_plain(key))
        if name is None:
            others += [item] if _plain(key) in OTHER_KEYS else []
        elif name not in found or key in {name, fields[name].alias}:
            found[name] = item
    missing = [name for name, field in fields.items() if field.is_required() and name not in found]
    if len(missing) == len(others) == 1:
        found[missing[0]] = others[0]
    return found


def _plain(key: object) -> str:
    return re.sub(r"[\W_]+", "", str(key)).casefold()


def _items(value: object, kind: object) -> Sequence[object]:
    """Return the items of a list, of an object with one value for each, or of a text with one in each line."""
    match value:
        case list():
            return value
        case dict() if not is_answer(kind) or all(isinstance(item, dict) for item in value.values()):
            return list(value.values())
        case str() if kind is int:
            return numbers_in(value)
        case str():
            return [line for line in value.splitlines() if line.strip()]
        case None:
            return []
    return [value]


def is_answer(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
