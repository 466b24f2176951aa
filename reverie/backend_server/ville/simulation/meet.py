"""Pairs up personas that want to talk: at most one conversation each, in roster order."""

from collections.abc import Collection, Iterable

from ville.persona.cognitive_modules.view import Intent, Talk

Pair = tuple[str, str]
"""The persona that starts the conversation, and the one it approaches."""


def pair_up(intents: Iterable[Intent], free: Collection[str]) -> list[Pair]:
    """Return the conversations that start in this step, in the order of the intents; no name occurs twice.

    `free` are the personas that can be approached, now that all have thought.
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
