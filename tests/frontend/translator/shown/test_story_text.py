"""The story in sentences: for those who may only watch, without what may rest on the words of users."""

import pytest
from django.utils import translation

from translator.feed.feed import FeedEntry, FeedKind
from translator.shown.feed_text import FeedWriter
from translator.shown.story_text import KINDS, StoryWriter
from ville.analysis.story import ARRIVAL, DEPARTURE, INTERVENTION, QUARREL, REFLECTION, TITLES
from ville.storage.compressed.cast import CastEntry

ADA, BEN, ZOE = "Ada Stone", "Ben van Reed", "Zoe Guest"
GOLD = "There is gold in the well."
WHISPER = FeedEntry(40, FeedKind.INTERVENTION, (ADA,), what="whisper", number=1, private=GOLD)


def told(kind, step, *names, words="", number=0, about=""):
    return {"kind": kind, "step": step, "names": names, "words": words, "number": number, "about": about}


def writer(*, may_act):
    cast = {ZOE: CastEntry(visitor=True)}
    return StoryWriter(FeedWriter((ADA, BEN), cast, may_act=may_act), [WHISPER], cast, may_act=may_act)


def test_words_of_users_are_told_only_to_those_who_may_act():
    """The whisper, and what the persona thinks or says from then on; earlier words and those of others are free."""
    whisper = told(INTERVENTION, 40, ADA, number=1, about="whisper")
    thought = told(REFLECTION, 50, ADA, words=f"Ada thinks: {GOLD}")
    visit = told(QUARREL, 20, ZOE, BEN, words=GOLD)
    for each in (whisper, thought, visit):
        assert GOLD in str(writer(may_act=True).moment(each))
        assert GOLD not in str(writer(may_act=False).moment(each))
    free = [told(REFLECTION, 39, ADA, words="Early"), told(REFLECTION, 50, BEN, words="Other")]
    assert [writer(may_act=False).moment(each)["words"] for each in free] == ["Early", "Other"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_kind_has_a_sentence_and_a_name(language):
    """With all blanks filled in, in both languages; in Russian none is left in English."""
    assert {*TITLES} == {*KINDS, ARRIVAL, DEPARTURE}
    with translation.override("en"):
        english = {kind: writer(may_act=True).moment(told(kind, 1, ADA, BEN, about="fair"))["text"] for kind in TITLES}
    with translation.override(language):
        for kind in TITLES:
            said = writer(may_act=True).moment(told(kind, 1, ADA, BEN, about="fair"))
            assert "Ada" in said["text"]
            assert "%(" not in said["text"] + said["what"]
            assert (said["text"] == english[kind]) == (language == "en")
