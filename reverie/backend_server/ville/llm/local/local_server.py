"""The server of a model file as one engine uses it: started when it is first needed, and again if it has died.

All engines of a user share one server for a file, so that a study does not load the model once for each of its
processes. It ends with the last of them.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from ville.errors import Refused, Unreachable
from ville.home import SOURCES
from ville.llm.local.server_folder import ServerAddress, ServerFolder
from ville.llm.local.server_plan import ServerPlan

if TYPE_CHECKING:
    from filelock import FileLock

PROGRAM = "ville.llm.local.server_program"
PAUSE = 0.03
"""Seconds between two looks for a server or a slot."""
GRACE = 10.0
"""Seconds to wait for the end of a server that is not used any more."""
LONGEST_FAULT = 300
_started: list["subprocess.Popen[bytes]"] = []
"""Servers that this process has started, and that others may still use."""


class LocalServer:
    """Access to the server of a plan."""

    def __init__(self, plan: ServerPlan) -> None:
        self._plan = plan
        self._folder: ServerFolder | None = None
        self._use: FileLock | None = None
        """Held while this engine uses the server."""
        self._address: ServerAddress | None = None
        self._finding = asyncio.Lock()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[ServerAddress]:
        """Take a slot for one call, and yield the address to send it to. Raises Refused if there can be no server."""
        folder = self._opened()
        while (slot := folder.free_slot()) is None:  # noqa: ASYNC110 - other processes free it
            await asyncio.sleep(PAUSE)
        try:
            yield await self._found(folder)
        except Unreachable:
            self._address = None
            raise
        finally:
            slot.release()

    async def close(self) -> None:
        """Stop using the server, which ends if no other engine uses it."""
        if self._use is None or self._folder is None:
            return
        self._folder.leave(self._use)
        self._use = None
        if not self._folder.is_used:
            for process in _started:
                with suppress(subprocess.TimeoutExpired):
                    await asyncio.to_thread(process.wait, GRACE)
        _started[:] = [process for process in _started if process.poll() is None]

    def _opened(self) -> ServerFolder:
        """Return the folder of the server, and be known there as one who uses it. Raises Refused."""
        if self._folder is None or self._use is None:
            try:
                self._folder = ServerFolder(self._plan)
                self._use = self._folder.use()
            except OSError as fault:
                raise Refused(f"The server of {self._plan.file} cannot be noted: {fault}.", fate="not_sent") from fault
        return self._folder

    async def _found(self, folder: ServerFolder) -> ServerAddress:
        """Return the address of the server, after it has loaded the model. Raises Refused."""
        async with self._finding:
            process: subprocess.Popen[bytes] | None = None
            while self._address is None:
                if folder.is_served:
                    self._address = folder.address()
                elif process is None or process.poll() == 0:
                    process = _start(self._plan, folder)
                elif code := process.poll():
                    raise Refused(self._fault(folder, code), fate="not_sent")
                if self._address is None:
                    await asyncio.sleep(PAUSE)
            return self._address

    def _fault(self, folder: ServerFolder, code: int) -> str:
        """Return why a server did not start: the last line that it has written, or its exit code."""
        lines = folder.log.read_text("utf-8", "replace").splitlines()
        said = next((line.strip() for line in reversed(lines) if line.strip()), f"exit code {code}")
        return f"llama.cpp cannot serve {self._plan.file}: {said[:LONGEST_FAULT].rstrip('.')}. Name another model_file."


def _start(plan: ServerPlan, folder: ServerFolder) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH", "")]))
    with folder.log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", PROGRAM, plan.text],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        )
    _started.append(process)
    return process
