"""Estimates of what more steps will cost."""

from datetime import datetime, timedelta

import pytest

from ville.llm.accounting.estimate import ENOUGH, CostModel, PlannedRun, estimate, typical_day
from ville.llm.accounting.ledger import CallRecord, CallResult
from ville.llm.accounting.prices import Price
from ville.llm.accounting.rates import MostUsage
from ville.llm.accounting.summaries import Calendar
from ville.llm.gateway import ChatRequest, Usage

START = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
CALENDAR = Calendar(START, 60)
NIGHT, NOON, DAY = 8 * 60, 12 * 60, 24 * 60
COST_MODEL = CostModel(max_concurrency=8, fast=Price(1.0, 1.0, 10.0), advanced=Price(2.0, 2.0, 20.0))


def spend(ledger, *, step, calls, seconds=1.0):
    """Record calls of 1,000 tokens and a cent, one after the other, at a step."""
    for number in range(calls):
        request = ChatRequest("plan/x", {}, (), {}, "Ada Stone", step, occurrence=number)
        began = START + timedelta(hours=step, seconds=number * seconds)
        usage = Usage(prompt_tokens=900, completion_tokens=100, cost=0.01)
        call = ledger.begin(CallRecord.of(request), MostUsage("m", usage), began)
        ledger.finish(call, CallResult(seconds, usage))


@pytest.mark.parametrize("people", [1, 3, 10, 25, 50])
def test_a_day_is_the_sum_of_its_hours(people):
    """For any number of personas; more personas ask more."""
    whole = estimate(PlannedRun(people, 0, DAY, CALENDAR), COST_MODEL, None).totals
    parts = [estimate(PlannedRun(people, hour * 60, 60, CALENDAR), COST_MODEL, None).totals for hour in range(24)]
    assert whole.calls == pytest.approx(sum(part.calls for part in parts))
    assert whole.cost == pytest.approx(sum(part.cost for part in parts))
    assert whole.calls < estimate(PlannedRun(people + 1, 0, DAY, CALENDAR), COST_MODEL, None).totals.calls
    assert len(typical_day(people)) == 24


def test_cost_is_tokens_times_price():
    """By tier, with embeddings only if they are bought; without prices the cost is unknown."""
    journey = PlannedRun(3, NIGHT, 60, CALENDAR)
    hour = typical_day(3)[8]
    expected = (hour.fast_prompt + 10 * hour.fast_answer + 2 * hour.advanced_prompt + 20 * hour.advanced_answer) / 1e6
    assert estimate(journey, COST_MODEL, None).totals.cost == pytest.approx(expected, rel=1e-3)
    assert "unknown cost" in estimate(journey, CostModel(), None).text(journey)


def test_less_concurrency_takes_longer():
    """But not fewer calls; without concurrency, every call is waited for."""
    journey = PlannedRun(25, NOON, 120, CALENDAR)
    one, many = (estimate(journey, CostModel(max_concurrency=lines), None).totals for lines in (1, 1000))
    assert one.calls == many.calls
    assert one.seconds > many.seconds
    assert one.seconds == pytest.approx(one.calls)


def test_known_hours_repeat(ledger):
    """In proportion to their steps; overlapping waits count once."""
    spend(ledger, step=0, calls=10, seconds=2.0)
    spend(ledger, step=30, calls=30, seconds=2.0)
    journey = PlannedRun(3, DAY, 30, CALENDAR)
    use = estimate(journey, COST_MODEL, ledger).totals
    assert (use.calls, use.tokens, use.cost) == pytest.approx((20, 20_000, 0.2))
    assert use.seconds == pytest.approx(40.0)


def test_unknown_hours_are_scaled_from_the_typical_day(ledger):
    """By the ratio of actual to typical usage so far."""
    record = estimate(PlannedRun(3, 17 * 60, 60, CALENDAR), COST_MODEL, None).totals
    calls = round(record.calls) * ENOUGH
    spend(ledger, step=17 * 60, calls=calls)
    later = PlannedRun(3, 18 * 60, 60, CALENDAR)
    expected = estimate(later, COST_MODEL, None).totals.calls * calls / record.calls
    made = estimate(later, COST_MODEL, ledger)
    assert made.totals.calls == pytest.approx(expected)
    assert made.totals.cost == pytest.approx(made.totals.tokens * 0.01 / 1000)
    assert f"the {calls} calls" in made.text(later)


def test_a_few_calls_do_not_change_the_estimate(ledger):
    spend(ledger, step=0, calls=ENOUGH - 1)
    journey = PlannedRun(3, NIGHT, 60, CALENDAR)
    assert estimate(journey, COST_MODEL, ledger).totals == estimate(journey, COST_MODEL, None).totals


def test_no_steps_need_no_calls():
    journey = PlannedRun(3, 5, 0, CALENDAR)
    assert estimate(journey, COST_MODEL, None).text(journey).startswith("0 more steps of 3 people: about 0 calls")
