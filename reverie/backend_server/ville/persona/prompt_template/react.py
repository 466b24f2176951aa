"""Question of reaction: talk, wait or carry on? (paper §4.3.1)"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answer import Answer
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.question import Question

Choice = Literal["talk", "wait", "carry on"]


NEGATIONS = {"not", "never", "t"}
"""Words, and the end of `don't`, before a choice that is refused."""


def _choice_in(value: Any) -> Any:
    """Return the only choice that a text names and does not refuse, such as that in `Carry_on with the work`."""
    words = re.findall(r"[^\W_]+", value.casefold()) if isinstance(value, str) else []
    named = [choice for choice in get_args(Choice) if set(choice.split()) <= set(words)]
    if len(named) != 1 or not NEGATIONS.isdisjoint(words[: words.index(named[0].split()[0])]):
        return value
    return named[0]


class Decision(Answer):
    reason: str = Field(default="", max_length=caps.REASON, description="one short sentence")
    choice: Annotated[Choice, BeforeValidator(_choice_in)]


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

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        return {"choice": self.choices}

    def check(self, answer: Decision) -> None:
        if answer.choice not in self.choices:
            raise ValueError(f"choice: {answer.choice!r} is not one of {', '.join(self.choices)}")
