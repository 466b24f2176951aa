"""What the telephone waits for is told in one line, and only while it lasts."""

import asyncio

from ville.llm.monitor import CallMonitor


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_nothing_is_said_about_answers_that_come_soon():
    """A call is worth a word after two seconds; several are counted, and the longest is told."""
    clock = Clock()
    monitor = CallMonitor(clock)
    with monitor.call():
        clock.now += 1
        assert monitor.status() == ""
        with monitor.call():
            clock.now += 11
            assert monitor.status() == "2 answers awaited, the longest for 12 s"
        assert monitor.status() == "1 answer awaited, the longest for 12 s"
    assert monitor.status() == ""


async def test_a_pause_says_why_and_how_long():
    """The next attempt is counted down; afterwards the board is empty, also if the wait is broken off."""
    clock = Clock()
    monitor = CallMonitor(clock)
    pausing = asyncio.ensure_future(monitor.pause(30, "the provider asks for fewer calls"))
    await asyncio.sleep(0)
    clock.now += 10
    assert monitor.status() == "trying again in 20 s: the provider asks for fewer calls"
    assert monitor.reasons == ["the provider asks for fewer calls"]
    pausing.cancel()
    await asyncio.gather(pausing, return_exceptions=True)
    assert (monitor.status(), monitor.reasons) == ("", [])
