"""Models of a temperament err the same way every time, whatever the question is called."""

import json

import pytest
from spoiling import Spoilt
from temperaments import TEMPERAMENTS, Temperament, hints_of, spoilt_reply

from ville.llm.gateway import OFFLINE_RULES, ChatMessage, ChatReply, ChatRequest

TALK = {"properties": {"choice": {"enum": ["talk", "carry on"], "type": "string"}}, "type": "object"}
LINE = {
    "properties": {
        "utterance": {"description": "what is said, in a few words", "type": "string"},
        "ends": {"type": "boolean"},
    }
}
ROWS = {
    "$defs": {
        "Row": {
            "properties": {
                "from": {"description": "when it begins, such as 7:00", "type": "string"},
                "hour": {"type": "integer", "maximum": 23},
                "score": {"type": "integer", "minimum": 1, "maximum": 10},
                "place": {"type": "string", "enum": ["", "cafe", "park"]},
            }
        }
    },
    "properties": {"rows": {"items": {"$ref": "#/$defs/Row"}, "type": "array"}},
}


def asked(schema, text="Name: Ada Stone\nWhat now?", corrections=0):
    """Return a request, or one of its corrections."""
    messages = (ChatMessage("user", text), *[ChatMessage("user", "Again, please.")] * 2 * corrections)
    return ChatRequest("some/question", fields={}, messages=messages, schema=schema, persona="Ada", step=0, tier="fast")


def answer(model, schema, right, **more):
    return json.loads(Temperament(TEMPERAMENTS[model]).spoil(asked(schema, **more), json.dumps(right)).text)


@pytest.mark.parametrize(
    ("model", "schema", "right", "given"),
    [
        ("first-option", TALK, {"choice": "carry on"}, {"choice": "talk"}),
        ("talker", TALK, {"choice": "carry on"}, {"choice": "talk"}),
        ("talker", LINE, {"utterance": "Bye.", "ends": True}, {"utterance": "Bye.", "ends": False}),
        ("ends-at-once", LINE, {"utterance": "Hello.", "ends": False}, {"utterance": "Hello.", "ends": True}),
        ("copies", LINE, {"utterance": "", "ends": True}, {"utterance": "what is said, in a few words", "ends": True}),
        ("copies", LINE, {"utterance": "Hello.", "ends": True}, {"utterance": "Hello.", "ends": True}),
        ("copies", ROWS, {"rows": [{"from": "9:00"}]}, {"rows": [{"from": "7:00"}]}),
        ("mixes-clocks", ROWS, {"rows": [{"from": "18:30", "hour": 17}]}, {"rows": [{"from": "6:30", "hour": 5}]}),
        ("mixes-clocks", ROWS, {"rows": [{"from": "9:00", "hour": 9}]}, {"rows": [{"from": "9:00", "hour": 9}]}),
        ("first-option", ROWS, {"rows": [{"place": "park"}] * 2}, {"rows": [{"place": "cafe"}] * 2}),
        ("yes-sayer", ROWS, {"rows": [{"score": 2}, {"score": 9}]}, {"rows": [{"score": 5}, {"score": 10}]}),
    ],
)
def test_a_habit_shows_wherever_it_can(model, schema, right, given):
    """In rows, too; and what it has nothing to do with stays as it is."""
    assert answer(model, schema, right) == given


@pytest.mark.parametrize("model", TEMPERAMENTS)
def test_the_same_question_is_answered_in_the_same_way(model):
    """And every answer keeps the form of its schema."""
    right = {"rows": [{"from": "18:30", "hour": 17, "score": 4, "place": "park"}]}
    first, again = (answer(model, ROWS, right) for _ in range(2))
    assert first == again
    assert [set(row) for row in first["rows"]] == [set(right["rows"][0])]
    assert all(type(first["rows"][0][key]) is type(value) for key, value in right["rows"][0].items())


def test_who_says_yes_talks_more_often_than_not_and_lets_few_go():
    """Not always: people are not asked one by one, so a lot is drawn for each question."""
    said = [answer("yes-sayer", TALK, {"choice": "carry on"}, text=f"{number}?")["choice"] for number in range(300)]
    ended = [
        answer("yes-sayer", LINE, {"utterance": "Bye.", "ends": True}, text=f"{number}?")["ends"]
        for number in range(300)
    ]
    assert 150 < said.count("talk") < 210
    assert 30 < sum(ended) < 90


def test_most_corrections_are_right():
    """The others repeat the fault, as stubborn models do."""
    right = {"choice": "carry on"}
    corrected = [
        answer("first-option", TALK, right, text=f"{number}?", corrections=1)["choice"] for number in range(300)
    ]
    assert 45 < corrected.count("talk") < 105
    spoilt = Temperament(TEMPERAMENTS["talker"]).spoil(asked(LINE), '{"utterance": "Hi.", "ends": false}')
    assert spoilt == Spoilt('{"utterance": "Hi.", "ends": false}')


def test_hints_of_a_form_are_known():
    """So that they can be found among memories."""
    assert set(hints_of(asked(ROWS))) == {"when it begins, such as 7:00"}


def test_a_spoilt_answer_is_judged_as_that_of_a_model():
    """The rules are trusted to write what people say; an answer with the words of the form is sent back."""
    reply = spoilt_reply(ChatReply(text="{}", model=OFFLINE_RULES), Spoilt('{"text": "one sentence"}'))
    assert (reply.text, reply.model != OFFLINE_RULES) == ('{"text": "one sentence"}', True)
