"""All simulations and recordings with what is said about them, found by words."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.keeping.description import Description, read_description
from ville.storage.keeping.housekeeping import META_FILES, Form, Housekeeping
from ville.storage.records.meta import Meta, read_meta_if_whole


@dataclass(frozen=True)
class KeptSimulation:
    """A simulation or recording in a list."""

    name: str
    form: Form
    root: Path
    meta: Meta
    said: Description
    changed: float
    """Seconds since the epoch when it was last saved."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts by which it is found."""
        return (self.name, self.said.title, self.said.note, *map(tag_text, self.said.tags), *self.meta.persona_names)


def kept_simulations(house: Housekeeping) -> list[KeptSimulation]:
    """Return all whose files can be read, the last saved first."""
    found = [each for form in META_FILES for each in _in_folder(house.folder_of(form), form)]
    return sorted(found, key=lambda each: each.changed, reverse=True)


def _in_folder(folder: Path, form: Form) -> Iterator[KeptSimulation]:
    for path in folder.glob(f"[!.]*/{META_FILES[form]}"):
        root = folder / path.relative_to(folder).parts[0]
        with suppress(CorruptFile, OSError):
            meta = read_meta_if_whole(path, folder)
            yield KeptSimulation(root.name, form, root, meta, read_description(root), path.stat().st_mtime)


def tag_text(tag: str) -> str:
    return f"#{tag}"


def is_found(words: str, texts: Iterable[str]) -> bool:
    """Return whether each word is in one of the texts, in any case."""
    lowered = [text.casefold() for text in texts]
    return all(any(word in text for text in lowered) for word in words.casefold().split())
