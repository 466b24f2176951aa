"""Everyone stands on their tile; what they use is in use, what they left is idle again.

All of it follows from the people alone, so that a resumed simulation sees what an uninterrupted one does; and the map
is touched only where something is different, so that those who look on can tell that nothing has happened.
"""

from collections.abc import Mapping

from ville.errors import CorruptFile
from ville.persona.persona import Persona
from ville.simulation.town import Town
from ville.storage.step_files import Position
from ville.world.address import Tile
from ville.world.event import Event
from ville.world.maze import Maze


def arrive(town: Town, positions: Mapping[str, Position]) -> None:
    """Put everybody where the stage saw them. Raises CorruptFile for somebody off the map."""
    tiles = {name: Tile(*positions[name]) for name in town.personas}
    if lost := [name for name, tile in tiles.items() if tile not in town.maze]:
        raise CorruptFile(f"{lost[0]} stands at {positions[lost[0]]}, off the map: mend their place in the last step.")
    town.tiles = tiles
    visible_states = [
        (tiles[name], persona.scratch.action, bool(persona.scratch.planned_path))
        for name, persona in town.personas.items()
    ]
    if visible_states != town.visible_states:
        town.visible_states = visible_states
        _place_events(town)


def _place_events(town: Town) -> None:
    """Lay out what people do on the tiles they do it on; where they did something before, all else is at rest."""
    now: dict[Tile, list[Event]] = {}
    for name, persona in town.personas.items():
        here = now.setdefault(town.tiles[name], [])
        here.append(persona.scratch.visible_event())
        if used := _object_in_use(persona):
            here.append(used)
    for tile in {**town.events_by_tile, **now}:
        town.maze.replace_events(tile, _events_on(town.maze, tile, now.get(tile, [])))
    town.events_by_tile = now


def _object_in_use(persona: Persona) -> Event | None:
    """The object somebody uses, once they are there; it shows on their own tile, wherever the object begins."""
    scratch = persona.scratch
    event = None if scratch.planned_path else scratch.visible_object_event()
    return event if event and event.predicate is not None else None


def _events_on(maze: Maze, tile: Tile, events_by_tile: list[Event]) -> list[Event]:
    """What can be seen on a tile: its object at rest unless it is in use, then what people do there, by roster."""
    used = {event.subject for event in events_by_tile}
    place = maze.place(tile)
    rest = Event(place.path("game_object")) if place.game_object else None
    here = [rest] if rest and rest.subject not in used else []
    return [*here, *dict.fromkeys(events_by_tile)]
