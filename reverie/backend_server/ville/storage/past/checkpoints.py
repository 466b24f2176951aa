"""`reverie/checkpoints/`: for each save, what is needed to go on from it later, without what only grows.

Memories and vectors are only ever added, so a checkpoint says how much of their files there was. Times of last access
are stored as changes since the checkpoint before. What is small is stored whole.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ville.errors import CorruptFile
from ville.storage.files import compact, pretty, read_bytes
from ville.storage.flaws import complaint
from ville.storage.records.memory_files import EMBEDDINGS, PERSONAS, VECTORS
from ville.storage.records.meta import Meta, checked_meta
from ville.storage.shapes import Name, Whole
from ville.version import VERSION

CHECKPOINTS = "reverie/checkpoints"
STEM = re.compile(r"(\d{1,9})(?:\+(\d{1,9}))?")
LARGEST = 100_000_000
"""Bytes of a file, and of its content."""
LEVEL = 6
"""Of compression: higher ones take twice the time and save one percent."""
GZIP = 31
"""The gzip format, for zlib."""
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16,64}$")]
Content = dict[str, Any]
"""Of a file as it was written; those who read it check it."""


class Stem(NamedTuple):
    """Name of a checkpoint without its ending; in the order of the run."""

    step: int
    """The next one."""
    rows: int = 0
    """Number of interventions before that step which have taken effect already."""

    def __str__(self) -> str:
        return f"{self.step}+{self.rows}" if self.rows else str(self.step)

    @property
    def file(self) -> str:
        """Its file, relative to the simulation."""
        return f"{CHECKPOINTS}/{self}.json.gz"


class Part(BaseModel):
    """Base of all parts of a checkpoint."""

    model_config = ConfigDict(frozen=True, strict=True)


class Growth(Part):
    """How much of a file there was that only grows."""

    size: Annotated[int, Field(ge=1)]
    """Bytes, in our notation."""
    digest: Digest


class PersonaPart(Part):
    """Stored part of a persona."""

    memories: Whole
    """Number of nodes."""
    nodes: Growth
    vectors: Growth | None = None
    """Of embeddings.json; None if it has none."""
    rows: Growth | None = None
    """Of vectors.f32; None if there is none."""
    keywords: dict[str, Whole]
    """Number of keywords in each section of kw_strength.json."""
    last_accessed: dict[str, str]
    """Node to time; only those that have changed, if the checkpoint has a `base`."""
    scratch: Content
    spatial_memory: Content


class SetUp(Part):
    """How the steps from one on were computed."""

    step: Whole
    seed: int = 0
    chat: str = ""
    """Provider and models that answered, or `offline`; empty if a recording did."""
    recording: str = ""
    """Simulation whose ledger answered in a replay."""
    embedder: str = ""
    language: str = ""
    settings: Content = {}
    """Other settings that change what is computed."""
    ahead: list[Content] | None = None
    """Interventions that were planned at this step instead of those planned before; None: no others."""


class Checkpoint(Part):
    """One checkpoint."""

    v: Literal[1] = 1
    engine: str = VERSION
    """Version of the package that wrote it: another one may compute other steps."""
    step: Whole
    rows: Whole = 0
    """Interventions in the save."""
    rows_here: Whole = 0
    """Those of them that took effect before the coming step."""
    digest: Digest
    """Of the save that it restores."""
    base: Annotated[str, Field(pattern=STEM.pattern)] | None = None
    """Stem of the checkpoint since which `last_accessed` has changes; None: it is complete."""
    links: Whole = 0
    """Number of checkpoints down to a complete one."""
    after: Annotated[str, Field(pattern=STEM.pattern)] | None = None
    """Stem of the save from which the steps up to here were computed; None: it has no checkpoint."""
    made_by: list[SetUp] = []
    """How these steps were computed, in order."""
    meta: Content
    files: dict[str, Content] = {}
    """Whole content of further files below reverie/."""
    personas: dict[Name, PersonaPart]
    as_it_was: dict[str, str] = {}
    """Text of files that another program has written, in another notation than ours, as long as they are unchanged."""
    former: list[Name] = []
    """Those who had moved away."""

    @property
    def stem(self) -> Stem:
        return Stem(self.step, self.rows_here)

    def meta_of(self, file: Path) -> Meta:
        """Return its meta data. Raises CorruptFile naming the file."""
        return checked_meta(self.meta, str(file))

    def packed(self) -> bytes:
        """Return the content of its file. The same checkpoint always gives the same bytes."""
        packing = zlib.compressobj(LEVEL, wbits=GZIP)
        return b"".join([*(packing.compress(part.encode()) for part in self._text()), packing.flush()])

    def _text(self) -> Iterator[str]:
        """Yield the JSON text of its file in parts: of a city, it is tens of megabytes."""
        others = self.model_dump(mode="json", exclude_defaults=True, exclude={"personas"})
        comma = "{"
        for key in (key for key in type(self).model_fields if key in others or key == "personas"):
            yield f'{comma}"{key}": '
            if key == "personas":
                yield from _members(self.personas)
            else:
                yield compact(others[key])
            comma = ", "
        yield "}"


def _members(personas: Mapping[str, PersonaPart]) -> Iterator[str]:
    comma = "{"
    for name, part in personas.items():
        yield f"{comma}{compact(name)}: {compact(part.model_dump(mode='json', exclude_defaults=True))}"
        comma = ", "
    yield "}" if personas else "{}"


def parse_stem(text: str) -> Stem | None:
    """Return the stem in a text; None if it is not one."""
    match = STEM.fullmatch(text)
    return Stem(int(match[1]), int(match[2] or 0)) if match else None


def stems(simulation: Path) -> list[Stem]:
    """Return the checkpoints of a simulation, in order."""
    found = (parse_stem(path.name.removesuffix(".json.gz")) for path in (simulation / CHECKPOINTS).glob("*.json.gz"))
    return sorted(stem for stem in found if stem)


def read_checkpoint(simulation: Path, stem: Stem) -> Checkpoint:
    """Read a checkpoint. Raises CorruptFile."""
    path = simulation / stem.file
    try:
        values = json.loads(_unpacked(path))
        checkpoint = Checkpoint.model_validate(values)
    except ValidationError as fault:
        raise _corrupt(path, complaint(fault, values)) from None
    except (OSError, EOFError, ValueError, RecursionError) as fault:
        raise _corrupt(path, str(fault)) from None
    if checkpoint.stem != stem or checkpoint.meta.get("step") != stem.step:
        raise _corrupt(path, f"it is of step {checkpoint.stem}.")
    return checkpoint


def digest_at(simulation: Path, moment: Stem) -> str:
    """Return the digest of a simulation at a moment; empty if there is no checkpoint of it. Raises CorruptFile."""
    return read_checkpoint(simulation, moment).digest if (simulation / moment.file).exists() else ""


def _unpacked(path: Path) -> bytes:
    """Return the uncompressed content of a file. Raises ValueError if it is too large."""
    packed = read_bytes(path, path.parents[2], most=LARGEST)
    with gzip.open(BytesIO(packed)) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError("it is too large.")
    return content


def _corrupt(path: Path, reason: str) -> CorruptFile:
    template = (
        "%(file)s is not a checkpoint: %(reason)s Remove it: then all is there but the moments between it and its "
        "neighbours."
    )
    return CorruptFile(template, file=path, reason=reason)


def accessed_at(simulation: Path, checkpoint: Checkpoint) -> dict[str, dict[str, str]]:
    """Return the times of last access of all personas at a checkpoint, node to time. Raises CorruptFile."""
    chain = [checkpoint]
    while chain[-1].base is not None:
        base = parse_stem(chain[-1].base)
        if base is None or base >= chain[-1].stem:
            raise _corrupt(simulation / chain[-1].stem.file, f"its base {chain[-1].base} is not before it.")
        chain.append(read_checkpoint(simulation, base))
    return {
        name: in_order({node: time for link in reversed(chain) for node, time in _accessed(link, name)})
        for name in checkpoint.personas
    }


def _accessed(checkpoint: Checkpoint, name: str) -> Iterable[tuple[str, str]]:
    return checkpoint.personas[name].last_accessed.items() if name in checkpoint.personas else ()


def in_order(accessed: Mapping[str, str]) -> dict[str, str]:
    """Return times of last access in the order of the nodes, as they are written."""
    return dict(sorted(accessed.items(), key=lambda item: int(item[0].removeprefix("node_"))))


def text_digest(content: bytes) -> str:
    """Return a digest of the content of one file."""
    return blake2b(content, digest_size=8).hexdigest()


def vector_digests(name: str, vectors: Growth | None, rows: Growth | None) -> dict[str, str]:
    """Return the digests of the files with vectors of a persona."""
    found = {f"{PERSONAS}/{name}/{EMBEDDINGS}": vectors, f"{PERSONAS}/{name}/{VECTORS}": rows}
    return {file: growth.digest for file, growth in found.items() if growth}


def save_digest(texts: Mapping[str, str], former: Sequence[str] = ()) -> str:
    """Return the digest of a save, from the digests of its files."""
    lines = [f"{name} {texts[name]}\n" for name in sorted(texts)]
    return blake2b("".join([*lines, *sorted(former)]).encode(), digest_size=16).hexdigest()


def meta_text(meta: Meta) -> str:
    """Return meta.json as it counts in digests: forks differ in what they were forked from."""
    return pretty({**meta.as_json(), "fork_sim_code": ""})
