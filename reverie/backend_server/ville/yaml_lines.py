"""YAML that people write, read with the line of each value. Nothing is built but plain values.

Faults are objects that say where, what is wrong, and how to correct it. Those of a file are collected: what is wrong is
added to its `Faults`, and read as missing.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import TypeVar

import yaml

from ville.errors import BadYaml, Fault
from ville.plain_text import nearest

ScalarT = TypeVar("ScalarT", str, int)
LONGEST = 2**20
"""Characters of a document: reading them takes some seconds."""
QUOTES = "correct it; a text with ? , : or # needs quotes"
EXAMPLES = {str: ("a text", '"words"'), int: ("a whole number", "3")}
OWN_NUMBERS: Mapping[str, Callable[[str], object]] = {
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:bool": lambda text: text == "true",
}
"""Kinds of scalars that are no texts in the data files of this package."""


class Faults:
    """The faults of one file, each once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: dict[Fault, None] = {}

    def add(self, line: int, message: str, fix: str = "") -> None:
        """Add a fault: what is wrong, and how to correct it, unless the message says both."""
        self._found[Fault(message, fix, self.file, line)] = None

    @property
    def all(self) -> list[Fault]:
        """The faults in the order of the file."""
        return sorted(self._found, key=lambda fault: fault.line)


