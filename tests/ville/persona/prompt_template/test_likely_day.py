"""Laws of a day without an answer: what has to happen is done at its time, and no one stays in bed."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.cognitive_modules.planning.plan import hourly_schedule
from ville.persona.memory_structures.identity import Identity
from ville.persona.prompt_template.plan_questions import DayPlan, HourlySchedule

TODAY = date(2023, 2, 13)
TEXTS = ("name", "first_name", "last_name", "innate", "learned", "currently", "lifestyle", "living_area")
CAFE = "From 8am to 8pm Ada keeps Hobbs Cafe open."
SHIFT = "Аде надо быть на работе к 10:00."


def day_of(wakes, requirement):
    """Return the activity at each full hour of a day for which no model gives an answer."""
    identity = Identity(**dict.fromkeys(TEXTS, "-"), age=30, daily_plan_req=requirement).text(TODAY)
    plans = DayPlan(identity, "Ada", TODAY, wakes, ()).fallback().plans
    said = HourlySchedule("", "Ada", TODAY, wakes, tuple(plans)).fallback().activities
    schedule = hourly_schedule(said, wakes, plans)
    return [schedule.at(60 * hour).what for hour in range(24)]


@pytest.mark.parametrize(
    ("wakes", "requirement", "begins"),
    [(6, CAFE, 8), (7, CAFE, 8), (8, CAFE, 9), (11, CAFE, 12), (7, SHIFT, 10), (7, "Ada walks in Johnson Park.", 8)],
)
def test_what_has_to_happen_is_done_at_its_time(wakes, requirement, begins):
    """Or as soon as the persona is ready, if that is later or no time is given; before that it is at home."""
    day = day_of(wakes, requirement)
    assert all("at home" in what for what in day[wakes + 1 : begins])
    assert all(requirement.rstrip(".") in what for what in day[begins:22])


@given(st.integers(0, 23), st.text(alphabet="ad 079:apm.\n", max_size=40))
def test_nobody_is_in_bed_by_day(wakes, requirement):
    """From getting up until 22:00, whatever has to happen."""
    assert "sleeping" not in day_of(wakes, requirement)[wakes : max(wakes + 1, 22)]
