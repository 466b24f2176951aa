"""A process that forks workers (`worker.py`), so that what they import is in memory once. POSIX only.

Each message on its socket is a sign, FORK or FORK_WITH_CLIENT, with four descriptors: the input, the output and the
errors of a worker, and a pipe for its process number and, once it has ended, its exit code, negative for a signal.
It ends with its socket; its workers then save and end, because their input does.
"""

import gc
import importlib
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from ville.jobs import worker

FORK, FORK_WITH_CLIENT = b"f", b"c"
"""Signs of a message: a worker, one that will ask a provider."""
CLIENT = "ville.llm.wire.openai_client"
STREAMS = (0, 1, 2)
"""Descriptors of input, output and errors."""
DESCRIPTORS = len(STREAMS) + 1


class WorkerServer:
    """Forks workers, and tells how they end."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._pipes: dict[int, int] = {}
        """Process number → pipe for its exit code."""
        self._ended, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake)

    def serve(self) -> None:
        """Fork workers until the other end is closed."""
        while True:
            ready, _, _ = select.select([self._channel.fileno(), self._ended], [], [])
            if self._ended in ready:
                os.read(self._ended, 4096)
                self._note_ended()
            if self._channel.fileno() in ready:
                sign, descriptors, _, _ = socket.recv_fds(self._channel, 1, DESCRIPTORS)
                if not sign:
                    return
                self._fork(sign, descriptors)

    def _fork(self, sign: bytes, descriptors: Sequence[int]) -> None:
        if sign == FORK_WITH_CLIENT:
            importlib.import_module(CLIENT)
        gc.collect()
        gc.freeze()  # else collecting in a worker would copy what it shares
        *streams, pipe = descriptors
        number = os.fork()
        if not number:
            self._become_worker(streams, pipe)
        for stream in streams:
            os.close(stream)
        self._pipes[number] = pipe
        _tell(pipe, number)

    def _become_worker(self, streams: Sequence[int], pipe: int) -> None:
        """Carry out runs in a forked process, and end it."""
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()  # Ctrl-C reaches only the program that has started it
            for stream, place in zip(streams, STREAMS, strict=True):
                os.dup2(stream, place)
            for other in (*streams, pipe, *self._pipes.values(), self._ended, self._wake, self._channel.fileno()):
                os.close(other)
            worker.main()
            code = 0
        except BaseException:  # noqa: BLE001 - what a program does that ends with a fault
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)

    def _note_ended(self) -> None:
        while self._pipes:
            number, status = os.waitpid(-1, os.WNOHANG)
            if not number:
                return
            pipe = self._pipes.pop(number)
            _tell(pipe, os.waitstatus_to_exitcode(status))
            os.close(pipe)


def _tell(pipe: int, number: int) -> None:
    with suppress(OSError):  # nobody reads it any more
        os.write(pipe, f"{number}\n".encode())


def main() -> None:
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        WorkerServer(channel).serve()


if __name__ == "__main__":
    main()
