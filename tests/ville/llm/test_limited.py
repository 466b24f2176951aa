"""The number of open lines, and how it follows a provider's wishes."""

import asyncio

import pytest

from ville.errors import RateLimited
from ville.llm.gateway import ChatReply
from ville.llm.limited import ConcurrencyLimiter, Limited


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
    asked = (limited.complete(number) for number in range(count))
    return await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.parametrize(("max_concurrency", "most"), [(1, 1), (4, 4), (25, 10)])
async def test_no_more_questions_are_open_than_there_are_lines(max_concurrency, most):
    """Ten ask at once; each gets its own answer."""
    counting = Counting()
    replies = await all_at_once(Limited(counting, ConcurrencyLimiter(max_concurrency)), 10)
    assert counting.most == most
    assert [reply.text for reply in replies] == [str(number) for number in range(10)]


async def test_one_rate_limit_halves_the_lines_once_however_many_calls_it_hits():
    """Calls that were under way together are one event; with one line left there is nothing more to close."""
    limiter = ConcurrencyLimiter(8)
    await all_at_once(Limited(Counting(limit=0), limiter), 8)
    assert limiter.limit == 4
    for _ in range(5):
        await all_at_once(Limited(Counting(limit=0), limiter), 1)
    assert limiter.limit == 1


async def test_success_opens_the_lines_again_but_never_more_than_were_asked_for():
    """After a rate limit it takes some successes to get back to where it was."""
    limiter = ConcurrencyLimiter(8)
    await all_at_once(Limited(Counting(limit=0), limiter), 8)
    await all_at_once(Limited(Counting(), limiter), 2)
    assert limiter.limit == 4
    await all_at_once(Limited(Counting(), limiter), 100)
    assert limiter.limit == 8


async def test_a_provider_that_bears_three_calls_is_soon_asked_by_no_more():
    """Whoever asks again after a rate limit gets its answer in the end, and the lines settle at what is possible."""
    limiter, counting = ConcurrencyLimiter(16), Counting(limit=3)
    limited = Limited(counting, limiter)

    async def persistent(number):
        while True:
            try:
                return await limited.complete(number)
            except RateLimited:
                await asyncio.sleep(0)

    replies = await asyncio.gather(*(persistent(number) for number in range(60)))
    assert len(replies) == 60
    assert limiter.limit <= 4


class Shop:
    """Says when to come back, once; counts who comes."""

    def __init__(self, retry_after) -> None:
        self.retry_after = retry_after
        self.asked = 0

    async def complete(self, request) -> ChatReply:
        self.asked += 1
        await asyncio.sleep(0)
        if self.asked == 1:
            raise RateLimited("come back later", self.retry_after)
        return ChatReply(text=str(request), model="shop")


async def test_a_provider_that_says_when_to_come_back_is_asked_by_nobody_until_then():
    """Whoever waits for a line is told the same, with what is left of the time; afterwards all is as before."""
    now = [0.0]
    shop, limiter = Shop(30.0), ConcurrencyLimiter(1, clock=lambda: now[0])
    told = await all_at_once(Limited(shop, limiter), 10)
    assert [(str(fault), fault.retry_after) for fault in told] == [("come back later", 30.0)] * 10
    assert shop.asked == 1
    now[0] = 29.0
    assert [fault.retry_after for fault in await all_at_once(Limited(shop, limiter), 1)] == [1.0]
    now[0] = 30.0
    assert [reply.text for reply in await all_at_once(Limited(shop, limiter), 2)] == ["0", "1"]


async def test_who_leaves_the_queue_takes_no_line_along():
    """Callers that are cancelled while they wait, or just when their turn comes, leave the lines to the others."""
    limited = Limited(Counting(), ConcurrencyLimiter(1))
    tasks = [asyncio.ensure_future(limited.complete(number)) for number in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    replies = await asyncio.gather(*tasks, return_exceptions=True)
    assert [reply.text for reply in (replies[0], replies[5])] == ["0", "5"]
    assert (await limited.complete("later")).text == "later"
