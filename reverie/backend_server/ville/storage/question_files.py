"""Files of questions for interviews, and of the answers."""

import json
from collections.abc import Mapping
from pathlib import Path

from ville.errors import CannotWrite, CorruptFile
from ville.storage.files import read_text, write_text
from ville.storage.safe_names import safe_name

LONGEST = 100_000
"""Bytes of a file of questions, at most."""


def is_file(path: Path) -> bool:
    """Return whether there is a plain file. A text that cannot be a path, such as a long question, is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_questions(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a file that are not blank, with their numbers. Raises CorruptFile."""
    try:
        text = read_text(path, most=LONGEST)
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not UTF-8"
        template = "%(file)s cannot be read (%(reason)s). Write a question in each line, in UTF-8."
        raise CorruptFile(template, file=path, reason=reason) from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise CorruptFile("%(file)s has no questions. Write one in each line.", file=path)
    return lines


class AnswerFiles:
    """The two files with answers, as text and as JSON. They replace no others."""

    def __init__(self, folder: Path, name: str) -> None:
        """`name` is what the files are named after. Raises CannotWrite if one of them exists."""
        self.text, self.json = (folder / f"{safe_name(name)}_question.{ending}" for ending in ("txt", "json"))
        for path in (self.text, self.json):
            if path.exists():
                raise CannotWrite("%(file)s exists already. Move it away, or name others with -t.", file=path)

    def write(self, text: str, values: Mapping[str, object]) -> None:
        """Raises CannotWrite."""
        write_text(self.text, text)
        write_text(self.json, json.dumps(values, indent=2, ensure_ascii=False))
