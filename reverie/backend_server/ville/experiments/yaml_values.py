"""Values of a YAML file with their lines. What is wrong is added to the faults of the file, and read as missing."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeVar

import yaml

from ville.errors import BadStudy
from ville.experiments.faults import StudyFaults, nearest
from ville.storage.yaml_nodes import TooManyValues, composed

KindT = TypeVar("KindT", str, int)
MEND = "correct it; a text with ? , : or # needs quotes"
MOST_VALUES = 100_000
"""Values of a file, each counted as often as an alias repeats it."""
KINDS = {
    str: ("a text", '"words"'),
    int: ("a whole number", "3"),
}


@dataclass(frozen=True)
class YamlValue:
    """One value of a study file."""

    faults: StudyFaults
    node: yaml.Node
    name: str = "the study"

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def fault(self, message: str, fix: str) -> None:
        self.faults.add(self.line, message, fix)

    @property
    def value(self) -> Any:
        """The value as Python reads it; None for tags that are not plain YAML, which are a fault."""
        try:
            return yaml.SafeLoader("").construct_document(self.node)
        except (yaml.YAMLError, ValueError, RecursionError):
            self.fault(f"{self.name} cannot be read", "write plain YAML without tags")
            return None

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
            line = int(key.start_mark.line) + 1
            if known and value.name not in known:
                self.faults.add(line, f"'{value.name}' is not known in {self.name}", nearest(value.name, known))
            elif value.name in found:
                self.faults.add(line, f"'{value.name}' is given twice in {self.name}", "keep one of the two")
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

    def _scalar(self, kind: type[KindT]) -> KindT | None:
        value = self.value
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        wanted, example = KINDS[kind]
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


def read_values(text: str, file: str) -> YamlValue:
    """Return the mapping that a file holds. Raises BadStudy."""
    faults = StudyFaults(file)
    try:
        node = composed(text, most=MOST_VALUES)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        faults.add(mark.line + 1 if mark else 1, f"this is not YAML ({error.problem or error.context})", MEND)
    except TooManyValues as error:
        faults.add(1, str(error), "make it shorter")
    except (yaml.YAMLError, RecursionError) as error:
        faults.add(1, f"this is not YAML ({error})", "correct it")
    else:
        if not isinstance(node, yaml.MappingNode):
            faults.add(1, "this is not a study", "begin with `bases:` and `arms:`; examples/studies/ shows some")
        else:
            return YamlValue(faults, node)
    raise BadStudy(*faults.lines)
