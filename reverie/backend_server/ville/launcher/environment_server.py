"""The environment server as a child process: restarted if it stops, ended with this process, however that ends."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path  # noqa: TC003 - as below
from typing import BinaryIO

from ville.launcher.bind import Bind  # noqa: TC001 - nothing is saved by importing it later
from ville.launcher.children import TIED, StartError, environment

SERVER_TIMEOUT = 60
"""Seconds to wait until the environment server answers."""
MAX_RESTARTS = 5
"""Restarts of an environment server that stops unexpectedly."""


class EnvironmentServer:
    """Runs from entering this context to leaving it."""

    def __init__(self, bind: Bind, settings: dict[str, str], pages: Path, log: Path) -> None:
        """`settings` are variables for the server beside those of this process, `pages` the folder of its manage.py,
        `log` the file for its output. Raises StartError for a taken port.
        """
        if bind.port is not None and bind.is_taken(bind.port):
            raise StartError(f"Port {bind.port} is in use. Choose another one, or leave out --port.")
        self._bind = bind
        self._environment = environment() | settings
        self._pages, self._log = pages, log
        self._closing = False
        self._ready = threading.Event()
        self._last_line = "(no output)"

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""
        return f"http://{self._bind.here}:{self._port}"

    def __enter__(self) -> EnvironmentServer:  # noqa: PYI034 - Self needs a newer Python than the one to be refused
        """Start the server. Raises StartError with its last line of output."""
        while not self._start():
            if self._bind.port is not None or not self._bind.is_taken(self._port):
                raise StartError(f"The environment server did not start: {self._last_line} (full output: {self._log})")
        threading.Thread(target=self._keep_running, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._stop()

    def _start(self) -> bool:
        """Start the server and wait for it. Return False if it ended, for example because its port was just taken."""
        self._port = self._bind.first_free_port() if self._bind.port is None else self._bind.port
        self._place = f"{self._bind.host}:{self._port}"
        self._process = self._launch()
        until = time.monotonic() + SERVER_TIMEOUT
        while self._process.poll() is None and time.monotonic() < until:
            if self._ready.wait(0.1):
                return True
        self._stop()
        self._reader.join()
        return False

    def _stop(self) -> None:
        self._process.terminate()
        self._process.wait()

    def _launch(self) -> subprocess.Popen[bytes]:
        """Launch the process, in its own process group: Ctrl-C in the terminal is meant for the engine."""
        self._log.parent.mkdir(parents=True, exist_ok=True)
        own_group = {"creationflags": 0x200} if os.name == "nt" else {"process_group": 0}
        process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
            [sys.executable, *TIED, "manage.py", "runserver", "--noreload", self._place],
            cwd=self._pages,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **own_group,
        )
        self._reader = threading.Thread(target=self._read_output, args=(process, self._log.open("ab")), daemon=True)
        self._reader.start()
        return process

    def _read_output(self, process: subprocess.Popen[bytes], log: BinaryIO) -> None:
        """Log the output. The server prints its address once the port is its own: only then is it ready."""
        with log:
            for line in process.stdout or ():
                log.write(line)
                log.flush()
                self._last_line = line.decode("utf-8", errors="replace").strip() or self._last_line
                if f"http://{self._place}/".encode() in line:
                    self._ready.set()

    def _keep_running(self) -> None:
        """Restart the server when it stops unexpectedly, at most MAX_RESTARTS times."""
        for left in reversed(range(MAX_RESTARTS + 1)):
            code = self._process.wait()
            if self._closing:
                return
            what = "Restarting it." if left else f"Not restarting it again; see {self._log}."
            print(f"\nThe environment server stopped (exit code {code}); the simulation goes on. {what}", flush=True)
            if left:
                time.sleep(1)
                self._process = self._launch()
