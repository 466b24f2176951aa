"""Laws of retrieval, with all methods written out as formulas."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from edges import edged
from hypothesis import example, given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.retrieve import recall, retrieve, score_memories
from ville.persona.memory_structures.person_names import person_name
from ville.persona.memory_structures.scratch import Tuning
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import observation, talk, thought
from ville.persona.memory_structures.stream.past_stream import PastStream

START = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
NOW = START + timedelta(days=2)
TRIPLE = ("Ada Stone", "is", "baking")
TEXTS = ("bread", "a party", "rain", "bed is idle", "Ben Reed", "votes")
VECTORS = {text: [(place * 7 + axis * 3) % 5 - 1.5 for axis in range(3)] for place, text in enumerate(TEXTS)}

memories = st.lists(
    st.tuples(st.sampled_from("etc"), st.sampled_from(TEXTS), edged(1, 10), edged(0, 2880)), max_size=12
)
tunings = st.builds(
    Tuning,
    recency_w=edged(0, 2),
    relevance_w=edged(0, 2),
    importance_w=edged(0, 2),
    recency_decay=st.sampled_from([0.5, 0.99, 0.995]),
)
focuses = st.lists(st.integers(-3, 3), min_size=3, max_size=3)


def stream_of(memories) -> AssociativeMemory:
    """Random memories: kind, text, poignancy, and minutes from the start to the last access."""
    stream = AssociativeMemory("Ada Stone")
    makers = {"e": observation, "t": thought, "c": talk}
    for kind, text, poignancy, minutes in memories:
        node = stream.add(makers[kind](START, TRIPLE, text, poignancy=poignancy), VECTORS[text])
        stream.mark_accessed([node], START + timedelta(minutes=minutes))
    return stream


def spread(values, noise=0.0):
    least, most = min(values, default=0), max(values, default=0)
    return [(value - least) / (most - least) if most - least > noise else 0.5 for value in values]


def cosine(one, other):
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return float(np.dot(one, other) / lengths) if lengths else 0.0


def as_in_the_paper(stream, focus, tuning):
    """Return scores by number as in the paper: weighted min-max of recency per hour, cosine and poignancy."""
    nodes = [node for node in stream if node.kind != "chat" and "idle" not in node.embedding_key]
    hours = [(NOW - stream.last_accessed(node)) / timedelta(hours=1) for node in nodes]
    recency = spread([tuning.recency_decay**each for each in hours])
    relevance = spread([cosine(VECTORS[node.embedding_key], focus) for node in nodes], noise=1e-6)
    importance = spread([node.poignancy for node in nodes])
    parts = zip(recency, relevance, importance, strict=True)
    weights = (tuning.recency_w, tuning.relevance_w, tuning.importance_w)
    return {node.number: float(np.dot(part, weights)) for node, part in zip(nodes, parts, strict=True)}


def as_released(stream, focus, tuning):
    """Return scores by number as in the released code: recency by position, oldest first; factors 0.5, 3 and 2."""
    nodes = stream.newest("event") + stream.newest("thought")
    nodes = sorted((node for node in nodes if "idle" not in node.embedding_key), key=stream.last_accessed)
    recency = spread([tuning.recency_decay**place for place in range(1, len(nodes) + 1)])
    relevance = spread([cosine(VECTORS[node.embedding_key], focus) for node in nodes], noise=1e-6)
    importance = spread([node.poignancy for node in nodes])
    parts = zip(recency, relevance, importance, strict=True)
    weights = (tuning.recency_w * 0.5, tuning.relevance_w * 3, tuning.importance_w * 2)
    return {node.number: float(np.dot(part, weights)) for node, part in zip(nodes, parts, strict=True)}


ORACLES = {"paper": as_in_the_paper, "person": as_in_the_paper, "released": as_released}


@given(memories, focuses, tunings, st.sampled_from(sorted(ORACLES)))
@example(  # two cosines that differ in the last bit only
    memories=[("e", "bread", 1, 0), ("e", "a party", 1, 0)],
    focus=[0, 2, 3],
    tuning=Tuning(recency_w=0, relevance_w=1, importance_w=0, recency_decay=0.5),
    method="paper",
)
def test_scores_equal_those_of_the_formula(memories, focus, tuning, method):
    """For every event and thought that is not idle; nothing else is scored."""
    stream = stream_of(memories)
    plain = ORACLES[method](stream, focus, tuning)
    weighed = score_memories(stream, focus, tuning=tuning, now=NOW, method=method)
    assert set(weighed.numbers.tolist()) == set(plain)
    assert weighed.score.tolist() == pytest.approx([plain[number] for number in weighed.numbers.tolist()], abs=1e-4)


def nodes_of(*arguments, **options):
    """Return what is retrieved, without its scores."""
    return [each.node for each in retrieve(*arguments, **options)]


@given(memories, memories, focuses, tunings, st.sampled_from(sorted(ORACLES)))
def test_a_stream_is_as_it_was_for_a_thought_that_takes_a_while(before, later, focus, tuning, method):
    """Whatever is remembered, accessed or dropped meanwhile; what is accessed for it is not accessed in the stream."""
    stream, alike = stream_of(before), stream_of(before)
    past, options = PastStream(stream), {"tuning": tuning, "now": NOW, "count": 5, "method": method}
    for node in stream_of(later):
        stream.add(node, VECTORS[node.embedding_key])
    stream.mark_accessed(list(stream)[:3], NOW)
    for node in list(stream)[:2]:
        stream.drop(node)
    when = [stream.last_accessed(node) for node in stream]
    assert nodes_of(past, focus, **options) == nodes_of(alike, focus, **options)
    assert past.with_keyword("event", "baking") == alike.with_keyword("event", "baking")
    assert (len(past), past.newest("thought")) == (len(alike), alike.newest("thought"))
    past.mark_accessed(list(past), START)
    assert [stream.last_accessed(node) for node in stream] == when
    assert list(past.came_to_mind) == [node.number for node in alike]


@given(memories, focuses, tunings, st.integers(0, 6))
def test_the_released_method_returns_the_highest_scores(memories, focus, tuning, count):
    """As many as requested, highest first; ties in the order of scoring."""
    stream = stream_of(memories)
    weighed = score_memories(stream, focus, tuning=tuning, now=NOW, method="released")
    ranked = sorted(zip(weighed.score.tolist(), weighed.numbers.tolist(), strict=True), key=lambda each: -each[0])
    chosen = nodes_of(stream, focus, tuning=tuning, now=NOW, count=count, method="released")
    assert [node.number for node in chosen] == [number for _, number in ranked][:count]


@given(memories, focuses, tunings, st.integers(0, 6))
def test_the_paper_method_returns_each_text_once(memories, focus, tuning, count):
    """By its highest score, the newest among equals; no text with a higher score is left out."""
    stream = stream_of(memories)
    weighed = score_memories(stream, focus, tuning=tuning, now=NOW)
    ranked = sorted(zip(weighed.score.tolist(), weighed.numbers.tolist(), strict=True), reverse=True)
    best = list({stream[number].embedding_key: number for _, number in reversed(ranked)}.items())
    expected = sorted((ranked_number for _, ranked_number in best), key=[number for _, number in ranked].index)
    for method in ("paper", "person"):
        chosen = nodes_of(stream, focus, tuning=tuning, now=NOW, count=count, method=method)
        assert [node.number for node in chosen] == expected[:count]


BEN = "Ben Reed"
PAST = (
    "Ben Reed shares the house with Ada Stone",
    "Ada Stone owes BEN REED a cake",
    "a promise",
    "a favour",
    "an oath",
)
"""Texts of memories about Ben; the last three name him in a keyword, by first name, and in Russian."""
WORDS = {
    "a promise": "is in love with Ben Reed and guards it",
    "a favour": "owed to Ben",
    "an oath": "\u0421 Ben\u043e\u043c",
}
OTHERS = ("Ben Gurion was a statesman", "a big ben", "Benny Reeds", "bread", "rain", "votes")
OVEN, SIGHT = "the Town:Cafe:cafe:oven", "oven is being used"
lives = st.lists(
    st.tuples(st.sampled_from("et"), st.sampled_from((*PAST, *OTHERS, SIGHT)), edged(1, 10), edged(0, 14400)),
    max_size=60,
)


def life_of(memories) -> AssociativeMemory:
    """Random memories, many about Ben: kind, text, poignancy, minute of creation. Sights of objects are events."""
    stream = AssociativeMemory("Ada Stone")
    for kind, text, poignancy, minutes in sorted(memories, key=lambda each: each[3]):
        moment, triple = START + timedelta(minutes=minutes), (OVEN, "is", "used") if text == SIGHT else TRIPLE
        maker = thought if kind == "t" and text != SIGHT else observation
        keywords = (WORDS[text],) if text in WORDS else ()
        vector = [len(text) % 7 - 3, text.count("a") + 0.5, text.count("e")]
        stream.add(maker(moment, triple, text, poignancy=poignancy, keywords=keywords), vector)
    return stream


def once(nodes):
    """Return the first node with each text."""
    firsts = {}
    for node in nodes:
        firsts.setdefault(node.embedding_key, node)
    return list(firsts.values())


def about_ben(stream, focus, tuning, now, count):
    """Return the numbers of the memories to retrieve about Ben, from the scores alone."""
    weighed = score_memories(stream, focus, tuning=tuning, now=now)
    scored = zip(weighed.score.tolist(), weighed.numbers.tolist(), strict=True)
    ranked = [stream[number] for _, number in sorted(scored, reverse=True)]
    past = [node for node in ranked if node.kind == "thought" and node.description in PAST]
    places = round(0.4 * count)
    earliest = once(sorted(past, key=lambda node: node.number))[: round(places / 2)]
    reserved = once([*earliest, *past])[:places]
    taken = {node.embedding_key for node in reserved}
    rest = sorted(
        (node for node in once(ranked) if node.embedding_key not in taken), key=lambda node: node.subject == OVEN
    )
    return [node.number for node in (*reserved, *rest)][:count]


@given(lives, focuses, tunings, st.sampled_from([0, 1, 2, 3, 5, 8, 10, 15, 50]))
def test_whoever_has_a_past_with_the_other_is_given_it(memories, focus, tuning, count):
    """Two of five places go to thoughts that name the other: half to the earliest, half to the weightiest of them.

    There may be any number of other memories. The remaining places go to the weightiest of all; states of objects last.
    """
    stream, now = life_of(memories), START + timedelta(days=10)
    about = [person_name(BEN)]
    chosen = nodes_of(stream, focus, tuning=tuning, now=now, count=count, about=about)
    assert [node.number for node in chosen] == about_ben(stream, focus, tuning, now, count)
    past = {node.embedding_key for node in stream if node.kind == "thought" and node.description in PAST}
    given = {node.embedding_key for node in chosen if node.kind == "thought"} & past
    assert len(given) >= min(len(past), round(0.4 * count))


@given(lives, st.lists(focuses, min_size=2, max_size=3), st.sampled_from([3, 5, 8, 10]))
def test_each_focal_point_adds_to_what_is_known_of_the_other(memories, points, count):
    """None of its reserved places goes to what an earlier one has found."""
    stream, brought = life_of(memories), set()
    for focus in points:
        chosen = nodes_of(
            stream, focus, tuning=Tuning(), now=NOW, count=count, about=[person_name(BEN)], found_before=brought
        )
        brought |= {node.embedding_key for node in chosen}
    past = {node.embedding_key for node in stream if node.kind == "thought" and node.description in PAST}
    assert len(brought & past) >= min(len(past), len(points) * round(0.4 * count))


@given(lives, focuses, st.integers(2, 50))
def test_persons_share_the_reserved_places(memories, focus, count):
    """With several persons, each has at least its part of them, as far as there are thoughts about it."""
    stream = life_of(memories)
    about = {name: person_name(name) for name in (BEN, "Ben Gurion")}
    chosen = nodes_of(stream, focus, tuning=Tuning(), now=NOW, count=count, about=list(about.values()))
    for person in about.values():
        texts = {stream[number].embedding_key for number in stream.thoughts_naming(person).tolist()}
        given = {node.embedding_key for node in chosen if node.kind == "thought"} & texts
        assert len(given) >= min(len(texts), int(0.2 * count))


@given(lives, focuses, st.integers(0, 50), st.sampled_from(["paper", "released"]))
def test_older_methods_reserve_nothing(memories, focus, count, method):
    """They return the same whether or not a retrieval is about a person."""
    stream = life_of(memories)
    found = [
        retrieve(stream, focus, tuning=Tuning(), now=NOW, count=count, method=method, about=about)
        for about in ((), [person_name(BEN)])
    ]
    assert found[0] == found[1]


def test_recency_is_reversed_in_the_released_method():
    """Of two memories that differ only in their last access, the paper prefers the later, the release the earlier."""
    tuning = Tuning()
    for method, preferred in (("paper", "rain"), ("released", "bread")):
        stream = stream_of([("e", "bread", 5, 60), ("e", "rain", 5, 600)])
        [node] = nodes_of(stream, [0, 0, 0], tuning=tuning, now=NOW, count=1, method=method)
        assert node.embedding_key == preferred


@given(memories, focuses, st.integers(0, 6), st.sampled_from(sorted(ORACLES)))
def test_retrieval_changes_nothing(memories, focus, count, method):
    """Access times stay the same, and the same focus returns the same memories again."""
    stream = stream_of(memories)
    before = [stream.last_accessed(node) for node in stream]
    found = [retrieve(stream, focus, tuning=Tuning(), now=NOW, count=count, method=method) for _ in range(2)]
    assert [stream.last_accessed(node) for node in stream] == before
    assert found[0] == found[1]


def test_an_empty_stream_returns_nothing():
    """Neither does one with idle memories only."""
    for stream in (stream_of([]), stream_of([("e", "bed is idle", 1, 0)])):
        for method in ORACLES:
            assert retrieve(stream, [1, 2, 3], tuning=Tuning(), now=NOW, count=3, method=method) == []


def test_keywords_find_related_memories():
    """Subject, predicate and object find events and thoughts, newest first, in any spelling."""
    stream = AssociativeMemory("Ada Stone")
    oven = "the Town:Cafe:cafe:Oven"
    old = stream.add(observation(START, (oven, "is", "cold"), "bread", poignancy=1, keywords=("Oven",)), [1])
    idea = stream.add(thought(START, ("Ben Reed", "likes", "rain"), "rain", poignancy=5, keywords=("Ben Reed",)), [1])
    stream.add(talk(START, ("Ada Stone", "chat with", "Ben Reed"), "votes", poignancy=5, keywords=("Ben Reed",)), [1])
    new = stream.add(observation(START, ("ben reed", "use", oven), "a party", poignancy=2, keywords=("oven",)), [1])
    recalled = recall(stream, [new])["a party"]
    assert recalled.event is new
    assert recalled.events == (new, old)
    assert recalled.thoughts == (idea,)
    assert recall(stream, [new], count=1)["a party"].events == (new,)
