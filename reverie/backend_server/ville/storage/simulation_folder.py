"""One simulation on disk: its meta file, its people's memories, and two files for every step."""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile
from ville.storage.dates import time_text
from ville.storage.files import append_members, compact, flush, pretty, read_json, read_object, write_text, writing
from ville.storage.meta import Meta, read_meta
from ville.storage.staging import Staging, recover
from ville.storage.step_files import EnvironmentWriter, MovementWriter, MoveRecord, Position

META = "reverie/meta.json"
MEMORY = "bootstrap_memory"
STREAM = f"{MEMORY}/associative_memory"
EMBEDDINGS = f"{STREAM}/embeddings.json"
NO_STRENGTH: dict[str, dict[str, int]] = {"kw_strength_event": {}, "kw_strength_thought": {}}


@dataclass(frozen=True)
class PersonaFiles:
    """What is on disk of one persona, as it stands there."""

    scratch: dict[str, Any]
    spatial_memory: dict[str, Any]
    nodes: dict[str, Any]
    embeddings: dict[str, Any]
    kw_strength: dict[str, Any]
    last_accessed: dict[str, str]
    """Node id to time, for the nodes that were thought of again."""


@dataclass(frozen=True)
class PersonaState:
    """What shall be on disk of one persona."""

    scratch: Mapping[str, Any]
    spatial_memory: Mapping[str, Any]
    nodes: str
    """The text of nodes.json: the memory keeps it ready, because it only ever grows."""
    new_embeddings: Mapping[str, Any]
    """Text to vector; only those that came since the last save."""
    kw_strength: Mapping[str, Any]
    last_accessed: Mapping[str, str]


