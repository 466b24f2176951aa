"""`storage/public/`: what personas do again as before, shared by all simulations, in the files of AGA (contract §8.3).

A file of our own beside them, `ville_pool/<name>.json`, has what AGA's files lack. Every file is read and written under
one lock, and merged: what is in a pool stays, what it lacks is added.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ville.errors import CannotWrite, CorruptFile
from ville.storage.files import read_bytes, write_text, writing

PUBLIC = "public"
EMBEDDINGS = "embedding_pool.json"
SUBTASKS, ACTIONS, OWN = "policy_pool", "sub_task_pool", "ville_pool"
LARGEST = 200_000_000
"""Bytes of a file; larger ones are left alone."""
PATIENCE = 30
"""Seconds to wait for another run that reads or writes the pools."""
Pool = dict[str, Any]


@dataclass
class PersonaPools:
    """The pools of one persona, as they are in the files."""

    subtasks: Pool = field(default_factory=dict)
    """By task: `duration`, `decomp` and `embedding`."""
    actions: Pool = field(default_factory=dict)
    """By text of the action: where and how it is done."""
    own: Pool = field(default_factory=dict)
    """Values that AGA's pools lack: `embedders` of the vectors, `subtasks` with places, `ratings`, `encounters`."""


@dataclass
class PublicPools:
    """The pools of some personas."""

    personas: dict[str, PersonaPools]
    embeddings: Pool = field(default_factory=dict)
    """Text to vector."""

    def digest(self) -> str:
        """Return a digest of everything."""
        content = [self.embeddings, {name: vars(pools) for name, pools in self.personas.items()}]
        return blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()


class PublicFolder:
    """Reads and writes the pools below a folder of simulations."""

    def __init__(self, storage: Path) -> None:
        self.root = storage / PUBLIC
        self.notes: list[str] = []
        """Files that were left alone or set aside, each in a line with the reason."""

    def read(self, names: Iterable[str]) -> PublicPools:
        """Return the pools of these personas; a pool that cannot be read is empty. Raises CannotWrite."""
        if not self.root.is_dir():
            return PublicPools({name: PersonaPools() for name in names})
        with self._locked():
            return self._read(names)

    def add(self, pools: PublicPools) -> None:
        """Add to the pools what they lack. Raises CannotWrite."""
        with writing(self.root):
            for folder in (SUBTASKS, ACTIONS, OWN):
                (self.root / folder).mkdir(parents=True, exist_ok=True)
        with self._locked():
            self._merge(self.root / EMBEDDINGS, pools.embeddings)
            for name, persona in pools.personas.items():
                subtasks, actions, own = self._files(name)
                self._merge(subtasks, persona.subtasks)
                self._merge(actions, persona.actions)
                self._merge(own, persona.own, by_section=True)

    def _read(self, names: Iterable[str]) -> PublicPools:
        personas = {name: PersonaPools(*(self._pool(path) or {} for path in self._files(name))) for name in names}
        return PublicPools(personas, self._pool(self.root / EMBEDDINGS) or {})

    def _files(self, name: str) -> tuple[Path, ...]:
        """Return the files of a persona. Names may have dots."""
        return tuple(self.root / folder / f"{name}.json" for folder in (SUBTASKS, ACTIONS, OWN))

    def _merge(self, path: Path, entries: Pool, *, by_section: bool = False) -> None:
        there = self._pool(path)
        if there is None:
            return
        merged = {**entries, **there}
        if by_section:
            merged = {name: {**section, **_section(there, name)} for name, section in entries.items()}
        if merged != there:
            write_text(path, json.dumps(merged, indent=4))

    def _pool(self, path: Path) -> Pool | None:
        """Return the content of a file; None if it is to be left alone. A torn file is set aside."""
        try:
            content = read_bytes(path, self.root, most=LARGEST)
        except FileNotFoundError:
            return {}
        except (OSError, CorruptFile) as fault:
            self.notes.append(f"{path} is left alone: {fault}")
            return None
        try:
            value = json.loads(content.decode("utf-8-sig"), parse_constant=lambda _: None)
            if isinstance(value, dict):
                return value
            reason = "it is not a JSON object"
        except (ValueError, RecursionError) as fault:
            reason = str(fault)
        aside = path.with_name(f"{path.name}.torn")
        with suppress(OSError):
            path.replace(aside)
        self.notes.append(f"{path} cannot be read ({reason}). It is kept as {aside.name}, and a new one is begun.")
        return {}

    @contextmanager
    def _locked(self) -> Iterator[None]:
        path = self.root / ".lock"
        lock = FileLock(path, timeout=PATIENCE)
        with writing(path):
            try:
                lock.acquire()
            except Timeout:
                template = "%(file)s is held by another run. Try again when that has ended."
                raise CannotWrite(template, file=path) from None
        try:
            yield
        finally:
            lock.release()


def _section(own: Pool, name: str) -> Pool:
    section = own.get(name)
    return section if isinstance(section, dict) else {}
