"""Laws of the preparation of two for a talk, where people go on while they think."""

import asyncio
import copy
from dataclasses import replace

import pytest

from ville.errors import Unreachable
from ville.persona.cognitive_modules.conversing.converse import converse
from ville.persona.cognitive_modules.mind_settings import MindSettings
from ville.persona.memory_structures.social_impression import SocialImpression
from ville.persona.memory_structures.stream.concept_node import thought
from ville.world.address import Tile

ADA, BEN = "Ada Stone", "Ben Reed"
SAY, IMPRESSION = "converse/next_utterance", "converse/relationship"
KNOWN, NEW = SocialImpression("They are friends."), "They are rivals."


def add_thought(hamlet, mind, text):
    """Let somebody have a thought."""
    mind.stream.add(thought(hamlet.now, (mind.name, "thinks", text), text, poignancy=9), [1.0] * 13)


@pytest.fixture
def two(hamlet):
    """Ada and Ben in the cafe. Ada has an impression of Ben, Ben none of Ada."""
    minds = [
        hamlet.person(ADA, Tile(7, 2), doing="having tea").mind,
        hamlet.person(BEN, Tile(8, 2), doing="reading").mind,
    ]
    for mind in minds:
        mind.settings = MindSettings(thinking="meanwhile", questions="paper")
        add_thought(hamlet, mind, "tea is good")
    minds[0].scratch.note_impression(BEN, KNOWN)
    return minds


class Late:
    """Answers some after so many turns of the loop, or not at all."""

    def __init__(self, oracle, turns, *, failing=False):
        self.oracle, self.turns, self.failing, self.answered = oracle, turns, failing, []

    async def complete(self, request):
        if request.question == IMPRESSION:
            for _ in range(self.turns):
                await asyncio.sleep(0)
            if self.failing:
                raise Unreachable("no answer")
        reply = await self.oracle.complete(request)
        self.answered.append(request.question)
        return reply

    def moment(self, hamlet, name):
        moment = hamlet.moment(name)
        return replace(moment, caller=replace(moment.caller, chat=self))


@pytest.mark.parametrize("stranger", [False, True])
@pytest.mark.parametrize("turns", range(0, 60, 4))
async def test_first_words_do_not_wait_for_a_new_impression(hamlet, oracle, two, turns, stranger):
    """It counts from the second on, however soon it comes. One is waited for by whom only has thoughts about the other,
    which a stranger has not.
    """
    if not stranger:
        add_thought(hamlet, two[1], f"{ADA} bakes well")
    oracle.teach(IMPRESSION, {"relationship": NEW, "feeling": ""})
    late = Late(oracle, turns)
    await converse(*((mind, late.moment(hamlet, mind.name)) for mind in two))
    first = f"{BEN} and {ADA} live in the same town." if stranger else NEW
    used = [(each.persona, each.fields["relationship"]) for each in oracle.asked(SAY)]
    assert used[:4] == [(ADA, KNOWN.text), (BEN, first), (ADA, NEW), (BEN, NEW)]
    kept = [mind.scratch.impression_of(other) for mind, other in zip(two, (BEN, ADA), strict=True)]
    assert [each.relationship for each in kept] == [NEW, NEW]
    assert turns < 10 or late.answered[0] == SAY


@pytest.mark.parametrize("failing", [ADA, BEN])
async def test_what_a_failed_call_leaves_does_not_depend_on_when_it_fails(hamlet, oracle, two, failing):
    """Some first words may have been spoken; then the same ones in any case."""
    left = set()
    for turns in ((0, 40), (40, 0), (0, 0)):
        minds = copy.deepcopy(two)
        late = [Late(oracle, count, failing=mind.name == failing) for mind, count in zip(minds, turns, strict=True)]
        with pytest.raises(Unreachable):
            await converse(*((mind, chat.moment(hamlet, mind.name)) for mind, chat in zip(minds, late, strict=True)))
        left.add(str([(mind.scratch.as_json(), sorted(mind.stream.accessed_texts())) for mind in minds]))
    assert len(left) == 1
