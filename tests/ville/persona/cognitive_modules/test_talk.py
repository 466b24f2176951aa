"""Laws of whispers and interviews."""

from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.mind import add_to_stream
from ville.persona.cognitive_modules.talk import answer, is_anthropomorphising, thoughts_from_whispers
from ville.persona.memory_structures.concept_node import thought

ADA = "Ada Stone"


async def test_whispers_become_thoughts_in_order(hamlet, oracle):
    """Each has a triple and no evidence; blank whispers are skipped; all are embedded together."""
    oracle.teach("talk/whispered", lambda request: {
        "text": f"{ADA} knows: {request.fields['whisper']}", "subject": ADA, "predicate": "knows",
        "object": request.fields["whisper"], "poignancy": 8,
    })  # fmt: skip
    mind = hamlet.person().mind
    nodes = add_to_stream(
        mind, await thoughts_from_whispers(mind, hamlet.moment(), ["Ben is back", "  ", "it will rain"])
    )
    assert [node.description for node in nodes] == [f"{ADA} knows: Ben is back", f"{ADA} knows: it will rain"]
    assert (nodes[0].triple, nodes[0].poignancy, nodes[0].filling) == ((ADA, "knows", "Ben is back"), 8, None)
    assert list(mind.stream) == nodes
    assert len(hamlet.embedder.batches) == 1


async def test_a_whisper_works_before_the_first_step(hamlet, oracle):
    """Its date is that of the simulation, not of the persona (MIGRATION.md, fault 13)."""
    oracle.teach("talk/whispered", {"text": "x", "subject": ADA, "predicate": "is", "object": "x"})
    mind = hamlet.person(curr_time=None).mind
    (node,) = add_to_stream(mind, await thoughts_from_whispers(mind, hamlet.moment(), ["you are glad"]))
    assert node.created == hamlet.now


async def test_an_interview_leaves_no_trace(hamlet, oracle):
    """The answer uses memories about the last line; none is added or marked as accessed."""
    oracle.teach("talk/interview", {"utterance": "I bake."})
    mind = hamlet.person().mind
    mind.stream.add(thought(hamlet.now, (ADA, "bakes", "bread"), "Ada bakes bread", poignancy=3), [1.0] * 13)
    hamlet.now += timedelta(hours=1)
    before = repr(mind.state())
    assert await answer(mind, hamlet.moment(), (("Interviewer", "What do you do?"),)) == "I bake."
    assert oracle.history[0].fields["memories"][0].text == "Ada bakes bread"
    assert (repr(mind.state()), hamlet.embedder.batches) == (before, [["What do you do?"]])


async def test_control_characters_of_a_whisper_are_removed(hamlet, oracle):
    """Even if nothing is left of it."""
    oracle.teach("talk/whispered", {"text": "x", "subject": ADA, "predicate": "is", "object": "x"})
    mind = hamlet.person().mind
    await thoughts_from_whispers(mind, hamlet.moment(), ["\x1b", "tea\u2028at \u202efive"])
    assert [request.fields["whisper"] for request in oracle.history] == ["tea at five"]


@pytest.mark.parametrize(("score", "human"), [(1, False), (7, False), (8, True), (10, True)])
async def test_a_high_score_marks_a_line_as_anthropomorphising(hamlet, oracle, score, human):
    """From eight of ten (MIGRATION.md, fault 46: a missing score counts as harmless)."""
    oracle.teach("talk/anthropomorphising", {"score": score})
    assert await is_anthropomorphising(hamlet.moment().caller, "I love you") is human
    oracle.teach("talk/anthropomorphising", {"score": None})
    assert await is_anthropomorphising(hamlet.moment().caller, "I love you") is False
