"""Laws of the classic spellings of time."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import CorruptFile
from ville.storage.dates import (
    date_text,
    node_time_text,
    parse_date,
    parse_node_time,
    parse_time,
    time_text,
    weekday_text,
)

moments = st.datetimes(min_value=datetime(1000, 1, 1)).map(lambda moment: moment.replace(microsecond=0))


@given(moments)
def test_times_survive_their_texts(moment):
    """A written time is read back to the second, in both spellings; a date to the day."""
    assert parse_time(time_text(moment)) == moment
    assert parse_node_time(node_time_text(moment)) == moment
    assert parse_date(date_text(moment)) == moment.date()


@given(moments)
def test_the_spellings_are_the_classic_ones(moment):
    """The texts are what the classic patterns give in English."""
    assert time_text(moment) == moment.strftime("%B %d, %Y, %H:%M:%S")
    assert node_time_text(moment) == moment.strftime("%Y-%m-%d %H:%M:%S")
    assert weekday_text(moment) == moment.strftime("%A %B %d")


def test_an_unpadded_day_is_read():
    """People write days without a leading zero."""
    assert parse_date("February 3, 2023") == date(2023, 2, 3)
    assert parse_time("February 3, 2023, 9:05:00") == datetime(2023, 2, 3, 9, 5)


@pytest.mark.parametrize("text", ["", "2023-02-13", "February 30, 2023", "Feber 3, 2023", None])
def test_what_is_no_time_is_quoted(text):
    """The message quotes the text and shows the format."""
    with pytest.raises(CorruptFile, match=f"'{text}' is not a time. Write it as February"):
        parse_time(text)
    with pytest.raises(CorruptFile, match="Write it as 2023"):
        parse_node_time("soon")
