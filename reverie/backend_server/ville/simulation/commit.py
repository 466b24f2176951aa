"""Turns intents into moves, in roster order, and advances the clock."""

from collections.abc import Mapping

from ville.persona.cognitive_modules.view import Intent
from ville.simulation.town import Town
from ville.storage.steps.step_files import MoveRecord
from ville.world.address import Tile


def commit(town: Town, intents: Mapping[str, Intent]) -> dict[str, MoveRecord]:
    """Return the move of each persona and visitor, and advance the clock by one step."""
    moves = {name: _move(town, intents[name]) for name in town.personas}
    town.newcomers.clear()
    town.tiles = {name: Tile(*move.movement) for name, move in moves.items()}
    moves |= town.visitors.move(town.maze)
    town.clock = town.clock.ticked()
    return moves


def _move(town: Town, intent: Intent) -> MoveRecord:
    talk = town.personas[intent.name].scratch.conversation
    return MoveRecord(intent.next_tile, intent.emoji, intent.description, talk.transcript if talk else None)
