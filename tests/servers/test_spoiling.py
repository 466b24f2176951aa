"""The spoiling server spoils as its profiles say, and the same request in the same way."""

import json

import pytest
from habits import AROUND, CONTENT, FORM, spots
from spoiling import PROFILES, Profile, Spoiler

EVERYTHING = {
    "sector": "Hill Cafe",
    "arena": "cafe",
    "game_object": "piano",
    "utterance": "I play the piano here.",
    "object_state": "",
    "choice": "talk",
    "ends": True,
    "poignancy": 7,
    "subtasks": [{"what": "tuning it a little", "minutes": 25}, {"what": "playing on and on", "minutes": 35}],
    "scores": [2, 3, 4],
}
"""Has what every habit needs."""
RIGHT = json.dumps(EVERYTHING)
MANY = 400


def asked(number=0, *more):
    said = [f"Name: Ada Stone\nQuestion {number}", *more]
    return [{"role": "user", "content": text} for text in said]


def only(habit, **more):
    return Spoiler(Profile({habit: 1.0}, **more))


def test_profiles_and_habits_belong_together():
    """Every rate is a share, and its habit exists; `small` has every habit there is."""
    for name in PROFILES:
        profile = Profile.named(name)
        assert set(profile.rates) <= {*CONTENT, *FORM, *AROUND}
        assert all(0 <= rate <= 1 for rate in (profile.stubborn, *profile.rates.values()))
    assert set(Profile.named("small").rates) == {*CONTENT, *FORM, *AROUND}


@pytest.mark.parametrize("habit", [*CONTENT, *FORM, *AROUND])
def test_a_habit_changes_a_right_answer(habit):
    """Always at rate 1, and it is said which habit an answer shows."""
    for number in range(20):
        spoilt = only(habit).spoil(asked(number), RIGHT)
        assert spoilt.text != RIGHT
        assert spoilt.habits == (habit,)


def test_without_habits_the_answer_is_right():
    """Whatever is asked."""
    spoiler = Spoiler(Profile.named("none"))
    assert {spoiler.spoil(asked(number), RIGHT).text for number in range(20)} == {RIGHT}


def test_a_habit_is_as_frequent_as_its_rate():
    """Within five standard deviations, for every habit that nothing hides."""
    profile = Profile.named("small")
    shown = [Spoiler(profile, 1).spoil(asked(number), RIGHT).habits for number in range(MANY)]
    for habit in (*CONTENT, *AROUND):
        rate = profile.rates[habit]
        assert abs(sum(habit in habits for habits in shown) - MANY * rate) <= 5 * (MANY * rate * (1 - rate)) ** 0.5


def test_habits_can_be_shown_together():
    """All at once, in their order."""
    spoiler = Spoiler(Profile(dict.fromkeys(CONTENT, 1.0)))
    assert all(len(spoiler.spoil(asked(number), RIGHT).habits) > len(CONTENT) // 2 for number in range(100))


def test_the_same_request_is_spoilt_in_the_same_way():
    """By request and seed alone."""
    small = Profile.named("small")
    answers = [[Spoiler(small, seed).spoil(asked(n), RIGHT) for n in range(50)] for seed in (1, 1, 2)]
    assert answers[0] == answers[1] != answers[2]


@pytest.mark.parametrize(("stubborn", "repeated"), [(0.0, False), (1.0, True)])
def test_a_correction_may_be_answered_better(stubborn, repeated):
    """Unless the model is stubborn."""
    spoiler = Spoiler(Profile({"wrong_sum": 0.5}, stubborn))
    first, again = (
        [spoiler.spoil(asked(number, *more), RIGHT).text for number in range(30)]
        for more in ((), ("That is wrong.", "So is that."))
    )
    assert (first == again) == repeated


def test_a_habit_finds_its_place_at_any_depth():
    """Lists within objects, objects within lists."""
    nested = {"a": [{"b": 1}, {"b": [1, 2]}], "c": 1}
    assert len(spots(nested, lambda each: each == 1)) == 3
