"""The table of people: who lives or lived in the town."""

from collections.abc import Iterator
from typing import Any

from ville.analysis.tables.column import PERSON, Row, boolean, integer, text
from ville.analysis.tables.exported_run import ExportedRun
from ville.analysis.tables.table import Table
from ville.storage.records.saved_memories import read_memories


def _rows(exported: ExportedRun) -> Iterator[Row]:
    run = exported.whole
    for name in run.people:
        scratch: Any = read_memories(run.folder.root, name).scratch  # its shape was checked
        traits = (scratch.get(key) for key in ("age", "innate", "learned", "lifestyle", "living_area"))
        yield (name, *traits, name in run.meta.persona_names)


PEOPLE = Table(
    "people",
    "A person who lives or lived in the town.",
    (
        PERSON,
        integer("age", "as last saved", "years"),
        text("innate", "innate traits"),
        text("learned", "acquired traits"),
        text("lifestyle", "daily habits"),
        text("home", "address: world, sector, arena"),
        boolean("resident", "false for those who have moved away"),
    ),
    _rows,
)
