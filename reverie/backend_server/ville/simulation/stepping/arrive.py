"""Places personas on their tiles, ends what is over, and marks the objects they use; objects they left become idle.

Events follow from the personas, the visitors and the occurrences alone, so a resumed run sees the same events as an
uninterrupted one. The map is changed only where something differs.
"""

from collections.abc import Iterable, Mapping

from ville.errors import CorruptFile
from ville.persona.cognitive_modules.view import People, VisiblePersona
from ville.simulation.town import Town
from ville.storage.steps.step_files import Position
from ville.world.address import Tile
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
    known = positions if not town.newcomers else {**town.newcomers, **positions}
    tiles = town.tiles
    moved = {
        name: Tile(*known[name])
        for name in town.personas
        if known[name] is not (tile := tiles.get(name)) and known[name] != tile
    }
    if lost := [name for name, tile in moved.items() if tile not in town.maze]:
        raise CorruptFile(
            f"{lost[0]} stands at {known[lost[0]]}, off the map. Correct the position in the last environment file."
        )
    town.tiles |= moved
    for name in moved:
        town.resting.wake(town.personas[name])


def _show_events(town: Town) -> None:
    """Put on the map what has changed: the events of everyone who has, and of occurrences that begin or end."""
    people = town.seen()
    tiles = changed_tiles(town.shown_people, people)
    town.shown_people = people
    if town.occurrences != town.shown_occurrences:
        states = (*town.shown_occurrences.objects, *town.occurrences.objects)
        tiles |= {tile for state in states for tile in town.maze.address_tiles.get(state.where, ())}
        tiles |= {each.tile for each in people.values()}  # what is used has another state, or has it no more
        town.shown_occurrences = town.occurrences
        town.maze.replace_events_of_places([event.event for event in town.occurrences.events])
    for tile in tiles:
        show_events(town, tile, town.shown_people.on(tile))


def changed_tiles(before: People, people: People) -> set[Tile]:
    """Return the tiles on which somebody has changed, or was before or is now."""
    if people is before:
        return set()
    come = [(before.get(name), seen) for name, seen in people.items() if before.get(name) is not seen]
    gone = [(seen, None) for name, seen in before.items() if name not in people]
    return {seen.tile for pair in (*come, *gone) for seen in pair if seen}


def _end_occurrences(town: Town) -> None:
    """End what ends at this step, and the states of objects that a persona has just put right."""
    mended: dict[str, list[str]] = {}
    for name, persona in town.personas.items():
        if address := persona.puts_right(town.clock.now):
            mended.setdefault(address, []).append(name)
    before = town.occurrences.objects
    town.occurrences = town.occurrences.at_step(town.clock.step).without_objects(mended)
    for state in before:
        if state not in town.occurrences.objects:
            town.ended.append(EndedState(state, town.clock.step, tuple(mended.get(state.where, ()))))


def show_events(town: Town, tile: Tile, people: Iterable[VisiblePersona]) -> None:
    """Put on the map what is on a tile on which these people stand."""
    town.maze.replace_events(tile, _events_on(town, tile, people))


def _events_on(town: Town, tile: Tile, people: Iterable[VisiblePersona]) -> list[Event]:
    """Return all events of a tile: its idle object, unless it has another state, those of personas in roster order and
    of visitors, and lasting states.
    """
    caused: list[Event] = []
    for seen in people:
        caused.append(seen.event)
        if seen.using and not town.occurrences.state_of(seen.using.subject):
            caused.append(seen.using)
    states = [each for each in town.occurrences.objects if tile in town.maze.address_tiles.get(each.where, ())]
    caused += [state.event for state in states]
    subjects, place = {event.subject for event in caused}, town.maze.place(tile)
    rest = Event(place.path("game_object")) if place.game_object else None
    here = [rest] if rest and rest.subject not in subjects else []
    return [*here, *dict.fromkeys(caused)]
