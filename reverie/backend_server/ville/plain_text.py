"""Text that is safe to store and print: no control characters, and none that invisibly alter other text."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

SEQUENCE = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
"""Control sequences of a terminal: colours and cursor moves, and titles and links."""
SPACING = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
"""Tabs, line breaks and separators, including those of Unicode."""
HIDDEN = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f)"  # kept: flags of regions are written with tags
    "|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # other control characters
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates of bidirectional text
    "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # zero-width, except joiners and direction marks
    "\U000e0000-\U000e007f"  # tags: invisible letters
    "\ud800-\udfff]"  # surrogates, which cannot be encoded
)

FORMULA = re.compile(r"[=+\-@\t\r]")
"""How a text begins that spreadsheet programs run."""
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters, except tabs and line breaks."""


def one_line(text: str) -> str:
    """Return a text as one line without control characters; each run of tabs and line breaks becomes one blank."""
    return HIDDEN.sub(r"\1", SPACING.sub(" ", SEQUENCE.sub("", text)))


def printable(text: str) -> str:
    """Return a text without control characters, except line feeds."""
    return "\n".join(map(one_line, text.split("\n")))


def shortened(text: str, most: int) -> str:
    """Return a text cut to a number of characters, with an ellipsis at the end if it was longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def nearest(text: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return how to correct a name: the one that was probably meant, or `otherwise`; without it, all that there are."""
    names = list(known)
    near = get_close_matches(text.lower(), [name.lower() for name in names], 1)
    meant = next((name for name in names if near and name.lower() == near[0]), "")
    return f"did you mean '{meant}'?" if meant else otherwise or f"choose from: {', '.join(names) or 'none'}"


def quantity(number: int, one: str, many: str) -> str:
    """Return a number with its noun: `1 person`, `25 people`."""
    return f"{number:,} {one if number == 1 else many}"


def csv_text(text: str) -> str:
    """Return a text for a CSV file, as one that no spreadsheet program runs."""
    return CONTROL.sub("\ufffd", f"'{text}" if FORMULA.match(text) else text)
