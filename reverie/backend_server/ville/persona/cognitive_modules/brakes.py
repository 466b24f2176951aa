"""Brakes: how many talks a persona may begin, and how often it reflects, so that a day costs about the same with models
of any temperament.

A budget recovers with time, up to what it holds. What is left follows from the memory stream, so that nothing is saved.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from ville.persona.cognitive_modules.mind import Mind
from ville.persona.memory_structures.stream.concept_node import PLANS, ConceptNode

TALKS_OF, REFLECTIONS_OF = 2, 8
"""Hours of recovery that the budgets of talks and of reflections hold."""
PERIOD = timedelta(days=1)
"""Time within which what was done counts."""
HOUR = timedelta(hours=1)
LATEST_THOUGHTS = 100


def may_talk(mind: Mind, now: datetime) -> bool:
    """Return whether there is budget for another talk."""
    rate = mind.settings.talks_per_hour
    if not _braked(mind, rate):
        return True
    talks = (node.created for node in mind.stream.newest("chat", LATEST_THOUGHTS))
    return _left(talks, now, rate, TALKS_OF) >= 1


def may_reflect(mind: Mind, now: datetime) -> bool:
    """Return whether there is budget for another reflection."""
    rate = mind.settings.reflections_per_hour
    if not _braked(mind, rate):
        return True
    thoughts = mind.stream.newest("thought", LATEST_THOUGHTS)
    return _left((node.created for node in thoughts if _is_insight(mind, node)), now, rate, REFLECTIONS_OF) >= 1


def _braked(mind: Mind, rate: float) -> bool:
    return rate > 0 and mind.settings.questions == "situated"


def _left(times: Iterable[datetime], now: datetime, rate: float, hours: int) -> float:
    """Return what is left of a budget that was used at these times, each time by one."""
    most = max(1.0, rate * hours)
    used: Sequence[datetime] = sorted({time for time in times if now - time < PERIOD})
    left = most
    for before, time in pairwise([*used, now]):
        left = min(most, max(0.0, left - 1) + (time - before) / HOUR * rate)
    return left


def _is_insight(mind: Mind, node: ConceptNode) -> bool:
    """Return whether a thought comes from a reflection, and neither from a plan, a user nor a talk."""
    kinds = {mind.stream[each].kind for each in node.evidence if each.startswith("node_")}
    return node.predicate != PLANS and bool(kinds) and not (kinds == {"chat"} and len(node.evidence) == 1)
