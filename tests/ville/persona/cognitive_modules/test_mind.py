"""Laws of memory access, parallel calls and rounding of time."""

import asyncio
from datetime import datetime, timedelta

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import Unreachable
from ville.persona.cognitive_modules.mind import (
    clean_phrase,
    gather_all,
    gather_pair,
    minute_of_day,
    next_full_minute,
    peek_memories,
    remember,
    retrieve_memories,
)
from ville.persona.memory_structures.schedule import Activity
from ville.persona.memory_structures.stream.concept_node import thought
from ville.persona.prompt_template.caps import MEMORY

ADA = "Ada Stone"
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone


def thoughts(hamlet, *texts):
    return [thought(hamlet.now, (ADA, "thinks", text), text, poignancy=3) for text in texts]


async def test_texts_are_embedded_in_one_batch_without_duplicates(hamlet):
    """Even if the same text comes twice."""
    mind = hamlet.person().mind
    nodes = await remember(mind, hamlet.moment(), thoughts(hamlet, "rain", "bread", "rain"))
    assert [node.description for node in nodes] == ["rain", "bread", "rain"]
    assert hamlet.embedder.batches == [["rain", "bread"]]


async def test_texts_for_the_embedder_are_clean(hamlet):
    """Not empty, without line breaks and not too long."""
    await remember(hamlet.person().mind, hamlet.moment(), thoughts(hamlet, "", "one\ntwo", "x" * 300_000))
    assert hamlet.embedder.batches == [["this is blank", "one two", f"{'x' * (MEMORY - 1)}…"]]


async def test_an_empty_stream_has_no_memories_to_retrieve(hamlet):
    """One empty list per focal point, and nothing is embedded (docs/migration/faults.md, 29)."""
    assert await retrieve_memories(hamlet.person().mind, hamlet.moment(), ["rain", "bread"], 5) == [[], []]
    assert hamlet.embedder.batches == []


async def test_results_have_the_order_of_the_focal_points(hamlet):
    """The most similar memory comes first for each."""
    mind = hamlet.person().mind
    await remember(mind, hamlet.moment(), thoughts(hamlet, "aaaaaaaa", "iiiiiiii"))
    found = await retrieve_memories(mind, hamlet.moment(), ["iiii", "aaaa"], 1)
    assert [[node.description for node in nodes] for nodes in found] == [["iiiiiiii"], ["aaaaaaaa"]]


@pytest.mark.parametrize(("before", "found"), [([], "iiiiiiii"), (["aaaa"], "aaaaaaaa")])
async def test_access_by_one_focal_point_counts_for_the_next(hamlet, before, found):
    """Of two otherwise equal memories, the one just accessed scores higher than the newer one."""
    mind = hamlet.person().mind
    await remember(mind, hamlet.moment(), thoughts(hamlet, "aaaaaaaa", "iiiiiiii"))
    hamlet.now += timedelta(days=1)
    last = (await retrieve_memories(mind, hamlet.moment(), [*before, "noon"], 1))[-1]
    assert [node.description for node in last] == [found]


async def test_only_retrieval_by_the_persona_counts_as_access(hamlet):
    """`peek_memories` finds the same and changes nothing."""
    mind = hamlet.person().mind
    nodes = await remember(mind, hamlet.moment(), thoughts(hamlet, "aaaaaaaa", "iiiiiiii"))
    hamlet.now += timedelta(days=1)
    (focus,) = await hamlet.embedder.embed(["iiii"])
    assert [each.node for each in peek_memories(mind, hamlet.moment(), focus, count=1, about=[])] == [nodes[1]]
    assert [mind.stream.last_accessed(node) for node in nodes] == [node.created for node in nodes]
    assert await retrieve_memories(mind, hamlet.moment(), ["iiii"], 1) == [[nodes[1]]]
    assert [mind.stream.last_accessed(node) for node in nodes] == [nodes[0].created, hamlet.now]


async def test_coroutines_run_in_parallel():
    """Each begins before any has ended; results keep their order."""
    begun = []

    async def question(number: int) -> int:
        begun.append(number)
        await asyncio.sleep(0)
        assert len(begun) > 1
        return number

    assert await gather_pair(question(1), question(2)) == (1, 2)
    begun.clear()
    assert await gather_all(question(number) for number in range(4)) == [0, 1, 2, 3]


async def test_a_failure_cancels_the_other_coroutines():
    """They have ended when the error is raised."""
    ended = []

    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append("given up")

    async def broken() -> None:
        await asyncio.sleep(0)
        raise Unreachable("no answer")

    with pytest.raises(Unreachable):
        await gather_pair(slow(), broken())
    with pytest.raises(Unreachable):
        await gather_all([slow(), broken(), slow()])
    assert ended == ["given up"] * 3


@given(st.text(max_size=40))
def test_a_clean_phrase_survives_the_schedule(text):
    """As an activity or a subtask it is read back as it was written."""
    what = clean_phrase(text)
    for activity in (Activity(what, 5), Activity(what, 5, of="baking")):
        assert not what or Activity.parse(activity.text, 5) == activity


@given(edged(0, 86399))
def test_a_start_is_rounded_up_to_a_minute_of_today(second):
    """Never in the past, never more than a minute ahead, never tomorrow."""
    now = MIDNIGHT + timedelta(seconds=second)
    assert now <= next_full_minute(now) < now + timedelta(minutes=1)
    assert minute_of_day(now) == min(-(-second // 60), 1439)
