"""Runs the session of a command line, and turns errors and signals into exit codes."""

import asyncio
import sys
from collections.abc import Callable, Coroutine

from ville.console import INTERRUPTED
from ville.errors import ReverieError
from ville.simulation.running.run_loop import EndSignal, on_end_signal, raise_end_signal
from ville.terminal.terminal import LEFT, Terminal


def run_session(session: Callable[[Terminal], Coroutine[object, None, int]]) -> int:
    """Run a session and return its exit code: 1 after an error, which is printed in one line."""
    terminal = Terminal(sys.stdout)
    try:
        with on_end_signal(raise_end_signal):
            return asyncio.run(session(terminal))
    except ReverieError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        terminal.say("", LEFT)
        return INTERRUPTED
    except EndSignal as signalled:
        return signalled.code
