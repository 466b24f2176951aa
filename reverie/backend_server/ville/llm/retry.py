"""Retry calls that may succeed later, with growing, jittered pauses."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Generic, TypeVar

from ville.errors import OtherForm, Refused, TimedOut, TransientError
from ville.llm.gateway import ChatRequest, Client, ReplyT, RequestT
from ville.llm.monitor import CallMonitor

Result = TypeVar("Result")
LONGEST_DELAY = 10.0**9
"""Seconds that can still be added to a date."""


@dataclass(frozen=True)
class RetryPolicy:
    """How long to keep trying, in seconds."""

    patience: float = 300.0
    """Largest sum of the attempts that fail and the pauses of one request."""
    first: float = 1.0
    longest: float = 60.0
    clock: Callable[[], float] = time.monotonic

    async def retry(
        self,
        call: Callable[[], Awaitable[Result]],
        seed: str,
        monitor: CallMonitor,
        *,
        repeats_late: bool = True,
    ) -> Result:
        """Repeat a call until it succeeds, not before the time that the provider asked for (`retry_after`), and at once
        if only its form was rejected.

        Pauses double, and each is shortened by up to a half, at random from `seed`, so that calls that failed together
        do not return together. Raises the last error when `patience` runs out, and Refused if `retry_after` exceeds it.
        Without `repeats_late`, a call whose answer did not arrive in time is not repeated.
        """
        left, step, random = self.patience, self.first, None
        while True:
            began = self.clock()
            try:
                with monitor.call():
                    return await call()
            except OtherForm:  # each form is tried once
                continue
            except TransientError as error:
                if isinstance(error, TimedOut) and error.fate != "not_sent" and not repeats_late:
                    raise
                left -= self.clock() - began
                random = random or Random(seed)  # noqa: S311 - jitter; few calls need it
                pause, reason = max(step * random.uniform(0.5, 1.0), error.retry_after or 0.0), str(error)
                if (error.retry_after or 0.0) > self.patience:
                    raise Refused(self._too_long(error, error.retry_after or 0.0)) from error
                if pause > left:
                    raise
            await monitor.pause(pause, reason)
            left, step = left - pause, min(self.longest, step * 2)

    def _too_long(self, error: TransientError, seconds: float) -> str:
        now = datetime.now().astimezone()
        then = now + timedelta(seconds=min(seconds, LONGEST_DELAY))
        moment = f"{then:%H:%M}" if then.date() == now.date() else f"{then:%Y-%m-%d %H:%M}"
        return (
            f"{str(error).rstrip('.')}. It asks to wait {seconds:,.0f} s, until {moment}, but retry_for is "
            f"{self.patience:,.0f} s. Resume then, or raise retry_for."
        )


class RetryingClient(Generic[RequestT, ReplyT]):
    """Layer that retries after errors that may pass. Each attempt is a call of its own for the layers below."""

    def __init__(self, client: Client[RequestT, ReplyT], policy: RetryPolicy, monitor: CallMonitor) -> None:
        self._client, self._policy, self._monitor = client, policy, monitor

    async def complete(self, request: RequestT) -> ReplyT:
        """Raises the last error when the policy gives up, and any error that is not transient at once."""
        repeats_late = not isinstance(request, ChatRequest)  # a question is put in other words then
        return await self._policy.retry(
            lambda: self._client.complete(request), request.jitter_seed, self._monitor, repeats_late=repeats_late
        )
