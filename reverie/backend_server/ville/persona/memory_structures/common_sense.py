"""Common sense of a town: where activities are usually done. Learned once for each activity, and shared by all.

A model is asked about an activity, not about a person. What is learned in a step is known to all from the next step on.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import JsonObject

UNIMPORTANT = {"a", "an", "the", "some", "my", "his", "her", "their", "our", "own"}
"""Words that do not change where something is done."""


@dataclass(frozen=True)
class UsualPlace:
    """Kind of place and thing, in words, at which an activity is usually done, and its emoji."""

    place: str
    thing: str = ""
    emoji: str = ""


CommonSense = Mapping[str, UsualPlace]
"""Usual places by activity, as `plain_activity` writes it."""


def plain_activity(text: str) -> str:
    """Return the words of an activity that say what is done: `writing letter` for `Writing her letter.`"""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.casefold())
    return " ".join([word for word in words if word not in UNIMPORTANT] or words)


def common_sense_json(known: CommonSense) -> JsonObject:
    """Return what is saved."""
    return {text: [usual.place, usual.thing, usual.emoji] for text, usual in known.items()}


def read_common_sense(values: Mapping[str, Any]) -> dict[str, UsualPlace]:
    """Return what was saved. Raise CorruptFile."""
    try:
        return {str(text): UsualPlace(*map(str, parts)) for text, parts in values.items()}
    except TypeError as fault:
        raise CorruptFile(f"common_sense.json is invalid ({fault}). Restore or remove it.") from None
