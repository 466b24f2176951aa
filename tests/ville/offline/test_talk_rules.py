"""Whispers and interviews without a model."""

import re
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.offline.news_reading import news_in
from ville.offline.talks.news import record_of, written
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory
from ville.persona.prompt_template.talk_questions import Anthropomorphising, ChangedToday, Interview, Whispered
from ville.plain_text import one_line

NOON = datetime(2023, 2, 14, 12)
PLAN = (
    "This is Klaus Mueller's plan for Tuesday February 14: wake up and complete the morning routine at 7am, have"
    " breakfast at home from 8am to 9am, working on a paper from 9am to 5pm, take a walk in the park from 5pm to 7pm,"
    " have a drink at the pub from 8pm to 10pm, go to bed at 11pm."
)
INVITED = (
    "For Klaus Mueller's planning: Klaus Mueller was invited by Isabella Rodriguez to the Valentine's Day party at"
    " Hobbs Cafe on February 14th, 2023, from 5pm to 7pm, and Klaus wants to go"
)
TOLD = (
    PLAN,
    "Klaus Mueller heard from Wolfgang Schulz that Sam Moore is running for mayor in next month's local election",
    INVITED,
    "Klaus Mueller found out that Ayesha Khan is working on their senior thesis",
)


def answer(ask, who, question, told=TOLD):
    memories = (*who.memories, *(QuotedMemory(NOON, text, "thought") for text in told),
                QuotedMemory(NOON.replace(hour=8), f"{who.name} is toasting bread", "event"))  # fmt: skip
    return ask(
        Interview(who.identity(NOON.date()), who.name, memories, (DialogueTurn("Interviewer", question),))
    ).utterance


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where are you going this evening?", "have a drink at the pub"),
        ("What will you be doing at 6pm today?", "take a walk in the park"),
        ("What did you do this morning?", "toasting bread"),
        ("Who is running for mayor?", "Sam Moore"),
        ("Do you know of a Valentine's Day party?", "Hobbs Cafe"),
        ("Are you going to the party?", "I want to go"),
        ("What do you think of Ayesha Khan?", "Ayesha"),
        ("Who did you talk to today?", "Wolfgang Schulz"),
        ("Give an introduction of yourself.", "My name is Klaus Mueller"),
        ("What is your occupation?", "sociology"),
        ("What are you working on?", "gentrification"),
        ("Describe your typical weekday schedule in broad strokes.", "at 8am"),
        ("What do you like to do for fun?", "I like to"),
        ("Your breakfast is burning! What would you do?", "stove"),
        ("If you were to recommend a book to Ayesha, what would it be?", "thesis"),
    ],
)
def test_questions_are_answered_from_memory(ask, cast, sentences, question, said):
    """Memories are told in whole sentences in the first person. (paper §6, appendix B)"""
    told = answer(ask, cast["Klaus Mueller"], question)
    assert said in told
    assert sentences(told) == [], told


def test_plans_are_what_lies_ahead(ask, cast, sentences):
    """At noon breakfast is over; on the day before a party it is what one is looking forward to."""
    today = answer(ask, cast["Klaus Mueller"], "What are you planning?")
    assert "take a walk in the park" in today
    assert "breakfast" not in today
    who, eve = cast["Isabella Rodriguez"], NOON.replace(day=13)
    memories = (*who.memories, QuotedMemory(eve, f"{who.name} is reading a chapter", "event"))
    asked = (DialogueTurn("Interviewer", "What are your plans?"),)
    told = ask(Interview(who.identity(eve.date()), who.name, memories, asked)).utterance
    assert "I am giving a Valentine's Day party" in told or "I'm giving a Valentine's Day party" in told
    assert sentences(told) == [], told


def test_what_is_over_is_told_as_over(ask, cast, sentences):
    """The evening after the party nobody is going to give it or to go there any more."""
    evening = NOON.replace(hour=21)
    for name, told, said in (
        ("Klaus Mueller", INVITED, "Isabella Rodriguez gave a Valentine's Day party"),
        ("Isabella Rodriguez", "", "I gave a Valentine's Day party"),
    ):
        who = cast[name]
        memories = (*who.memories, QuotedMemory(evening, told or f"{name} is reading a chapter", "thought"))
        asked = (DialogueTurn("Interviewer", "How was the party?"),)
        answered = ask(Interview(who.identity(NOON.date()), name, memories, asked)).utterance
        assert said in answered
        assert not any(sign in answered for sign in ("giving", "want to go", "can't go"))
        assert sentences(answered) == [], answered


