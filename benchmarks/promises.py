"""Measure after ten days how often the newest promise about the person at hand is known in a talk.

`python benchmarks/promises.py SIMULATION` reads two days of 25 people that were run, as by `benchmarks/two_days.py
--keep`, and lets five people live the second day eight times more, with the dates of their promises moved along. At
each talk of the last two days it counts whether the newest promise about the other is among what the talk retrieves
about the other (few memories for an utterance, 30 for the relationship), and whether the commitments hold it. Ends with
exit code 1 if these hold fewer than 98 %.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from types import SimpleNamespace
from typing import cast

from retrieval import UTTERANCE_MEMORIES, Replay, hashing
from retrieval_run import RetrievalRun, people
from ten_days import DAY, DAYS, MIDNIGHT, ten_days

from ville.analysis.measures import SavedRun
from ville.errors import ReverieError
from ville.offline.day.hours import DATE, day_in, span_in, spoken_day
from ville.persona.cognitive_modules.committing.commit import AGREES, FOR_PLANNING, commit_by_talk, is_agreed
from ville.persona.cognitive_modules.conversing.impression import RELATIONSHIP_MEMORIES
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.facts.fact_words import are_alike
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY
from ville.persona.memory_structures.scratch import Conversation, Scratch, Tuning
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.memory_structures.stream.concept_node import Experience, read_experience
from ville.settings import load_settings
from ville.storage.folder.storage import find

LEAST = 0.98
NEVER = datetime(9000, 1, 1)  # noqa: DTZ001 - game time has no zone
LAST_DAYS = 2


def lived(name: str) -> RetrievalRun:
    """Return ten days of five people, from two saved days."""
    memories = SavedRun(find(load_settings().fs_storage, name)).memories
    lives = {
        who: [read_experience(who, node) for node in sorted(nodes, key=lambda each: each["node_count"])]
        for who, nodes in memories.items()
    }
    run = ten_days(RetrievalRun(lives, {who: [] for who in lives}), 1)
    return RetrievalRun({who: [_with_its_date(node) for node in life] for who, life in run.lives.items()}, run.requests)


def _with_its_date(node: Experience) -> Experience:
    """Return what is kept for planning with a date of its own day or later, as it was when it was kept."""
    days, text = (node.created - MIDNIGHT) // DAY - 1, node.description
    found = DATE.search(text)
    day = day_in(found[0], node.created.date()) if found else None
    if days <= 0 or found is None or day is None or not text.startswith(FOR_PLANNING.format(name=node.subject)):
        return node
    words = text.replace(found[0], spoken_day(day + timedelta(days=days)))
    return replace(node, description=words, embedding_key=words)


def promise_before(name: str, other: str, life: Sequence[Experience]) -> Experience | None:
    """Return the newest promise about another person in a life."""
    prefix = FOR_PLANNING.format(name=name)
    return next(
        (node for node in reversed(life)
         if other in node.description and node.description.startswith(prefix) and _is_promise(node)), None
    )  # fmt: skip


def _is_promise(node: Experience) -> bool:
    """Return whether a memory says what will be done, on a day that is not over or in words of agreement."""
    dated, end = day_in(node.description, node.created.date()), span_in(DATE.sub(" ", node.description)).end
    midnight = datetime.combine(dated, time()) if dated else NEVER
    if midnight + timedelta(minutes=MINUTES_PER_DAY if end is None else end) <= node.created:
        return False
    return is_agreed(node.description) and bool(DATE.search(node.description) or AGREES.search(node.description))


def talks(name: str, life: Sequence[Experience]) -> Iterator[tuple[int, str]]:
    """Yield the talks of the last days: number of memories before, and with whom."""
    begin = MIDNIGHT + (DAYS - LAST_DAYS) * DAY
    for number, node in enumerate(life):
        if node.kind == "chat" and node.created >= begin and node.object in people():
            yield number, node.object if node.subject == name else node.subject


def mind_of(name: str, stream: Replay) -> Mind:
    """Return a mind with these memories, which knows no places."""
    first, _, last = name.partition(" ")
    identity = Identity(
        name=name, first_name=first, last_name=last, age=30, innate="", learned="", currently="", lifestyle="",
        living_area="", daily_plan_req="",
    )  # fmt: skip
    return Mind(Scratch(identity, Tuning(), importance_trigger_curr=1), SpatialMemory(), stream.stream)


def view_at(now: datetime) -> TownView:
    """Return a town of which only the hour and the names of the people are known."""
    return cast("TownView", SimpleNamespace(now=now, names=people(), people={}))


def commit(mind: Mind, nodes: Sequence[Experience], before: int) -> None:
    """Note the commitments in the memories from a number on, as after the talks that they are from."""
    for number, node in enumerate(nodes[before:], before + 1):
        others = [name for name in people() if name in node.description and name != mind.name]
        conversation = Conversation(others[0] if others else "", ((mind.name, node.description),), None)
        commit_by_talk(mind, view_at(node.created), conversation, [mind.stream[number]])


def count(name: str, life: Sequence[Experience], counts: Counter[str]) -> None:
    """Count in the last days of a life which newest promises are known."""
    vectors = hashing([node.embedding_key for node in life] + list(people()))
    replay, before = Replay(name, life, vectors, "person"), 0
    mind = mind_of(name, replay)
    for number, other in talks(name, life):
        replay.remember(number)
        commit(mind, life[:number], before)
        before = number
        promise = promise_before(name, other, life[:number])
        if promise is None:
            continue
        counts["promises"] += 1
        for few in (UTTERANCE_MEMORIES, RELATIONSHIP_MEMORIES):
            (nodes,) = replay.find([other], life[number].created, few, [other])
            counts[f"{few} memories"] += any(node.description == promise.description for node in nodes)
        held = mind.facts.commitments.ever_with(other)
        counts["commitments"] += any(are_alike(each.what, promise.description) for each in held[:1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulation", help="two saved days")
    choice = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    try:
        for name, life in lived(choice.simulation).lives.items():
            if any(talks(name, life)) and life[-1].created > MIDNIGHT + (DAYS - LAST_DAYS) * DAY:
                count(name, life, counts)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    total = counts.pop("promises", 0)
    for known, found in counts.items():
        print(f"{known}: {found} of {total} newest promises, {found / total:.1%}")
    return 0 if total and counts["commitments"] >= LEAST * total else 1


if __name__ == "__main__":
    sys.exit(main())
