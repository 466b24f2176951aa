"""Laws of brakes."""

from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.brakes import may_reflect, may_talk
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.memory_structures.stream.concept_node import talk, thought

ADA, BEN = "Ada Stone", "Ben Reed"


@pytest.fixture
def mind(hamlet):
    return hamlet.person().mind


def talks(hamlet, mind):
    said = talk(hamlet.now, (ADA, "chat with", BEN), "conversing", poignancy=4, keywords=(BEN,), transcript=())
    mind.stream.add(said, [1.0] * 13)


def reflects(hamlet, mind):
    """Two insights of one reflection, with evidence."""
    first = mind.stream.add(thought(hamlet.now, (ADA, "is", "here"), "here", poignancy=3), [1.0] * 13)
    evidence = (first.node_id, first.node_id)
    for word in ("bread", "tea"):
        found = thought(hamlet.now, (ADA, "likes", word), word, poignancy=5, evidence=evidence)
        mind.stream.add(found, [1.0] * 13)


DEEDS = {"talks_per_hour": (talks, may_talk, 2), "reflections_per_hour": (reflects, may_reflect, 8)}


@pytest.mark.parametrize("name", DEEDS)
@pytest.mark.parametrize("rate", [0.5, 3.0])
async def test_a_budget_is_used_up_and_recovers(hamlet, mind, name, rate):
    """It holds some hours' worth; then there is one more for each that has recovered."""
    does, may, hours = DEEDS[name]
    mind.settings = MindSettings(**{name: rate})
    for _ in range(max(1, int(rate * hours))):
        assert may(mind, hamlet.now)
        does(hamlet, mind)
        hamlet.now += hamlet.tick
    assert not may(mind, hamlet.now)
    hamlet.now += timedelta(hours=1 / rate)
    assert may(mind, hamlet.now)
    does(hamlet, mind)
    hamlet.now += hamlet.tick
    assert not may(mind, hamlet.now)


@pytest.mark.parametrize("name", DEEDS)
@pytest.mark.parametrize(("rate", "questions"), [(0.5, "paper"), (0.0, "situated")])
async def test_nothing_is_braked_without_a_limit_or_with_the_questions_of_the_paper(
    hamlet, mind, name, rate, questions
):
    """However often it is done."""
    does, may, _ = DEEDS[name]
    mind.settings = MindSettings(**{name: rate, "questions": questions})
    for _ in range(30):
        does(hamlet, mind)
        hamlet.now += hamlet.tick
        assert may(mind, hamlet.now)


async def test_thoughts_of_talks_and_plans_are_no_reflections(hamlet, mind):
    """Nor is what a user whispers."""
    mind.settings = MindSettings(reflections_per_hour=0.1)
    talks(hamlet, mind)
    (chat,) = mind.stream.newest("chat")
    for number in range(5):
        after = thought(hamlet.now, (ADA, "likes", str(number)), f"{number}", poignancy=5, evidence=(chat.node_id,))
        mind.stream.add(after, [1.0] * 13)
        mind.stream.add(thought(hamlet.now, (ADA, "is", "x"), f"x {number}", poignancy=5), [1.0] * 13)
    assert may_reflect(mind, hamlet.now)
