"""What can pass is waited for and tried again, with growing and jittered pauses; what cannot is passed on at once."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from ville.errors import Refused, TransientError
from ville.llm.gateway import Chat, ChatReply, ChatRequest, EmbeddingReply, EmbeddingSource
from ville.llm.monitor import CallMonitor

Answer = TypeVar("Answer")
FAR = 10.0**9
"""Seconds that can still be added to a date."""


@dataclass(frozen=True)
class Policy:
    """How long to go on trying. Times are in seconds."""

    patience: float = 300.0
    """What the pauses before one answer may add up to."""
    first: float = 1.0
    longest: float = 60.0

    async def persist(self, call: Callable[[], Awaitable[Answer]], lot: Random, monitor: CallMonitor) -> Answer:
        """Make a call until it succeeds. A provider that says when to come back is not asked earlier.

        Pauses double, each cut by up to a half, so that those who failed together do not come back together. Raises the
        last fault when patience is at an end, and Refused as soon as a provider wants to be left alone for longer.
        """
        left, step = self.patience, self.first
        while True:
            try:
                with monitor.call():
                    return await call()
            except TransientError as fault:
                pause, why = max(step * lot.uniform(0.5, 1.0), fault.retry_after or 0.0), str(fault)
                if (fault.retry_after or 0.0) > self.patience:
                    raise Refused(self._too_long(fault, fault.retry_after or 0.0)) from fault
                if pause > left:
                    raise
            await monitor.pause(pause, why)
            left, step = left - pause, min(self.longest, step * 2)

    def _too_long(self, fault: TransientError, seconds: float) -> str:
        """When it is worth coming back, by the clock of whoever reads it."""
        now = datetime.now().astimezone()
        then = now + timedelta(seconds=min(seconds, FAR))
        moment = f"{then:%H:%M}" if then.date() == now.date() else f"{then:%Y-%m-%d %H:%M}"
        return (
            f"{str(fault).rstrip('.')}; it wants to be asked again in {seconds:,.0f} s, at {moment}, and retry_for is "
            f"{self.patience:,.0f} s. Go on then, or raise retry_for."
        )


class Retrying:
    """A Chat that does not give up at once."""

    def __init__(self, chat: Chat, policy: Policy, monitor: CallMonitor) -> None:
        self._chat = chat
        self._policy = policy
        self._monitor = monitor

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises the last fault when patience is at an end, and any other than a TransientError at once."""
        lot = Random(f"{request.seed} {request.persona} {request.step} {request.question}")  # noqa: S311 - jitter
        return await self._policy.persist(lambda: self._chat.complete(request), lot, self._monitor)


class RetryingSource:
    """An EmbeddingSource that does not give up at once."""

    def __init__(self, source: EmbeddingSource, policy: Policy, monitor: CallMonitor) -> None:
        self._source = source
        self._policy = policy
        self._monitor = monitor

    @property
    def name(self) -> str:
        return self._source.name

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """Raises like Retrying."""
        lot = Random(" ".join(texts[:1]))  # noqa: S311 - jitter
        return await self._policy.persist(lambda: self._source.embed(texts), lot, self._monitor)
