"""Laws of reading answers: what small models write is read as what it means, unless that is unclear."""

from datetime import datetime
from pathlib import Path

import pytest
import yaml
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.prompt_template.answers.answer import cut_at_sentence
from ville.persona.prompt_template.answers.meant import meant_text
from ville.persona.prompt_template.answers.minutes import scaled
from ville.persona.prompt_template.ask import read_answer
from ville.persona.prompt_template.blanks import (
    DialogueTurn,
    NumberedMemories,
    NumberedTexts,
    PlaceOptions,
    QuotedMemory,
)
from ville.persona.prompt_template.caps import GIST
from ville.persona.prompt_template.converse_questions import AfterConversation, ConversationGist, NextUtterance
from ville.persona.prompt_template.perceive_questions import HowImportant
from ville.persona.prompt_template.plan_questions import (
    DayPlan,
    NewSpell,
    Reschedule,
    Subtasks,
    WakeUpHour,
    WhereAndHow,
)
from ville.persona.prompt_template.react_questions import HowToReact, HowToRespond
from ville.persona.prompt_template.reflect_questions import Insights

HABITS = yaml.safe_load((Path(__file__).parent / "habits.yaml").read_text("utf-8"))
NOON = datetime(2023, 2, 13, 12)  # noqa: DTZ001 - game time has no zone
ADA, BEN = "Ada Stone", "Ben Reed"
MEMORIES = (QuotedMemory(NOON, "rain is falling"), QuotedMemory(NOON, "Ada drinks tea"))
OPTIONS = PlaceOptions({"Cafe": {"cafe": ("table", "counter")}, "Flat": {"room": ()}})
TALK = NextUtterance("", ADA, BEN, NOON, "", "", "", "", (), ())
SITES = PlaceOptions({"Cafe": {"cafe": ("table", "stove")}, "Flat": {"kitchen": ("sink", "stove"), "room": ()}})
FIRE = HowToRespond("", ADA, NOON, "stove is burning", "Cafe > cafe", "stove", "", "Flat > room", (), (), SITES)
QUESTIONS = {
    "wake_up_hour": WakeUpHour("", "Ada"),
    "next_utterance": TALK,
    "silence": TALK,
    "how_important": HowImportant("", "Ada", NumberedTexts(("bed is idle", "rain is falling"))),
    "day_plan": DayPlan("", "Ada", NOON.date(), 6, ()),
    "subtasks": Subtasks("", "Ada", OPTIONS, "", "Flat > room", (), "baking", NOON, 60),
    "placed_subtasks": Subtasks("", "Ada", OPTIONS, "", "Flat > room", (), "baking", NOON, 60),
    "short_insight": Insights("", ADA, "tea", NumberedMemories(MEMORIES), 5),
    "insights": Insights("", ADA, "tea", NumberedMemories(MEMORIES), 5),
    "all_alike": HowImportant("", "Ada", NumberedTexts(("bed is idle", "rain is falling"))),
    "where_and_how": WhereAndHow("", ADA, "", "", NOON, "", "Flat > room", OPTIONS),
    "how_to_react": HowToReact("", ADA, NOON, BEN, "", "", "never", (), ("talk", "carry on")),
    **dict.fromkeys(("how_to_respond", "mending", "leaving", "going_on"), FIRE),
    "after_conversation": AfterConversation("", ADA, BEN, NOON, ()),
}
CLEAR = [(name, text, row["means"]) for name, row in HABITS["objects"].items() for text in row["written"]]
UNCLEAR = [(name, text) for name, texts in HABITS["unclear"].items() for text in texts]


@pytest.mark.parametrize(("name", "text", "means"), CLEAR)
def test_a_habit_is_read_as_what_it_means(name, text, means):
    """At the first attempt, without a correction."""
    assert read_answer(QUESTIONS[name], text).model_dump(exclude_defaults=name == "subtasks") == means


@pytest.mark.parametrize(("name", "text"), UNCLEAR)
def test_what_is_unclear_is_not_guessed(name, text):
    """A correction is asked for."""
    with pytest.raises(ValueError, match=r"."):
        read_answer(QUESTIONS[name], text)


@given(
    st.text(st.characters(categories=["L", "P", "S", "Zs"])),
    st.sampled_from(['"{}"', "**{}**", " {} ", "“{}”", "`{}`"]),
)
def test_quotes_and_emphasis_around_a_text_change_nothing(text, around):
    """Reading is idempotent, and what is read has at least one letter or sign that is not punctuation."""
    read = meant_text(text)
    assert meant_text(read) == read
    assert not read or any(character.isalnum() or not character.isascii() for character in read) or read.strip()
    if text.isalpha():
        assert meant_text(around.format(text)) == read


