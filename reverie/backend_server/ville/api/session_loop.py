"""The event loop of an open simulation, in a thread of its own, so that the same calls work in scripts, notebooks and
worker processes.
"""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

from ville.errors import SessionClosed

if TYPE_CHECKING:
    from concurrent.futures import Future

Result = TypeVar("Result")


class SessionLoop:
    """Carries out the coroutines of one session, which may come from any thread or event loop."""

    def __init__(self, name: str) -> None:
        """Start the thread. `name` is that of the simulation."""
        self._name = name
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"ville {name}", daemon=True)
        self._thread.start()

    @property
    def is_closed(self) -> bool:
        return self._loop.is_closed()

    def check_open(self) -> None:
        """Raise SessionClosed after `close`."""
        if self.is_closed:
            raise SessionClosed(f"{self._name} is closed. Open it again: ville.open({self._name!r})")

    def start(self, work: Coroutine[object, None, Result]) -> "Future[Result]":
        """Begin to carry out a coroutine. Raises SessionClosed."""
        with ExitStack() as refused:
            refused.callback(work.close)
            self.check_open()
            refused.pop_all()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def wait(self, work: Coroutine[object, None, Result]) -> Result:
        """Carry out a coroutine and return its result."""
        return self.start(work).result()

    async def awaited(self, work: Coroutine[object, None, Result]) -> Result:
        """Return the result of a coroutine to a caller in another event loop."""
        return await asyncio.wrap_future(self.start(work))

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
