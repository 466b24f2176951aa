"""The settings of a run that change how minds work."""

from dataclasses import dataclass, fields
from typing import Literal

from ville.persona.cognitive_modules.retrieve import Method


@dataclass(frozen=True)
class MindSettings:
    """How minds work; the same for all personas. The fields are those of `ville.settings.Settings`."""

    retrieval: Method = "person"
    impressions: bool = True
    """Whether an impression of another persona is brought up to date, instead of formed anew, before each talk."""
    social_memory: bool = False
    """Whether personas keep a summary of each other, from which they talk instead of retrieving for each utterance."""
    conversations: Literal["turns", "whole"] = "turns"
    """Whether each utterance is a question, or one question writes a whole conversation of two personas."""


NAMES = tuple(field.name for field in fields(MindSettings))
