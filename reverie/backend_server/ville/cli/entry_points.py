"""Table of the command lines, and what runs one and exits with its exit code.

A command is a module `NAME_command.py` of this folder with `main`, and a row here. `ville NAME` runs it; its script and
its installed command import the function of its name, which this module makes from the row.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn

from ville.console import leaving_at_once, run_shell

PROMPT = "prompt"
"""The command that `ville` is without a name."""


@dataclass(frozen=True)
class ShellCommand:
    """A command line. Documents list it in this order."""

    script: str
    """In the project folder."""
    does: str
    """In a few words, for the documents."""


COMMANDS: Mapping[str, ShellCommand] = {
    PROMPT: ShellCommand(
        "reverie/backend_server/reverie.py", "the prompt: fork or resume a simulation, run it, inspect it"
    ),
    "offline": ShellCommand(
        "reverie/backend_server/reverie_offline.py", "run without a browser, or ask everyone a question"
    ),
    "study": ShellCommand("reverie/study.py", "run a town many times, by seeds and arms"),
    "measure": ShellCommand("reverie/measure.py", "how news spread, who knows whom, who came"),
    "compare": ShellCommand("reverie/compare.py", "what differs between two runs, since when and why"),
    "metrics": ShellCommand("reverie/metrics.py", "what a run cost, and what for"),
    "ledger": ShellCommand("reverie/ledger.py", "the recorded model calls of a simulation"),
    "wallet": ShellCommand("reverie/wallet.py", "what is left of the budget of all simulations"),
    "compress": ShellCommand("reverie/compress_sim_storage.py", "make a compressed recording"),
    "simulations": ShellCommand(
        "reverie/simulations.py", "list, find, rename, delete, restore and describe simulations; undo"
    ),
    "validate": ShellCommand("validate_setup.py", "check the whole setup"),
}


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """Return the function that runs a command."""
    if name not in COMMANDS:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return lambda: _run(name)


def _run(name: str) -> NoReturn:
    """Import a command line only when it is called, so that a missing package is reported in one line."""
    named = name == PROMPT and sys.argv[1:2] and sys.argv[1] in COMMANDS
    if named:
        name = sys.argv.pop(1)
        sys.argv[0] = f"{sys.argv[0]} {name}"

    def main() -> int:
        try:
            with leaving_at_once():
                command = import_module(f"ville.cli.{name}_command")
            code: int = command.main()
        except ModuleNotFoundError as fault:
            sys.exit(f"{fault}. In the project folder, type: pip install -r requirements.txt")
        return code

    run_shell(main)
