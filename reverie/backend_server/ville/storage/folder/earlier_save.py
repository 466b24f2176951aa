"""A simulation as it was at an earlier save, put together from a checkpoint and the files as they are now."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.files import compact, json_in, pretty
from ville.storage.folder.growing_files import EMPTY, beginning, beginning_of_rows
from ville.storage.folder.vector_files import LENGTHS
from ville.storage.past.checkpoints import (
    Growth,
    PersonaPart,
    Stem,
    accessed_at,
    meta_text,
    read_checkpoint,
    save_digest,
    text_digest,
    vector_digests,
)
from ville.storage.records.kept_vectors import vector_files
from ville.storage.records.keywords import Strengths, Unchecked, strengths_before
from ville.storage.records.memory_files import (
    EMBEDDINGS,
    FORMER,
    NODES,
    PERSONAS,
    STRENGTH,
    VECTORS,
)
from ville.storage.records.meta import META, Meta
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.persona_files import NO_STRENGTH, persona_file_names
from ville.storage.records.vector_rows import read_lengths


class EarlierSave:
    """The files of a simulation at one of its checkpoints. Reading them raises CorruptFile."""

    def __init__(self, simulation: Path, stem: Stem) -> None:
        self.simulation = simulation
        self.people = PeopleFiles(simulation)
        self.checkpoint = read_checkpoint(simulation, stem)
        self.meta: Meta = self.checkpoint.meta_of(simulation / stem.file)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and content of each file, those of people who had moved away excepted.

        Raises CorruptFile after the last one if they are not those that were saved.
        """
        digests = {META: text_digest(meta_text(self.meta).encode())}
        yield META, self._as_it_was(META, pretty(self.meta.as_json()))
        for name, values in self.checkpoint.files.items():
            file, text = f"reverie/{name}", pretty(values)
            digests[file] = text_digest(text.encode())
            yield file, self._as_it_was(file, text)
        for name in self.checkpoint.personas:
            texts = self.texts(name)
            digests |= {file: text_digest(text.encode()) for file, text in texts.items()}
            yield from ((file, self._as_it_was(file, text)) for file, text in texts.items())
            part = self.checkpoint.personas[name]
            digests |= vector_digests(name, part.vectors, part.rows)
            if part.vectors:
                yield f"{PERSONAS}/{name}/{EMBEDDINGS}", self._beginning(name, EMBEDDINGS, part.vectors)
            elif not part.rows:  # a save with vectors removes an empty one
                yield f"{PERSONAS}/{name}/{EMBEDDINGS}", EMPTY
            if part.rows:
                yield f"{PERSONAS}/{name}/{VECTORS}", self._beginning(name, VECTORS, part.rows)
        if lengths := self._lengths():
            yield LENGTHS, pretty(lengths).encode()
        if save_digest(digests, self.checkpoint.former) != self.checkpoint.digest:
            raise self._changed(self.simulation)

    def _as_it_was(self, file: str, text: str) -> bytes:
        """Return the content of a file: in our notation, unless another program had written it."""
        return self.checkpoint.as_it_was.get(file, text).encode()

    def texts(self, name: str) -> dict[str, str]:
        """Return the texts of all files of a persona but vectors, by file."""
        part = self.checkpoint.personas[name]
        texts = (
            pretty(part.scratch),
            compact(part.spatial_memory),
            self.nodes(name),
            compact(self._strengths(name, part)),
            pretty(self._accessed[name]),
        )
        return dict(zip(persona_file_names(name), texts, strict=True))

    def nodes(self, name: str) -> str:
        """Return the text of nodes.json: the newest memories, which it begins with, are left out."""
        growth, file = self.checkpoint.personas[name].nodes, self._file(name, NODES)
        content = self.people.content(file)
        text = _last_nodes(content, growth)
        if text is None:  # it has not been written by this engine, so that it may be spaced otherwise
            text = _last_nodes(compact(json_in(content, self.people.path(file))).encode(), growth)
        if text is None:
            raise self._changed(self.people.path(file))
        return text

    def _beginning(self, name: str, file: str, growth: Growth) -> bytes:
        """Return the content of EMBEDDINGS or VECTORS: of the file now in use, or of one that was in use then."""
        in_use, *kept = vector_files(self.simulation, name, file)
        read = beginning if file == EMBEDDINGS else beginning_of_rows
        try:
            return read(self.people, in_use, growth)
        except CorruptFile:
            for each in kept:
                with suppress(CorruptFile):
                    return read(self.people, each, growth)
            raise

    def _lengths(self) -> dict[str, int]:
        """Return how much of each vectors.f32 was saved."""
        gone = {f"{FORMER}/{name}" for name in self.checkpoint.former}
        now = read_lengths(self.simulation / "reverie")
        then = {f"{PERSONAS}/{name}": part.rows.size for name, part in self.checkpoint.personas.items() if part.rows}
        return dict(sorted((then | {folder: now[folder] for folder in gone if folder in now}).items()))

    def last_accessed(self, name: str) -> dict[str, str]:
        """Return when memories of a persona had last been retrieved: node to time."""
        return self._accessed[name]

    def _strengths(self, name: str, part: PersonaPart) -> Strengths:
        file = self._file(name, STRENGTH)
        now: Unchecked = self.people.object(file) if self.people.has(file) else NO_STRENGTH
        nodes: Unchecked = self.people.object(self._file(name, NODES))
        try:
            later = [node for node in nodes.values() if node["node_count"] > part.memories]
            return strengths_before(now, part.keywords, later)
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise self._changed(self.people.path(self.people.folder(name))) from fault

    @cached_property
    def _accessed(self) -> dict[str, dict[str, str]]:
        return accessed_at(self.simulation, self.checkpoint)

    def _file(self, name: str, file: str) -> str:
        return f"{self.people.folder(name)}/{file}"

    def _changed(self, path: Path) -> CorruptFile:
        template = "%(file)s has been changed by another program since step %(step)s, which cannot be reached any more."
        return CorruptFile(template, file=path, step=self.checkpoint.stem)


def _last_nodes(content: bytes, growth: Growth) -> str | None:
    """Return the end of a text of nodes.json with the oldest memories; None if it is another one."""
    text = b"{" + content[len(content) - growth.size + 1 :] if growth.size <= len(content) else b""
    return text.decode() if text_digest(text) == growth.digest else None
