"""Requests that are let in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator import forms
from translator.errors import BadRequest

BAD_CODES = ["", "..", "../other", "/etc", "a b", "a\x00b", "a/b", "a\\b", "😴", "x" * 101, "a.b", "%2e%2e", "a\n"]
BAD_STEPS = ["", "-1", "1.5", "1e3", "x", "٣", "1" * 10, " 1", "1\n", "\x00"]
BAD_NAMES = ["", "x" * 101, "a\x00b", "a/b", "..\\b", "a\nb"]
PLACE = {"maze": "small", "x": 1, "y": 2}


@pytest.mark.parametrize("text", BAD_CODES)
def test_a_simulation_is_a_word(text):
    """Nothing that could lead out of a folder, and nothing longer than a name."""
    with pytest.raises(BadRequest):
        forms.sim_code(text)


@given(st.from_regex(r"[\w-]{1,30}", fullmatch=True))
def test_words_of_all_languages_are_let_in(text):
    """As they always were."""
    assert forms.sim_code(text) == text


@pytest.mark.parametrize("text", BAD_STEPS)
def test_a_step_is_a_small_whole_number(text):
    """In the digits that everybody uses."""
    with pytest.raises(BadRequest):
        forms.step(text)


def test_steps_and_speeds_are_numbers():
    """A word that is no known speed is the third one: classic addresses may have any."""
    assert forms.step("000041") == 41
    assert [forms.speed(text) for text in ("1", "6", "8", "9", "fast")] == [1, 6, 8, 3, 3]
    with pytest.raises(BadRequest):
        forms.speed("../2")


@pytest.mark.parametrize("text", BAD_NAMES)
def test_a_name_can_be_a_folder(text):
    """No slash, no control character, at most a hundred characters."""
    with pytest.raises(BadRequest):
        forms.persona_name(text)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("", "body"),
        ("{", "body"),
        ("[]", "body"),
        ("null", "body"),
        ('{"sim_code": "a", "environment": {}, "step": NaN}', "step"),
        ({"step": "5", "sim_code": "a", "environment": {}}, "step"),
        ({"step": 5.5, "sim_code": "a", "environment": {}}, "step"),
        ({"step": True, "sim_code": "a", "environment": {}}, "step"),
        ({"step": -1, "sim_code": "a", "environment": {}}, "step"),
        ({"step": 10**30, "sim_code": "a", "environment": {}}, "step"),
        ({"step": 5, "sim_code": 5, "environment": {}}, "sim_code"),
        ({"step": 5, "sim_code": "x" * 101, "environment": {}}, "sim_code"),
        ({"step": 5, "sim_code": "a"}, "environment"),
        ({"step": 5, "sim_code": "a", "environment": []}, "environment"),
        ({"step": 5, "sim_code": "a", "environment": {"Ada": None}}, "environment.Ada"),
        ({"step": 5, "sim_code": "a", "environment": {"Ada": PLACE | {"x": "1"}}}, "environment.Ada.x"),
        ({"step": 5, "sim_code": "a", "environment": {"Ada": PLACE | {"y": -1}}}, "environment.Ada.y"),
        ({"step": 5, "sim_code": "a", "environment": {"Ada": PLACE | {"maze": ""}}}, "environment.Ada.maze"),
    ],
)
def test_a_wrong_body_is_one_line_that_names_the_place(body, named):
    """Malformed JSON and wrong types alike; never a traceback."""
    text = body if isinstance(body, str) else json.dumps(body)
    with pytest.raises(BadRequest) as fault:
        forms.read_body(forms.PositionReport, text.encode())
    assert named in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_long_or_deep_body_is_still_one_line():
    """A reason is never longer than what a person reads."""
    for text in ("[" * 100_000, json.dumps({"step": 5, "sim_code": "a", "environment": {"x" * 5000: 1}})):
        with pytest.raises(BadRequest) as fault:
            forms.read_body(forms.PositionReport, text.encode())
        assert len(str(fault.value)) < 300


def test_bodies_that_are_no_text_are_refused():
    """Bytes that are no UTF-8."""
    with pytest.raises(BadRequest):
        forms.read_body(forms.MovementRequest, b'{"sim_code": "\xff", "step": 1}')


def test_a_classic_question_does_not_wait():
    """Ours may, but not for longer than a few seconds."""
    assert forms.read_body(forms.MovementRequest, b'{"sim_code": "a", "step": 1, "more": 2}').wait == 0
    assert forms.read_body(forms.MovementRequest, b'{"sim_code": "a", "step": 1, "wait": 5}').wait == 5
    with pytest.raises(BadRequest):
        forms.read_body(forms.MovementRequest, b'{"sim_code": "a", "step": 1, "wait": 6}')
