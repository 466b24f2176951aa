"""Reads a history: a table of names and of the whispers that are to become their memories."""

import csv
from dataclasses import dataclass
from pathlib import Path

from ville.errors import CorruptFile

SEPARATOR = ";"
COLUMNS = 2


@dataclass(frozen=True)
class History:
    """What a history file says, person by person in its order."""

    whispers: tuple[tuple[str, tuple[str, ...]], ...]
    warnings: tuple[str, ...]
    """One line for every row that is not quite in order."""


def read_history(path: Path) -> History:
    """Raises CorruptFile.

    The first row is a heading. What stands in further columns belonged to the whispers, cut off by a comma outside of
    quotes: it is put back, with a warning.
    """
    rows: list[tuple[str, tuple[str, ...]]] = []
    warnings: list[str] = []
    for line, row in _rows(path)[1:]:
        if len(row) < COLUMNS:
            raise CorruptFile(f"{path}:{line} has no whispers: write a name, a comma, and whispers in quotes.")
        if len(row) > COLUMNS:
            warnings.append(f"{path.name}:{line}: a comma outside of quotes; taken as part of the whispers.")
        pieces = (piece.strip() for piece in ", ".join(cell.strip() for cell in row[1:]).split(SEPARATOR))
        rows.append((row[0].strip(), tuple(piece for piece in pieces if piece)))
    return History(tuple(rows), tuple(warnings))


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, with the numbers of their last lines."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise CorruptFile(f"{path} is missing: name a file below the assets, as in the_ville/history.csv.") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise CorruptFile(f"{path} cannot be read ({fault}): save it as CSV in UTF-8.") from None
    reader = csv.reader(text.splitlines(keepends=True))
    return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
