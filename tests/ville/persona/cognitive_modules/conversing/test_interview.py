"""Laws of interviews."""

from contextlib import nullcontext
from datetime import timedelta

import pytest

from ville.persona.cognitive_modules.conversing.interview import INTERVIEWER, answer, is_anthropomorphising
from ville.persona.cognitive_modules.retrieve import retrieve, score_memories
from ville.persona.memory_structures.stream.concept_node import talk, thought
from ville.reply_form import reply_form

FIRST = "Ada"
ADA, BEN, REPORTER = "Ada Stone", "Ben Reed", "a news reporter"


@pytest.fixture
def mind(hamlet, oracle):
    """Ada, an hour after five thoughts; one is about a reporter."""
    oracle.teach("talk/interview", {"utterance": "I bake."})
    mind = hamlet.person(ADA).mind
    texts = [*(f"{ADA} bakes bread {day}" for day in range(4)), f"{ADA} has met {REPORTER}"]
    for number, text in enumerate(texts, 1):
        experience = thought(hamlet.now, (ADA, "bakes", "bread"), text, poignancy=number)
        mind.stream.add(experience, [float(number), *[1.0] * 12])
        hamlet.now += timedelta(hours=1)
    return mind


async def asked(hamlet, mind, *turns):
    return await answer(mind, hamlet.embedder, turns, boundary=lambda: nullcontext(hamlet.moment()))


async def test_an_interview_leaves_no_trace(hamlet, oracle, mind):
    """The answer uses memories about the last line; none is added or marked as accessed."""
    before = repr(mind.state())
    reply = await asked(hamlet, mind, (INTERVIEWER, "What do you do?"))
    assert (reply.text, reply.transcript[-1]) == ("I bake.", (ADA, "I bake."))
    assert oracle.history[0].fields["memories"][0].text == f"{ADA} bakes bread 0"
    assert (repr(mind.state()), hamlet.embedder.batches) == (before, [["What do you do?"]])


@pytest.mark.parametrize(
    ("said", "kept"), [(["4"], "4"), ([9, 5], "5"), (["often", "quite often", "6"], "quite often"), ([[], {}], "{}")]
)
async def test_an_answer_that_is_not_in_its_form_is_sent_back_once(hamlet, oracle, mind, said, kept):
    """Then it is kept as it is, and has no value. The prompt says the form, and the schema has it."""
    form = reply_form({"scale": [1, 7], "labels": ["never", "always"]})
    oracle.teach("talk/typed_interview", *({"answer": each} for each in said))
    before = repr(mind.state())
    turns = ((INTERVIEWER, "How often do you bake?"),)
    reply = await answer(mind, hamlet.embedder, turns, boundary=lambda: nullcontext(hamlet.moment()), form=form)
    assert reply.text == kept
    assert form.read(reply.text) == (float(kept) if kept.isdecimal() else None)
    requests = oracle.asked("talk/typed_interview")
    assert len(requests) == min(len(said), 2)
    assert "one whole number from 1 (never) to 7 (always)" in requests[0].messages[0].content
    assert {"type": "integer", "minimum": 1, "maximum": 7} in requests[0].schema["properties"].values()
    assert repr(mind.state()) == before


async def test_a_masked_history_is_not_known_by_heart(hamlet, oracle, mind):
    """Certain facts have no memory that is masked; who the person is stays."""
    for masked in ((), ("observations",)):
        mind.stream.mask(masked)
        await asked(hamlet, mind, (INTERVIEWER, "What do you do?"))
    whole, left = (request.fields["own"] for request in oracle.history)
    assert f"{ADA} bakes bread 0" in whole
    assert set(whole) - set(left) == {f"{ADA} bakes bread 0"}


@pytest.mark.parametrize("line", ["What do you do?", "Do you know Ben Reed?"])
async def test_a_reply_has_the_memories_it_drew_on(hamlet, mind, line):
    """They are those that retrieval returns, in its order, with the scores by which it chose."""
    hamlet.person(BEN)
    reply = await asked(hamlet, mind, (INTERVIEWER, line))
    focus = (await hamlet.embedder.embed([line]))[0]
    how = {"tuning": mind.scratch.tuning, "now": hamlet.now}
    about = [mind.stream.known_as(BEN, hamlet.people)] if BEN in line else []
    assert list(reply.memories) == retrieve(mind.stream, focus, count=30, about=about, **how)
    scores = score_memories(mind.stream, focus, **how)
    for each in reply.memories:
        place = scores.numbers.tolist().index(each.node.number)
        values = (scores.recency, scores.relevance, scores.importance, scores.score)
        assert [each.recency, each.relevance, each.importance, each.score] == [value[place] for value in values]
    assert not any(each.reserved for each in reply.memories)