class SimulationFolder:
    """Reads and writes one simulation. One writer at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = root.name
        self.meta = read_meta(root / META)
        """As last saved."""
        self._movement = MovementWriter()
        self._environment = EnvironmentWriter(self.meta.maze_name)
        self.fsync = False
        """Whether a save has to outlast a loss of power."""
        self._saved: dict[str, int] = {}
        """Hashes of the texts this object has written, by file: what has not changed is not written again."""

    def recover(self) -> None:
        """Go back to the last whole save: finish or drop an interrupted one, drop the steps that came after it."""
        recover(self.root)
        self.meta = read_meta(self.root / META)
        self._trim("movement", self.meta.step - 1)
        self._trim("environment", self.meta.step)

    def _trim(self, kind: str, last: int) -> None:
        folder = self.root / kind
        with writing(folder):
            folder.mkdir(exist_ok=True)
            for path in folder.iterdir():
                if path.suffix == ".tmp" or (path.stem.isdecimal() and int(path.stem) > last):
                    path.unlink()

    def check_cast(self) -> None:
        """Raises CorruptFile unless the folders under personas/ are exactly the people meta.json names."""
        folder = self.root / "personas"
        there = {path.name for path in folder.glob("[!.]*") if path.is_dir()}
        for name in sorted(there.symmetric_difference(self.meta.persona_names)):
            if name in there:
                raise CorruptFile(f"{folder / name} is not in persona_names of {META}: add it there or remove it.")
            raise CorruptFile(f"{folder / name} is missing, but {META} names it: restore it or take the name out.")

    def _persona(self, name: str) -> Path:
        return self.root / "personas" / name

    def read_persona(self, name: str) -> PersonaFiles:
        """Raises CorruptFile; only the places one knows and the strengths of keywords may be missing."""
        folder = self._persona(name)
        spatial = folder / MEMORY / "spatial_memory.json"
        strength = folder / STREAM / "kw_strength.json"
        return PersonaFiles(
            scratch=read_object(folder / MEMORY / "scratch.json"),
            spatial_memory=read_object(spatial) if spatial.exists() else {},
            nodes=read_object(folder / STREAM / "nodes.json"),
            embeddings=self.read_embeddings(name),
            kw_strength=read_object(strength) if strength.exists() else NO_STRENGTH,
            last_accessed=self.read_side_file(_accessed(name)) or {},
        )

    def read_embeddings(self, name: str) -> dict[str, Any]:
        """Text to vector of one persona. Raises CorruptFile."""
        return read_object(self._persona(name) / EMBEDDINGS)

    def read_side_file(self, name: str) -> dict[str, Any] | None:
        """A file of ours under reverie/, which classic readers do not know; None if there is none."""
        path = self.root / "reverie" / name
        return read_object(path) if path.exists() else None

    def save(
        self,
        meta: Meta,
        personas: Mapping[str, PersonaState],
        side_files: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """Write everything at one instant; what says the same keeps its bytes. Raises CannotWrite: nothing happened.

        With `fsync` it is on disk afterwards, and with it the two files from which the next step goes on.

        `side_files` lie under reverie/ and are unknown to classic readers.
        """
        texts = {META: pretty(meta.as_json())}
        texts |= {f"reverie/{name}": pretty(values) for name, values in (side_files or {}).items()}
        for name, state in personas.items():
            texts |= _persona_texts(name, state)
        if self.fsync:
            self._flush_steps(meta.step)
        with Staging(self.root, fsync=self.fsync) as staging:
            for file, text in texts.items():
                if not self._stands(file, text):
                    staging.write(file, text)
            for name, state in personas.items():
                self._stage_embeddings(staging, name, state.new_embeddings)
            staging.commit()
        self._saved |= {name: hash(text) for name, text in texts.items()}
        self.meta = meta

    def _flush_steps(self, step: int) -> None:
        last = [self.root / "movement" / f"{step - 1}.json", self.root / "environment" / f"{step}.json"]
        flush(path for file in last if file.exists() for path in (file, file.parent))

    def replace_embeddings(
        self, embeddings: Mapping[str, Mapping[str, Any]], side_files: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Everybody's vectors anew, by persona and text, and what is noted about them, at one instant."""
        with Staging(self.root, fsync=self.fsync) as staging:
            for name, members in embeddings.items():
                staging.write(f"personas/{name}/{EMBEDDINGS}", compact(members))
            for name, values in side_files.items():
                staging.write(f"reverie/{name}", pretty(values))
            staging.commit()

    def _stands(self, name: str, text: str) -> bool:
        """Whether a file says this already, in whatever spacing."""
        if name in self._saved:
            return self._saved[name] == hash(text)
        path = self.root / name
        form = compact if name.endswith(("nodes.json", "kw_strength.json", "spatial_memory.json")) else pretty
        return path.exists() and form(read_json(path)) == text

    def _stage_embeddings(self, staging: Staging, name: str, members: Mapping[str, Any]) -> None:
        if not members:
            return
        file = f"personas/{name}/{EMBEDDINGS}"
        staged = staging.path(file)
        with writing(staged):
            shutil.copyfile(self.root / file, staged)
        append_members(staged, members)

    def write_movement(self, step: int, moves: Mapping[str, MoveRecord], curr_time: datetime) -> None:
        """`curr_time` is when the step was computed."""
        write_text(self.root / "movement" / f"{step}.json", self._movement.text(moves, time_text(curr_time)))

    def write_environment(self, step: int, positions: Mapping[str, Position]) -> None:
        write_text(self.root / "environment" / f"{step}.json", self._environment.text(positions))

    def read_environment(self, step: int) -> dict[str, Position] | None:
        """Where everybody stands before a step; None if nobody has said so yet. Raises CorruptFile."""
        path = self.root / "environment" / f"{step}.json"
        if not path.exists():
            return None
        places = read_object(path)
        return {name: _position(places, name, path) for name in self.meta.persona_names}

    def shown_tiles(self, step: int) -> list[Position]:
        """Where a step has led, in the order of its file; what cannot be read is left out."""
        with suppress(CorruptFile, AttributeError):
            moves = read_object(self.root / "movement" / f"{step}.json").get("persona", {})
            places = {name: _place(move) for name, move in moves.items()}
            return [_position(places, name, self.root) for name in places]
        return []

    def starting_positions(self) -> dict[str, Position]:
        """Where everybody stands before the next step: as its environment file says, else where the last one led."""
        step = self.meta.step
        positions = self.read_environment(step)
        if positions is None and step:
            path = self.root / "movement" / f"{step - 1}.json"
            places = {name: _place(move) for name, move in read_object(path).get("persona", {}).items()}
            positions = {name: _position(places, name, path) for name in self.meta.persona_names}
        if positions is None:
            raise CorruptFile(f"{self.root / 'environment' / '0.json'} is missing: write in it where everybody stands.")
        return positions


def _place(move: dict[str, Any]) -> dict[str, Any]:
    """A record of a movement file as one of an environment file."""
    return dict(zip(("x", "y"), move.get("movement", ()), strict=False))


def _position(places: dict[str, Any], name: str, path: Path) -> Position:
    place = places.get(name)
    if not (isinstance(place, dict) and isinstance(place.get("x"), int) and isinstance(place.get("y"), int)):
        raise CorruptFile(f"{path}: {name} has no place: give them whole numbers x and y.")
    return place["x"], place["y"]


def _accessed(name: str) -> str:
    return f"last_accessed/{name}.json"


def _persona_texts(name: str, state: PersonaState) -> dict[str, str]:
    folder = f"personas/{name}"
    return {
        f"{folder}/{MEMORY}/scratch.json": pretty(state.scratch),
        f"{folder}/{MEMORY}/spatial_memory.json": compact(state.spatial_memory),
        f"{folder}/{STREAM}/nodes.json": state.nodes,
        f"{folder}/{STREAM}/kw_strength.json": compact(state.kw_strength),
        f"reverie/{_accessed(name)}": pretty(state.last_accessed),
    }
