"""Laws of whispers."""

from ville.persona.cognitive_modules.conversing.talk import thoughts_from_whispers
from ville.persona.cognitive_modules.mind import add_to_stream

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
    """Its date is that of the simulation, not of the persona (docs/migration/faults.md, 13)."""
    oracle.teach("talk/whispered", {"text": "x", "subject": ADA, "predicate": "is", "object": "x"})
    mind = hamlet.person(curr_time=None).mind
    (node,) = add_to_stream(mind, await thoughts_from_whispers(mind, hamlet.moment(), ["you are glad"]))
    assert node.created == hamlet.now


async def test_control_characters_of_a_whisper_are_removed(hamlet, oracle):
    """Even if nothing is left of it."""
    oracle.teach("talk/whispered", {"text": "x", "subject": ADA, "predicate": "is", "object": "x"})
    mind = hamlet.person().mind
    await thoughts_from_whispers(mind, hamlet.moment(), ["\x1b", "tea\u2028at \u202efive"])
    assert [request.fields["whisper"] for request in oracle.history] == ["tea at five"]
