"""Starts processes of workers: forked from one that has imported what they need, or alone where that is impossible."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Protocol

from ville.home import SOURCES
from ville.jobs.worker_server import FORK, FORK_WITH_CLIENT

CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
LOST = -signal.SIGTERM
"""Exit code of a worker whose end nobody has seen."""


class WorkerProcess(Protocol):
    """A process that takes specs on its input, and writes reports on its output."""

    @property
    def stdin(self) -> IO[str] | None: ...

    @property
    def stdout(self) -> IO[str] | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def kill(self) -> None: ...


class ForkedProcess:
    """A worker that was forked; used like a subprocess.Popen."""

    def __init__(self, pid: int, codes: IO[bytes], stdin: IO[str], stdout: IO[str]) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self._codes = codes
        self._code: int | None = None
        self._reading = threading.Lock()

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, negative for a signal. Raises TimeoutExpired."""
        with self._reading:
            if self._code is None:
                if not select.select([self._codes], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired("worker", timeout or 0.0)
                line = self._codes.readline()
                self._code = int(line) if line else LOST
                self._codes.close()
            return self._code

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


class WorkerStarter:
    """Starts the workers of a pool."""

    def __init__(self, *, forks: bool) -> None:
        """`forks`: whether there will be several at a time, which share what they import."""
        self._forks = forks and CAN_FORK
        self._channel: socket.socket | None = None
        self._server: subprocess.Popen[bytes] | None = None

    def start(self, errors: IO[bytes], *, asks: bool) -> WorkerProcess:
        """Start a worker, with a file for its errors. `asks`: whether it will ask a provider. Raises OSError."""
        if not self._forks:
            return _alone(errors)
        sign = FORK_WITH_CLIENT if asks else FORK
        try:
            return self._forked(self._channel or self._start_server(), errors, sign)
        except OSError:  # the server was killed
            self.close()
            return self._forked(self._start_server(), errors, sign)

    def close(self) -> None:
        """End the server. Its workers go on until their input ends."""
        if self._channel:
            self._channel.close()
        if self._server:
            self._server.wait()
        self._channel = self._server = None

    def _start_server(self) -> socket.socket:
        channel, theirs = socket.socketpair()
        self._channel = channel
        with theirs:
            command = ["ville.jobs.worker_server", str(theirs.fileno())]
            self._server = subprocess.Popen(
                [sys.executable, "-P", "-m", *command],
                stdin=subprocess.DEVNULL,
                env=_environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C reaches only the program that has started it
            )
        return channel

    def _forked(self, channel: socket.socket, errors: IO[bytes], sign: bytes) -> ForkedProcess:
        """Raises OSError if the server has ended."""
        (their_in, our_in), (our_out, their_out), (our_codes, their_codes) = os.pipe(), os.pipe(), os.pipe()
        codes = os.fdopen(our_codes, "rb", buffering=0)
        stdin, stdout = os.fdopen(our_in, "w", encoding="utf-8"), os.fdopen(our_out, encoding="utf-8")
        theirs = [their_in, their_out, errors.fileno(), their_codes]
        try:
            socket.send_fds(channel, [sign], theirs)
        except OSError:
            for stream in (codes, stdin, stdout):
                stream.close()
            raise
        finally:
            for descriptor in (their_in, their_out, their_codes):
                os.close(descriptor)
        if line := codes.readline():
            return ForkedProcess(int(line), codes, stdin, stdout)
        for stream in (codes, stdin, stdout):
            stream.close()
        raise BrokenPipeError("the process that forks workers has ended")


def _alone(errors: IO[bytes]) -> WorkerProcess:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "ville.jobs.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        encoding="utf-8",
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}
