"""Writes a checkpoint with each save, as a part of it, and removes those that are no longer kept."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.storage.files import writing
from ville.storage.past.checkpoints import (
    Checkpoint,
    Content,
    Growth,
    PersonaPart,
    SetUp,
    Stem,
    accessed_at,
    meta_text,
    read_checkpoint,
    save_digest,
    stems,
    text_digest,
    vector_digests,
)
from ville.storage.records.memory_files import NODES, PERSONAS
from ville.storage.records.meta import META, Meta
from ville.storage.records.persona_files import PersonaState, count_nodes, persona_file_names
from ville.storage.records.staging import Staging
from ville.storage.steps.step_store import StepStore

COMPLETE_EVERY = 16
"""Each so many checkpoints one has all times of last access."""
FAR_ENOUGH = 2
"""How many checkpoints before a new one are looked at."""
SHARE = 10
"""A checkpoint is kept if the steps since the one before have movement files of so many times its size."""
BEGINNING = 32
"""Characters of a text that are noted: enough for the name of a node."""
Accessed = Mapping[str, Mapping[str, str]]
"""Persona and node to time of last access."""


@dataclass(frozen=True)
class SaveOrigin:
    """How a save came about."""

    rows: int
    """Interventions that it contains."""
    rows_here: int
    """Those of them that took effect before the coming step."""
    since: Stem
    """The save from which it was computed."""
    made_by: Sequence[SetUp]
    """How the steps since then were computed."""


class WrittenText(NamedTuple):
    """Size, digest and beginning of a text of a save, which is not kept itself."""

    size: int
    digest: str
    begins: str

    @classmethod
    def of(cls, text: str) -> Self:
        return cls(len(text), text_digest(text.encode()), text[:BEGINNING])


@dataclass(frozen=True, kw_only=True)
class SaveContent:
    """Contents of a save."""

    origin: SaveOrigin
    meta: Meta
    side_files: Mapping[str, JsonObject]
    """Content of further files below reverie/."""
    personas: Mapping[str, PersonaState]
    texts: Mapping[str, WrittenText]
    """Of all files but vectors."""
    vectors: Mapping[str, tuple[Growth | None, Growth | None]]
    """Of the personas: embeddings.json and vectors.f32."""
    as_it_was: Mapping[str, str]
    """Text of files that are unchanged, if another program has written them in another notation."""
    former: Sequence[str]
    """Those who have moved away."""

    @property
    def stem(self) -> Stem:
        return Stem(self.meta.step, self.origin.rows_here)

    @property
    def files(self) -> dict[str, Content]:
        """Content of those of the `side_files` that stay: those without entries are removed after the save."""
        return {
            name: dict(values)
            for name, values in self.side_files.items()
            if any(value not in ([], {}) for value in values.values())
        }

    @property
    def accessed(self) -> Accessed:
        """All times of last access."""
        return {name: state.last_accessed for name, state in self.personas.items()}

    def digests(self) -> dict[str, str]:
        """Return the digest of each file, those of people who have moved away excepted."""
        names = [f"reverie/{name}" for name in self.files]
        for name in self.personas:
            names += persona_file_names(name)
        digests = {name: self.texts[name].digest for name in names}
        for name, growths in self.vectors.items():
            digests |= vector_digests(name, *growths)
        return digests | {META: text_digest(meta_text(self.meta).encode())}

    def part(self, name: str) -> PersonaPart:
        """Return what is stored of a persona, with all times of last access."""
        state, nodes = self.personas[name], self.texts[f"{PERSONAS}/{name}/{NODES}"]
        vectors, rows = self.vectors[name]
        return PersonaPart(
            memories=count_nodes(nodes.begins),
            nodes=Growth(size=nodes.size, digest=nodes.digest),
            vectors=vectors,
            rows=rows,
            keywords={section: len(counts) for section, counts in state.kw_strength.items()},
            last_accessed=dict(state.last_accessed),
            scratch=dict(state.scratch),
            spatial_memory=dict(state.spatial_memory),
        )


@dataclass(frozen=True)
class _Kept:
    """A checkpoint that is on disk."""

    checkpoint: Checkpoint
    """Without people, who are on disk."""
    size: int
    """Bytes."""
    accessed: Accessed | None = None
    """All times of last access; None if they are not known without reading other checkpoints."""


class CheckpointWriter:
    """Writes the checkpoints of one simulation."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.keep: int | None = None
        """How many to keep; None: all."""
        self._last: list[_Kept] = []
        """The last two, as far as this object has written them."""
        self._next: list[_Kept] = []
        """Value of `_last` once the save has been committed."""
        self._removed: list[Stem] = []
        """Those to remove once the save has been committed."""

    def moved(self, root: Path) -> None:
        """Note that the folder of the simulation has another name now."""
        self._root = root

    def stage(self, staging: Staging, content: SaveContent) -> None:
        """Stage the checkpoint of a save. Call `saved` when the save has been committed. Raises CannotWrite."""
        there = stems(self._root)
        if self.keep == 0:
            self._removed = there
            return
        last = self._before(content.stem, there)
        if there[-1:] == [content.stem] and (same := self._same(content)):
            self._next = [*last[-1:], same]
            return
        thinned = last.pop() if len(last) > 1 and self._is_small_gain(*last) else None
        kept = sorted({*there, content.stem} - ({thinned.checkpoint.stem} if thinned else set()))[-(self.keep or 0) :]
        base = last[-1] if last and last[-1].checkpoint.stem in kept else None
        checkpoint = self._checkpoint(content, base, thinned)
        packed = checkpoint.packed()
        staging.write_bytes(checkpoint.stem.file, packed)
        self._next = [*last[-1:], _Kept(_without_people(checkpoint), len(packed), content.accessed)]
        self._removed = [stem for stem in there if stem not in kept]
        if self._removed and kept[0] != content.stem:
            self._complete(staging, kept[0])

    def _same(self, content: SaveContent) -> _Kept | None:
        """Return the checkpoint of this moment if there is one that restores the same: it stays as it is."""
        with suppress(CorruptFile):
            kept = self._read(content.stem)
            if kept.checkpoint.digest == save_digest(content.digests(), content.former):
                return replace(kept, accessed=content.accessed)
        return None

    def saved(self) -> None:
        """Remove the checkpoints that are not kept, after the save has been committed. Raises CannotWrite."""
        self._last = self._next
        for stem in self._removed:
            path = self._root / stem.file
            with writing(path):
                path.unlink(missing_ok=True)
        self._removed = []

    def _before(self, stem: Stem, there: Sequence[Stem]) -> list[_Kept]:
        """Return the last two readable checkpoints before one."""
        known = {kept.checkpoint.stem: kept for kept in self._last}
        found: list[_Kept] = []
        for each in reversed([each for each in there if each < stem]):
            with suppress(CorruptFile):  # a damaged file must not keep the next save from being written
                found.insert(0, known.get(each) or self._read(each))
            if len(found) == FAR_ENOUGH:
                break
        return found

    def _read(self, stem: Stem) -> _Kept:
        return _Kept(_without_people(read_checkpoint(self._root, stem)), (self._root / stem.file).stat().st_size)

    def _is_small_gain(self, before: _Kept, last: _Kept) -> bool:
        """Return whether a checkpoint takes more room than the steps are worth that it saves computing."""
        size = StepStore(self._root).size(last.checkpoint.step - 1)
        return size * (last.checkpoint.step - before.checkpoint.step) < SHARE * last.size

    def _checkpoint(self, content: SaveContent, base: _Kept | None, thinned: _Kept | None) -> Checkpoint:
        after, made_by = self._history(content, thinned)
        digests, links = content.digests(), 0
        personas = {name: content.part(name) for name in content.personas}
        if base and base.accessed is not None and base.checkpoint.links + 1 < COMPLETE_EVERY:
            personas, links = _changes(personas, base.accessed), base.checkpoint.links + 1
        return Checkpoint(
            step=content.stem.step,
            rows=content.origin.rows,
            rows_here=content.origin.rows_here,
            digest=save_digest(digests, content.former),
            base=str(base.checkpoint.stem) if base and links else None,
            links=links,
            after=after,
            made_by=made_by,
            meta=content.meta.as_json(),
            files=content.files,
            personas=dict(personas),
            as_it_was=dict(content.as_it_was),
            former=list(content.former),
        )

    def _history(self, content: SaveContent, thinned: _Kept | None) -> tuple[str | None, list[SetUp]]:
        """Return `after` and `made_by` of a checkpoint."""
        since, made_by = content.origin.since, list(content.origin.made_by)
        if content.stem == since:  # saved again
            with suppress(CorruptFile):
                earlier = read_checkpoint(self._root, since)
                return earlier.after, list(earlier.made_by)
        if thinned and thinned.checkpoint.stem == since:
            return thinned.checkpoint.after, [*thinned.checkpoint.made_by, *made_by]
        return str(since), made_by

    def _complete(self, staging: Staging, stem: Stem) -> None:
        """Give a checkpoint all times of last access, because those before it will be removed."""
        with suppress(CorruptFile):
            checkpoint = read_checkpoint(self._root, stem)
            if checkpoint.base is None:
                return
            accessed = accessed_at(self._root, checkpoint)
            personas = _with_accessed(checkpoint.personas, accessed)
            complete = checkpoint.model_copy(update={"base": None, "links": 0, "personas": personas})
            staging.write_bytes(stem.file, complete.packed())


def _without_people(checkpoint: Checkpoint) -> Checkpoint:
    return checkpoint.model_copy(update={"personas": {}})


def _changes(personas: Mapping[str, PersonaPart], before: Accessed) -> dict[str, PersonaPart]:
    """Return personas with those times of last access that were not the same before."""
    changed = {
        name: {node: time for node, time in part.last_accessed.items() if before.get(name, {}).get(node) != time}
        for name, part in personas.items()
    }
    return _with_accessed(personas, changed)


def _with_accessed(personas: Mapping[str, PersonaPart], accessed: Accessed) -> dict[str, PersonaPart]:
    return {name: part.model_copy(update={"last_accessed": dict(accessed[name])}) for name, part in personas.items()}
