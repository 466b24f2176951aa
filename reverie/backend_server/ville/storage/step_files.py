"""The two files of every step, byte for byte as `json.dumps(..., indent=2)` writes them but many times faster.

Most people do in most steps what they did before, so their part of the file is remembered.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from ville.storage.files import pretty

Position = tuple[int, int]
"""Column and row of a tile."""
Transcript = tuple[tuple[str, str], ...]
"""Who said what, in order."""


class MoveRecord(NamedTuple):
    """What one persona shows in one step. All of it immutable, because it is remembered."""

    movement: Position
    pronunciatio: str
    description: str
    chat: Transcript | None


class MovementWriter:
    """Formats movement files."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[MoveRecord, str]] = {}

    def text(self, moves: Mapping[str, MoveRecord], curr_time: str) -> str:
        """`moves` in the order of the roster, `curr_time` as in meta."""
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
