"""Who runs a study is told which code of its own it brings, before any of that is imported."""

from collections.abc import Callable, Iterable

from ville.plain_text import one_line, shortened

LONGEST_NAME = 100

Tell = Callable[[str], None]


def ignore_line(_line: str) -> None:
    """No-op: the line is not shown."""


def code_notice(file: str, what: str, names: Iterable[str]) -> str:
    """Return a paragraph about measures or minds of a study file."""
    code = ", ".join(shortened(one_line(name), LONGEST_NAME) for name in names)
    return (
        f"{file} brings {what} that are code: {code}. They are run here, with your rights; read them before, if they "
        "are from elsewhere."
    )
