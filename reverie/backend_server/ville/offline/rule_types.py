"""Types of rules: fields in, answer out."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Fields = Mapping[str, Any]
"""The fields of the question."""
Answer = dict[str, Any]
Rule = Callable[[Fields, Random], Answer]
Shelf = dict[str, Rule]
"""Rules by the titles of their questions."""
