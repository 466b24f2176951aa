"""Transient errors are retried within limits, and pauses are reported."""

from collections import deque

import numpy as np
import pytest
from sample_requests import batch

from ville.errors import RateLimited, Refused, TimedOut, Unreachable
from ville.llm.gateway import ChatReply, ChatRequest, EmbeddingReply
from ville.llm.monitor import CallMonitor
from ville.llm.retry import RetryingClient, RetryPolicy

REQUEST = ChatRequest("plan/day_plan", fields={}, messages=(), schema={}, persona="Ada Stone", step=3, seed=1)
PATIENT = RetryPolicy(patience=1000, first=1, longest=60)


class Sequence:
    """Returns answers and raises errors in order."""

    def __init__(self, *events) -> None:
        self.events = deque(events)

    async def complete(self, _request):
        event = self.events.popleft()
        if isinstance(event, Exception):
            raise event
        return event


class Clockless(CallMonitor):
    """Records pauses instead of waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.made = []

    async def pause(self, seconds, why):
        self.made.append((seconds, why))


@pytest.fixture
def monitor():
    return Clockless()


async def test_transient_errors_are_retried(monitor):
    """Each pause is reported with its reason."""
    late = TimedOut("too slow", fate="not_sent")
    chat = Sequence(Unreachable("no line"), late, RateLimited("fewer"), ChatReply("yes", "m"))
    assert (await RetryingClient(chat, PATIENT, monitor).complete(REQUEST)).text == "yes"
    assert [why for _, why in monitor.made] == ["no line", "too slow", "fewer"]


async def test_pauses_double_and_are_jittered_downwards(monitor):
    """Each lies between half and all of its step: 1, 2, 4 ... seconds, at most 60."""
    chat = Sequence(*[Unreachable("no line")] * 8, ChatReply("yes", "m"))
    await RetryingClient(chat, PATIENT, monitor).complete(REQUEST)
    for (pause, _), step in zip(monitor.made, [1, 2, 4, 8, 16, 32, 60, 60], strict=True):
        assert step / 2 <= pause <= step


async def test_jitter_follows_from_the_request(monitor):
    """A run can be repeated, yet calls that failed together do not return together."""
    for step in (3, 3, 4):
        request = ChatRequest("plan/day_plan", fields={}, messages=(), schema={}, persona="Ada Stone", step=step)
        await RetryingClient(Sequence(Unreachable("no"), ChatReply("yes", "m")), PATIENT, monitor).complete(request)
    first, again, other = (pause for pause, _ in monitor.made)
    assert first == again != other


async def test_retry_after_is_a_lower_bound_of_the_pause(monitor):
    chat = Sequence(RateLimited("fewer", 42.0), ChatReply("yes", "m"))
    await RetryingClient(chat, PATIENT, monitor).complete(REQUEST)
    assert monitor.made == [(42.0, "fewer")]


@pytest.mark.parametrize("fault", [Refused("wrong key")])
async def test_final_errors_are_raised_at_once(monitor, fault):
    with pytest.raises(Refused):
        await RetryingClient(Sequence(fault), PATIENT, monitor).complete(REQUEST)
    assert not monitor.made


@pytest.mark.parametrize("retry_after", [None, 3.0])
async def test_pauses_never_exceed_the_patience(monitor, retry_after):
    """The last error is raised then."""
    chat = Sequence(*[RateLimited("fewer", retry_after)] * 9)
    with pytest.raises(RateLimited):
        await RetryingClient(chat, RetryPolicy(patience=4, first=2, longest=2), monitor).complete(REQUEST)
    assert 0 < sum(pause for pause, _ in monitor.made) <= 4


@pytest.mark.parametrize("retry_after", [4.5, 3600.0, 1e6, 1e300])
async def test_a_retry_after_beyond_the_patience_ends_the_run(monitor, retry_after):
    """The message says when to resume."""
    chat = Sequence(RateLimited("fewer.", retry_after), ChatReply("yes", "m"))
    with pytest.raises(
        Refused, match=r"^fewer\. .* until (\d{4,}-\d\d-\d\d )?\d\d:\d\d, but retry_for is 4 s\. Resume then"
    ):
        await RetryingClient(chat, RetryPolicy(patience=4), monitor).complete(REQUEST)
    assert (monitor.made, len(chat.events)) == ([], 1)


async def test_embeddings_follow_the_same_policy(monitor):
    reply = EmbeddingReply(np.ones((1, 2), dtype=np.float32), "m")
    source = RetryingClient(Sequence(Unreachable("no line"), reply), PATIENT, monitor)
    assert (await source.complete(batch("a")), len(monitor.made)) == (reply, 1)


async def test_a_question_whose_answer_is_late_is_not_repeated(monitor):
    """It would be late again; texts are embedded again."""
    with pytest.raises(TimedOut):
        await RetryingClient(Sequence(TimedOut("late"), ChatReply("yes", "m")), PATIENT, monitor).complete(REQUEST)
    reply = EmbeddingReply(np.ones((1, 2), dtype=np.float32), "m")
    assert await RetryingClient(Sequence(TimedOut("late"), reply), PATIENT, monitor).complete(batch("a")) == reply


async def test_the_time_of_attempts_counts(monitor):
    """Attempts of a minute each use up five minutes after four of them, with the pauses in between."""
    minutes = iter(range(0, 10**6, 60))
    policy = RetryPolicy(patience=300, first=10, longest=10, clock=lambda: next(minutes))
    chat = Sequence(*[Unreachable("no line")] * 9)
    with pytest.raises(Unreachable):
        await RetryingClient(chat, policy, monitor).complete(REQUEST)
    spent = 60 * len(monitor.made) + sum(pause for pause, _ in monitor.made)
    assert spent <= 300 < spent + 60 + 10
