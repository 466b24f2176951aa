"""The engine without a prompt as a child process: started again if it is killed, and ended with this process."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence  # noqa: TC003 - exists in older Pythons too

from ville.launcher.children import OURS, environment

MAX_RESTARTS = 5
"""Restarts of an engine that stops unexpectedly."""
INTERRUPTED = 130
ENDED = {0, 128 + 1, INTERRUPTED, 128 + 15}
"""Exit codes of an engine that was asked to leave."""
QUITTING = "\nSaving and quitting. Press Ctrl-C again to leave at once without saving."


class EngineProcess:
    """Runs from entering this context to leaving it; then it finishes its step and saves."""

    def __init__(self, arguments: Callable[[], Sequence[str]]) -> None:
        """`arguments` returns what to open at once: what is to be made at first may be there when it is asked again."""
        self._arguments = arguments
        self._ready = threading.Event()
        self._may_print = threading.Event()
        self._leaving = False
        self._restarts_left = MAX_RESTARTS

    def __enter__(self) -> EngineProcess:  # noqa: PYI034 - Self needs a newer Python than the one to be refused
        self._process = self._launch()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ask the engine to leave, and wait until it has."""
        self._may_print.set()
        self._leave()
        self._wait()
        self._reader.join()

    def wait_until_ready(self) -> int:
        """Wait until it takes requests, or has ended: then return its exit code, otherwise 0. One that was killed is
        started again.
        """
        while not self._ready.wait(0.1):
            code = self._process.poll()
            if code is not None and code >= 0:
                return code
            if code is not None and not self._restarts(code):
                return 1
        return 0

    def run(self) -> int:
        """Print what it says until it has ended, and return its exit code; Ctrl-C is 0, the usual way to quit."""
        self._may_print.set()
        while True:
            code = self._wait()
            self._reader.join()
            if code in ENDED or self._leaving:
                return 0 if code == INTERRUPTED else code
            if not self._restarts(code):
                return 1

    def _restarts(self, code: int) -> bool:
        """Start the engine again after an unexpected end, unless that was done too often; return whether it was."""
        what = "Starting it again." if self._restarts_left else "Not starting it again; its messages are above."
        print(f"The engine stopped (exit code {code}). {what}", flush=True)
        if self._restarts_left:
            self._restarts_left -= 1
            self._process = self._launch("--reopen") if self._ready.is_set() else self._launch()
            return True
        return False

    def _wait(self) -> int:
        """Wait for the end of the process and return its exit code. Ctrl-C asks it to leave; it receives it, too."""
        while True:
            try:
                return self._process.wait()
            except KeyboardInterrupt:
                if not self._leaving and self._process.poll() is None:
                    print(QUITTING, flush=True)
                self._leave()

    def _leave(self) -> None:
        """Ask the engine to leave: it does when its standard input ends."""
        self._leaving = True
        with contextlib.suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()

    def _launch(self, *flags: str) -> subprocess.Popen[bytes]:
        """Launch the process, in the process group of this one: both receive Ctrl-C."""
        process = subprocess.Popen(
            [sys.executable, *OURS, "prompt", "--serve", *flags, *self._arguments()],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._reader = threading.Thread(target=self._read_output, args=(process,), daemon=True)
        self._reader.start()
        return process

    def _read_output(self, process: subprocess.Popen[bytes]) -> None:
        """Print the output, from the time at which it may be printed. The first line says that requests are taken."""
        for line in process.stdout or ():
            self._ready.set()
            self._may_print.wait()
            print(line.decode("utf-8", errors="replace").rstrip("\r\n"), flush=True)
