"""A user at a terminal before the prompt: keys are pressed, the screen is read."""

import os
import re
import select
import subprocess
import sys
import time
from typing import Self

from waiting import PATIENCE

CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x1b\][^\x07]*\x07|[\x07\x08]")
UP, TAB, ENTER, INTERRUPT = "\x1b[A", "\t", "\r", "\x03"
AT_A_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
OPTION = "Enter option:"


class Session:
    """A user at a terminal with the prompt."""

    def __init__(self, storage):
        command = [sys.executable, "-c", AT_A_TERMINAL, sys.executable, storage.backend / "reverie.py"]
        terminal = {"TERM": "xterm", "COLUMNS": "100", "LINES": "40", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            command,
            cwd=storage.backend,
            env=storage.environment | terminal,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._unread = ""

    def press(self, *keys):
        for key in keys:
            os.write(self.process.stdin.fileno(), key.encode())
            time.sleep(0.1)

    def until(self, text, seconds=PATIENCE):
        """Return the screen's new text up to and including a text."""
        end = time.monotonic() + seconds
        while text not in (seen := CONTROL.sub("", self._unread)):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            part = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            assert part, f"{text!r} did not appear after {seen[-2000:]!r}"
            self._unread += part.decode(errors="replace")
        before, found, self._unread = seen.partition(text)
        return before + found

    def type(self, line):
        self.until(OPTION)
        self.press(line, ENTER)

    def left(self):
        """The exit code."""
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
