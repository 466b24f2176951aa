"""A finished simulation in one file, for replays: of every step only what changed."""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ville.errors import CorruptFile, SimulationExists
from ville.storage.files import new_folder, pretty, read_object
from ville.storage.meta import read_meta

MASTER = "master_movement.json"
FIELDS = ("movement", "pronunciatio", "description", "chat")

Frame = dict[str, dict[str, Any]]
"""Persona to the four fields."""
Master = dict[str, Frame]
"""Step to those whose record differs from the one before."""


def compress(simulation: Path, target: Path) -> None:
    """Write the compressed form of a simulation as a new folder. Raises StorageError; then there is no new folder."""
    _check_free(target)
    meta = read_meta(simulation / "reverie" / "meta.json")
    movement = simulation / "movement"
    numbers = [int(path.stem) for path in movement.glob("*.json") if path.stem.isdecimal()]
    if not numbers:
        raise CorruptFile(f"{movement} holds no steps: run the simulation before you compress it.")
    frames = (_frame(movement / f"{number}.json") for number in range(max(numbers) + 1))
    master = changes(frames, meta.persona_names)
    with new_folder(target) as folder:
        (folder / MASTER).write_bytes(pretty(master).encode())
        shutil.copyfile(simulation / "reverie" / "meta.json", folder / "meta.json")
        shutil.copytree(simulation / "personas", folder / "personas")


def changes(frames: Iterable[Frame], roster: Sequence[str]) -> Master:
    """What each step changes, people in the order of the roster. A missing step is an empty frame: nothing changes."""
    order = {name: place for place, name in enumerate(roster)}
    last: Frame = {}
    master: Master = {}
    for number, frame in enumerate(frames):
        names = sorted(frame, key=lambda name: order.get(name, len(order)))
        new = {name: frame[name] for name in names if last.get(name) != frame[name]}
        master[str(number)] = new
        last |= new
    return master


def _frame(path: Path) -> Frame:
    """What a movement file shows, reduced to the four fields; nothing if there is no such file."""
    if not path.exists():
        return {}
    try:
        people = read_object(path)["persona"]
        return {name: {field: record[field] for field in FIELDS} for name, record in people.items()}
    except (KeyError, TypeError, AttributeError):
        raise CorruptFile(f"{path} is no movement file: remove it, and the step is shown as the one before.") from None


def _check_free(target: Path) -> None:
    if target.exists():
        raise SimulationExists(f"{target} is already there: choose another name or remove it.")
