"""Intents become moves."""

from ville.persona.cognitive_modules.view import Intent
from ville.simulation.commit import commit
from ville.world.address import Tile


def test_moves_come_in_the_order_of_the_roster_and_the_clock_ticks(opened):
    """Whatever the order of the intents; nobody who does not talk shows a talk."""
    town = opened("new").town
    before = town.clock
    intents = {name: Intent(name, Tile(3, 5), "🎲", "walking @ a:b") for name in reversed(list(town.personas))}
    moves = commit(town, intents)
    assert list(moves) == list(town.personas)
    assert set(moves.values()) == {((3, 5), "🎲", "walking @ a:b", None)}
    assert town.clock == before.ticked()
