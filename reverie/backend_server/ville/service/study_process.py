"""A study that is run by the command line, in a process that saves and ends with this one."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from ville.home import SOURCES
from ville.storage.model_variables import PREFIX

TIED = ("-P", "-m", "ville.jobs.tied", "-m", "ville", "study")
LONGEST_FAULT = 2000


class StudyProcess:
    """One `ville study` command."""

    def __init__(self, arguments: Sequence[str], flags: Mapping[str, object]) -> None:
        """Start it, with the settings that this engine was given as flags. Raises OSError."""
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        path = os.pathsep.join(filter(None, [str(SOURCES), os.environ.get("PYTHONPATH", "")]))
        given = {f"{PREFIX}{name.upper()}": str(value) for name, value in flags.items() if value is not None}
        self._process = subprocess.Popen(
            [sys.executable, *TIED, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env={**os.environ, **given, "PYTHONPATH": path, "PYTHONUTF8": "1"},
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            start_new_session=os.name != "nt",  # Ctrl-C reaches only the program that has started it
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def leave(self) -> None:
        """Let it save and end."""
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()

    def fault(self) -> str:
        """Return the last line that it has complained of, once it has ended; empty if there is none."""
        self.leave()
        with self._errors as errors:
            errors.seek(0)
            lines = errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:LONGEST_FAULT] if lines else ""
