"""Ten synthetic days: the second of two recorded days eight times more, never quite the same."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from retrieval_run import RetrievalRun, people, situations

from ville.persona.memory_structures.stream.concept_node import Experience

DAY, DAYS = timedelta(days=1), 10
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
PEOPLE = 5
"""Personas who live ten days: those of the most situations."""
EXCHANGED_ACTIVITIES, EXCHANGED_THOUGHTS = 0.5, 0.75


def ten_days(run: RetrievalRun, seed: int) -> RetrievalRun:
    """Return a run in which five people live the second day eight times more, never quite the same."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    busiest = [name for name, _ in Counter(each.who for each in situations()).most_common(PEOPLE)]
    words = Pool([node for life in run.lives.values() for node in life if node.created >= MIDNIGHT + DAY], rng)
    lives, requests = {}, {}
    for name in busiest:
        days = [node for node in run.lives[name] if node.created >= MIDNIGHT + DAY]
        asked = [each for each in run.requests[name] if each.now >= MIDNIGHT + DAY]
        lives[name] = [*run.lives[name]]
        requests[name] = [*run.requests[name]]
        for day in range(1, DAYS - 1):
            lives[name] += [words.exchanged(replace(node, created=node.created + day * DAY)) for node in days]
            more = day * len(days)
            requests[name] += [replace(each, time=str(each.now + day * DAY), nodes=each.nodes + more) for each in asked]
    return RetrievalRun(lives, requests)


class Pool:
    """Activities, topics and conclusions of the whole town, to exchange."""

    def __init__(self, nodes: Iterable[Experience], rng: random.Random) -> None:
        self._rng = rng
        self._topics: list[tuple[str, int]] = []
        self._doings: list[tuple[str, int]] = []
        self._thoughts: list[tuple[str, int]] = []
        for node in nodes:
            self._sort_in(node)

    def _sort_in(self, node: Experience) -> None:
        """Keep a text with its poignancy, with blanks for the names."""
        if node.kind == "chat":
            self._topics.append((node.description, node.poignancy))
        elif node.kind == "event" and node.description.startswith(f"{node.subject} is "):
            self._doings.append((node.description.replace(node.subject, "{who}"), node.poignancy))
        elif node.kind == "thought" and (other := _only_other(node)):
            text = node.description.replace(node.subject, "{who}").replace(other, "{other}")
            self._thoughts.append((text, node.poignancy))

    def exchanged(self, node: Experience) -> Experience:
        """Return a memory of the same kind about the same person, mostly with other words."""
        other = _only_other(node)
        if node.kind == "chat":
            return _worded(node, *self._rng.choice(self._topics))
        if node.kind == "event" and node.subject in people() and self._rng.random() < EXCHANGED_ACTIVITIES:
            return _worded(node, *self._rng.choice(self._doings))
        if node.kind == "thought" and other and self._rng.random() < EXCHANGED_THOUGHTS:
            return _worded(node, *self._rng.choice(self._thoughts), other=other)
        return node


def _only_other(node: Experience) -> str:
    others = [name for name in people() if name in node.description and name != node.subject]
    return others[0] if len(others) == 1 else ""


def _worded(node: Experience, text: str, poignancy: int, other: str = "") -> Experience:
    words = text.format(who=node.subject, other=other)
    return replace(node, description=words, embedding_key=words, poignancy=poignancy)
