"""Those who want to talk find each other: one talk each, whoever comes first in the roster asks first."""

from collections.abc import Collection, Iterable

from ville.persona.cognitive_modules.view import Intent, Talk

Pair = tuple[str, str]
"""Who goes up to whom."""


def pair_up(intents: Iterable[Intent], free: Collection[str]) -> list[Pair]:
    """The conversations that begin in this step, in the order of the intents; nobody is in two.

    `free` are those whom one may still go up to now that they have thought.
    """
    left = set(free)
    pairs: list[Pair] = []
    for intent in intents:
        if isinstance(intent.reaction, Talk):
            pair = (intent.name, intent.reaction.to)
            if len(set(pair)) == len(pair) and left.issuperset(pair):
                left.difference_update(pair)
                pairs.append(pair)
    return pairs
