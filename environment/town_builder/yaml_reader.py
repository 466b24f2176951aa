"""YAML with line numbers: typed access to entries; every error names the line to correct."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn, TypeVar

import yaml

from town_builder.problems import Problem, TownError, town_error
from town_builder.user_files import read_user_file

Read = TypeVar("Read")
PLAIN_NUMBER = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)"
LARGEST = 2**22
"""Bytes of a file: enough for a city of 2,000 people. Reading may take a thousand bytes of memory for each."""
PART = "a part of "
"""Prefix of the name of a list item, which has no key of its own."""
TRUE_WORDS = ("true", "yes", "on")
"""YAML's words for true, in lower case."""
MAX_COORDINATE = 1000
"""Largest number of tiles accepted anywhere; larger values are typing errors."""

Pair = tuple[int, int]
Four = tuple[int, int, int, int]

STR_TAG, INT_TAG, FLOAT_TAG, BOOL_TAG = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool"))


@dataclass(frozen=True)
class YamlEntry:
    """One node of a YAML file: a text, a number, a list or a mapping."""

    file: str
    node: yaml.Node
    name: str = "the file"
    """The key of the entry."""

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    def fail(self, message: str, fix: str) -> NoReturn:
        raise town_error(self.where, message, fix)

    def _under(self, name: str, node: yaml.Node) -> "YamlEntry":
        return YamlEntry(self.file, node, name)

    def items(self) -> tuple["YamlEntry", ...]:
        """Return the items of a list. Raises TownError for anything else."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail(f"{self.name} must be a list", "write [a, b] or one `- ` line for each part")
        return tuple(self._under(f"{PART}{self.name}", node) for node in self.node.value)

    def fields(self) -> dict[str, "YamlEntry"]:
        """Return the values of a mapping by key. Raises TownError for anything else and for duplicate keys."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"{self.name} must be a mapping", "write {key: value} or one `key: value` line for each part")
        found: dict[str, YamlEntry] = {}
        for key, value in self.node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._under("a key", key).fail(f"{self.name} has a list or a mapping as a key", "use a word as the key")
            if key.value in found:
                self._under(key.value, key).fail(f"{key.value!r} is given twice", "keep one of the two")
            found[key.value] = self._under(key.value, value)
        return found

    def checked_fields(self, *allowed: str) -> dict[str, "YamlEntry"]:
        """Return the values of a mapping by key. Raises TownError for a key that is not allowed."""
        found = self.fields()
        for key, part in found.items():
            if key not in allowed:
                near = get_close_matches(key, allowed, 1)
                fix = f"did you mean {near[0]!r}?" if near else f"use one of {', '.join(allowed)}"
                part.fail(f"{key!r} is not known in {self.name}", fix)
        return found

    def require(self, key: str) -> "YamlEntry":
        found = self.fields()
        if key not in found:
            self.fail(f"{self.name} has no {key!r}", f"add `{key}: ...`")
        return found[key]

    def get(self, key: str) -> "YamlEntry | None":
        return self.fields().get(key)

    def _scalar(self, kind: str, wanted: str, example: str) -> str:
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag != kind:
            shown = example if self.name.startswith(PART) else f"{self.name}: {example}"
            self.fail(f"{self.name} must be {wanted}", f"write, for example, `{shown}`")
        return str(self.node.value)

    def text(self) -> str:
        return self._scalar(STR_TAG, "text", '"words"')

    def one_of(self, names: Iterable[str]) -> str:
        """Return a text that must be one of these names."""
        text, known = self.text(), sorted(names)
        if text not in known:
            near = get_close_matches(text, known, 1)
            fix = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(known)}"
            self.fail(f"no {self.name} is called {text!r}", fix)
        return text

    def integer(self) -> int:
        digits = self._scalar(INT_TAG, "a whole number", "3")
        if not digits.lstrip("-+").isdecimal():
            self.fail(f"{digits} is not a plain whole number", "use only the digits 0 to 9")
        return int(digits)

    def tiles(self) -> int:
        """Return a distance or coordinate in tiles, at most MAX_COORDINATE in either direction."""
        count = self.integer()
        if abs(count) > MAX_COORDINATE:
            self.fail(f"{self.name} is {count} tiles", f"stay within {MAX_COORDINATE}")
        return count

    def fraction(self) -> float:
        """Return a number from 0 to 1."""
        tag = INT_TAG if self.node.tag == INT_TAG else FLOAT_TAG
        digits = self._scalar(tag, "a number", "0.3")
        if not re.fullmatch(PLAIN_NUMBER, digits):
            self.fail(f"{digits} is not a plain number", "use only the digits 0 to 9 and a decimal point")
        value = float(digits)
        if not 0 <= value <= 1:
            self.fail(f"{self.name} is {value}", "choose a number from 0 to 1")
        return value

    def boolean(self) -> bool:
        return self._scalar(BOOL_TAG, "true or false", "true").lower() in TRUE_WORDS

    def texts(self) -> tuple[str, ...]:
        return tuple(part.text() for part in self.items())

    def integers(self, count: int, meaning: str) -> tuple[int, ...]:
        """Return a list of exactly `count` distances or coordinates; `meaning` shows the form in the error."""
        parts = self.items()
        if len(parts) != count:
            self.fail(f"{self.name} has {len(parts)} numbers", f"write [{meaning}]")
        return tuple(part.tiles() for part in parts)

    def pair(self, meaning: str = "x, y") -> Pair:
        first, second = self.integers(2, meaning)
        return first, second

    def pairs(self) -> tuple[Pair, ...]:
        """Return the tiles of either one pair [x, y] or a list of pairs."""
        parts = self.items()
        if parts and all(isinstance(part.node, yaml.SequenceNode) for part in parts):
            return tuple(part.pair() for part in parts)
        return (self.pair(),)

    def four(self, meaning: str = "x, y, width, height") -> Four:
        one, two, three, four = self.integers(4, meaning)
        return one, two, three, four


def read_yaml(path: Path) -> YamlEntry:
    """Return a YAML file as one entry. Raises TownError if it is missing, empty, not UTF-8 or not YAML."""
    try:
        text = read_user_file(path, most=LARGEST).decode("utf-8")
    except OSError as error:
        raise town_error(str(path), f"cannot be read ({error.strerror})", "give the path of a YAML file") from error
    except UnicodeDecodeError as error:
        raise town_error(str(path), "is not UTF-8 text", "save it as UTF-8") from error
    node = _compose(str(path), text)
    if node is None:
        raise town_error(str(path), "is empty", "docs/towns.md shows a small town to start from")
    return YamlEntry(str(path), node)


def _compose(file: str, text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{file}:{mark.line + 1}" if mark else file
        raise town_error(where, f"is not YAML ({error.problem or error.context})", "fix the line") from error
    except yaml.reader.ReaderError as error:
        where = f"{file}:{text.count(chr(10), 0, error.position) + 1}"
        raise town_error(where, f"contains the control character U+{error.character:04X}", "remove it") from error
    except RecursionError as error:
        raise town_error(file, "is nested too deeply", "close all brackets") from error


def read_each(entry: YamlEntry | None, read: Callable[[YamlEntry], Read], problems: list[Problem]) -> tuple[Read, ...]:
    """Read every item of a list; collect the problems of items that cannot be read, and go on."""
    return tuple(_read_valid(entry.items() if entry else (), read, problems))


def _read_valid(
    parts: tuple[YamlEntry, ...], read: Callable[[YamlEntry], Read], problems: list[Problem]
) -> Iterator[Read]:
    for part in parts:
        try:
            yield read(part)
        except TownError as error:
            problems.extend(error.problems)
