"""Answers whose truth is known are judged right if they are right, and wrong if they are wrong."""

import json
import re

import pytest
from situated import QUESTIONS
from situation_files import read
from truths import COMMENTS, HUMAN, INTERVIEWS, JUDGES, is_right

SITUATIONS = read().situations
LEARNT = (
    "talk/interview", "talk/anthropomorphising", "talk/changed_today", "day/fill_the_day", "plan/hourly_schedule",
    "converse/relationship",
)  # fmt: skip
"""Questions to which the offline rules do not always know the right answer."""
RULED = [each for each in SITUATIONS if each.question.title in JUDGES and each.question.title not in LEARNT]


def judged(situation, said):
    return is_right(situation.question, situation.question.answer.model_validate(said), said)


def of(title):
    return [each for each in SITUATIONS if each.question.title == title]


def wrong(situation):
    """An answer to a question that is certainly wrong."""
    question = situation.question
    return {
        "plan/wake_up_hour": {"wake_up_hour": 15},
        "plan/subtasks": {"subtasks": [{"what": "a part", "minutes": 1}]},
        "plan/reschedule": {"activities": [{"what": "a part", "minutes": 1}]},
        "plan/where_and_how": {"sector": "the Moon", "arena": "a crater", "game_object": "a stone"},
        "day/where_usually": {"place": "the Moon", "thing": "a stone"},
        "perceive/how_important": {"scores": [9] * len(getattr(question, "happenings", ""))},
        "converse/next_utterance": {"utterance": "Nice to meet you! Who are you?"},
        "talk/whispered": {"text": "You have heard something."},
    }.get(question.title.removesuffix("_briefly"))


@pytest.mark.parametrize("title", sorted(JUDGES))
def test_every_judge_has_something_to_judge(title):
    """Of each question whose truth may be known, some situations are such that it is known."""
    assert [each for each in of(title) if judged(each, json.loads(each.answer)) is not None]


def test_right_answers_are_judged_right():
    """Those of the offline rules, one by one."""
    assert not [(each.question, each.answer) for each in RULED if judged(each, json.loads(each.answer)) is False]


def test_wrong_answers_are_judged_wrong():
    """Wherever the right one could be judged."""
    known = [each for each in RULED if wrong(each) and judged(each, json.loads(each.answer))]
    assert len({each.question.title for each in known}) == 10
    assert not [each.question for each in known if judged(each, wrong(each)) is not False]


def test_a_stranger_is_a_stranger_and_a_friend_a_friend():
    """Said of one who is known, or the other way round, it is wrong."""
    for each in of("converse/relationship"):
        friend, stranger = ({"relationship": f"They are {what}."} for what in ("old friends", "strangers"))
        verdicts = judged(each, friend), judged(each, stranger)
        assert verdicts in {(True, False), (False, True), (None, None)}


def fact(label, question):
    return re.search(rf"^{label}: (\w+)", question.identity, re.MULTILINE)[1]


def presently(question):
    """Answers to the questions about the present, from what the question tells of it."""
    now = question.at_hand
    if now is None:
        return {}
    plans = ", ".join(each.what for each in now.ahead) or "Nothing more."
    told = (f"It is {now.now:%H:%M}.", f"I am {now.here}.", f"I am {now.doing}.", f"I plan {plans}")
    return dict(zip(QUESTIONS, told, strict=True))


def test_facts_are_told_and_not_invented():
    """The fact of the prompt is right; not knowing it is wrong; a fact that it does not have must be unknown."""
    for each in of("talk/interview"):
        question = each.question
        told = {
            "What is your full name?": f"I'm {question.name}.",
            "How old are you?": f"I turned {fact('Age', question)} last month.",
            "What day is it today?": f"It is {fact('Current Date', question)}.",
            "When and where is the Valentine's Day party?": "At Hobbs Cafe, from 5pm on the 14th.",
            **presently(question),
        }.get(question.transcript[-1].said, "That was on Tuesday, in the market.")
        if question.at_hand is None and question.transcript[-1].said in QUESTIONS:
            continue  # the paper's words do not tell the present
        known, unknown = judged(each, {"utterance": told}), judged(each, {"utterance": "I don't know."})
        assert known != unknown
        assert not judged(each, {"utterance": "The kitchen sink is full of dishes."})
    assert len({each.question.transcript[-1].said for each in of("talk/interview")}) == len(INTERVIEWS) + len(QUESTIONS)


def test_lines_to_a_human_being_are_told_apart():
    """By the score from which they are refused."""
    for each in of("talk/anthropomorphising"):
        human = COMMENTS[each.question.comment]
        assert judged(each, {"score": HUMAN}) == human
        assert judged(each, {"score": HUMAN - 1}) != human
