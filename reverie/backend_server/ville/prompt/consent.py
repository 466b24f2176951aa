"""Questions to the user at a terminal that are answered by yes or no."""

import sys

from ville.assembly.new_vectors import Agree
from ville.terminal.line_reader import line_reader
from ville.terminal.terminal import Terminal


def asking(terminal: Terminal) -> Agree | None:
    """Return the function that asks the user; None without a terminal."""
    if not (terminal.live and sys.stdin.isatty()):
        return None

    async def agree(question: str) -> bool:
        try:
            answer = await line_reader(terminal=terminal, interactive=True)(f"{question} (y/n) ", lambda _: [])
        except EOFError:
            return False
        return answer.strip().lower() in {"y", "yes"}

    return agree
