"""The two files of every step: environment/<step>.json and movement/<step>.json.

They are written byte for byte as `json.dumps(..., indent=2)` would, but many times faster: most personas do in most
steps what they did before, so their part of the file is cached.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ville.storage.files import check_no_links, pretty, read_object_if_whole
from ville.storage.flaws import Flaw, name_of, valid_part, whole_file
from ville.storage.shapes import DESTINATIONS, LAST_STEP, POSITIONS

Position = tuple[int, int]
"""Column and row of a tile."""
Transcript = tuple[tuple[str, str], ...]
"""Speaker and words, in order."""


class MoveRecord(NamedTuple):
    """Display of one persona in one step. Immutable, because it is cached."""

    movement: Position
    pronunciatio: str
    description: str
    chat: Transcript | None


def movement_file(simulation: Path, step: int) -> Path:
    """Return the path of what everyone does in a step."""
    return simulation / "movement" / f"{step}.json"


def environment_file(simulation: Path, step: int) -> Path:
    """Return the path of where everyone stands before a step."""
    return simulation / "environment" / f"{step}.json"


def step_numbers(folder: Path, simulation: Path) -> list[int]:
    """Return the numbers of the step files in movement/ or environment/, in no order. Raises CorruptFile for links."""
    check_no_links(folder, simulation)
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []
    stems = [name[:-5] for name in names if name.endswith(".json")]
    return [int(stem) for stem in stems if stem.isdecimal() and int(stem) <= LAST_STEP]


def valid_positions(values: Any) -> tuple[dict[str, Position], list[Flaw]]:
    """Return the valid positions of an environment file, and the flaws of the others."""
    places, found = valid_part(POSITIONS, values)
    return {name: (place["x"], place["y"]) for name, place in places.items()}, found


def valid_destinations(values: Any) -> tuple[dict[str, Position], list[Flaw]]:
    """Return the valid positions that a movement file leads to, and the flaws of the others."""
    records = values.get("persona", {}) if isinstance(values, dict) else {}
    valid, found = valid_part(DESTINATIONS, records)
    return {name: tuple(record["movement"]) for name, record in valid.items()}, found


def read_positions_if_whole(simulation: Path, step: int) -> tuple[dict[str, Position], list[Flaw]]:
    """Read the valid positions of an environment file, and the flaws of the others. Raises CorruptFile."""
    path = environment_file(simulation, step)
    values = read_object_if_whole(path, simulation)
    positions, found = ({}, [whole_file(path)]) if values is None else valid_positions(values)
    return positions, [flaw.of(name_of(path, simulation)) for flaw in found]


class MovementWriter:
    """Formats movement files."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[MoveRecord, str]] = {}

    def text(self, moves: Mapping[str, MoveRecord], curr_time: str) -> str:
        """Return the text of a file. `moves` are in the order of the roster, `curr_time` is written as in meta.json."""
        meta = f'"meta": {{\n    "curr_time": {json.dumps(curr_time)}\n  }}'
        return f'{{\n  "persona": {_members([self._part(*move) for move in moves.items()])},\n  {meta}\n}}'

    def _part(self, name: str, move: MoveRecord) -> str:
        known = self._parts.get(name)
        if known is None or known[0] != move:
            known = self._parts[name] = (move, _move_part(name, move))
        return known[1]


class EnvironmentWriter:
    """Formats environment files of one map."""

    def __init__(self, maze_name: str) -> None:
        self._maze = json.dumps(maze_name)
        self._parts: dict[str, tuple[Position, str]] = {}

    def text(self, positions: Mapping[str, Position]) -> str:
        """Return the text of a file."""
        parts = [self._part(*position) for position in positions.items()]
        return "{\n" + ",\n".join(parts) + "\n}" if parts else "{}"

    def _part(self, name: str, position: Position) -> str:
        known = self._parts.get(name)
        if known is None or known[0] != position:
            x, y = position
            part = f'  {json.dumps(name)}: {{\n    "maze": {self._maze},\n    "x": {x},\n    "y": {y}\n  }}'
            known = self._parts[name] = (position, part)
        return known[1]


def _members(parts: list[str]) -> str:
    return "{\n" + ",\n".join(parts) + "\n  }" if parts else "{}"


def _move_part(name: str, move: MoveRecord) -> str:
    x, y = move.movement
    emoji, description = json.dumps(move.pronunciatio), json.dumps(move.description)
    chat = pretty(move.chat).replace("\n", "\n      ")
    return (
        f'    {json.dumps(name)}: {{\n      "movement": [\n        {x},\n        {y}\n      ],\n'
        f'      "pronunciatio": {emoji},\n      "description": {description},\n      "chat": {chat}\n    }}'
    )
