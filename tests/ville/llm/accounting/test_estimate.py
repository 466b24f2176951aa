"""What more steps will cost."""

from datetime import datetime, timedelta

import pytest

from ville.llm.accounting.accounts import Calendar
from ville.llm.accounting.bounds import Most
from ville.llm.accounting.estimate import ENOUGH, CostModel, Journey, estimate, typical_day
from ville.llm.accounting.ledger import Asked, Ending
from ville.llm.accounting.prices import Price
from ville.llm.gateway import ChatRequest, Usage

START = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
CALENDAR = Calendar(START, 60)
NIGHT, DAY = 8 * 60, 24 * 60
TERMS = CostModel(max_concurrency=8, fast=Price(1.0, 1.0, 10.0), advanced=Price(2.0, 2.0, 20.0))


def spend(ledger, *, step, calls, seconds=1.0):
    """So many calls of 1,000 tokens and a cent, one after the other, at a step."""
    for number in range(calls):
        request = ChatRequest("plan/x", {}, (), {}, "Ada Stone", step, occurrence=number)
        began = START + timedelta(hours=step, seconds=number * seconds)
        usage = Usage(prompt_tokens=900, completion_tokens=100, cost=0.01)
        call = ledger.begin(Asked.question_of(request), Most("m", usage), began)
        ledger.settle(call, Ending(seconds, usage))


@pytest.mark.parametrize("people", [1, 3, 10, 25, 50])
def test_a_day_is_the_sum_of_its_hours(people):
    """Whatever the number of people: more of them ask more, and nobody knows better before anything was asked."""
    whole = estimate(Journey(people, 0, DAY, CALENDAR), TERMS, None).use
    parts = [estimate(Journey(people, hour * 60, 60, CALENDAR), TERMS, None).use for hour in range(24)]
    assert whole.calls == pytest.approx(sum(part.calls for part in parts))
    assert whole.cost == pytest.approx(sum(part.cost for part in parts))
    assert whole.calls < estimate(Journey(people + 1, 0, DAY, CALENDAR), TERMS, None).use.calls
    assert len(typical_day(people)) == 24


def test_cost_is_tokens_times_price():
    """Of the fast and of the advanced model, vectors only where they are bought; without prices nothing is claimed."""
    journey = Journey(3, NIGHT, 60, CALENDAR)
    hour = typical_day(3)[8]
    expected = (hour.fast_prompt + 10 * hour.fast_answer + 2 * hour.advanced_prompt + 20 * hour.advanced_answer) / 1e6
    assert estimate(journey, TERMS, None).use.cost == pytest.approx(expected, rel=1e-3)
    assert "nobody knows" in estimate(journey, CostModel(), None).text(journey)


def test_fewer_lines_take_longer():
    """But not fewer calls; with one line, every call is waited for."""
    journey = Journey(25, NIGHT, 60, CALENDAR)
    one, many = (estimate(journey, CostModel(max_concurrency=lines), None).use for lines in (1, 1000))
    assert one.calls == many.calls
    assert one.seconds > many.seconds
    assert one.seconds == pytest.approx(one.calls)


def test_hours_that_were_seen_will_go_as_they_went(ledger):
    """By the number of steps: half an hour of the kind costs half; waiting that overlaps counts once."""
    spend(ledger, step=0, calls=10, seconds=2.0)
    spend(ledger, step=30, calls=30, seconds=2.0)
    journey = Journey(3, DAY, 30, CALENDAR)
    use = estimate(journey, TERMS, ledger).use
    assert (use.calls, use.tokens, use.cost) == pytest.approx((20, 20_000, 0.2))
    assert use.seconds == pytest.approx(40.0)


def test_hours_that_were_not_seen_go_as_recorded_in_proportion(ledger):
    """Who asked twice as much as the record so far will go on to."""
    record = estimate(Journey(3, 7 * 60, 60, CALENDAR), TERMS, None).use
    calls = round(record.calls) * 2
    spend(ledger, step=7 * 60, calls=calls)
    later = Journey(3, 8 * 60, 60, CALENDAR)
    expected = estimate(later, TERMS, None).use.calls * calls / record.calls
    made = estimate(later, TERMS, ledger)
    assert made.use.calls == pytest.approx(expected)
    assert made.use.cost == pytest.approx(made.use.tokens * 0.01 / 1000)
    assert f"the {calls} calls" in made.text(later)


def test_a_few_calls_prove_nothing(ledger):
    """The record stands until the ledger has more to say."""
    spend(ledger, step=0, calls=ENOUGH - 1)
    journey = Journey(3, NIGHT, 60, CALENDAR)
    assert estimate(journey, TERMS, ledger).use == estimate(journey, TERMS, None).use


def test_nothing_costs_nothing():
    """No steps, no calls."""
    journey = Journey(3, 5, 0, CALENDAR)
    assert estimate(journey, TERMS, None).text(journey).startswith("0 more steps of 3 people: about 0 calls")
