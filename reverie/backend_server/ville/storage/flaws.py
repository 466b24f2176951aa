"""Words for what pydantic refuses: flaws of files, field by field, and the first invalid field of a request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ville.errors import StorageError
from ville.plain_text import shortened

LONGEST_LINE = 400
WRONG_KEY = "[key]"
"""Last part of the location that pydantic reports for an invalid key."""
REASONS = {
    "missing": "is missing",
    "int_type": "is not a whole number",
    "float_type": "is not a number",
    "string_type": "is not text",
    "string_unicode": "is not text",
    "list_type": "is not a list",
    "tuple_type": "is not a list",
    "dict_type": "is not an object",
    "model_type": "is not an object",
}
"""Error types of pydantic and their wording; pages translate it."""
IMPOSSIBLE = "has an impossible value"
LIMITS = {
    "bool_type": "is not true or false",
    "extra_forbidden": "is not a field of it",
    "greater_than_equal": "is less than %(ge)s",
    "less_than_equal": "is more than %(le)s",
    "literal_error": "is not one of %(expected)s",
    "string_pattern_mismatch": "does not have the form %(pattern)s",
    "string_too_long": "has more than %(max_length)s characters",
    "too_long": "has more than %(max_length)s entries",
    "too_short": "has too few entries",
}
"""Further error types, whose wording says what is allowed."""
HINTS = {"missing": "Add it.", "extra_forbidden": "Leave it out."}
EXCERPT = 60
"""Characters of a key that a complaint quotes."""
NO_OBJECT = "is not a JSON object"


@dataclass(frozen=True)
class Flaw:
    """An invalid field of a file, or a whole file that is invalid."""

    keys: tuple[str | int, ...]
    """Path of the field, outermost key first; empty for the whole file."""
    reason: str
    """In English; pages translate it."""
    file: str = ""

    def within(self, *keys: str | int) -> "Flaw":
        """Return the flaw as seen from an enclosing object."""
        return replace(self, keys=(*keys, *self.keys))

    def of(self, file: str) -> "Flaw":
        """Return the flaw with the name of its file."""
        return replace(self, file=file)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """Return a sentence about the flaw. `translate` is applied to the reason."""
        where, reason = ".".join(map(str, self.keys)), translate(self.reason)
        return _printable(f"{self.file}: {where} {reason}." if where else f"{self.file} {reason}.")

    def __str__(self) -> str:
        return self.text()


def whole_file(path: Path) -> Flaw:
    """Return the flaw of a file that holds no JSON object."""
    return Flaw((), NO_OBJECT if path.exists() else REASONS["missing"])


def translated(fault: StorageError, translate: Callable[[str], str]) -> str:
    """Return the message of an error in another language, with file names instead of paths of this machine."""
    values: dict[str, object] = {}
    for name, value in fault.values.items():
        shown = value.name if isinstance(value, Path) else value
        values[name] = shown.text(translate) if isinstance(shown, Flaw) else shown
    return translate(fault.template) % values if values else translate(fault.template)


def name_of(path: Path, root: Path) -> str:
    """Return the name of a file for messages: its path from the folder of the simulation on."""
    return path.relative_to(root.parent).as_posix()


def flaws(shape: object, value: object) -> list[Flaw]:
    """Return a flaw for every field of a value that does not fit a shape."""
    try:
        _adapter(shape).validate_python(value)
    except ValidationError as fault:
        details = fault.errors(include_url=False, include_input=False, include_context=False)
        return [Flaw(_keys(value, detail["loc"]), REASONS.get(detail["type"], IMPOSSIBLE)) for detail in details]
    return []


def complaint(fault: ValidationError, values: object, tag: str = "") -> str:
    """Return which field of a request is invalid first, why, and what to do, in one line.

    `tag` is the kind of request, if pydantic chose the shape by it: its locations then begin with it.
    """
    detail = fault.errors(include_url=False)[0]
    location = detail["loc"][1:] if tag and detail["loc"][:1] == (tag,) else detail["loc"]
    where = ".".join(shortened(str(key), EXCERPT) for key in _keys(values, location))
    said = f"{where} {_advice(detail['type'], detail.get('ctx', {}))}".strip()
    return _printable(f"{tag}: {said}" if tag else said)


def _advice(kind: str, context: Mapping[str, object]) -> str:
    """Return what is wrong with a field and what to do. The errors of our own validators say both."""
    fault = context.get("error")
    if isinstance(fault, ValueError) and not isinstance(fault, UnicodeError):
        return str(fault)
    reason = REASONS["string_unicode"] if fault else REASONS.get(kind) or LIMITS.get(kind, IMPOSSIBLE) % context
    return f"{reason}. {HINTS.get(kind, 'Correct it.')}"


def valid_part(shape: object, values: object) -> tuple[dict[str, Any], list[Flaw]]:
    """Return an object without its invalid members, and the flaws of those."""
    found = flaws(shape, values)
    if not isinstance(values, dict):
        return {}, found
    wrong = {flaw.keys[0] for flaw in found if flaw.keys}
    return {key: value for key, value in values.items() if key not in wrong}, found


@cache
def _adapter(shape: Any) -> TypeAdapter[object]:
    config = None if isinstance(shape, type) and issubclass(shape, BaseModel) else ConfigDict(strict=True)
    return TypeAdapter(shape, config=config)


def _keys(value: Any, location: Sequence[str | int]) -> tuple[str | int, ...]:
    """Return the keys of a location that exist in the value: pydantic also names the branches of unions."""
    keys: list[str | int] = []
    for key in location:
        inside = isinstance(value, dict) or (isinstance(value, list | tuple) and isinstance(key, int))
        if not inside or key == WRONG_KEY:
            continue
        keys.append(key)
        try:
            value = value[key]
        except (KeyError, IndexError):
            break
    return tuple(keys)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:LONGEST_LINE])
