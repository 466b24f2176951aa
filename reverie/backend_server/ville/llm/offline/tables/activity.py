"""What an activity is made of; the tables `routines`, `crafts` and `leisure` are lists of these."""

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Activity:
    """Steps are written side by side, with bars between them. The first row whose words are found is taken."""

    words: str
    """Pattern of the phrases that mean it."""
    opening: str = ""
    """What it begins with, in this order."""
    body: str = ""
    """What it goes on with as long as it lasts. A step with a slash in it is one of several: any, but only one."""
    closing: str = ""
    """What it ends with."""
    in_order: bool = False
    """Whether the body is gone through as it is written; else in any order."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.words, re.IGNORECASE)

    @cached_property
    def steps(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Opening, body and closing."""
        return _cut(self.opening), _cut(self.body), _cut(self.closing)


def _cut(text: str) -> tuple[str, ...]:
    return tuple(step.strip() for step in text.split("|") if step.strip())
