"""Typed lines from a pipe, while the event loop goes on."""

import asyncio
import io
import os
import signal

import pytest

from ville.terminal.line_reader import LineThread


@pytest.fixture
def pipe():
    """Return what is typed into, and what reads it."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "w", encoding="utf-8", newline="") as typed, os.fdopen(reader, encoding="utf-8") as stream:
        yield typed, LineThread(stream)


async def test_lines_are_read_as_they_come(pipe):
    """However they end, and in whichever pieces; the last one needs no end."""
    typed, lines = pipe
    typed.write("one\r\ntwo\rthree\n\nfi")
    typed.flush()
    assert [await lines.read() for _ in range(4)] == ["one", "two", "three", ""]
    waiting = asyncio.create_task(lines.read())
    await asyncio.sleep(0)
    typed.write("ve")
    typed.close()
    assert await waiting == "five"
    for _ in range(2):
        with pytest.raises(EOFError):
            await lines.read()


async def test_neither_ctrl_c_nor_a_cancelled_command_loses_a_line(pipe):
    """The line that was being read is the next one."""
    typed, lines = pipe
    asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        await lines.read()
    cancelled = asyncio.create_task(lines.read())
    await asyncio.sleep(0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    typed.write("kept\n")
    typed.flush()
    assert await lines.read() == "kept"


async def test_a_stream_without_a_descriptor_is_read_too():
    """As in a notebook or a test."""
    lines = LineThread(io.StringIO("one\ntwo"))
    assert [await lines.read(), await lines.read()] == ["one", "two"]
    with pytest.raises(EOFError):
        await lines.read()