def test_what_is_cancelled_is_given_up(ask, cast, sentences):
    """By the hostess, who was whispered to, and by guests, who have heard it from her."""
    off = "Isabella Rodriguez has cancelled the party"
    for name, told in (
        ("Isabella Rodriguez", ("The party at Hobbs Cafe is cancelled",)),
        ("Klaus Mueller", (INVITED, f"Klaus Mueller heard from Isabella Rodriguez that {off}")),
    ):
        for question in ("Are you going to the party?", "What are you planning?"):
            said = answer(ask, cast[name], question, told=(PLAN.replace("Klaus Mueller", name), *told))
            assert "cancelled the party" in said or "planning" in question, said
            assert not any(sign in said for sign in ("giving", "want to go", "Hobbs Cafe on February")), said
            assert sentences(said) == [], said


WITH_ISABELLA = "attending Isabella Rodriguez's Valentine's Day party at Hobbs Cafe"
AS_HOST = "hosting the Valentine's Day party at Hobbs Cafe"
AT_AYESHAS = "attending Ayesha Khan's birthday party at Johnson Park"
OVER, STAYS = ("relaxing at home", 17, 120), ("", 0, 0)


@pytest.mark.parametrize(
    ("planned", "whisper", "today"),
    [
        (WITH_ISABELLA, "The Valentine's Day party at Hobbs Cafe is cancelled", OVER),
        (WITH_ISABELLA, "Isabella has called off her party", OVER),
        (WITH_ISABELLA, "There will be no party today", OVER),
        (WITH_ISABELLA, "The party at Hobbs Cafe is not happening", OVER),
        (WITH_ISABELLA, "The party is postponed", OVER),
        (WITH_ISABELLA, "The party has been moved to another day", OVER),
        (WITH_ISABELLA, "The party is moved to tomorrow at 8pm", OVER),
        (WITH_ISABELLA, "Isabella Rodriguez has postponed the party to 8pm", (WITH_ISABELLA, 20, 120)),
        (AS_HOST, "You do not want to give a party any more", OVER),
        (AS_HOST, "You are moving your party to 8pm", (AS_HOST, 20, 120)),
        (AT_AYESHAS, "The Valentine's Day party at Hobbs Cafe is cancelled", STAYS),
        (AT_AYESHAS, "Isabella Rodriguez has cancelled the party", STAYS),
        (WITH_ISABELLA, "The party at Hobbs Cafe begins at 5pm", STAYS),
        (WITH_ISABELLA, "There is a fire in the library", STAYS),
        (WITH_ISABELLA, "You are moving to another town", STAYS),
    ],
)
def test_a_whisper_calls_off_what_it_names_for_today(ask, planned, whisper, today):
    """In whatever words; what has a new time is planned for that time, and what is something else stays."""
    name = "Isabella Rodriguez" if planned == AS_HOST else "Klaus Mueller"
    day = (f"5:00 PM: {planned}", "7:00 PM: having dinner at home")
    found = ask(ChangedToday(name, whisper, NOON, day)).today
    assert (found.what, found.hour, found.minutes) == today


@pytest.mark.parametrize(
    ("whisper", "off"),
    [
        ("Dinner is cancelled today.", "7:00 PM: having dinner at home"),
        ("Reading at Hobbs Cafe has been called off.", "1:00 PM: reading at Hobbs Cafe"),
        ("Lunch is cancelled.", ""),
        ("The election is cancelled.", ""),
    ],
)
def test_something_of_every_day_can_be_called_off_too(ask, whisper, off):
    """By the words of the plan, and nothing else by half of them."""
    day = ("1:00 PM: reading at Hobbs Cafe", "7:00 PM: having dinner at home")
    found = ask(ChangedToday("Klaus Mueller", whisper, NOON, day))
    assert (found.called_off if found.today.what else "") == off


