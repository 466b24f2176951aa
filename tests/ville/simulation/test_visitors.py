"""Visitors: people without a mind, who are seen, spoken to and remembered like anybody."""

import json

import pytest

from ville.errors import BadIntervention, Unreachable
from ville.simulation.interventions import Source, parse_intervention
from ville.storage.intervention_log import LOG

ADA, BEN = "Ada Stone", "Ben Reed"
API = Source(door="api")
NOON = 12 * 60
"""Steps of a minute."""


@pytest.fixture
def noon(opened, run_for):
    """Open a simulation, and run it until noon."""

    async def open_it(name="new", **options):
        simulation = opened(name, **options)
        await run_for(simulation, NOON)
        return simulation

    return open_it


async def act(simulation, kind, **fields):
    return (await simulation.intervene(parse_intervention({"kind": kind, **fields}), source=API))[0]


def beside(simulation, name):
    """Return a free tile next to a persona."""
    x, y = simulation.town.tiles[name]
    tiles = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return next(tile for tile in tiles if not simulation.town.maze.is_wall(tile))


async def arrive(simulation, name="Nora", to=ADA, about="Nora is a painter from the coast."):
    return await act(simulation, "visitor_in", name=name, look="adult_3", about=about, tile=beside(simulation, to))


def free_persona(simulation):
    return next(name for name, persona in simulation.town.personas.items() if persona.available_to_talk)


async def test_smoke(noon, run_for):
    simulation = await noon()
    who = free_persona(simulation)
    print(await arrive(simulation, to=who))
    print(await act(simulation, "visitor_say", name="Nora", to=who, words="Hello, I am new here."))
    print(await act(simulation, "visitor_say", name="Nora", to=who, words="How are you?"))
    for _ in range(30):
        (report,) = await run_for(simulation, 1)
        print(report.step, report.said, report.failures, report.moves["Nora"] if "Nora" in report.moves else None)
        print("    ", report.moves[who].description, report.moves[who].chat)
    simulation.save()
    print(json.dumps(simulation.town.as_json(), indent=1))
    for node in simulation.persona(who).mind.stream:
        if "Nora" in node.description or node.kind == "chat":
            print(node.node_id, node.kind, node.description, node.filling)