@pytest.mark.parametrize("words", ["I told Ben: come in.", "Well, Ben: I am not sure.", "Ask Cy: he knows."])
def test_a_name_within_a_sentence_is_no_label(words):
    """The words after it are still said by the same person."""
    assert read_answer(TALK, str({"utterance": words})).utterance == words


@pytest.mark.parametrize(
    "words", ["Nothing much.", "No.", '"Hi," she said, "Ben."', "5", "None of them came.", "C'est ça."]
)
def test_words_that_only_look_like_a_habit_stay(words):
    """Only a text that says nothing else is read as nothing."""
    assert meant_text(words) == words


@pytest.mark.parametrize("minutes", ["9" * 400 + " minutes", "1." + "9" * 400 + " hours of 9", "!" * 400 + "a"])
def test_minutes_without_bounds_are_unclear(minutes):
    """They are refused like any other bad answer."""
    with pytest.raises(ValueError, match="minutes"):
        read_answer(QUESTIONS["subtasks"], str({"subtasks": [{"what": "kneading", "minutes": minutes}]}), last=True)


@given(st.lists(edged(1, 300), min_size=1, max_size=9))
def test_minutes_far_from_their_total_are_bent_only_on_the_last_attempt(minutes):
    """Before, a correction is asked for, unless all parts are said to take as long."""
    text = str({"subtasks": [{"what": "kneading", "minutes": each} for each in minutes]})
    alike = len(minutes) > 1 == len(set(minutes))
    if abs(sum(minutes) - 60) > 30 and not alike:
        with pytest.raises(ValueError, match="have to add up to 60"):
            read_answer(QUESTIONS["subtasks"], text)
    else:
        assert sum(step.minutes for step in read_answer(QUESTIONS["subtasks"], text).subtasks) == 60
    assert sum(step.minutes for step in read_answer(QUESTIONS["subtasks"], text, last=True).subtasks) == 60


@given(st.lists(edged(0, 90), min_size=1, max_size=12), edged(1, 600))
def test_scaled_minutes_keep_their_proportions(lengths, wanted):
    """To the minute; they add up, and what takes no time is left out."""
    parts = [NewSpell(what=str(number), minutes=length) for number, length in enumerate(lengths)]
    found = {int(part.what): part.minutes for part in scaled(parts, wanted)}
    assert sum(found.values()) == wanted
    assert min(found.values()) > 0
    if any(lengths):
        assert all(abs(found.get(n, 0) - old * wanted / sum(lengths)) <= 1 for n, old in enumerate(lengths))


def test_a_new_schedule_is_bent_on_the_last_attempt():
    """To the minutes that remain."""
    question = Reschedule("", ADA, (), "a talk", NOON, 10, remaining=90)
    text = '{"activities": [{"what": "reading", "minutes": 20}, {"what": "resting", "minutes": 10}]}'
    with pytest.raises(ValueError, match="90"):
        read_answer(question, text)
    assert sum(row.minutes for row in read_answer(question, text, last=True).activities) == 90


@pytest.mark.parametrize(
    ("scores", "kept"),
    [([4], [4, 5]), ([4, 8, 9], [4, 8]), ([0, 17], [1, 10]), (["high", 3], [5, 3])],
)
def test_scores_are_matched_by_their_order_on_the_last_attempt(scores, kept):
    """A missing score, or one that is not a number, gets the default."""
    assert read_answer(QUESTIONS["how_important"], str({"scores": scores}), last=True).scores == kept


def test_a_text_that_is_a_little_too_long_is_cut_on_the_last_attempt():
    """After its last sentence, but not if it is far too long."""
    question = ConversationGist(transcript=(DialogueTurn(ADA, "Tea?"),))
    about = f"{'tea ' * 40}and cakes. And then {'more ' * 9}of it"
    assert len(about) > GIST
    with pytest.raises(ValueError, match="characters"):
        read_answer(question, str({"about": about}))
    assert read_answer(question, str({"about": about}), last=True).about == f"{'tea ' * 40}and cakes."
    with pytest.raises(ValueError, match="characters"):
        read_answer(question, str({"about": about * 9}), last=True)


@given(st.text(min_size=2), st.data())
def test_a_cut_text_fits(text, data):
    """And is a beginning of the text, if need be with an ellipsis."""
    most = data.draw(st.integers(1, len(text) - 1))
    cut = cut_at_sentence(text, most)
    assert len(cut) <= most
    assert text.startswith(cut.removesuffix("…"))
