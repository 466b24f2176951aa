"""Read and check the data files, once, when first needed. Errors name file and line."""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, TypeVar

from ville.errors import BadRules, BadYaml
from ville.yaml_lines import places, read_own_yaml

FOLDER = Path(__file__).resolve().parent / "data"
Row = TypeVar("Row")
Value = Any


@cache
def load(name: str) -> Value:
    """Return a data file as mappings, lists, numbers and PlacedTexts. Raises BadRules."""
    try:
        return read_own_yaml((FOLDER / name).read_text("utf-8"), name)
    except OSError as wrong:
        raise BadRules(f"{name} cannot be read: {wrong}") from wrong
    except BadYaml as wrong:
        raise BadRules(str(wrong)) from wrong


def fault(value: Value, what: str) -> BadRules:
    """Return an error with the location of a value."""
    place = next(places(value), "a data file of offline/data")
    return BadRules(f"{place}: {what}")


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