async def test_what_shares_a_word_with_the_question_is_found_among_all_memories(hamlet, oracle, mind):
    """Also if thirty others are retrieved; what is masked, dropped or about something else is not."""
    for number in range(40):
        newer = thought(hamlet.now, (ADA, "likes", "tea"), f"{ADA} likes tea {number}", poignancy=9)
        mind.stream.add(newer, [1.0] * 13)
    fields = []
    for _ in range(2):
        await asked(hamlet, mind, (INTERVIEWER, "Did you bake any bread?"))
        fields.append([memory.text for memory in oracle.history[-1].fields["further"]])
        mind.stream.dropped.add(1)
    assert fields == [[f"{ADA} bakes bread {day}" for day in range(first, 4)] for first in (0, 1)]


async def test_the_day_is_known_without_remembering_it(hamlet, oracle, mind):
    """Time, place and talks of today; of what is masked or dropped, nothing."""

    async def today():
        await asked(hamlet, mind, (INTERVIEWER, "Who did you talk to?"))
        return oracle.history[-1].fields["today"]

    yesterday, now = hamlet.now - timedelta(days=1), hamlet.now
    for when, about in ((yesterday, "conversing about rain"), (now, "conversing about rye")):
        mind.stream.add(talk(when, (ADA, "chat with", BEN), about, poignancy=3), [1.0] * 13)
    known = await today()
    assert (known.now, [(each.partner, each.about) for each in known.talks]) == (now, [(BEN, "conversing about rye")])
    assert known.place
    mind.stream.dropped.add(len(mind.stream))
    assert (await today()).talks == ()


async def test_who_asks_comes_to_mind(hamlet, oracle, mind):
    """A thought that names the role has a reserved place, and the prompt says who asks; without a role it does not."""
    reply = await asked(hamlet, mind, (REPORTER, "Do you bake?"))
    assert [each.reserved for each in reply.memories] == [True, False, False, False, False]
    assert reply.memories[0].node.description == f"{ADA} has met {REPORTER}"
    await asked(hamlet, mind, (INTERVIEWER, "Do you bake?"))
    said = [request.messages[0].content for request in oracle.history]
    assert [
        f'{ADA.split(maxsplit=1)[0]} is being interviewed by {REPORTER}. {REPORTER} asks: "Do' in text for text in said
    ] == [True, False]
    assert f'{ADA.split(maxsplit=1)[0]} is being interviewed. {INTERVIEWER} asks: "Do' in said[1]


@pytest.mark.parametrize(("score", "human"), [(1, False), (7, False), (8, True), (10, True)])
async def test_a_high_score_marks_a_line_as_anthropomorphising(hamlet, oracle, score, human):
    """From eight of ten (docs/migration/faults.md, 46: a missing score counts as harmless)."""
    oracle.teach("talk/anthropomorphising", {"score": score})
    assert await is_anthropomorphising(hamlet.moment().caller, "I love you") is human
    oracle.teach("talk/anthropomorphising", {"score": None})
    assert await is_anthropomorphising(hamlet.moment().caller, "I love you") is False


@pytest.mark.parametrize(
    ("line", "unheard"),
    [
        ("When did you last see Gloria Whitcombe?", ("Gloria Whitcombe",)),
        ("Who is the mayor of Saltmarsh?", ("Saltmarsh",)),
        (f"Have you met {REPORTER} on Monday?", ()),
        ("Who is Ada?", ()),
        ("How do you bake Bread?", ()),
        ("Bakers get up early. Why?", ()),
    ],
)
async def test_names_that_stand_nowhere_in_the_mind_are_told_as_such(hamlet, oracle, mind, line, unheard):
    """Of people and places, but not the first words of sentences, and nothing that is remembered or of oneself."""
    await asked(hamlet, mind, (INTERVIEWER, line))
    (request,) = oracle.asked("talk/interview")
    assert request.fields["unheard"] == unheard
    said = request.messages[-1].content
    assert all(f"names {name}." in said for name in unheard)
    assert ("Nothing that Ada" in said) == bool(unheard)


async def test_the_question_is_the_key_of_its_answer(hamlet, oracle, mind):
    """In situated questions; it is read like any other."""
    oracle.teach("talk/interview", lambda request: {next(iter(request.schema["properties"])): "I am 34."})
    assert (await asked(hamlet, mind, (INTERVIEWER, 'How "old" are you?'))).text == "I am 34."
    assert list(oracle.asked("talk/interview")[0].schema["properties"]) == ["Ada answers: How old are you?"]
