"""Forms of answers: what fits has one value, what does not has none, and nonsense is refused in a line."""

from fractions import Fraction

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import BadArgument
from ville.reply_form import reply_form

RATED = {"scale": [1, 7], "labels": ["not at all", "very well"]}
HOURS = {"number": {"least": 0, "most": 24, "unit": "hours"}}
CHOSEN = {"choice": ["yes", "No, never", "none", "7 am"]}


@given(edged(0, 8) | st.integers(-99, 99))
def test_a_scale_has_its_points_and_no_others(point):
    """However they are written; the schema that a model gets allows the same ones."""
    form = reply_form(RATED)
    schema = form.schema()
    wanted = float(point) if schema["minimum"] <= point <= schema["maximum"] else None
    for said in (f"{point}", f" {point}. ", f"{point}.0", f'"{point}"', f"{point}/7", f"{point} out of 7"):
        assert form.read(said) == wanted, said
    assert bool(form.fault(f"{point}")) is (wanted is None)


@given(st.fractions(-3, 30, max_denominator=100))
def test_a_number_is_read_as_it_is_written(number):
    """With its unit or without, within its limits."""
    form, text = reply_form(HOURS), f"{float(number):.9f}"
    wanted = float(text) if 0 <= Fraction(text) <= 24 else None
    assert [form.read(said) for said in (text, f"{text} hours", f"{text} Hour.")] == [wanted] * 3


@pytest.mark.parametrize(
    ("source", "said"),
    [(RATED, "5 or 6"), (RATED, "5.5"), (RATED, "five"), (RATED, "I'd say 5"), (RATED, "5/10"), (RATED, ""),
     (CHOSEN, "yes and no"), (CHOSEN, "ye"), (CHOSEN, "yes, I have"), (CHOSEN, ""), (HOURS, "1,5"), (HOURS, "25 hours"),
     (HOURS, "about 3"), (HOURS, "3-4"), (HOURS, "nan"), ("number", "1e9"), ("number", "inf"), ("text", "7")],
)  # fmt: skip
def test_nothing_is_guessed(source, said):
    """An answer with two readings, or that needs one, has no value."""
    assert reply_form(source).read(said) is None


def test_choices_and_ends_are_read_by_their_words():
    """Whatever the case and the signs around them; also `none`, which elsewhere means that nothing was said."""
    form = reply_form(CHOSEN)
    assert [form.read(said) for said in ("YES.", "no, never", '"None"', "7 am")] == ["yes", "No, never", "none", "7 am"]
    assert [reply_form(RATED).read(said) for said in ("Not at all", "very well.")] == [1, 7]
    assert reply_form("number").read("1,250") == 1250


@pytest.mark.parametrize("source", [RATED, HOURS, CHOSEN, "number", "text", {"number": {"unit": "people"}}])
def test_a_form_is_the_same_again(source):
    """From what is kept of it."""
    form = reply_form(source)
    assert reply_form(form.as_json()) == form
    assert form.words in {"scale 1 to 7", "number of hours", "choice: yes / No, never / none / 7 am", "number", "text",
                          "number of people"}  # fmt: skip


@pytest.mark.parametrize(
    "source",
    ["maybe", "choice", "scale", {"choice": ["yes"]}, {"choice": ["yes", "Yes."]}, {"choice": ["yes", ""]},
     {"choice": "yes"}, {"choice": [["yes"], "no"]}, {"choice": ["x" * 61, "no"]}, {"choice": ["a", "b"], "unit": "m"},
     {"scale": [7, 1]}, {"scale": [1, 1]}, {"scale": [1]}, {"scale": 7}, {"scale": [1, 2.5]}, {"scale": [0, 1001]},
     {"scale": ["a", "b"]}, {"scale": [1, 7], "labels": ["low"]}, {"scale": [1, 7], "labels": ["low", "Low"]},
     {"scale": [1, 7], "choice": ["a", "b"]}, {"number": 3}, {"number": {"least": 5, "most": 5}}, {},
     {"number": {"least": "many"}}, {"number": {"lest": 0}}, {"number": {"most": 10**13}}, ["yes", "no"], None],
)  # fmt: skip
def test_nonsense_is_refused_in_a_line(source):
    """That says how to write it."""
    with pytest.raises(BadArgument) as raised:
        reply_form(source)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300
