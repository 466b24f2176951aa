"""Tokens that a question takes, on average: of a real model, or of the offline rules where it has none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ville.llm.gateway import Tier

QUESTION_TOKENS = Path(__file__).resolve().with_name("question_tokens.json")
"""Means by question with their origin, as benchmarks/typical_day.py has recorded them."""


@dataclass(frozen=True)
class QuestionTokens:
    """Means of the calls with a question."""

    tier: Tier
    prompt: float
    answer: float
    calls: int
    """Answers of a real model of which these are means; 0: by the rules, four characters for a token."""


@cache
def question_tokens() -> Mapping[str, QuestionTokens]:
    """Return the means of all questions that were recorded, by question."""
    recorded = json.loads(QUESTION_TOKENS.read_text("utf-8"))["questions"]
    return {question: QuestionTokens(**means) for question, means in recorded.items()}
