"""Runs a command line and exits with its exit code.

A command is a module `NAME_command.py` of this folder with `main`, and a row of the table in `ville.command_lines`.
`ville NAME` runs it, and `python -m ville NAME`; its script and its installed command import the function of its name,
which this module makes from the row.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import NoReturn

from ville.command_lines import COMMANDS, START
from ville.console import leaving_at_once, run_shell
from ville.home import IN_CLONE
from ville.launcher.options import DEMO, LIVE

MISSING = "In the project folder, type: pip install -r requirements.txt" if IN_CLONE else "Type: pip install the-ville"


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """Return the function that runs a command."""
    if name not in COMMANDS:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return lambda: run(name)


def run(name: str = START) -> NoReturn:
    """Run a command, or the one that START is followed by.

    Its module is imported only now, so that a missing package is reported in one line.
    """
    word = sys.argv[1] if name == START and sys.argv[1:2] else ""
    if word in COMMANDS:
        name = sys.argv.pop(1)
        sys.argv[0] = f"{sys.argv[0]} {name}"
    elif word and not word.startswith("-") and word not in (LIVE, DEMO):
        sys.exit(f"There is no command '{word}'. Choose from: {', '.join((*COMMANDS, LIVE, DEMO))}.")

    def main() -> int:
        try:
            with leaving_at_once():
                command = import_module(f"ville.cli.{name}_command")
            code: int = command.main()
        except ModuleNotFoundError as fault:
            sys.exit(f"{fault}. {MISSING}")
        return code

    run_shell(main)
