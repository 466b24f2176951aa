"""Facts that come to mind when a persona faces another: what it has promised, and what it has told already."""

from datetime import datetime

from ville.persona.cognitive_modules.committing.calling_off import PLAN
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.prompt_template.caps import QUOTED
from ville.plain_text import shortened

MOST_PROMISES, MOST_TOLD = 2, 3


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


def _is_over(commitment: Commitment, now: datetime) -> bool:
    return commitment.end is not None and commitment.end <= now
