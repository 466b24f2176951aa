"""The child processes of this program: which Python runs them, what they see of its environment, and how they end."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence  # noqa: TC003 - exist in older Pythons too
from pathlib import Path  # noqa: TC003 - nothing is saved by importing it later
from types import FrameType  # noqa: TC003 - as above

from ville.home import HOME

OURS = ("-P", "-m", "ville")
"""Runs a command line, whatever lies in the present folder."""
TIED = ("-P", "-m", "ville.jobs.tied")
"""Runs a program that ends with this one, which holds the other end of its standard input."""
SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
PASS = "VILLE_PASS"  # noqa: S105 - the name of a variable
"""Variable with the pass phrase, which only the environment server may see."""


class StartError(Exception):
    """A problem with this machine that the user can fix; the message says how."""


def exit_on_signals() -> None:
    """Let the signals that ask a program to end raise SystemExit, so that its child processes have time to save."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup sets SIG_IGN
            signal.signal(number, _exit_on_signal)


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    """Exit and ignore further signals."""
    for each in SIGNALS:
        signal.signal(each, lambda *_: None)
    sys.exit(128 + number)


def pass_is_set(env_file: Path) -> bool:
    """Return whether a pass phrase is set in the environment or in .env."""
    text = env_file.read_text("utf-8", errors="replace") if env_file.is_file() else ""
    return bool(os.environ.get(PASS) or re.search(rf"^\s*(export\s+)?{PASS}\s*=\s*\S", text, re.MULTILINE))


def environment() -> dict[str, str]:
    """Return the variables of a child process."""
    kept = {name: value for name, value in os.environ.items() if name.upper() != PASS}
    home = {} if HOME.is_clone else {"VILLE_HOME": str(HOME.root)}  # wherever the process runs
    return {**kept, **home, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}


def run_tied(
    command: Sequence[str], folder: Path | None = None, *, python: str = sys.executable, variables: dict[str, str]
) -> int:
    """Run a Python program that may read what a user types, and that ends with this one, which waits for it.

    Return its exit code (negative: ended by a signal). On Windows, where only standard streams are inherited, it is
    not tied.
    """
    with _pipe() as (tie, inherited):
        process = subprocess.Popen([python, *tie, *command], cwd=folder, env=variables, pass_fds=inherited)
        try:
            while True:
                with contextlib.suppress(KeyboardInterrupt):  # the program receives Ctrl-C too and handles it
                    return process.wait()
        finally:
            process.terminate()
            process.wait()


@contextlib.contextmanager
def _pipe() -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Yield what begins the command of a tied program, and what it inherits: a pipe that ends with this process."""
    if os.name == "nt":
        yield (), ()
        return
    theirs, ours = os.pipe()
    try:
        yield (*TIED, "--pipe", str(theirs)), (theirs,)
    finally:
        os.close(theirs)
        os.close(ours)
