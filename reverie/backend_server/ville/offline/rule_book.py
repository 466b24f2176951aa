"""The offline provider: finds the rule of a question and answers with it."""

import json
from dataclasses import fields, is_dataclass
from random import Random
from zlib import crc32

from ville.errors import Malformed
from ville.llm.gateway import OFFLINE_RULES, ChatReply, ChatRequest
from ville.offline import perceive_rules, react_rules, reflect_rules, talk_rules
from ville.offline.day import day_rules, plan_rules
from ville.offline.rule_types import Shelf
from ville.offline.talks import converse_rules

RULES: Shelf = (
    perceive_rules.RULES
    | plan_rules.RULES
    | day_rules.RULES
    | react_rules.RULES
    | converse_rules.RULES
    | reflect_rules.RULES
    | talk_rules.RULES
)
"""Rules by question title."""
WORDS_ONLY = {"at_hand", "first_now", "second_now", "cue", "manner", "partner", "subject", "parting", "unheard",
              "parts_of_work"}  # fmt: skip
"""Fields of questions and their values that change nothing but words."""


class RuleBook:
    """Chat client that answers by rules: same request, same answer."""

    name = OFFLINE_RULES

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        """Default for requests without a seed."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises Malformed for a question without a rule."""
        return self.answer(request, like=request)

    def answer(self, request: ChatRequest, *, like: ChatRequest) -> ChatReply:
        """Return the answer with the chance of another request: what differs then comes of the question alone.

        Raises Malformed for a question without a rule.
        """
        rule = RULES.get(request.question)
        if rule is None:
            raise Malformed(f"The offline rules have no answer to '{request.question}': add one to ville/offline.")
        return ChatReply(text=json.dumps(rule(request.fields, self._chance(like))), model=OFFLINE_RULES)

    def _chance(self, request: ChatRequest) -> Random:
        """Return a generator of its own for every question, also for two of the same kind at the same step.

        The values of the fields count, not the wording of the prompt: an edited template does not change the town.
        Nor do fields without a value, which questions can do without, and what is told of the present.
        """
        told = {name: value for name, value in request.fields.items() if value is not None and name not in WORDS_ONLY}
        given = [(name, _values(value)) for name, value in sorted(told.items())]
        asked = crc32(repr(given).encode())
        about = f"{request.seed or self.seed} {request.persona} {request.step} {request.question} {asked}"
        return Random(about)  # noqa: S311 - a game, no secrets


def _values(value: object) -> object:
    """Return a value without the names of classes, which may change."""
    if is_dataclass(value):
        return [_values(getattr(value, field.name)) for field in fields(value) if field.name not in WORDS_ONLY]
    return [_values(item) for item in value] if isinstance(value, tuple) else value