@dataclass(frozen=True)
class YamlValue:
    """One value of a file: a scalar, a list or a mapping."""

    faults: Faults
    node: yaml.Node
    name: str
    """Name in messages: the key."""

    @property
    def line(self) -> int:
        return _line(self.node)

    def fault(self, message: str, fix: str = "") -> None:
        self.faults.add(self.line, message, fix)

    @property
    def value(self) -> object:
        """The value as Python reads it; None for what it cannot, such as other tags, which is a fault."""
        try:
            return yaml.SafeLoader("").construct_document(self.node)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else self.line
            self.faults.add(line, f"{self.name} cannot be read ({error.problem})", "write plain YAML without tags")
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            self.fault(f"{self.name} cannot be read ({error})", "correct it")
        return None

    def path_at(self, line: int) -> list[str | int]:
        """Return the keys, and places in lists, that lead to the innermost value that a line belongs to."""
        path: list[str | int] = []
        node: yaml.Node | None = self.node
        while node:
            within = [(name, value) for name, begins, value in _parts(node) if begins <= line]
            name, node = within[-1] if within else ("", None)
            path += [name] if node else []
        return path

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    def fields(self, known: Collection[str] = ()) -> dict[str, "YamlValue"]:
        """Return the values of a mapping by key, as far as they are `known` (without it: all). A null has none."""
        if isinstance(self.node, yaml.ScalarNode) and self.value is None:
            return {}
        if not isinstance(self.node, yaml.MappingNode):
            self.fault(f"{self.name} is not a mapping", "write one `key: value` line for each part")
            return {}
        found: dict[str, YamlValue] = {}
        for key, node in self.node.value:
            value = YamlValue(self.faults, node, str(key.value))
            if known and value.name not in known:
                self.faults.add(_line(key), f"'{value.name}' is not known in {self.name}", nearest(value.name, known))
            elif value.name in found:
                self.faults.add(_line(key), f"'{value.name}' is given twice in {self.name}", "keep one of the two")
            else:
                found[value.name] = value
        return found

    def items(self) -> list["YamlValue"]:
        """Return the items of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.fault(f"{self.name} is not a list", "begin each item with `- `")
            return []
        return [YamlValue(self.faults, node, f"an item of {self.name}") for node in self.node.value]

    def one_or_more(self) -> list["YamlValue"]:
        """Return the items of a list, or the value itself."""
        return self.items() if self.is_list else [self]

    def text(self) -> str | None:
        return self._scalar(str)

    def integer(self) -> int | None:
        return self._scalar(int)

    def _scalar(self, kind: type[ScalarT]) -> ScalarT | None:
        value = self.value
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        wanted, example = EXAMPLES[kind]
        self.fault(f"{self.name} is not {wanted}", f"write, for example, `{example}`")
        return None

    def whole(self, least: int, most: int) -> int | None:
        """Return a whole number within these."""
        number = self.integer()
        if number is None or least <= number <= most:
            return number
        self.fault(f"{self.name} is {number:,}", f"give a whole number from {least:,} to {most:,}")
        return None

    def one_of(self, names: Collection[str]) -> str | None:
        """Return a text that is one of these."""
        text = self.text()
        if text is None or text in names:
            return text
        self.fault(f"there is no {self.name.removeprefix('an item of ')} '{text}'", nearest(text, names))
        return None


class PlacedText(str):
    """A text of a file that knows where it is: `sayings/tidings.yaml, line 7`."""

    __slots__ = ("place",)
    place: str


def read_yaml(text: str, file: str, *, most: int, name: str) -> YamlValue | None:
    """Return the value of a document, which messages call `name`; None if there is none. Raises BadYaml.

    A file has at most so many values, each counted as often as an alias repeats it: few lines can stand for billions.
    """
    if len(text) > LONGEST:
        said = f"it has {len(text):,} characters; at most {LONGEST:,} are read"
        raise BadYaml(Fault(said, "make it shorter", file, 1))
    node = _composed(text, file, yaml.SafeLoader)
    if node and _count(node, {}) > most:
        said = f"it has more than {most:,} values, aliases included"
        raise BadYaml(Fault(said, "make it shorter", file, 1))
    return YamlValue(Faults(file), node, name) if node else None


def read_own_yaml(text: str, file: str) -> object:
    """Return a data file of this package as mappings, lists, numbers and PlacedTexts. Raises BadYaml."""
    node = _composed(text, file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return _placed(node, file) if node else {}


def places(value: object) -> Iterator[str]:
    """Yield the places of all texts of a value, in order."""
    if isinstance(value, PlacedText):
        yield value.place
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from places(key)
            yield from places(each)
    elif isinstance(value, list):
        for each in value:
            yield from places(each)


def _composed(text: str, file: str, loader: type[yaml.SafeLoader]) -> yaml.Node | None:
    """Return the node of a document. Raises BadYaml."""
    try:
        return yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise BadYaml(Fault(f"this is not YAML ({error.problem or error.context})", QUOTES, file, line)) from None
    except yaml.reader.ReaderError as error:
        said, line = f"there is a control character U+{error.character:04X}", text.count("\n", 0, error.position) + 1
        raise BadYaml(Fault(said, "remove it", file, line)) from None
    except RecursionError:
        raise BadYaml(Fault("this is nested too deeply", "close all brackets", file, 1)) from None


def _placed(node: yaml.Node, file: str) -> object:
    if isinstance(node, yaml.MappingNode):
        return {_placed(key, file): _placed(value, file) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_placed(each, file) for each in node.value]
    if node.tag in OWN_NUMBERS:
        return OWN_NUMBERS[node.tag](node.value)
    text = PlacedText(node.value)
    text.place = f"{file}, line {_line(node)}"
    return text


def _parts(node: yaml.Node) -> Iterator[tuple[str | int, int, yaml.Node]]:
    """Yield the values of a mapping or list, each with its key or place, and the line in which it begins."""
    if isinstance(node, yaml.MappingNode):
        yield from ((str(key.value), _line(key), value) for key, value in node.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from ((place, _line(value), value) for place, value in enumerate(node.value))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _count(node: yaml.Node, counts: dict[int, float]) -> float:
    """Return the number of values in a node; one that contains itself has no end."""
    if id(node) not in counts:
        counts[id(node)] = inf
        parts = [part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,))]
        counts[id(node)] = 1 + sum(_count(part, counts) for part in parts if isinstance(part, yaml.Node))
    return counts[id(node)]
