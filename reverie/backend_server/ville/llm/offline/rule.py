"""What a rule is given and what it gives."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Fields = Mapping[str, Any]
"""The blanks of the question, as values."""
Answer = dict[str, Any]
Rule = Callable[[Fields, Random], Answer]
Shelf = dict[str, Rule]
"""The questions of one shelf by their titles."""
