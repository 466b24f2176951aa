"""Answers in a form by the rules: from what is known, the same every time, and none where nothing is known."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.offline.answers.typed_answers import NO_ANSWER
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, TalkOfToday, Today
from ville.persona.prompt_template.talk_questions import TypedInterview
from ville.reply_form import reply_form

NOON = datetime(2023, 2, 14, 12)
YES_NO = {"choice": ["yes", "no", "I don't know"]}
RATED = {"scale": [1, 7]}
INVITED = (
    "Klaus Mueller has been invited by Isabella Rodriguez to a Valentine's Day party at Hobbs Cafe on February 14th, "
    "from 5pm to 7pm, and wants to go"
)
OFF = "Klaus Mueller heard from Isabella Rodriguez that Isabella Rodriguez has cancelled the party"
MET = (TalkOfToday(NOON.replace(hour=9), "Maria Lopez", "conversing about the exam"),)
CALM = QuotedMemory(NOON, "Klaus Mueller is reading a chapter", "event")


def said(ask, cast, question, form, *told, talks=(), times=1):
    who = cast["Klaus Mueller"]
    asked = TypedInterview(
        who.identity(NOON.date()),
        who.name,
        (*who.memories, *(QuotedMemory(NOON, text, "thought") for text in told), CALM),
        (DialogueTurn("Interviewer", question),),
        today=Today(NOON, "library in Oak Hill College", "reading a chapter", (), talks),
        form=reply_form(form),
    )
    (answer,) = {ask(asked, seed=seed).answer for seed in range(times)}
    return answer


FACTS = (
    ("Have you heard of a Valentine's Day party?", YES_NO, (INVITED,), "yes"),
    ("Have you heard of a Valentine's Day party?", YES_NO, (), "no"),
    ("Have you heard that the party is cancelled?", YES_NO, (INVITED,), "no"),
    ("Have you heard that the party is cancelled?", YES_NO, (INVITED, OFF), "yes"),
    ("Is there a party on Valentine's Day?", YES_NO, (INVITED,), "yes"),
    ("Is there a party on Valentine's Day?", YES_NO, (INVITED, OFF), "no"),
    ("Is there a party on Valentine's Day?", YES_NO, (), "I don't know"),
    ("Is there a party on Valentine's Day?", {"choice": ["yes", "no"]}, (), NO_ANSWER),
    ("Will you go to the party?", {"choice": ["Yes, surely", "No"]}, (INVITED,), "Yes, surely"),
    ("How likely is it that you will go to the party?", RATED, (INVITED,), "7"),
    ("How likely is it that you will go to the party?", RATED, (), NO_ANSWER),
    ("How well do you know Maria Lopez?", {"scale": [0, 10]}, (), "10"),
    ("How well do you know Nora Nobody?", {"scale": [0, 10]}, (), "0"),
    ("How old are you?", "number", (), "20"),
    ("How old are you?", {"number": {"least": 30}}, (), NO_ANSWER),
    ("How happy are you?", RATED, (INVITED,), NO_ANSWER),
    ("Are you happy?", YES_NO, (), NO_ANSWER),
    ("Which colour do you like best?", {"choice": ["red", "blue", "I don't know"]}, (), NO_ANSWER),
    ("Who is running for mayor?", {"choice": ["Sam Moore", "I don't know"]}, (), "I don't know"),
    ("How many people have you talked to today?", "number", (), "0"),
    ("Who gives the party?", {"choice": ["Isabella Rodriguez", "Sam Moore"]}, (INVITED,), "Isabella Rodriguez"),
)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact[0]} {len(fact[2])}")
def test_a_typed_answer_is_what_is_known(ask, cast, fact):
    """Whatever the seed: chance tells nothing of what a person knows."""
    question, form, told, answer = fact
    assert said(ask, cast, question, form, *told, times=3) == answer


def test_talks_are_counted(ask, cast):
    """Those of today, with whom they were."""
    assert said(ask, cast, "How many people have you talked to today?", "number", talks=MET * 2) == "1"
    assert said(ask, cast, "How many conversations have you had today?", "number", talks=MET * 2) == "2"
    assert said(ask, cast, "Have you talked to Maria Lopez today?", YES_NO, talks=MET) == "yes"
    assert said(ask, cast, "Have you talked to Maria Lopez today?", YES_NO) == "no"


@given(st.text(max_size=60), st.sampled_from([YES_NO, RATED, "number", {"choice": ["a", "none"]}]))
def test_any_question_has_an_answer_in_its_form_or_none(ask, cast, question, form):
    """Whatever is asked."""
    answer = said(ask, cast, question or "?", form)
    assert answer == NO_ANSWER or reply_form(form).read(answer) is not None
