"""Standard streams that cannot break a shell: closed ones, full ones, and those that cannot show every character.

Every shell calls `run_shell` under its `__main__`. Only the standard library is used, as any Python 3 can read it.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
from collections.abc import Callable  # noqa: TC003 - an older Python has it, too
from typing import Any, NoReturn

INTERRUPTED = 130
"""The exit code that a shell expects of a program ended by Ctrl-C."""
CLOSED_PIPE_ERRORS = {errno.EPIPE, errno.EINVAL} if os.name == "nt" else {errno.EPIPE}
"""What the system says of a pipe whose reader has gone, as `head` does."""


class ResilientOutput(io.RawIOBase):
    """Output that stays writable: after the first fault, which is kept, everything is discarded."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        """Kept open as long as this is."""
        self._raw: io.RawIOBase = getattr(stream.buffer, "raw", stream.buffer)
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
    """Run a shell and exit with its code; with 1 and a line on stderr if its output could not be written."""
    _open_closed_descriptors()
    sys.stdin = _input(sys.stdin)
    out, sys.stdout = _output(sys.stdout, 1, "replace")
    _, sys.stderr = _output(sys.stderr, 2, "backslashreplace")
    code: int | str | None
    try:
        code = main()
    except SystemExit as leaving:
        code = leaving.code
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.stdout.flush()
    if out.fault and out.fault.errno not in CLOSED_PIPE_ERRORS:
        code = f"Standard output cannot be written ({out.fault.strerror}): make room for it, or send it elsewhere."
    sys.exit(code)


def input_has_ended(stream: Any) -> bool:
    """Return whether no more can come than was read ahead: never at a terminal; of a pipe, when its writer left."""
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
    """Or the next file that is opened would take the place of a closed stream, and be written to as one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - the name is the library's


def _input(stream: Any) -> Any:
    """Bytes that are not text are read as question marks; a closed stream is at its end."""
    if stream is None:
        return open(0, encoding="utf-8", errors="replace", closefd=False)
    stream.reconfigure(errors="replace")
    return stream


def _output(stream: Any, descriptor: int, errors: str) -> tuple[ResilientOutput, io.TextIOWrapper]:
    """The stream as it was, but what it cannot show is replaced, and what it refuses is discarded."""
    if stream is None:
        stream = open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open
    raw = ResilientOutput(stream)
    layer: Any = raw if stream.write_through else io.BufferedWriter(raw)
    text = io.TextIOWrapper(
        layer,
        encoding=stream.encoding,
        errors=errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    return raw, text
