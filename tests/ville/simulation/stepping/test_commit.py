"""Intents to moves."""

from ville.persona.cognitive_modules.view import Intent
from ville.simulation.stepping.step import commit
from ville.world.address import Tile


def test_moves_come_in_the_order_of_the_roster_and_the_clock_ticks(opened):
    """In any order of intents; only personas in a conversation show a transcript."""
    town = opened("new").town
    before = town.clock
    intents = {name: Intent(name, Tile(3, 5), "🎲", "walking @ a:b") for name in reversed(list(town.personas))}
    moves = commit(town, intents)
    assert list(moves) == list(town.personas)
    assert set(moves.values()) == {((3, 5), "🎲", "walking @ a:b", None)}
    assert town.clock == before.ticked()
