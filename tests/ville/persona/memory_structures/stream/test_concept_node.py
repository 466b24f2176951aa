"""Laws of nodes of the memory stream."""

import pytest

from ville.errors import CorruptFile
from ville.persona.memory_structures.stream.concept_node import (
    cleaned,
    embedding_text,
    observation,
    read_experience,
    talk,
    thought,
)

TRIPLE = ("Ada Stone", "is", "baking")


def test_an_observation_keeps_its_subtask(at):
    """The first three words and the text in the last parentheses; the text in the first ones is embedded."""
    seen = observation(at(), TRIPLE, "Ada Stone is baking (kneading dough)", poignancy=4)
    assert (seen.description, seen.embedding_key) == ("Ada Stone is kneading dough", "kneading dough")
    assert cleaned("Ada Stone is at work (baking) (by hand)") == "Ada Stone is by hand"
    assert embedding_text("Ada is at work ( baking ) (by hand)") == "baking"


def test_an_observation_without_a_subtask_is_kept_as_it_is(at):
    """That of a conversation refers to the chat."""
    seen = observation(at(), TRIPLE, "bed is idle", poignancy=4, keywords=("baking",), chat="node_3")
    assert (seen.description, seen.embedding_key, seen.filling) == ("bed is idle", "bed is idle", ("node_3",))
    assert (seen.kind, seen.expiration, seen.poignancy, seen.keywords) == ("event", None, 4, ("baking",))


def test_a_thought_expires_after_thirty_days(at):
    """Plans and whispers have no evidence."""
    idea = thought(at(5), TRIPLE, "Ada likes (and needs) bread", poignancy=4, evidence=("node_1", "node_2"))
    assert (idea.expiration, idea.filling) == (at(5 + 30 * 1440), ("node_1", "node_2"))
    assert idea.description == idea.embedding_key == "Ada likes (and needs) bread"
    assert thought(at(), TRIPLE, "a plan", poignancy=4).filling is None


def test_a_chat_keeps_its_transcript(at):
    """It never expires."""
    said = (("Ada Stone", "Hello"), ("Ben Reed", "Hi"))
    chat = talk(at(), ("Ada Stone", "chat with", "Ben Reed"), "bread", poignancy=4, transcript=said)
    assert (chat.kind, chat.filling, chat.expiration) == ("chat", said, None)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"type": "dream"}, "type is 'dream'"),
        ({"created": "today"}, "'today' is not the time of a memory"),
        ({"poignancy": None}, "poignancy is None"),
        ({"keywords": None}, "keywords is None, but should be a list"),
        ({"object": ["c"]}, r"object is \["),
    ],
)
def test_a_malformed_node_is_named(change, fault):
    """The message begins with where it is and says what is wrong."""
    node = {
        "type": "event", "created": "2023-02-13 00:00:10", "expiration": None, "subject": "a", "predicate": "b",
        "object": "c", "description": "d", "embedding_key": "d", "poignancy": 1, "keywords": [], "filling": [],
    }  # fmt: skip
    with pytest.raises(CorruptFile, match=f"^Ada: node_1:? {fault}"):
        read_experience("Ada: node_1", node | change)
    for key in node:
        with pytest.raises(CorruptFile, match=f"^Ada: node_1 has no '{key}'"):
            read_experience("Ada: node_1", {name: value for name, value in node.items() if name != key})