def test_what_lies_between_two_like_activities_stays(ask):
    """The first one is given up, and no meal between it and the next."""
    day = ("9:00 AM: having breakfast", "1:00 PM: reading at Hobbs Cafe", "2:00 PM: reading a play at Hobbs Cafe")
    later = ("3:00 PM: having tea at home", "4:00 PM: reading at Hobbs Cafe", "7:00 PM: having dinner at home")
    found = ask(ChangedToday("Klaus Mueller", "The reading at Hobbs Cafe is cancelled", NOON, day + later)).today
    assert (found.hour, found.minutes) == (13, 120)


@pytest.mark.parametrize(
    "whisper", ["The party at Hobbs Cafe is cancelled", "Isabella's party is postponed", "There will be no party"]
)
def test_a_guest_who_was_told_so_says_that_it_is_off(ask, cast, sentences, whisper):
    """Whoever gives it, and although it was promised to come."""
    thought = ask(Whispered(cast["Klaus Mueller"].identity(NOON.date()), "Klaus Mueller", whisper)).text
    for question in ("Is the party still on?", "Are you going to the party?", "When is the party?"):
        said = answer(ask, cast["Klaus Mueller"], question, told=(INVITED, thought))
        assert re.search("cancelled|postponed|no party", said), said
        assert not any(sign in said for sign in ("is giving", "want to go", "can't go")), said
        assert sentences(said) == [], said


@pytest.mark.parametrize(
    "question", ["What is the capital of France?", "Who is Ove Lund?", "Who is running for mayor?"]
)
def test_nobody_invents(ask, cast, question):
    """A persona does not know of things it never heard of."""
    told = answer(ask, cast["Tamara Taylor"], question, told=())
    assert any(sign in told for sign in ("don't know", "no idea", "can't tell", "know nothing"))


def test_everybody_can_say_who_they_are(ask, cast, sentences):
    """Name first, no word about oneself in the third person, good English for each of the cast."""
    for name, who in cast.items():
        told = answer(ask, who, "Who are you?", told=())
        assert told.startswith(f"My name is {name}.")
        assert sentences(told) == [], told


@pytest.mark.parametrize(
    ("whisper", "thought"),
    [
        ("You are going to run for mayor", "Tamara Taylor is going to run for mayor"),
        ("Your house is on fire", "Tamara Taylor's house is on fire"),
        (
            "You love your books and you write them at night",
            "Tamara Taylor loves her books and she writes them at night",
        ),
    ],
)
def test_a_whisper_becomes_a_thought_of_its_own(ask, cast, whisper, thought):
    """`You` becomes the name, the verb its third person."""
    who = cast["Tamara Taylor"]
    assert ask(Whispered(who.identity(), who.name, whisper)).text == thought


@pytest.mark.parametrize(
    "whisper",
    [
        "You are going to run against Sam in the upcoming election",
        "You want to run against Sam Moore for mayor",
        "You have decided to stand in the next election",
    ],
)
def test_who_is_told_to_stand_for_election_stands(ask, cast, whisper):
    """The whisper of the paper (section 3.2) becomes news of one's own, which listeners know afterwards."""
    who = cast["John Lin"]
    thought = ask(Whispered(who.identity(), who.name, whisper)).text
    (item,) = news_in(thought, NOON.date(), who.name)
    assert (item.kind, item.who) == ("candidacy", who.name)
    heard = written("heard", me="Tom Moreno", other=who.name, news=item.as_sentence())
    record = record_of(heard, NOON.date())
    assert record is not None
    assert record.kind == "heard"
    assert news_in(heard, NOON.date(), "Tom Moreno") == (item,)


def test_lines_that_take_an_agent_for_a_human_being_are_noticed(ask):
    """Love is 8 or more, an everyday question is not."""
    assert ask(Anthropomorphising("I love you, I can't live without you")).score >= 8
    assert ask(Anthropomorphising("What are you working on?")).score < 4


@settings(max_examples=60)
@given(
    question=st.text(max_size=80).map(one_line),
    name=st.text(min_size=1, max_size=20).filter(lambda name: one_line(name).strip()),
    texts=st.lists(st.text(max_size=50), max_size=5),
)
def test_any_question_and_any_whisper_is_taken(ask, question, name, texts):
    """Whatever is said to whomever: there is an answer, and a thought."""
    memories = tuple(QuotedMemory(NOON, text, "thought") for text in texts)
    assert ask(Interview(f"Name: {name}", name, memories, (DialogueTurn("Interviewer", question),))).utterance
    assert ask(Whispered(f"Name: {name}", name, question)).text
    ask(Anthropomorphising(question))
