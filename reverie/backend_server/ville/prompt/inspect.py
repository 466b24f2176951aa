"""Commands that only look: one small function each, from the simulation to text."""

from collections.abc import Iterator, Mapping

from ville.llm.accounting.estimate import PlannedRun
from ville.llm.accounting.estimate import estimate as estimate_costs
from ville.llm.accounting.summaries import Calendar, format_table, summarize_all
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.stream.concept_node import Kind
from ville.simulation.clock import Span
from ville.simulation.past_town import PastTown
from ville.simulation.simulation import Simulation
from ville.storage.dates import time_text
from ville.world.address import Tile

Viewed = Simulation | PastTown
"""The open simulation, or an earlier moment of it."""


def current_time(simulation: Viewed) -> str:
    return f"{time_text(simulation.clock.now)}\nsteps: {simulation.clock.step}"


def schedule(simulation: Viewed, name: str) -> str:
    """Return one line for each activity of today's plan: when it ends, and what it is."""
    return _schedule(simulation.persona(name).scratch.schedule)


def hourly_schedule(simulation: Viewed, name: str) -> str:
    return _schedule(simulation.persona(name).scratch.hourly_schedule)


def _schedule(day: Schedule) -> str:
    return "\n".join(f"{slot.end // 60:02}:{slot.end % 60:02} || {slot.activity.text}" for slot in day.slots())


def all_schedules(simulation: Viewed) -> str:
    return "\n".join(f"{name}\n{schedule(simulation, name)}\n\n---" for name in simulation.town.personas)


def current_tile(simulation: Viewed, name: str) -> str:
    """Return `(x, y)`."""
    return str(tuple(simulation.town.tiles[name]))


def chatting_buffer(simulation: Viewed, name: str) -> str:
    """Return the number of steps until the persona would talk to each other persona again."""
    cool_downs = simulation.persona(name).scratch.cool_downs
    return "\n".join(f"{other}: {steps}" for other, steps in cool_downs.items())


def events(simulation: Viewed, name: str) -> str:
    return _memories(simulation, name, "event")


def thoughts(simulation: Viewed, name: str) -> str:
    return _memories(simulation, name, "thought")


def _memories(simulation: Viewed, name: str, kind: Kind) -> str:
    """Return the name, then one tuple for each memory."""
    nodes = simulation.persona(name).mind.stream.newest(kind)
    tuples = [(kind.capitalize(), node.ordinal, ": ", node.triple, " -- ", node.description) for node in nodes]
    return "\n".join([name, *map(str, tuples)])


def chats(simulation: Viewed, name: str) -> str:
    """Return all conversations of a persona: partner, topic, time, and dialogue."""
    blocks = [
        [f"with {node.object} ({node.description})", time_text(node.created), *_lines(node.transcript)]
        for node in simulation.persona(name).mind.stream.newest("chat")
    ]
    return "\n".join([name, *(line for block in blocks for line in block)])


def _lines(transcript: tuple[tuple[str, str], ...]) -> list[str]:
    return [f"{speaker}: {said}" for speaker, said in transcript]


def spatial_memory(simulation: Viewed, name: str) -> str:
    """Return the places that a persona knows, as an indented tree."""
    return tree_text(simulation.persona(name).mind.places.tree)


def tree_text(tree: Mapping[str, object]) -> str:
    return "\n".join(_branches(tree, 0))


def _branches(tree: object, depth: int) -> Iterator[str]:
    if not isinstance(tree, Mapping):
        if tree:
            yield f"{' >' * depth} {tree}"
        return
    for place, inside in tree.items():
        if place:
            yield f"{' >' * depth} {place}"
        yield from _branches(inside, depth + 1)


def tile_event(simulation: Viewed, tile: Tile) -> str:
    """Return the events on a tile. Raises TileOffMap."""
    return "\n".join(str(tuple(event)) for event in simulation.town.maze.events_at(tile))


def tile_details(simulation: Viewed, tile: Tile) -> str:
    """Return everything the map stores about a tile. Raises TileOffMap."""
    maze = simulation.town.maze
    details = {**maze.details(tile), "events": [tuple(event) for event in maze.events_at(tile)]}
    return "\n".join(f"{key}: {value}" for key, value in details.items())


def ledger(simulation: Simulation) -> str:
    """Return calls, tokens and cost by question."""
    ledgers = simulation.services.ledgers
    if ledgers is None or ledgers.run is None:
        return "No calls: the personas follow offline rules."
    return format_table(summarize_all(ledgers.run, ledgers.interviews, "question", calendar=_calendar(simulation)))


def estimate(simulation: Simulation, span: Span) -> str:
    """Return what it would cost to run that far."""
    clock, services = simulation.clock, simulation.services
    planned = PlannedRun(
        people=len(simulation.town.personas),
        first=clock.step,
        steps=clock.steps_in(span),
        calendar=_calendar(simulation),
    )
    text = estimate_costs(planned, services.cost_model, services.ledger).text(planned)
    if services.ledger is None:
        return f"The offline rules cost nothing. With a language model:\n{text}"
    return text


def _calendar(simulation: Simulation) -> Calendar:
    clock = simulation.clock
    return Calendar.at(clock.now, clock.step, clock.seconds_per_step)
