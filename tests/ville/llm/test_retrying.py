"""What is tried again, for how long, and that somebody who watches is told."""

from collections import deque

import numpy as np
import pytest

from ville.errors import RateLimited, Refused, TimedOut, Unreachable
from ville.llm.gateway import ChatReply, ChatRequest, EmbeddingReply
from ville.llm.monitor import CallMonitor
from ville.llm.retrying import Policy, Retrying, RetryingSource

REQUEST = ChatRequest("plan/day_plan", fields={}, messages=(), schema={}, persona="Ada Stone", step=3, seed=1)
PATIENT = Policy(patience=1000, first=1, longest=60)


class Sequence:
    """Plays back answers and faults in order."""

    name = "sequence"

    def __init__(self, *events) -> None:
        self.events = deque(events)

    def next(self):
        event = self.events.popleft()
        if isinstance(event, Exception):
            raise event
        return event

    async def complete(self, _request):
        return self.next()

    async def embed(self, _texts):
        return self.next()


class Clockless(CallMonitor):
    """Notes pauses instead of making them."""

    def __init__(self) -> None:
        super().__init__()
        self.made = []

    async def pause(self, seconds, why):
        self.made.append((seconds, why))


@pytest.fixture
def monitor():
    return Clockless()


async def test_what_can_pass_is_tried_until_it_has_passed(monitor):
    """No answer is lost to faults of the line; each pause is made known with its reason."""
    chat = Sequence(Unreachable("no line"), TimedOut("too slow"), RateLimited("fewer"), ChatReply("yes", "m"))
    assert (await Retrying(chat, PATIENT, monitor).complete(REQUEST)).text == "yes"
    assert [why for _, why in monitor.made] == ["no line", "too slow", "fewer"]


async def test_pauses_double_and_are_jittered_downwards(monitor):
    """Each lies between a half of and the whole of its step: 1, 2, 4 ... seconds, at most 60."""
    chat = Sequence(*[Unreachable("no line")] * 8, ChatReply("yes", "m"))
    await Retrying(chat, PATIENT, monitor).complete(REQUEST)
    for (pause, _), step in zip(monitor.made, [1, 2, 4, 8, 16, 32, 60, 60], strict=True):
        assert step / 2 <= pause <= step


async def test_the_same_question_pauses_alike_and_another_differently(monitor):
    """Jitter comes from the seed: a run can be repeated, yet those who failed together do not come back together."""
    for step in (3, 3, 4):
        request = ChatRequest("plan/day_plan", fields={}, messages=(), schema={}, persona="Ada Stone", step=step)
        await Retrying(Sequence(Unreachable("no"), ChatReply("yes", "m")), PATIENT, monitor).complete(request)
    first, again, other = (pause for pause, _ in monitor.made)
    assert first == again != other


async def test_a_provider_that_says_when_to_come_back_is_not_asked_earlier(monitor):
    """Retry-After is a lower bound of the pause."""
    chat = Sequence(RateLimited("fewer", 42.0), ChatReply("yes", "m"))
    await Retrying(chat, PATIENT, monitor).complete(REQUEST)
    assert monitor.made == [(42.0, "fewer")]


@pytest.mark.parametrize("fault", [Refused("wrong key")])
async def test_what_cannot_pass_is_passed_on_at_once(monitor, fault):
    """Nobody waits for a key to become right."""
    with pytest.raises(Refused):
        await Retrying(Sequence(fault), PATIENT, monitor).complete(REQUEST)
    assert not monitor.made


@pytest.mark.parametrize("retry_after", [None, 3.0])
async def test_patience_ends(monitor, retry_after):
    """The pauses never add up to more than patience; then the last fault is told."""
    chat = Sequence(*[RateLimited("fewer", retry_after)] * 9)
    with pytest.raises(RateLimited):
        await Retrying(chat, Policy(patience=4, first=2, longest=2), monitor).complete(REQUEST)
    assert 0 < sum(pause for pause, _ in monitor.made) <= 4


@pytest.mark.parametrize("retry_after", [4.5, 3600.0, 1e6, 1e300])
async def test_a_provider_that_wants_more_patience_than_there_is_ends_the_run_at_its_first_word(monitor, retry_after):
    """With the moment at which it is worth going on: nothing but time will help."""
    chat = Sequence(RateLimited("fewer.", retry_after), ChatReply("yes", "m"))
    with pytest.raises(
        Refused, match=r"^fewer; .* at (\d{4,}-\d\d-\d\d )?\d\d:\d\d, and retry_for is 4 s\. Go on then"
    ):
        await Retrying(chat, Policy(patience=4), monitor).complete(REQUEST)
    assert (monitor.made, len(chat.events)) == ([], 1)


async def test_vectors_are_asked_for_as_patiently(monitor):
    """Embeddings follow the same policy under the name of their source."""
    reply = EmbeddingReply(np.ones((1, 2), dtype=np.float32), "m")
    source = RetryingSource(Sequence(Unreachable("no line"), reply), PATIENT, monitor)
    assert (await source.embed(["a"]), source.name, len(monitor.made)) == (reply, "sequence", 1)
