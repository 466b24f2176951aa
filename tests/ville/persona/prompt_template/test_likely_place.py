"""Laws of places without an answer: the persona goes where the plan says, or stays, and is in bed only for sleep."""

from datetime import datetime, timedelta

import pytest
from edges import edged
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.prompt_template.blanks import PlaceOptions, ScheduleEntry, place_text
from ville.persona.prompt_template.likely_place import likely_site
from ville.persona.prompt_template.plan_questions import Reschedule, WhereAndHow

HOME, CAFE = "Ada's flat > main room", "Hobbs Cafe > cafe"
PLACES = {
    "Ada's flat": {"main room": ("bed", "desk"), "kitchen": ("stove", "sink"), "bathroom": ("shower", "toilet")},
    "Hobbs Cafe": {"cafe": ("seating", "piano")},
    "Oak Hill College": {"hallway": (), "library": ("library table", "bookshelf")},
    "Dorm": {"kitchen": ("stove",), "common room": ("sofa",)},
    "The ---": {"A": ("bench",)},
}
SITES = [place_text(sector, arena) for sector, arenas in PLACES.items() for arena in arenas]
NOON = datetime(2023, 2, 13, 12)  # noqa: DTZ001 - game time has no zone


@pytest.mark.parametrize(
    ("doing", "here", "site"),
    [
        ("sleeping", CAFE, ("Ada's flat", "main room", "bed")),
        ("reading", CAFE, ("Hobbs Cafe", "cafe", "seating")),
        ("reading", HOME, ("Ada's flat", "main room", "desk")),
        ("playing the piano", CAFE, ("Hobbs Cafe", "cafe", "piano")),
        ("lunch at Hobbs Cafe", HOME, ("Hobbs Cafe", "cafe", "seating")),
        ("studying in the library", HOME, ("Oak Hill College", "library", "library table")),
        ("cooking in the kitchen", HOME, ("Ada's flat", "kitchen", "stove")),
        ("cooking in the kitchen", "Dorm > common room", ("Dorm", "kitchen", "stove")),
        ("cooking in the kitchen", CAFE, ("Ada's flat", "kitchen", "stove")),
        ("walking", "the street", ("Ada's flat", "kitchen", "stove")),
        ("sitting around", "Ben Reed's flat > main room", ("Ada's flat", "kitchen", "stove")),
    ],
)
def test_an_activity_takes_place_where_it_says_or_here(doing, here, site):
    """A place with a name of its own, or one of this kind here or at home; from the street home, but not to bed."""
    assert likely_site(doing, PLACES, here, HOME) == site


@given(st.text(), st.sampled_from([*SITES, "the street"]), st.sampled_from([*SITES, "the moon"]))
def test_only_sleep_is_in_bed(doing, here, home):
    """Whatever is done, wherever the persona is and lives; the answer is always an option."""
    question = WhereAndHow("", "Ada Stone", doing, doing, NOON, here, home, PlaceOptions(PLACES))
    question.check(question.fallback())
    assert question.fallback().game_object != "bed" or "sleeping" in doing


@given(st.lists(edged(1, 90), min_size=1, max_size=5), edged(0, 200), edged(1, 60))
def test_an_interruption_leaves_the_plan_as_it_was(lengths, passed, minutes):
    """Without an answer, what was planned for afterwards is still done then."""
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    planned = [
        ScheduleEntry(NOON + timedelta(minutes=start), length, str(number))
        for number, (start, length) in enumerate(zip(starts, lengths, strict=True))
    ]
    remaining = sum(lengths) - passed - minutes
    if remaining <= 0:
        return
    question = Reschedule(
        "", "Ada Stone", tuple(planned), "a talk", NOON + timedelta(minutes=passed), minutes, remaining=remaining
    )
    kept = question.fallback().activities
    assert sum(part.minutes for part in kept) == remaining
    end = passed + minutes
    for part in kept:
        end += part.minutes
        assert end == starts[int(part.what)] + lengths[int(part.what)]
