"""A Ray cluster of several nodes on this machine, which can be killed one by one. It listens on loopback only."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

LOOPBACK = "127.0.0.{}"
"""Addresses of nodes. Ray replaces 127.0.0.1 by the address of the machine, so they begin with 2."""
STORE = "100000000"
"""Bytes of the object store of a node."""


def new_token() -> dict[str, str]:
    """Return the environment of a new cluster, which only those can use who have it. Set it before Ray is imported."""
    return {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


class RayNodes:
    """The nodes of one cluster, each in a session of the operating system of its own. The first one is the head."""

    def __init__(self, port: int) -> None:
        self.address = f"{LOOPBACK.format(2)}:{port}"
        self._port = port
        self._sessions: list[int] = []
        self._folder = tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp")  # names of sockets are short

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for place in range(len(self._sessions)):
            self.kill(place)
        self._folder.cleanup()

    def start(self, *, processors: int = 1, hidden: Path | None = None) -> None:
        """Start a node with room for so many jobs, and wait until it is there.

        `hidden` is a folder in whose place the node sees an empty one, as if it were on another machine: this needs the
        right to mount.
        """
        host = LOOPBACK.format(len(self._sessions) + 2)
        if self._sessions:
            role = [f"--address={self.address}"]
        else:
            role = ["--head", f"--port={self._port}", "--include-dashboard=false", f"--temp-dir={self._folder.name}"]
        ray = [sys.executable, "-m", "ray.scripts.scripts", "start", *role, f"--node-ip-address={host}"]
        size = [f"--num-cpus={processors}", f"--object-store-memory={STORE}", "--disable-usage-stats"]
        log = Path(self._folder.name).with_suffix(f".{host}.log")
        with log.open("w") as output:
            process = subprocess.Popen(
                [*(_hiding(hidden) if hidden else ()), *ray, *size],
                env={**os.environ, "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "1"},  # RayPool sets 0, which allows one node
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._sessions.append(process.pid)
        if process.wait():
            raise RuntimeError(f"A Ray node did not start: {log.read_text()}")
        log.unlink()

    def seconds(self) -> float:
        """Return the seconds of processor that all processes of the nodes have taken so far."""
        there = (process for session in self._sessions for process in _processes_of(session))
        return sum(map(_seconds_of, there))

    def kill(self, place: int) -> None:
        """Kill all processes of a node at once, as when its machine fails."""
        while there := _processes_of(self._sessions[place]):
            for process in there:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


def _hiding(folder: Path) -> Sequence[str]:
    """Return the beginning of a command that sees an empty folder in place of another one."""
    return ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs "$0" && exec "$@"', str(folder)]


def _processes_of(session: int) -> list[int]:
    """Return the running processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _parent, _group, own = path.read_text().rpartition(")")[2].split()[:4]
            if int(own) == session and state != "Z":
                found.append(int(path.parent.name))
    return found


def _seconds_of(process: int) -> float:
    """Return the seconds of processor of a process and of its children that have ended; 0 if it has ended itself."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0
