"""The documents of the project: their text, code blocks and commands."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from repository import ROOT, tracked

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
CHECKED_ELSEWHERE = ("docs/towns.md",)
"""Documents whose commands have a test of their own: tests/town_builder/test_towns_document.py."""


DOCUMENTS = tracked("*.md")
TEXTS = {name: (ROOT / name).read_text("utf-8") for name in DOCUMENTS}


def prose(document: str) -> str:
    """Return a document without fenced blocks and without table columns headed "Was", which describe other projects."""
    lines: list[str] = []
    hidden: set[int] = set()
    for line in FENCE.sub("", TEXTS[document]).splitlines():
        cells = line.strip().strip("|").split("|") if line.startswith("|") else []
        if not cells:
            hidden = set()
        elif not hidden:
            hidden = {place for place, cell in enumerate(cells) if cell.strip().startswith("Was")}
        lines.append("|".join(cell for place, cell in enumerate(cells) if place not in hidden) if cells else line)
    return "\n".join(lines)


def inline_code(document: str) -> list[str]:
    return CODE.findall(prose(document))


class Block(NamedTuple):
    """The commands of a fenced block, and the lines to type into the last of them."""

    document: str
    commands: list[str]
    typed: str


def blocks() -> Iterator[Block]:
    for document in (name for name in DOCUMENTS if not name.endswith(".ru.md")):
        fences = FENCE.findall(TEXTS[document])
        for (language, text), (following, typed) in zip(fences, [*fences[1:], ("", "")], strict=False):
            if language == "sh" and document not in CHECKED_ELSEWHERE:
                yield Block(document, commands_of(text), typed if following == "text" else "")


def commands_of(text: str) -> list[str]:
    lines = without_comments(text.replace("\\\n", " ")).splitlines()
    return [part.strip() for line in lines if line for part in line.split("&&")]


def without_comments(text: str) -> str:
    return "\n".join(line.partition(" #")[0].rstrip() for line in text.splitlines())


def plain(command: str) -> str:
    """Return a command with the Python of .venv called `python`."""
    return re.sub(r"^(?:\.\./)*\.venv/bin/python", "python", command)


BLOCKS = list(blocks())
