"""Laws of the memory stream."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import BadEmbedding, CorruptFile
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import observation, talk, thought

CLASSIC = (
    '{"node_4": {"node_count": 4, "type_count": 2, "type": "event", "depth": 0, "created": "2023-02-13 09:00:20", '
    '"expiration": null, "subject": "Ada Stone", "predicate": "chat with", "object": "Ben Reed", '
    '"description": "Ada Stone is conversing \\ud83d\\ude34", "embedding_key": "c", "poignancy": 3, '
    '"keywords": ["Ben Reed", "Ada Stone"], "filling": ["node_3"]}, '
    '"node_3": {"node_count": 3, "type_count": 1, "type": "chat", "depth": 0, "created": "2023-02-13 09:00:20", '
    '"expiration": null, "subject": "Ada Stone", "predicate": "chat with", "object": "Ben Reed", '
    '"description": "c", "embedding_key": "c", "poignancy": 3, '
    '"keywords": ["Ben Reed", "Ada Stone"], "filling": [["Ada Stone", "Hi"], ["Ben Reed", "Hello"]]}, '
    '"node_2": {"node_count": 2, "type_count": 1, "type": "thought", "depth": 1, "created": "2023-02-13 00:00:20", '
    '"expiration": "2023-03-15 00:00:20", "subject": "Ada Stone", "predicate": "plan", "object": "Monday February 13", '
    '"description": "b", "embedding_key": "b", "poignancy": 5, "keywords": ["plan"], "filling": "node_1"}, '
    '"node_1": {"node_count": 1, "type_count": 1, "type": "event", "depth": 0, "created": "2023-02-13 00:00:10", '
    '"expiration": null, "subject": "the Town:Ada\'s flat:main room:bed", "predicate": "is", "object": "idle", '
    '"description": "bed is idle", "embedding_key": "bed is idle", "poignancy": 1, '
    '"keywords": ["idle", "bed"], "filling": []}}'
)
EMBEDDINGS = {"bed is idle": [1, 0], "b": [0, 1], "c": [1, 1], "nobody uses this": [2, 1]}


def loaded(nodes=CLASSIC, embeddings=EMBEDDINGS, strengths=None, accessed=None) -> AssociativeMemory:
    return AssociativeMemory.load(
        "Ada Stone",
        nodes=json.loads(nodes),
        embeddings=embeddings,
        kw_strength=strengths or {"kw_strength_event": {}, "kw_strength_thought": {}},
        last_accessed=accessed or {},
    )


def test_an_unchanged_stream_of_the_released_code_is_written_as_it_was():
    """All forms of fillings, emoji escapes and the order of nodes and keys survive byte for byte."""
    assert str(loaded().nodes_text()) == CLASSIC
    assert str(AssociativeMemory("Ada Stone").nodes_text()) == "{}"


def seen(at, key, keywords=(), minutes=0, triple=("Ada Stone", "is", "baking")):
    return observation(at(minutes), triple, key, poignancy=4, keywords=keywords)


experiences = st.lists(st.tuples(st.sampled_from("etc"), st.text(max_size=6), st.lists(st.integers(0, 12), max_size=3)))


@given(experiences)
def test_a_saved_stream_is_read_back(at, experiences):
    """Any stream is the same after saving and loading, and its text is that of json.dumps."""
    memory = AssociativeMemory("Ada Stone")
    for kind, text, numbers in experiences:
        ids = tuple(f"node_{number}" for number in numbers)
        new = {
            "e": observation(at(), ("a", "b", "c"), text, poignancy=4),
            "t": thought(at(), ("a", "b", "c"), text, poignancy=4, evidence=ids),
            "c": talk(at(), ("a", "b", "c"), text, poignancy=4, transcript=((text, text),)),
        }[kind]
        memory.add(new, [1.0, 2.0])
    text = str(memory.nodes_text())
    assert text == json.dumps({node.node_id: node.as_json() for node in reversed(list(memory))})
    again = loaded(text, memory.vectors.unsaved)
    assert str(again.nodes_text()) == text
    assert list(again) == list(memory)


def test_the_stream_assigns_numbers_and_depths(at):
    """Ordinals count within a kind; a thought is one deeper than its evidence, if all of it is known."""
    memory = loaded()
    deep = memory.add(thought(at(), ("a", "b", "c"), "b", poignancy=4, evidence=("node_1", "node_2")))
    lost = memory.add(thought(at(), ("a", "b", "c"), "b", poignancy=4, evidence=("node_2", "node_99")))
    plan = memory.add(thought(at(), ("a", "b", "c"), "b", poignancy=4))
    assert [(node.number, node.ordinal, node.depth) for node in (deep, lost, plan)] == [(5, 2, 2), (6, 3, 1), (7, 4, 1)]
    assert memory["node_5"] is memory[5] is deep
    with pytest.raises(KeyError):
        memory["node_8"]


def test_the_newest_nodes_come_first(at):
    """Of each kind, the last so many; all without a count."""
    memory = loaded()
    new = [memory.add(seen(at, "b")) for _ in range(3)]
    assert memory.newest("event", 2) == [new[2], new[1]]
    assert [node.number for node in memory.newest("event")] == [7, 6, 5, 4, 1]
    assert memory.newest("event", 0) == []


@pytest.mark.parametrize("word", ["ben reed", "Ben Reed", "the Town:somewhere:Ben Reed"])
def test_keywords_ignore_case_and_address_prefixes(word):
    """In any spelling they find the same nodes."""
    memory = loaded()
    assert [node.number for node in memory.with_keyword("event", word)] == [4]
    assert [node.number for node in memory.with_keyword("event", "the Town:Ada's flat:main room:Bed")] == [1]
    assert memory.with_keyword("thought", word) == []


def test_the_last_chat_is_the_newest_with_that_persona(at):
    """Chats with others do not count."""
    memory = loaded()
    triple = ("Ada Stone", "chat with", "Ben Reed")
    chat = talk(at(), triple, "c", poignancy=3, keywords=("Ada Stone", "Ben Reed"), transcript=())
    newest = memory.add(chat)
    assert memory.last_chat_with("Ben Reed") is newest
    assert memory.last_chat_with("Cy Doe") is None


def test_keyword_strengths_count_nodes_that_are_not_idle(at):
    """Once per keyword, in lower case; chats do not count; values of the file are kept."""
    memory = loaded()
    assert memory.keyword_strengths == {
        "kw_strength_event": {"ben reed": 1, "ada stone": 1},
        "kw_strength_thought": {"plan": 1},
    }
    kept = loaded(strengths={"kw_strength_event": {"Bed": 7, "baking": 1}, "kw_strength_thought": {}})
    kept.add(seen(at, "b", keywords=("Baking",)))
    assert kept.keyword_strengths == {"kw_strength_event": {"Bed": 7, "baking": 2}, "kw_strength_thought": {"plan": 1}}


def test_access_times_survive_a_save(at):
    """Addition counts as access; the side file has only nodes accessed later."""
    memory = loaded()
    assert memory.last_accessed(memory[1]) == memory[1].created
    assert memory.accessed_texts() == {}
    memory.mark_accessed([memory[1], memory[4]], at(600))
    assert memory.accessed_texts() == {"node_1": "2023-02-13 10:00:00", "node_4": "2023-02-13 10:00:00"}
    again = loaded(accessed={**memory.accessed_texts(), "node_77": "2023-02-13 10:00:00"})
    assert [again.last_accessed(node) for node in again] == [memory.last_accessed(node) for node in memory]


def test_gaps_and_missing_vectors_are_named():
    """The message has the persona, the file and what is missing."""
    with pytest.raises(CorruptFile, match=r"Ada Stone: nodes.json has no node_2"):
        loaded(CLASSIC.replace('"node_2": {', '"node_7": {'))
    with pytest.raises(
        BadEmbedding, match=r"Ada Stone: vectors.f32 and embeddings.json have no vector for 'bed is idle'"
    ):
        loaded(embeddings={"b": [1]})


def test_an_experience_without_a_vector_is_not_added(at):
    """If a vector is missing or of another size, the stream does not change."""
    memory = loaded()
    with pytest.raises(BadEmbedding):
        memory.add(seen(at, "never heard"))
    with pytest.raises(BadEmbedding):
        memory.add(seen(at, "never heard"), [1, 2, 3])
    assert (len(memory), str(memory.nodes_text()), memory.vectors.unsaved) == (4, CLASSIC, {})
