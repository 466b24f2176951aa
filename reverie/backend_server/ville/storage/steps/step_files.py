"""The texts of the two files of every step, movement and environment, and what is valid in them.

They are written byte for byte as `json.dumps(..., indent=2)` would, but many times faster: most personas do in most
steps what they did before, so their part of the file is cached.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ville.json_types import Json
from ville.storage.files import pretty
from ville.storage.flaws import Flaw, valid_part
from ville.storage.shapes import DESTINATIONS, POSITIONS

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


def valid_positions(values: Json) -> tuple[dict[str, Position], list[Flaw]]:
    """Return the valid positions of an environment file, and the flaws of the others."""
    places, found = valid_part(POSITIONS, values)
    return {name: (place["x"], place["y"]) for name, place in places.items()}, found


def valid_destinations(values: Json) -> tuple[dict[str, Position], list[Flaw]]:
    """Return the valid positions that a movement file leads to, and the flaws of the others."""
    records = values.get("persona", {}) if isinstance(values, dict) else {}
    valid, found = valid_part(DESTINATIONS, records)
    return {name: tuple(record["movement"]) for name, record in valid.items()}, found


class MovementWriter:
    """Formats movement files."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[MoveRecord, str]] = {}
        self._last: tuple[Mapping[str, MoveRecord], str] | None = None
        """The last moves, which are not changed, and their text."""

    def text(self, moves: Mapping[str, MoveRecord], curr_time: str) -> str:
        """Return the text of a file. `moves` are in the order of the roster, `curr_time` is written as in meta.json."""
        if self._last is None or self._last[0] is not moves:
            known = self._parts
            parts = [
                part[1] if (part := known.get(name)) and part[0] is move else self._part(name, move)
                for name, move in moves.items()
            ]
            self._last = (moves, _members(parts))
        meta = f'"meta": {{\n    "curr_time": {json.dumps(curr_time)}\n  }}'
        return f'{{\n  "persona": {self._last[1]},\n  {meta}\n}}'

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
        self._last: tuple[Mapping[str, Position], str] | None = None
        """The last positions, which are not changed, and their text."""

    def text(self, positions: Mapping[str, Position]) -> str:
        """Return the text of a file."""
        if self._last is None or self._last[0] is not positions:
            known = self._parts
            parts = [
                part[1] if (part := known.get(name)) and part[0] is position else self._part(name, position)
                for name, position in positions.items()
            ]
            self._last = (positions, "{\n" + ",\n".join(parts) + "\n}" if parts else "{}")
        return self._last[1]

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
    return (
        f'    {json.dumps(name)}: {{\n      "movement": [\n        {x},\n        {y}\n      ],\n'
        f'      "pronunciatio": {emoji},\n      "description": {description},\n      "chat": {_chat(move.chat)}\n    }}'
    )


@lru_cache(maxsize=64)
def _chat(transcript: Transcript | None) -> str:
    """Return the text of a conversation: it stays the same for many steps of two people."""
    return pretty(transcript).replace("\n", "\n      ")
