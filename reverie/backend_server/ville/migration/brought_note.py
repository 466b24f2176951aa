"""`brought.json` in what was brought from an older project: from where, and which save it was.

So that a migration that is begun again finds what it has brought already, under whatever name it has by now.
"""

from hashlib import blake2b
from pathlib import Path

from ville.migration.recorded import Recorded
from ville.storage.files import pretty, read_object_if_whole, read_saved, write_text
from ville.storage.records.memory_files import PERSONAS
from ville.storage.records.people_files import PeopleFiles

NOTE = "brought.json"


def note_file(recorded: Recorded) -> Path:
    """Return where the note of a saved or compressed simulation lies: beside its meta file."""
    return recorded.meta_file.with_name(NOTE)


def key_of(recorded: Recorded) -> str:
    """Return what tells a save from others: its name, its meta file, and names and sizes of its memory files.

    Raises CorruptFile.
    """
    people = PeopleFiles(recorded.root)
    sizes = [f"{name} {people.size(name)}" for name in people.below(PERSONAS)]
    told = (recorded.root.name, str(recorded.is_replay), str(recorded.meta.step))
    known = "\n".join([*told, *sizes]).encode("utf-8", "surrogateescape")
    return blake2b(known + read_saved(recorded.meta_file), digest_size=16).hexdigest()


def write_note(recorded: Recorded, source: Recorded, key: str) -> None:
    """Note from where a folder was brought. Raises CannotWrite."""
    write_text(note_file(recorded), pretty({"from": str(source.root), "key": key}))


def brought_before(shelf: Path) -> dict[str, Path]:
    """Return what was brought into a folder of simulations or replays, by the key of its save."""
    found: dict[str, Path] = {}
    for folder in sorted(shelf.glob("[!.]*")):
        note = read_object_if_whole(note_file(Recorded(folder))) if folder.is_dir() else None
        if note and isinstance(key := note.get("key"), str):
            found[key] = folder
    return found
