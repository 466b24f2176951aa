"""The status line reports calls and pauses, and only while they last."""

import asyncio

from ville.llm.monitor import CallMonitor


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_a_call_is_reported_after_two_seconds():
    """With the number of calls and the longest wait."""
    clock = Clock()
    monitor = CallMonitor(clock)
    with monitor.call():
        clock.now += 1
        assert monitor.status() == ""
        with monitor.call():
            clock.now += 11
            assert monitor.status() == "waiting for 2 answers, 12 s so far"
        assert monitor.status() == "waiting for 1 answer, 12 s so far"
    assert monitor.status() == ""


async def test_a_pause_is_reported_with_reason_and_remaining_time():
    """It disappears when it ends or is cancelled."""
    clock = Clock()
    monitor = CallMonitor(clock)
    pausing = asyncio.ensure_future(monitor.pause(30, "the provider asks for fewer calls"))
    await asyncio.sleep(0)
    clock.now += 10
    assert monitor.status() == "retrying in 20 s: the provider asks for fewer calls"
    assert monitor.reasons == ["the provider asks for fewer calls"]
    pausing.cancel()
    await asyncio.gather(pausing, return_exceptions=True)
    assert (monitor.status(), monitor.reasons) == ("", [])
