"""Run a program that ends with the one that has started it: `python -m ville.jobs.tied SCRIPT ...`, or `-m MODULE ...`.

They are tied by a pipe. The program that starts it holds the other end, which the system closes when it ends, however
it ends. The pipe is standard input, or with `--pipe NUMBER` another one that was inherited, so that a user can type.
"""

import os
import runpy
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

PIPE, MODULE = "--pipe", "-m"


def at_end_of(descriptor: int, act: Callable[[], None]) -> None:
    """Call `act` in a thread when the other end of a pipe is closed. What arrives before is dropped."""

    def watch() -> None:
        while os.read(descriptor, 4096):  # not through a buffer, whose lock a thread holds at the end of Python
            pass
        act()

    threading.Thread(target=watch, name="tied", daemon=True).start()


def main(arguments: Sequence[str]) -> None:
    """Run the program, which is asked to end, as by the system, when the pipe ends."""
    descriptor = 0
    if arguments[0] == PIPE:
        descriptor, arguments = int(arguments[1]), arguments[2:]
    at_end_of(descriptor, lambda: os.kill(os.getpid(), signal.SIGTERM))
    if arguments[0] == MODULE:
        sys.argv = list(arguments[1:])
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(arguments)
        sys.path.insert(0, str(Path(arguments[0]).resolve().parent))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
