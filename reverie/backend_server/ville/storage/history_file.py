"""Read a history file: a table of personas and the whispers that become their memories."""

import csv
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ville.errors import BadArgument, CorruptFile
from ville.plain_text import shortened
from ville.storage.files import read_text

SEPARATOR = ";"
COLUMNS = 2
EXCERPT = 200
"""Characters of a name in a message."""
EXAMPLE = "the_ville/history.csv"


@dataclass(frozen=True)
class History:
    """Content of a history file, in its order."""

    whispers: tuple[tuple[str, tuple[str, ...]], ...]
    """Name and whispers of each persona."""
    warnings: tuple[str, ...]
    """One line for every row that was corrected."""


def find_history(assets: Path, name: str) -> Path:
    """Return a history file below the folder of the assets. Raises BadArgument for a path that leads elsewhere.

    Links are followed, as long as they do not leave the folder.
    """
    with suppress(ValueError):  # NUL, and what no file system can encode
        root, path = assets.resolve(), Path(os.path.realpath(assets / name))  # `resolve` fails at links in a circle
        if path.is_relative_to(root) and path.suffix.lower() == ".csv":
            return path
    raise BadArgument(f"'{shortened(name, EXCERPT)}' is not a history. Name a CSV file below the assets: {EXAMPLE}")


def read_history(path: Path) -> History:
    """Read a history file. Raises CorruptFile.

    The first row is a heading. Further columns are whispers that were cut off by a comma outside of quotes: they are
    joined again, with a warning.
    """
    rows: list[tuple[str, tuple[str, ...]]] = []
    warnings: list[str] = []
    for line, row in _rows(path)[1:]:
        if len(row) < COLUMNS:
            template = "%(file)s:%(line)s has no whispers. Write a name, a comma, and whispers in quotes."
            raise CorruptFile(template, file=path, line=line)
        if len(row) > COLUMNS:
            warnings.append(f"{path.name}:{line}: comma outside of quotes, taken as part of the whispers.")
        pieces = (piece.strip() for piece in ", ".join(cell.strip() for cell in row[1:]).split(SEPARATOR))
        rows.append((row[0].strip(), tuple(piece for piece in pieces if piece)))
    return History(tuple(rows), tuple(warnings))


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows that are not blank, with the numbers of their last lines."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        template = "%(file)s is missing. Name a file below the assets, for example the_ville/history.csv."
        raise CorruptFile(template, file=path) from None
    except (OSError, UnicodeDecodeError) as fault:
        template = "%(file)s cannot be read (%(reason)s). Save it as CSV in UTF-8."
        raise CorruptFile(template, file=path, reason=fault) from None
    reader = csv.reader(text.splitlines(keepends=True))
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as fault:
        template = "%(file)s:%(line)s is not CSV (%(reason)s). Correct the line; perhaps a quote is missing."
        raise CorruptFile(template, file=path, line=reader.line_num, reason=fault) from None
