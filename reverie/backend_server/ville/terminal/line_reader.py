"""Reads typed lines without blocking the event loop: with history and completion on a terminal, plainly from a pipe."""

import asyncio
import codecs
import io
import os
import queue
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, TextIO, cast

from ville.terminal.terminal import Terminal

CHUNK = 8192
"""Bytes that are read at once."""

Completer = Callable[[str], Iterable[str]]
"""Returns whole lines that begin with what was typed."""
ReadLine = Callable[[str, Completer], Awaitable[str]]
"""Reads a line, given the text of the prompt and completions. Raises EOFError and KeyboardInterrupt."""


def line_reader(*, terminal: Terminal, interactive: bool) -> ReadLine:
    """Return a reader for a terminal, or for a pipe or file."""
    return _rich(terminal) if interactive else _plain(terminal)


def _plain(terminal: Terminal) -> ReadLine:
    lines = LineThread(sys.stdin)

    async def read(prompt: str, _complete: Completer) -> str:
        terminal.ask(prompt)
        return await lines.read()

    return read


def _rich(terminal: Terminal) -> ReadLine:
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - not needed for a pipe
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415
    from prompt_toolkit.patch_stdout import StdoutProxy  # noqa: PLC0415

    session: PromptSession[str] = PromptSession()

    async def read(prompt: str, complete: Completer) -> str:
        completer = WordCompleter(
            lambda: list(complete(session.app.current_buffer.text)), ignore_case=True, sentence=True
        )
        with StdoutProxy() as above, terminal.above_prompt(cast("TextIO", above), session.app.invalidate):
            return await session.prompt_async(
                lambda: f"{terminal.status_line}\n{prompt}" if terminal.status_line else prompt,
                completer=completer,
                complete_while_typing=False,
            )

    return read


class LineThread:
    """Reads lines of a stream in a thread, each only when it is wanted. The thread ends with the program."""

    def __init__(self, stream: TextIO) -> None:
        self._wanted: queue.SimpleQueue[asyncio.Future[str]] = queue.SimpleQueue()
        self._next: asyncio.Future[str] | None = None
        """The line that is being read; kept if the reader is cancelled."""
        threading.Thread(target=self._serve, args=(_lines(stream),), name="input", daemon=True).start()

    async def read(self) -> str:
        """Return the next line without its end. Raises EOFError, and KeyboardInterrupt after Ctrl-C."""
        if self._next is None:
            self._next = asyncio.get_running_loop().create_future()
            self._wanted.put(self._next)
        with interruption() as interrupted:
            either: set[asyncio.Future[Any]] = {self._next, interrupted}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if interrupted.done():
                raise KeyboardInterrupt
        line, self._next = self._next.result(), None
        if not line:
            raise EOFError
        return line.removesuffix("\n")

    def _serve(self, lines: Iterator[str]) -> None:
        while True:
            future = self._wanted.get()
            line = next(lines, "")
            with suppress(RuntimeError):  # the program is ending
                future.get_loop().call_soon_threadsafe(future.set_result, line)


@contextmanager
def interruption() -> Iterator[asyncio.Future[None]]:
    """Yield a future that ends with Ctrl-C, instead of an exception somewhere in the event loop. Main thread only."""
    loop = asyncio.get_running_loop()
    interrupted: asyncio.Future[None] = loop.create_future()

    def finish() -> None:
        if not interrupted.done():
            interrupted.set_result(None)

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(finish)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream, read from its descriptor: a thread that waits in the stream itself keeps its lock,
    and the program could not end.
    """
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        yield from stream
        return
    bare = codecs.getincrementaldecoder(stream.encoding)("replace")
    decoder = io.IncrementalNewlineDecoder(bare, translate=True)
    text = ""
    while True:
        data = os.read(descriptor, CHUNK)
        text += decoder.decode(data, final=not data)
        *whole, text = text.split("\n")
        yield from (f"{line}\n" for line in whole)
        if not data:
            yield text
            text = ""
