"""Question of reaction: talk, wait or carry on? (paper §4.3.1)"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.question import Answer, Question

Choice = Literal["talk", "wait", "carry on"]


class Decision(Answer):
    reason: str = Field(default="", max_length=caps.REASON, description="one short sentence")
    choice: Choice


@dataclass(frozen=True)
class HowToReact(Question[Decision]):
    """What does this persona do on noticing another one? (paper §4.3.1)"""

    identity: str
    name: str
    now: datetime
    other: str
    own_doing: str
    other_doing: str
    last_talk: str
    """When and about what they last talked, or `never`."""
    memories: tuple[QuotedMemory, ...]
    choices: tuple[Choice, ...]
    """What the situation allows, always including `carry on`."""

    template = "react/how_to_react.txt"
    answer = Decision

    def fallback(self) -> Decision:
        return Decision(choice="carry on")

    def check(self, answer: Decision) -> None:
        if answer.choice not in self.choices:
            raise ValueError(f"choice: {answer.choice!r} is not one of {', '.join(self.choices)}")
