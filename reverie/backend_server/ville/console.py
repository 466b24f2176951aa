"""Standard streams that cannot crash a command line: closed, full, or unable to show a character.

All command lines run through `run_shell`. This module uses only the standard library, and any Python 3 can read it.
"""

from __future__ import annotations

import errno
import io
import os
import select
import signal
import stat
import sys
from collections.abc import Callable, Iterator  # noqa: TC003 - exist in older Pythons too
from contextlib import contextmanager
from typing import Any, BinaryIO, NoReturn, TextIO

if sys.version_info < (3, 11):  # noqa: UP036 - a user who starts a script with an older Python reads this line
    sys.exit("The Ville needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))

INTERRUPTED = 130
"""Exit code of a program ended by Ctrl-C."""
CLOSED_PIPE_ERRORS = {errno.EPIPE, errno.EINVAL} if os.name == "nt" else {errno.EPIPE}
"""Error numbers of a pipe whose reader has exited, for example `head`."""


class ResilientOutput(io.RawIOBase):
    """Output that never fails: it keeps the first error, and discards everything after it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        """Kept, so that it stays open as long as this object."""
        self._raw: BinaryIO = getattr(stream.buffer, "raw", stream.buffer)
        self.fault: OSError | None = None

    def write(self, data: Any) -> int | None:
        if self.fault is None:
            try:
                return self._raw.write(data)
            except OSError as fault:
                self.fault = fault
        return len(data)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()


def run_shell(main: Callable[[], int]) -> NoReturn:
    """Run a command line and exit with its code, or with 1 and an error message if its output cannot be written."""
    try:
        _open_closed_descriptors()
        sys.stdin = _input(sys.stdin)
        out, sys.stdout = _output(sys.stdout, 1, "replace")
        _, sys.stderr = _output(sys.stderr, 2, "backslashreplace")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    code: int | str | None
    try:
        code = main()
    except SystemExit as leaving:
        code = leaving.code
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.stdout.flush()
    if out.fault and out.fault.errno not in CLOSED_PIPE_ERRORS:
        code = f"Standard output cannot be written ({out.fault.strerror}). Free disk space, or redirect the output."
    sys.exit(code)


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the program at once while something is imported: nothing has begun that could be saved.

    An exception in the middle of an import may be printed, taken for a missing package, or lost.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # nohup sets SIG_IGN
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def input_has_ended(stream: TextIO) -> bool:
    """Return whether no more input can come: never on a terminal; for a pipe, when its writer has exited."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return True
    if stream.isatty():
        return False
    kind = os.fstat(descriptor).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)) or os.name == "nt":
        return True
    poll = select.poll()
    poll.register(descriptor, getattr(select, "POLLRDHUP", 0))
    return bool(poll.poll(0))


def _open_closed_descriptors() -> None:
    """Open closed standard descriptors on the null device; otherwise the next opened file would take their place."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - the name is the library's


def _input(stream: TextIO | None) -> TextIO:
    """Return the stream with undecodable bytes replaced; a closed stream is read as empty."""
    if stream is None:
        return open(0, encoding="utf-8", errors="replace", closefd=False)
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def _output(stream: TextIO | None, descriptor: int, errors: str) -> tuple[ResilientOutput, io.TextIOWrapper]:
    """Return the stream with unprintable characters replaced and write errors caught."""
    if stream is None:
        stream = open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open
    raw = ResilientOutput(stream)
    direct = isinstance(stream, io.TextIOWrapper) and stream.write_through
    layer: Any = raw if direct else io.BufferedWriter(raw)
    text = io.TextIOWrapper(
        layer,
        encoding=stream.encoding,
        errors=errors,
        line_buffering=bool(stream.line_buffering),
        write_through=direct,
    )
    return raw, text
