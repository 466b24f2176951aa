"""The small files beside the meta file that say something about a simulation: title, notes, marks.

A fork does not have those of its origin; a recording has those of its simulation.
"""

from pathlib import Path

from ville.storage.records.meta import META

TITLE, NOTES, MARKS = "title.json", "notes.json", "marks.json"
OWN_FILES = (TITLE, NOTES, MARKS)


def own_folder(root: Path) -> Path:
    """Return the folder of these files: `reverie/` of a simulation in storage/, that of one in compressed_storage/."""
    return (root / META).parent if (root / META).exists() else root
