"""Compose YAML that users write: few lines can stand for billions of values, because aliases repeat them."""

from math import inf

import yaml


class TooManyValues(yaml.YAMLError):
    """A file stands for more values than anybody can have meant."""


def composed(text: str, *, most: int) -> yaml.Node | None:
    """Return the node of a document with at most so many values, each counted as often as an alias repeats it.

    Raises YAMLError, TooManyValues among them, and RecursionError.
    """
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node and _count(node, {}) > most:
        raise TooManyValues(f"it has more than {most:,} values, aliases included")
    return node


def _count(node: yaml.Node, counts: dict[int, float]) -> float:
    """Return the number of values in a node; one that contains itself has no end."""
    if id(node) not in counts:
        counts[id(node)] = inf
        parts = [part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,))]
        counts[id(node)] = 1 + sum(_count(part, counts) for part in parts if isinstance(part, yaml.Node))
    return counts[id(node)]
