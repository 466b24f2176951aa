"""Whether a model that sees the prompts of a run guesses what is tested (PIMMUR's question).

A model is shown some prompts, asked for guesses, and then, by a second question, whether one of them is the purpose.
The words of the purpose that the guesses have are counted, too, for those who do not trust the model that judges.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from ville.analysis.validity.finding import ValidityFinding, finding, share_of
from ville.analysis.validity.talk_words import content_words
from ville.json_types import JsonObject
from ville.plain_text import shortened

ROUNDS = 5
"""Models are asked so often, each time with other prompts."""
PROMPTS, LONGEST = 8, 1500
"""Prompts in a question, and characters of each that are shown."""
GUESSES, GUESS = 3, 200
SHOWN = 120
ANSWER_TOKENS = 400
FIRST = (
    "These are prompts that were sent to a language model one after the other, in some project:\n\n{prompts}\n\n"
    "What is probably studied or measured in this project? Give up to three different guesses, the likeliest first, "
    "each in one sentence. If the prompts do not tell, give no guess."
)
SECOND = (
    "A study asks: {purpose}\n\nSomeone who did not know it guessed that it is about:\n{guesses}\n\n"
    "Does one of the guesses say what the study asks? Answer yes if a guess names the same question, partly if it "
    "names only a part of it or something near, and no otherwise."
)
GUESS_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"guesses": {"type": "array", "items": {"type": "string", "maxLength": GUESS}, "maxItems": GUESSES}},
    "required": ["guesses"],
}
VERDICT_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["yes", "partly", "no"]}},
    "required": ["verdict"],
}


@dataclass(frozen=True)
class AwarenessRound:
    """Guesses of a model that saw some prompts."""

    run: str
    questions: tuple[str, ...]
    """Names of the templates whose prompts it saw."""
    guesses: tuple[str, ...]
    verdict: str
    """`yes`, `partly`, `no`; empty: no answer that can be read."""
    words: float
    """Share of the words of the purpose that the guesses have."""

    def as_json(self) -> JsonObject:
        return asdict(self)


def chosen_prompts(prompts: Sequence[tuple[str, str]], seed: str) -> list[tuple[str, str]]:
    """Return some prompts, of as many kinds of questions as there are, drawn by a seed."""
    order = Random(seed).sample(range(len(prompts)), len(prompts))  # noqa: S311 - a sample
    first = list({prompts[at][0]: at for at in reversed(order)}.values())  # one of each kind
    chosen = [*sorted(first, key=order.index), *(at for at in order if at not in first)][:PROMPTS]
    return [prompts[at] for at in sorted(chosen)]


def first_question(shown: Sequence[tuple[str, str]]) -> str:
    """Return the question for guesses."""
    return FIRST.format(
        prompts="\n\n".join(f"--- {n}\n{shortened(text, LONGEST)}" for n, (_, text) in enumerate(shown, 1))
    )


def second_question(purpose: str, guesses: Sequence[str]) -> str:
    """Return the question whether a guess is right."""
    return SECOND.format(purpose=purpose, guesses="\n".join(f"- {guess}" for guess in guesses))


def read_guesses(text: str) -> tuple[str, ...]:
    """Return the guesses of an answer; none if it has not the form."""
    found = _object(text).get("guesses")
    return tuple(shortened(str(each), GUESS) for each in found[:GUESSES]) if isinstance(found, list) else ()


def read_verdict(text: str) -> str:
    """Return yes, partly or no; empty if the answer has not the form."""
    found = _object(text).get("verdict")
    return found if found in {"yes", "partly", "no"} else ""


def shared_words(purpose: str, guesses: Sequence[str]) -> float:
    """Return the share of the words of a purpose that guesses have."""
    wanted = content_words(purpose)
    return len(wanted & content_words(" ".join(guesses))) / len(wanted) if wanted else 0.0


def awareness(rounds: Sequence[AwarenessRound], purpose: str, model: str) -> ValidityFinding:
    """Return the finding on guesses, of at least one round. A guess that is partly right counts half in the details."""
    right = sum(each.verdict == "yes" for each in rounds)
    partly = sum(each.verdict == "partly" for each in rounds)
    words = sum(each.words for each in rounds) / len(rounds)
    counts = (
        f"{right} right, {partly} partly, {len(rounds) - right - partly} not; {words:.0%} of the words of the purpose"
    )
    told = (
        f"{each.verdict or 'no answer'}: {shortened(' / '.join(each.guesses) or 'no guess', SHOWN)}" for each in rounds
    )
    details = [f"{model}, on “{shortened(purpose, SHOWN)}”: {counts}", *told]
    return finding("awareness", share_of(right, len(rounds)), f"{len(rounds)} questions", details)


def _object(text: str) -> dict[str, Any]:
    """Return the first JSON object in a text; empty if there is none."""
    begin = text.find("{")
    try:
        value, _ = json.JSONDecoder().raw_decode(text[begin:]) if begin >= 0 else ({}, 0)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
