"""Writes the table of kinds in docs/interventions.md: `python tests/project/kinds_document.py`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ville.simulation.interventions.catalogue import kinds
from ville.simulation.interventions.kind import Kind, shown_default

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "interventions.md"
HEAD = "| kind | fields | effect |\n|---|---|---|\n"


def table() -> str:
    """Return a row for each kind."""
    return HEAD + "".join(
        f"| `{name}` | {', '.join(_fields(kind))} | {kind.effect} |\n" for name, kind in kinds().items()
    )


def document() -> str:
    """Return the text of docs/interventions.md with the table as it should be."""
    before, _, rest = DOCUMENT.read_text("utf-8").partition(HEAD)
    _, _, after = rest.partition("\n\n")
    return f"{before}{table()}\n{after}"


def _fields(kind: Kind[Any]) -> Iterator[str]:
    for name, field in kind.asked.items():
        yield f"`{name}`" if field.is_required() else f"`{name}` ({shown_default(field)})"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
