"""The places from which an action's place is chosen, and the place that is known already (paper §5.1)."""

from dataclasses import dataclass

from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.prompt_template.blanks import PlaceOptions, place_text
from ville.persona.prompt_template.plan_questions import Whereabouts
from ville.world.address import Address
from ville.world.privacy import may_use

OUTDOORS = "the street"
"""Where a persona is that is in no sector."""


@dataclass(frozen=True)
class Surroundings:
    """Where a persona is, lives and may go, as quoted in prompts."""

    here: str
    home: str
    options: PlaceOptions

    def offer(self, place: ActionPlace) -> bool:
        """Return whether a place is still among the options."""
        objects = self.options.places.get(place.sector, {}).get(place.arena)
        return objects is not None and place.game_object in (objects or ("",))


def surroundings(mind: Mind, moment: Moment) -> Surroundings:
    place = moment.view.maze.place(moment.view.people[mind.name].tile)
    identity = mind.scratch.identity
    home = Address.parse(identity.living_area)
    return Surroundings(
        here=place_text(place.sector, place.arena) or OUTDOORS,
        home=place_text(home.sector, home.arena),
        options=_known_options(mind, place.world),
    )


def _known_options(mind: Mind, world: str) -> PlaceOptions:
    """Return the options of a mind, which are the same until it learns of a place or moves."""
    identity = mind.scratch.identity
    of = (mind.places.learned, identity.name, identity.living_area, world)
    if mind.known_options[0] != of:
        mind.known_options = of, place_options(mind.places, identity, world)
    return mind.known_options[1]


def is_free(mind: Mind, moment: Moment, place: ActionPlace) -> bool:
    """Return whether others leave the object of a place free, and nothing has happened to it or around it."""
    view = moment.view
    world = view.maze.place(view.people[mind.name].tile).world
    address = str(Address(world, place.sector, place.arena, place.game_object))
    happening = (*view.occurrences.objects, *view.occurrences.events)
    if any(f"{address}:".startswith(f"{each.where}:") for each in happening):
        return False
    users = sum(each.name != mind.name for each in view.people.who_use(address))
    return not place.game_object or users < len(view.maze.address_tiles.get(address, ()))


def place_options(places: SpatialMemory, identity: Identity, world: str) -> PlaceOptions:
    """Return the known places of a world without private places of others. Home is always included."""
    home = Address.parse(identity.living_area)
    known: dict[str, dict[str, tuple[str, ...]]] = {}
    for sector in places.sectors(world):
        arenas = {
            arena: tuple(places.objects(Address(world, sector, arena)))
            for arena in places.arenas(world, sector)
            if _may_enter(Address(world, sector, arena), identity.name, home)
        }
        if arenas:
            known[sector] = arenas
    known.setdefault(home.sector, {}).setdefault(home.arena, ())
    return PlaceOptions(known)


def _may_enter(place: Address, name: str, home: Address) -> bool:
    """Return whether an arena is home, or neither it nor its sector belongs to others."""
    sector = place.sector == home.sector or may_use(place.sector, name)
    return sector and (place == home or may_use(place.arena, name))


def action_place(answer: Whereabouts) -> ActionPlace:
    return ActionPlace(*answer.site, answer.emoji, answer.object_state)
