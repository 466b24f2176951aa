"""Facts that come to mind when a persona faces another: what it has promised, what it has told already, and what of
its memories is called off.
"""

from collections.abc import Sequence
from datetime import datetime

from ville.persona.cognitive_modules.committing.calling_off import PLAN
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.facts.fact_words import are_same_event
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.prompt_template.caps import QUOTED
from ville.plain_text import shortened

MOST_PROMISES, MOST_TOLD = 2, 3
LATEST = 500
"""Thoughts among which a cancellation is looked for."""


def promised(mind: Mind, now: datetime, facing: str) -> tuple[str, ...]:
    """Return the open commitments that matter now, in a line each: the newest with whom one faces, then the next.

    What is planned only is told with the plan.
    """
    commitments = mind.facts.commitments
    shared = [each for each in commitments.with_person(facing) if not _is_over(each, now)] if facing else []
    others = [each for each in (*commitments.ahead(now), *commitments.promises()) if each.source != PLAN]
    chosen = list({id(each): each for each in (*shared[:1], *others)}.values())
    return tuple(each.text(now) for each in chosen[:MOST_PROMISES])


def told_already(mind: Mind, facing: str) -> tuple[str, ...]:
    """Return what the persona has told to whom it faces, the latest last."""
    facts = mind.facts.told.told_to(facing) if facing else []
    return tuple(shortened(fact.text.rstrip("."), QUOTED) for fact in facts[-MOST_TOLD:])


def with_what_is_off(mind: Mind, nodes: Sequence[ConceptNode]) -> list[ConceptNode]:
    """Return memories, and last those that call off what is in them: whoever remembers a party also knows that it does
    not take place.
    """
    if mind.settings.questions != "situated":
        return list(nodes)
    reasons = {each.reason for node in nodes for each in called_off(mind, node.description)}
    told = [node for node in mind.stream.newest("thought", LATEST) if node.description in reasons] if reasons else []
    known = {node.number for node in nodes} | mind.stream.dropped
    return [*nodes, *(node for node in told if node.number not in known and not mind.stream.is_hidden(node))]


def called_off(mind: Mind, text: str) -> list[Commitment]:
    """Return the commitments in a text that were called off, unless the text itself says so."""
    off = (each for each in mind.facts.commitments if each.outcome == "called off" and each.reason != text)
    return [each for each in off if are_same_event(each.what, text)]


def _is_over(commitment: Commitment, now: datetime) -> bool:
    return commitment.end is not None and commitment.end <= now
