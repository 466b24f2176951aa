"""Places personas on their tiles, ends what is over, and marks the objects they use; objects they left become idle.

Events follow from the personas, the visitors and the occurrences alone, so a resumed run sees the same events as an
uninterrupted one. The map is changed only where something differs.
"""

from collections.abc import Mapping

from ville.errors import CorruptFile
from ville.persona.persona import Persona
from ville.simulation.town import Town, VisibleState
from ville.storage.steps.step_files import Position
from ville.world.address import Tile
from ville.world.maze import Maze
from ville.world.occurrences import EndedState
from ville.world.tile_event import Event


def arrive(town: Town, positions: Mapping[str, Position]) -> None:
    """Set the positions of all personas, and end what is over. Raises CorruptFile if one is off the map."""
    _set_tiles(town, positions)
    if town.occurrences:
        _end_occurrences(town)
    _show_events(town)


def place(town: Town, positions: Mapping[str, Position]) -> None:
    """Set the positions of all personas before the coming step. Raises CorruptFile if one is off the map."""
    _set_tiles(town, positions)
    _show_events(town)


def _set_tiles(town: Town, positions: Mapping[str, Position]) -> None:
    known = {**town.newcomers, **positions}
    tiles = {name: Tile(*known[name]) for name in town.personas}
    if lost := [name for name, tile in tiles.items() if tile not in town.maze]:
        raise CorruptFile(
            f"{lost[0]} stands at {known[lost[0]]}, off the map. Correct the position in the last environment file."
        )
    town.tiles = tiles


def _show_events(town: Town) -> None:
    """Put what has changed on the map."""
    visible_states: list[VisibleState] = [
        (town.tiles[name], persona.scratch.action, bool(persona.scratch.planned_path))
        for name, persona in town.personas.items()
    ]
    visible_states += town.visitors.events()
    if visible_states != town.visible_states or town.occurrences != town.shown_occurrences:
        town.visible_states, town.shown_occurrences = visible_states, town.occurrences
        _place_events(town)


def _end_occurrences(town: Town) -> None:
    """End what ends at this step, and the states of objects that a persona has just put right."""
    mended: dict[str, list[str]] = {}
    for name, persona in town.personas.items():
        if address := persona.scratch.mended(town.clock.now):
            mended.setdefault(address, []).append(name)
    before = town.occurrences.objects
    town.occurrences = town.occurrences.at_step(town.clock.step).without_objects(mended)
    for state in before:
        if state not in town.occurrences.objects:
            town.ended.append(EndedState(state, town.clock.step, tuple(mended.get(state.where, ()))))


def _place_events(town: Town) -> None:
    """Put the events of personas, visitors and occurrences on the map, and reset tiles where something ended."""
    now: dict[Tile, list[Event]] = {}
    for name, persona in town.personas.items():
        here = now.setdefault(town.tiles[name], [])
        here.append(persona.scratch.visible_event())
        used = _object_in_use(persona)
        if used and not town.occurrences.state_of(used.subject):
            here.append(used)
    for tile, event in town.visitors.events():
        now.setdefault(tile, []).append(event)
    for state in town.occurrences.objects:
        for tile in town.maze.address_tiles.get(state.where, ()):
            now.setdefault(tile, []).append(state.event)
    town.maze.replace_events_of_places([event.event for event in town.occurrences.events])
    for tile in {**town.events_by_tile, **now}:
        town.maze.replace_events(tile, _events_on(town.maze, tile, now.get(tile, [])))
    town.events_by_tile = now


def _object_in_use(persona: Persona) -> Event | None:
    """Return the event of the object that a persona uses, once it has arrived; shown on the persona's own tile."""
    scratch = persona.scratch
    event = None if scratch.planned_path else scratch.visible_object_event()
    return event if event and event.predicate is not None else None


def _events_on(maze: Maze, tile: Tile, caused: list[Event]) -> list[Event]:
    """Return all events of a tile: its idle object, unless it has another state, then the caused ones, in order."""
    used = {event.subject for event in caused}
    place = maze.place(tile)
    rest = Event(place.path("game_object")) if place.game_object else None
    here = [rest] if rest and rest.subject not in used else []
    return [*here, *dict.fromkeys(caused)]
