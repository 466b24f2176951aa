"""Read and check the data files, once, when first needed. Errors name file and line."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar

import yaml

from ville.errors import BadRules

FOLDER = Path(__file__).resolve().parent / "data"
Row = TypeVar("Row")
Value = Any
_NUMBERS: Mapping[str, Callable[[str], Value]] = {
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:bool": lambda text: text == "true",
}


class Text(str):
    """A text of a data file with its location, `sayings/tidings.yaml, line 7`."""

    __slots__ = ("place",)
    place: str


@cache
def load(name: str) -> Value:
    """Return a data file as mappings, lists, numbers and Texts. Raises BadRules."""
    try:
        with (FOLDER / name).open(encoding="utf-8") as file:
            node = yaml.compose(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, yaml.YAMLError) as fault:
        raise BadRules(f"{name} cannot be read: {fault}") from fault
    return _value(node, name)


def _value(node: Any, name: str) -> Value:
    if isinstance(node, yaml.MappingNode):
        return {_value(key, name): _value(value, name) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, name) for each in node.value]
    if node is None or node.tag in _NUMBERS:
        return _NUMBERS[node.tag](node.value) if node else {}
    text = Text(node.value)
    text.place = f"{name}, line {node.start_mark.line + 1}"
    return text


def fault(value: Value, what: str) -> BadRules:
    """Return an error with the location of a value."""
    place = next((text.place for text in _texts(value)), "a data file of llm/offline/data")
    return BadRules(f"{place}: {what}")


def _texts(value: Value) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts(key)
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def rows(values: Value, kind: Callable[..., Row]) -> tuple[Row, ...]:
    """Return one object for each mapping of a list; its fields are the keys. Raises BadRules."""
    return tuple(_row(value, kind) for value in values)


def _row(value: Value, kind: Any) -> Any:
    known = {each.name.replace("_", " "): each for each in fields(kind)}
    if not isinstance(value, Mapping):
        raise fault(value, f"expected {', '.join(known)}")
    if unknown := [key for key in value if key not in known]:
        raise fault(unknown, f"unknown key '{unknown[0]}'; known are {', '.join(known)}")
    missing = [key for key, each in known.items() if key not in value and each.default is MISSING]
    if missing:
        raise fault(value, f"'{missing[0]}' is missing")
    return kind(**{known[key].name: _cell(each, str(known[key].type)) for key, each in value.items()})


def _cell(value: Value, kind: str) -> Value:
    if "Pattern" in kind:
        return pattern(value)
    return tuple(value) if isinstance(value, list) else value


def pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern that begins at a word, in small or capital letters. Raises BadRules."""
    try:
        return re.compile(rf"\b(?:{text})", re.IGNORECASE)
    except re.error as wrong:
        raise fault(text, f"not a regular expression: {wrong}") from wrong


def checked(lines: Value, blanks: frozenset[str]) -> tuple[str, ...]:
    """Return lines whose blanks are all known. Raises BadRules."""
    if not isinstance(lines, list) or not lines:
        raise fault(lines, "expected a list of lines")
    for line in lines:
        try:
            used = {name for _, name, _, _ in Formatter().parse(line) if name is not None}
        except ValueError as wrong:
            raise fault(line, f"{wrong}: write {{blank}}") from wrong
        if unknown := used - blanks:
            raise fault(line, f"unknown blank {{{min(unknown)}}}; known are {', '.join(sorted(blanks))}")
    return tuple(lines)


@cache
def words(name: str, key: str) -> frozenset[str]:
    """Return the set of words of a text in a data file."""
    return frozenset(load(name)[key].split())


@cache
def shape(name: str) -> re.Pattern[str]:
    """Return a pattern of patterns.yaml. Raises BadRules."""
    return re.compile(load("patterns.yaml")[name])


def shows(name: str, text: str) -> bool:
    """Return whether a pattern of patterns.yaml is found in a text."""
    return shape(name).search(text) is not None
