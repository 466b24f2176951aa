"""Concurrent calls are limited, and the limit adapts to rate limits."""

import asyncio
from dataclasses import dataclass

import pytest

from ville.errors import RateLimited, TimedOut
from ville.llm.concurrency import FIRST_CALLS, MOST_CALLS, ConcurrencyLimiter, LimitedClient
from ville.llm.gateway import ChatReply


@dataclass(frozen=True)
class Asked:
    """As much of a request as a limit looks at."""

    what: object
    needed: int = 0

    def __str__(self) -> str:
        return str(self.what)


class Counting:
    """Remembers how many questions were open at the same time; turns away those above a limit."""

    def __init__(self, limit: int = 99) -> None:
        self.limit = limit
        self.open = self.most = 0

    async def complete(self, request) -> ChatReply:
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            await asyncio.sleep(0)
            if self.open > self.limit:
                raise RateLimited("fewer calls")
        finally:
            self.open -= 1
        return ChatReply(text=str(request), model="counting")


async def all_at_once(limited, count):
    asked = (limited.complete(Asked(number)) for number in range(count))
    return await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.parametrize(("max_concurrency", "most"), [(1, 1), (4, 4), (25, 10)])
async def test_no_more_calls_are_in_flight_than_allowed(max_concurrency, most):
    """Ten ask at once; each gets its own answer."""
    counting = Counting()
    replies = await all_at_once(LimitedClient(counting, ConcurrencyLimiter(max_concurrency)), 10)
    assert counting.most == most
    assert [reply.text for reply in replies] == [str(number) for number in range(10)]


async def test_a_rate_limit_halves_the_limit_once_for_all_calls_in_flight():
    """The limit never falls below one."""
    limiter = ConcurrencyLimiter(8)
    await all_at_once(LimitedClient(Counting(limit=0), limiter), 8)
    assert limiter.limit == 4
    for _ in range(5):
        await all_at_once(LimitedClient(Counting(limit=0), limiter), 1)
    assert limiter.limit == 1


async def test_successes_raise_the_limit_up_to_max_concurrency():
    limiter = ConcurrencyLimiter(8)
    await all_at_once(LimitedClient(Counting(limit=0), limiter), 8)
    await all_at_once(LimitedClient(Counting(), limiter), 2)
    assert limiter.limit == 4
    await all_at_once(LimitedClient(Counting(), limiter), 100)
    assert limiter.limit == 8


async def test_the_limit_settles_at_what_a_provider_allows():
    """All calls succeed in the end."""
    limiter, counting = ConcurrencyLimiter(16), Counting(limit=3)
    limited = LimitedClient(counting, limiter)

    async def persistent(number):
        while True:
            try:
                return await limited.complete(Asked(number))
            except RateLimited:
                await asyncio.sleep(0)

    replies = await asyncio.gather(*(persistent(number) for number in range(60)))
    assert len(replies) == 60
    assert limiter.limit <= 4


class Shop:
    """Sends a Retry-After once; counts calls."""

    def __init__(self, retry_after) -> None:
        self.retry_after = retry_after
        self.asked = 0

    async def complete(self, request) -> ChatReply:
        self.asked += 1
        await asyncio.sleep(0)
        if self.asked == 1:
            raise RateLimited("come back later", self.retry_after)
        return ChatReply(text=str(request), model="shop")


async def test_no_call_is_sent_before_retry_after_has_passed():
    """Waiting calls fail with the same error and the rest of its time; afterwards calls are sent again."""
    now = [0.0]
    shop, limiter = Shop(30.0), ConcurrencyLimiter(1, clock=lambda: now[0])
    told = await all_at_once(LimitedClient(shop, limiter), 10)
    assert [(str(fault), fault.retry_after) for fault in told] == [("come back later", 30.0)] * 10
    assert shop.asked == 1
    now[0] = 29.0
    assert [fault.retry_after for fault in await all_at_once(LimitedClient(shop, limiter), 1)] == [1.0]
    now[0] = 30.0
    assert [reply.text for reply in await all_at_once(LimitedClient(shop, limiter), 2)] == ["0", "1"]


async def test_a_cancelled_caller_does_not_occupy_a_slot():
    """Whether it is cancelled while it waits or just when its turn comes."""
    limited = LimitedClient(Counting(), ConcurrencyLimiter(1))
    tasks = [asyncio.ensure_future(limited.complete(Asked(number))) for number in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    replies = await asyncio.gather(*tasks, return_exceptions=True)
    assert [reply.text for reply in (replies[0], replies[5])] == ["0", "5"]
    assert (await limited.complete(Asked("later"))).text == "later"


async def test_a_limit_that_nobody_has_set_is_found():
    """It grows while calls wait for it, ends near what the provider allows, and stays within reason."""
    generous = ConcurrencyLimiter(0)
    await all_at_once(LimitedClient(Counting(limit=1000), generous), 3 * MOST_CALLS)
    assert generous.limit == MOST_CALLS
    strict, provider = ConcurrencyLimiter(0), Counting(limit=20)
    await all_at_once(LimitedClient(provider, strict), 5000)
    assert 10 <= strict.limit <= 21
    assert provider.most <= 2 * provider.limit


async def test_a_limit_that_is_found_grows_only_where_it_holds_calls_up():
    """One call after the other says nothing about many at once."""
    limiter = ConcurrencyLimiter(0)
    for number in range(100):
        await LimitedClient(Counting(), limiter).complete(Asked(number))
    assert limiter.limit == FIRST_CALLS


@pytest.mark.parametrize(("max_concurrency", "left"), [(0, FIRST_CALLS // 2), (8, 8)])
async def test_calls_that_time_out_lower_a_limit_that_is_found(max_concurrency, left):
    """A server on one machine slows down instead of refusing; a limit that was set stays."""

    class Slow:
        async def complete(self, _request):
            await asyncio.sleep(0)
            raise TimedOut("no answer in time")

    limiter = ConcurrencyLimiter(max_concurrency)
    await all_at_once(LimitedClient(Slow(), limiter), 8)
    assert limiter.limit == left


async def test_answers_that_come_slowly_lower_a_limit_that_is_found():
    """A server that answers one question after another needs no queue, in which deadlines run out. One slow answer is
    counted once, and the limit never falls below one.
    """
    now = [0.0]

    class OneByOne:
        def __init__(self) -> None:
            self.turn = asyncio.Lock()

        async def complete(self, request) -> ChatReply:
            async with self.turn:
                now[0] += 10.0
                await asyncio.sleep(0)
            return ChatReply(text=str(request), model="slow")

    limiter = ConcurrencyLimiter(0, first=8, slow=25.0, clock=lambda: now[0])
    server = OneByOne()
    await all_at_once(LimitedClient(server, limiter), 100)
    assert limiter.limit <= 3
    patient = ConcurrencyLimiter(4, slow=25.0, clock=lambda: now[0])
    await all_at_once(LimitedClient(server, patient), 20)
    assert patient.limit == 4


async def test_calls_that_are_needed_at_earlier_steps_come_first():
    """Those behind hold others up; calls of the same step keep their order."""
    limited, steps = LimitedClient(Counting(), ConcurrencyLimiter(1)), [5, 9, 2, 9, 2, 7]
    begun = []

    async def ask(number, step):
        await limited.complete(Asked(number, step))
        begun.append((step, number))

    await asyncio.gather(*(ask(number, step) for number, step in enumerate(steps)))
    assert begun == [(5, 0), (2, 2), (2, 4), (7, 5), (9, 1), (9, 3)]
