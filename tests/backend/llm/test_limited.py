"""The number of open lines."""

import asyncio

import pytest

from llm.gateway import ChatReply
from llm.limited import Limited


class Counting:
    """Remembers how many questions were open at the same time."""

    def __init__(self) -> None:
        self.open = self.most = 0

    async def complete(self, request) -> ChatReply:
        self.open += 1
        self.most = max(self.most, self.open)
        await asyncio.sleep(0)
        self.open -= 1
        return ChatReply(text=str(request), model="counting")


@pytest.mark.parametrize(("lines", "most"), [(1, 1), (4, 4), (25, 10)])
async def test_no_more_questions_are_open_than_there_are_lines(lines, most):
    """Ten ask at once; each gets its own answer."""
    counting = Counting()
    limited = Limited(counting, lines)
    replies = await asyncio.gather(*(limited.complete(number) for number in range(10)))
    assert counting.most == most
    assert [reply.text for reply in replies] == [str(number) for number in range(10)]
