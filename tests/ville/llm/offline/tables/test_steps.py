"""The tables of activities: every step can be shown, none is cut in half."""

from random import Random

import pytest

from ville.llm.offline.days.breakdown import TABLE, steps_of
from ville.llm.offline.days.deeds import UNKNOWN, deed_of
from ville.llm.offline.people.person import Person

STEPS = sorted({one for row in TABLE for part in row.steps for step in part for one in step.split(" / ")})


def test_every_step_has_a_picture():
    """An emoji and an object of its own: nothing in the tables falls through to the unknown."""
    assert [step for step in STEPS if deed_of(step) is UNKNOWN] == []


def test_steps_are_good_english(english):
    """They begin with what somebody is doing, in small letters, and end without a mark."""
    assert [step for step in STEPS if english(step) or not step.split()[0].endswith("ing")] == []


@pytest.mark.parametrize("seed", range(30))
def test_a_morning_has_an_order(seed):
    """Nobody dresses before the shower or gets into bed before brushing their teeth."""
    ada, lot = Person("Ada"), _lot(seed)
    morning = [step for step, _ in steps_of("waking up and completing the morning routine", 60, ada, lot)]
    evening = [step for step, _ in steps_of("getting ready for bed", 60, ada, lot)]
    nights = ("brushing the teeth before bed", "reading a few pages in bed", "getting into bed")
    for steps, order in ((morning, ("getting out of bed", "taking a shower", "getting dressed")), (evening, nights)):
        done = [steps.index(step) for step in order if step in steps]
        assert done == sorted(done)


@pytest.mark.parametrize("meal", ["having lunch at the cafe", "having lunch at home", "having dinner at the pub"])
def test_a_meal_is_one_dish(meal):
    """Soup or salad, not one after the other."""
    for seed in range(30):
        steps = [step for step, _ in steps_of(meal, 60, Person("Ada"), _lot(seed))]
        dishes = {
            step for step in steps if step.startswith("eating a") or step in {"heating up soup", "boiling an egg"}
        }
        assert len(dishes) <= 1, steps


def _lot(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - which steps are looked at
