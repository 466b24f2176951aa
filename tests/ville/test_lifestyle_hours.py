"""Laws of the hours that a lifestyle names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.lifestyle_hours import DAY, bed_minute, dinner_minute, waking_hour, waking_minute


@pytest.mark.parametrize(
    ("lifestyle", "wakes", "beds", "dines"),
    [
        ("Ada Stone goes to bed around 11pm, awakes up around 6am and eats dinner around 5pm.", 6, 23, 17),
        ("Ada wakes up at 7. She has dinner at 7 and is in bed by 10:30.", 7, 22.5, 19),
        ("Up at 7:00, falls asleep at 23:15.", 7, 23.25, None),
        ("Ada gets up at half past six every day, turns in at 1 a.m., dines at noon.", 6.5, 1, 12),
        ("Ada rises at five o'clock in the morning and goes to bed at midnight.", 5, 0, None),
        ("Ada gets up every day around 14:30 and goes to sleep at 2 at night.", 14.5, 2, None),
        ("Ada sleeps until ten.", 10, None, None),
        ("Ада просыпается около 7 утра, ужинает в 18:00 и ложится спать в 11 вечера.", 7, 23, 18),
        ("Ада встаёт в половине седьмого, ужинает около семи, ложится в час ночи.", 6.5, 1, 19),
        ("Ада встает в 06:30 и засыпает в полночь.", 6.5, 0, None),
    ],
)
def test_hours_are_read_as_they_are_meant(lifestyle, wakes, beds, dines):
    """On a clock of twelve or twenty-four hours, in figures or words; a bare hour is the likelier one."""
    found = [read(lifestyle) for read in (waking_minute, bed_minute, dinner_minute)]
    assert [minute if minute is None else minute / 60 for minute in found] == [wakes, beds, dines]


@pytest.mark.parametrize(
    "lifestyle",
    [
        "Ada likes tea.", "Ada wakes up early and goes to bed at 11pm.", "Ada stays up until 2am.",
        "Ada wakes up three times a night.", "Ada wakes up at 25.", "Ада встаёт рано и ужинает в семь.",
        "Ada gets to bed at 10pm.", "Ada wakes up at 7 on weekdays and at 10 on Sundays.", "",
    ],
)  # fmt: skip
def test_no_hour_of_getting_up_is_made_up(lifestyle):
    """Neither from the hour of another habit, nor from one of several."""
    assert waking_hour(lifestyle) is None


@given(st.integers(0, 11), st.booleans(), st.sampled_from(["wakes up", "awakes", "gets up", "rises"]))
def test_both_clocks_say_the_same(hour, is_late, wakes):
    half = hour + 12 * is_late
    texts = (
        f"{hour or 12}{'pm' if is_late else 'am'}",
        f"{half:02}:00",
        f"{hour or 12}:00 {'P.M.' if is_late else 'A.M.'}",
    )
    assert {waking_hour(f"Ada {wakes} around {text}, eats at 8pm.") for text in texts} == {half}


@given(st.text())
def test_any_text_can_be_read(text):
    for said in (text, f"Ada wakes up at {text}"):
        assert (waking_minute(said) or 0) in range(DAY)
