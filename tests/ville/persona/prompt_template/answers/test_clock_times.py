"""Laws of reading times of day: however a time is written, it is read as the same minute, or refused."""

from datetime import time

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.prompt_template.answers.clock_times import read_end, read_time
from ville.persona.prompt_template.answers.meant import hour_of_day

MINUTES = st.times().map(lambda moment: moment.replace(second=0, microsecond=0))
MANNERS = [
    "%H:%M", "%H.%M", "%H%M", "%H:%M:00", "%I:%M %p", "%I:%M%p", "around %H:%M", "at about %I:%M %p", "%H:%M o'clock",
    " %H:%M. ", "~%H:%M",
]  # fmt: skip
DASHES = ["-", " - ", "–", " – ", " to ", " until "]


@given(MINUTES, st.sampled_from(MANNERS))
def test_a_time_is_read_however_it_is_written(moment, manner):
    """To the minute, also where only the hour is asked for, and at the end of an activity."""
    written = moment.strftime(manner)
    assert read_time(written) == read_end(written) == moment
    assert hour_of_day(written) == moment.hour


@given(MINUTES, MINUTES, st.sampled_from(DASHES), st.sampled_from(["%H:%M", "%I:%M %p"]))
def test_a_span_is_read_as_its_beginning_or_its_end(start, end, dash, manner):
    """As what is asked for."""
    written = dash.join(moment.strftime(manner) for moment in (start, end))
    assert (read_time(written), read_end(written)) == (start, end)
    assert hour_of_day(written) == start.hour


@given(edged(0, 47))
def test_a_number_is_read_in_half_hours(halves):
    """As a number or as a text; whole hours also with words around them."""
    meant = time(*divmod(halves * 30, 60))
    assert read_time(halves / 2) == read_time(str(halves / 2)) == meant
    if not meant.minute:
        for written in (meant.hour, f"{meant.hour}", f"around {meant.hour}", f"{meant.hour} o'clock"):
            assert read_time(written) == meant


@pytest.mark.parametrize(
    "value",
    [
        "soon",
        "",
        "7-8",
        "7:00 - 8:00 PM",
        "25:00",
        "7:60",
        "2460",
        "900",
        7.3,
        "7.3",
        7.25,
        -1,
        25,
        900,
        1930,
        10**400,
        float("nan"),
        True,
        None,
        "9" * 9000,
    ],
)
def test_what_is_unclear_is_refused(value):
    """With a message for the model."""
    for read in (read_time, read_end):
        with pytest.raises(ValueError, match="is not a time of day"):
            read(value)
