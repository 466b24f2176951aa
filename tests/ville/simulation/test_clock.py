"""Game time."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from edges import edged
from hypothesis import given

from ville.simulation.clock import Clock, Duration, Steps, UntilMoment, UntilTime

START = datetime(2023, 2, 13, tzinfo=UTC).replace(tzinfo=None)


def clock_at(seconds: int, seconds_per_step: int = 10) -> Clock:
    now = START + timedelta(seconds=seconds)
    return Clock(start=date(2023, 2, 13), now=now, step=seconds // 10, seconds_per_step=seconds_per_step)


def test_a_tick_is_one_step():
    """Time advances by the seconds of a step, the step number by one."""
    later = clock_at(50).ticked()
    assert (later.now, later.step) == (START + timedelta(seconds=60), 6)


@given(edged(0, 86_400), edged(1, 3_600), edged(0, 23), edged(0, 59))
def test_until_is_the_first_step_at_or_after_that_time(seconds, step, hour, minute):
    """After these steps the clock has just reached the time; one step fewer does not."""
    clock = clock_at(seconds, step)
    goal = datetime.combine(clock.now, time(hour, minute))
    goal += timedelta(days=goal <= clock.now)
    steps = clock.steps_in(UntilTime(time(hour, minute)))
    assert clock.now + (steps - 1) * timedelta(seconds=step) < goal <= clock.now + steps * timedelta(seconds=step)


def test_the_time_it_shows_now_is_a_day_away():
    """`until 08:00` at eight o'clock means tomorrow."""
    assert clock_at(8 * 3600).steps_in(UntilTime(time(8))) == 8640


@pytest.mark.parametrize(
    ("span", "steps"),
    [
        (Steps(7), 7),
        (Steps(0), 0),
        (Duration(timedelta(hours=2)), 720),
        (Duration(timedelta(seconds=11)), 2),
        (Duration(timedelta(days=10**7)), 8640 * 10**7),
        (UntilMoment(START + timedelta(days=1)), 8640),
        (UntilMoment(START - timedelta(days=1)), 0),
    ],
)
def test_every_span_is_a_number_of_steps(span, steps):
    """Part of a step counts as one; a past time gives no steps."""
    assert clock_at(0).steps_in(span) == steps
