"""One simulation on disk, as the engine reads and saves it: meta file, memories, and two files for every step."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.storage.dates import time_text
from ville.storage.files import json_in, pretty, read_object, writing
from ville.storage.flaws import Flaw
from ville.storage.folder.vector_files import VectorFiles
from ville.storage.past.checkpoint_writer import CheckpointWriter, SaveContent, SaveOrigin, WrittenText
from ville.storage.records.ended_states import ENDED, append_ended, cut_ended
from ville.storage.records.kept_vectors import kept_file, kept_if_whole, remove_kept
from ville.storage.records.lock import between_saves
from ville.storage.records.memory_files import (
    EMBEDDINGS,
    FORMER,
    NODES,
    PERSONAS,
    SCRATCH,
    SPATIAL,
    STRENGTH,
    accessed_file,
)
from ville.storage.records.meta import META, Meta, read_meta
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.people_pack import Grown
from ville.storage.records.people_staging import PeopleStaging
from ville.storage.records.persona_files import (
    NO_STRENGTH,
    PersonaFiles,
    PersonaState,
    Vectors,
    in_our_notation,
    persona_texts,
)
from ville.storage.records.staging import recover
from ville.storage.steps.held_steps import HeldSteps
from ville.storage.steps.step_files import (
    EnvironmentWriter,
    MovementWriter,
    MoveRecord,
    Position,
    valid_destinations,
    valid_positions,
)
from ville.storage.steps.step_store import StepStore


class SimulationFolder:
    """Reads and writes one simulation. There may be one writer at a time."""

    def __init__(self, root: Path, meta_file: str = META) -> None:
        self.root = root
        self.name = root.name
        self.side = root / "reverie"
        """Folder of the files that the released code does not know."""
        self.meta = read_meta(root / meta_file)
        """As last saved."""
        self.steps, self.people = StepStore(root), PeopleFiles(root)
        self._held = HeldSteps(self.steps)
        self._movement = MovementWriter()
        self._environment = EnvironmentWriter(self.meta.maze_name)
        self.expected = self.meta.persona_names
        """Those whose positions an environment file has to have: all residents but those who have just moved in."""
        self.fsync = False
        """Whether saves wait until they are on disk."""
        self.packs_steps = True
        """Whether complete hours of steps are packed."""
        self.packs_people = 0
        """Number of residents from which on a save packs their files; 0: none does. Those that are packed stay so."""
        self.checkpoints = CheckpointWriter(root)
        self.vectors = VectorFiles(root, self.side)
        self._grown = dict[str, Grown]()
        """Knowledge of packed files since they were written."""
        self._saved: dict[str, int] = {}
        """Hashes of the texts written so far, by file: unchanged texts are not written again."""
        self._as_it_was: dict[str, str] = {}
        """Text of files that have not been written so far, because they say the same in another notation."""

    def moved(self, root: Path) -> None:
        """Note that the folder has another name now."""
        self.root, self.name, self.side = root, root.name, root / "reverie"
        self.steps, self.people = StepStore(root), PeopleFiles(root)
        self._held = HeldSteps(self.steps)
        self.vectors.moved(root)
        self.checkpoints.moved(root)

    def recover(self) -> None:
        """Return to the last complete save: finish or drop an interrupted one, and drop the steps after it."""
        recover(self.root)
        self.meta = read_meta(self.root / META)
        self.expected = self.meta.persona_names
        self._remove_former()
        self.people.tidy()
        self.vectors.tidy()
        self.steps.cut(self.meta.step)
        cut_ended(self.root / "reverie" / ENDED, self.meta.step)

    @property
    def former(self) -> tuple[str, ...]:
        """Those who have moved away, by name."""
        return tuple(self.people.names(FORMER))

    def _remove_former(self) -> None:
        """Remove the folders below personas/ of those who have moved away: what they contained is in FORMER."""
        for name in self.former:
            folder = self.root / "personas" / name
            if name not in self.meta.persona_names and folder.exists():
                with writing(folder):
                    shutil.rmtree(folder)

    def check_cast(self) -> None:
        """Raise CorruptFile unless the folders below personas/ are exactly those that meta.json names."""
        folder, there = self.root / PERSONAS, set(self.people.names(PERSONAS))
        stale = set(self.former) - set(self.meta.persona_names)
        for name in sorted((there - stale).symmetric_difference(self.meta.persona_names)):
            if name in there:
                template = "%(folder)s is not in persona_names of meta.json. Add it there, or remove the folder."
                raise CorruptFile(template, folder=folder / name)
            template = "%(folder)s is missing, but meta.json names it. Restore it, or remove the name."
            raise CorruptFile(template, folder=folder / name)

    def read_persona(self, name: str) -> PersonaFiles:
        """Read the memories of a persona; spatial memory and keyword strengths may be missing. Raises CorruptFile."""
        people, folder = self.people, self.people.folder(name)
        spatial, strength = f"{folder}/{SPATIAL}", f"{folder}/{STRENGTH}"
        return PersonaFiles(
            scratch=people.object(f"{folder}/{SCRATCH}"),
            spatial_memory=people.object(spatial) if people.has(spatial) else {},
            nodes=people.object(f"{folder}/{NODES}"),
            embeddings=self.vectors.read(name),
            kw_strength=people.object(strength) if people.has(strength) else NO_STRENGTH,
            last_accessed=self._last_accessed(name),
        )

    def _last_accessed(self, name: str) -> dict[str, Any]:
        file = f"{self.side.relative_to(self.root).as_posix()}/{accessed_file(name)}"
        return self.people.object(file) if self.people.has(file) else {}

    def kept_vectors(self, embedder: str, name: str) -> Vectors | None:
        """Return the vectors of a persona that are kept of an embedder which is not in use; none if there are none, and
        None if their file is torn. Raises CorruptFile if it cannot be read, or is not a plain file.
        """
        return kept_if_whole(self.root, kept_file(embedder, name))

    def has_vectors(self, name: str) -> bool:
        """Return whether a persona has vectors, or no memories that need them, by the sizes and ends of the files."""
        folder = self.people.folder(name)
        listed = f"{folder}/{EMBEDDINGS}"
        least = 0 if self.people.size(f"{folder}/{NODES}") <= len("{}") else len("{}") + 1
        if self.vectors.has_rows(name):
            return True
        if not self.people.has(listed):
            return not least
        return self.people.size(listed) >= least and self.people.ends_with_brace(listed)

    def remembered_texts(self, name: str) -> list[str]:
        """Return the texts of a persona's memories that need vectors. Raises CorruptFile."""
        nodes = self.people.object(f"{self.people.folder(name)}/{NODES}").values()
        texts = (node.get("embedding_key") for node in nodes if isinstance(node, dict))
        return [text for text in texts if isinstance(text, str)]

    def read_side_file(self, name: str) -> dict[str, Any] | None:
        """Return the content of a file that the released code does not know, unchecked; None if it is missing."""
        path = self.side / name
        return read_object(path) if path.exists() else None

    def remove_side_file(self, name: str) -> None:
        """Remove a file below reverie/ that is no longer needed, if it exists. Raises CannotWrite."""
        path = self.root / "reverie" / name
        with writing(path), between_saves(self.root):
            path.unlink(missing_ok=True)
        self._saved.pop(f"reverie/{name}", None)

    def save(
        self,
        meta: Meta,
        personas: Mapping[str, PersonaState],
        side_files: Mapping[str, JsonObject] | None = None,
        *,
        former: Mapping[str, PersonaState] | None = None,
        origin: SaveOrigin | None = None,
    ) -> None:
        """Save everything atomically; files whose content is unchanged keep their bytes. Raises CannotWrite.

        With `fsync`, the save is on disk afterwards, and so are the two files the next step needs. `side_files` are
        written below reverie/, and `former` personas, who have moved away since the last save, below FORMER. With
        `origin`, a checkpoint is written, too.
        """
        side_files, former = side_files or {}, former or {}
        states = {f"{PERSONAS}/{name}": state for name, state in personas.items()}
        states |= {f"{FORMER}/{name}": state for name, state in former.items()}
        written, hashes = dict[str, WrittenText](), dict[str, int]()
        self.write_held()
        if self.fsync:
            self.steps.flush(meta.step)
        packs = 0 < self.packs_people <= len(personas)
        with PeopleStaging(self.root, self._grown, fsync=self.fsync, packs=packs) as staging:
            for name in former:
                staging.drop_folder(f"{PERSONAS}/{name}")
            for file, text in _texts(meta, side_files, states):
                if not self._stands(file, text):
                    staging.write(file, text)
                    self._as_it_was.pop(file, None)
                written[file], hashes[file] = WrittenText.of(text), hash(text)
            new = {folder: state.new_embeddings for folder, state in states.items()}
            self.vectors.stage(staging, new, [f"{FORMER}/{name}" for name in self.former])
            if origin:
                content = SaveContent(
                    origin=origin,
                    meta=meta,
                    side_files=side_files,
                    personas=personas,
                    texts=written,
                    vectors={name: self.vectors.growth(staging, name) for name in personas},
                    as_it_was={file: text for file, text in self._as_it_was.items() if file in written},
                    former=sorted({*self.former, *former} - {*personas}),
                )
                self.checkpoints.stage(staging, content)
            staging.commit()
        self._saved |= hashes
        self.meta = meta
        self._tidy()

    def _tidy(self) -> None:
        """Remove what is not needed any more after a save."""
        self.vectors.commit()
        with between_saves(self.root):
            self._remove_former()
            self.people.tidy()
            self.vectors.tidy()
            self.checkpoints.saved()

    def pack(self, step: int) -> None:
        """Pack the hours that are complete before a step, if steps are to be packed. Raises CannotWrite."""
        if self.packs_steps:
            self.steps.pack(step, fsync=self.fsync)

    def replace_embeddings(
        self,
        embeddings: Mapping[str, Vectors],
        side_files: Mapping[str, JsonObject],
        kept: Mapping[str, Vectors] | None = None,
        *,
        in_use: Iterable[str] = (),
    ) -> None:
        """Replace the vectors of all personas, given by persona and text, and side files, atomically.

        `kept` are vectors to keep beside them, by file (`kept_file`). The files `in_use` are removed afterwards: what
        is in them is among the new vectors.
        """
        with PeopleStaging(self.root, self._grown, fsync=self.fsync) as staging:
            self.vectors.replace(staging, embeddings, kept or {})
            for name, values in side_files.items():
                staging.write(f"reverie/{name}", pretty(values))
            staging.commit()
        with between_saves(self.root):
            remove_kept(self.root, in_use)

    def _stands(self, name: str, text: str) -> bool:
        """Return whether a file has this content already, in any spacing."""
        if name in self._saved:
            return self._saved[name] == hash(text)
        if not self.people.has(name):
            return False
        found = self.people.content(name)
        stands = in_our_notation(name, json_in(found, self.people.path(name))) == text
        if stands and found != text.encode():
            self._as_it_was[name] = found.decode()
        return stands

    def write_movement(self, step: int, moves: Mapping[str, MoveRecord], curr_time: datetime) -> None:
        """Write what everyone does in a step. `curr_time` is its game time."""
        self.steps.write_movement(step, self._movement.text(moves, time_text(curr_time)))

    def hold(
        self, step: int, moves: Mapping[str, MoveRecord], curr_time: datetime, positions: Mapping[str, Position]
    ) -> None:
        """Take what everyone does in a step, and where they stand after it; what is not packed is written at once.

        Others are written when their hour is complete, before a save, or soon. Raises CannotWrite.
        """
        if self.packs_steps:
            movement, environment = self._movement.text(moves, time_text(curr_time)), self._environment.text(positions)
            self._held.add(step, movement.encode(), environment.encode(), fsync=self.fsync)
        else:
            self.write_movement(step, moves, curr_time)
            self.write_environment(step + 1, positions)

    def write_held(self) -> None:
        """Write the steps that have been taken and are in no files yet. Raises CannotWrite."""
        self._held.write()

    def write_ended(self, states: Sequence[JsonObject]) -> None:
        """Append the states of objects that ended before a step. Raises CannotWrite."""
        append_ended(self.root / "reverie" / ENDED, states)

    def write_environment(self, step: int, positions: Mapping[str, Position]) -> None:
        """Write where everyone stands before a step."""
        self.steps.write_environment(step, self._environment.text(positions))

    def read_environment(self, step: int) -> dict[str, Position] | None:
        """Return where everyone stands before a step; None if the file is missing. Raises CorruptFile."""
        if not self.steps.places(step):
            return None
        positions, found = valid_positions(self.steps.read_environment(step))
        return self._complete(positions, found, self.steps.environment_file(step))

    def shown_tiles(self, step: int) -> list[Position]:
        """Return where a step led, in the order of its file, without what cannot be read."""
        positions, _ = valid_destinations(self.steps.movement(step))
        return list(positions.values())

    def starting_positions(self) -> dict[str, Position]:
        """Return where everyone stands before the next step: by its environment file, else by the last step."""
        step = self.meta.step
        positions = self.read_environment(step)
        if positions is None and self.steps.shows(step - 1):
            led = valid_destinations(self.steps.read_movement(step - 1))
            return self._complete(*led, self.steps.movement_file(step - 1))
        if positions is None:
            template = "%(file)s is missing. Write into it where everyone stands."
            raise CorruptFile(template, file=self.steps.environment_file(step))
        return positions

    def _complete(self, positions: Mapping[str, Position], found: Sequence[Flaw], path: Path) -> dict[str, Position]:
        """Return all positions. Raises CorruptFile for the first expected one that is missing or invalid."""
        for name in self.expected:
            if name not in positions:
                wrong = [flaw for flaw in found if not flaw.keys or name in flaw.keys] or [Flaw((name,), "is missing")]
                template = "%(what)s Give everyone a position, in whole numbers."
                raise CorruptFile(template, what=wrong[0].of(str(path)))
        return dict(positions)


def _texts(
    meta: Meta, side_files: Mapping[str, JsonObject], states: Mapping[str, PersonaState]
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each file of a save but vectors: those of a city are not needed all at once."""
    yield META, pretty(meta.as_json())
    for name, values in side_files.items():
        yield f"reverie/{name}", pretty(values)
    for folder, state in states.items():
        parent, _, name = folder.rpartition("/")
        yield from persona_texts(name, state, parent).items()
