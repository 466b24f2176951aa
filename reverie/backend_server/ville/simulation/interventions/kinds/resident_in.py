"""A resident who moves in."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from ville.errors import BadIntervention, CorruptFile
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.new_persona import new_files
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.persona import Persona
from ville.persona.prompt_template import caps
from ville.simulation.interventions.circumstances import Circumstances, in_field, living_areas
from ville.simulation.interventions.fields import LONGEST_ADDRESS, Look, Name, TextLine, Words
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.town import Town
from ville.storage.records.looks import find_look
from ville.world.address import Address, Tile
from ville.world.maze import Maze
from ville.world.privacy import may_use

NAME = re.compile(r"[^\W\d_]+(-[^\W\d_]+)*( [^\W\d_]+(-[^\W\d_]+)*)+")
"""As in a people file: a name becomes a folder, a part of addresses and, with `_` for spaces, a picture."""
LONGEST_NAME = 60
"""In bytes, so that it fits into the name of a folder."""
BED = "bed"
MOST_HOMES = 6
"""Free homes that a message names."""
Home = Annotated[str, TextLine(LONGEST_ADDRESS)]


class ResidentIn(Intervention):
    """A new resident, who has a home and a character."""

    kind: Literal["resident_in"] = "resident_in"
    name: Name
    """Full name, that no one in the town has."""
    age: Annotated[int, Field(ge=0, le=150)]
    """In years."""
    innate: Words
    """Innate traits, separated by commas."""
    learned: Annotated[str, TextLine(caps.CURRENTLY)]
    """Learned traits, in a sentence or two."""
    currently: Annotated[str, TextLine(caps.CURRENTLY)]
    """Present concerns and plans."""
    lifestyle: Annotated[str, TextLine(caps.CURRENTLY)]
    """Times of sleeping, eating and getting up."""
    home: Home
    """Arena with a bed of one's own."""
    look: Look
    """Name of a sprite."""
    daily_plan_req: Annotated[str, TextLine(caps.REQUIREMENT, 0)] = ""
    """Things that have to happen every day."""


async def prepare(target: Target, resident: ResidentIn) -> Effect:
    """Check name, look and home. Raises BadIntervention."""
    town = target.town
    check_resident_name(resident.name, town.view().people, {*target.folder.former, *town.departed})
    look = find_look(resident.look, target.services.looks)
    home = find_home(town.maze, resident.home, living_areas(town).values())
    persona = _new_persona(town, resident, home)
    tile = _free_tile(town, home)

    def apply() -> str:
        town.move_in(persona, tile)
        return f"{resident.name} moves into {home.sector}: {home.arena}."

    return Effect(resident.model_copy(update={"look": look, "home": str(home)}), apply)


def check(around: Circumstances, resident: ResidentIn, _step: int) -> None:
    """Check name, look and home."""
    with in_field("name"):
        check_resident_name(resident.name, around.homes, around.former)
    with in_field("look"):
        find_look(resident.look, around.looks)
    find_home(around.maze, resident.home, around.homes.values())


def after(around: Circumstances, resident: ResidentIn) -> Circumstances:
    """Return who lives in the town."""
    return around.with_home(resident.name, resident.home)


def check_resident_name(name: str, people: Iterable[str], before: Collection[str]) -> None:
    """Raise BadIntervention unless a new resident can have this name: not of `people` in town, nor of who lived here
    before.
    """
    if not NAME.fullmatch(name) or len(name.encode()) > LONGEST_NAME:
        raise BadIntervention(
            f"'{name}' cannot be the name of a resident. Write first and last name, at most {LONGEST_NAME} letters: "
            "letters, hyphens, single spaces between words."
        )
    taken = {each.casefold(): each for each in (*before, *people)}
    if known := taken.get(name.casefold()):
        reason = "has lived here before, and the memories of that time are kept" if known in before else "is in town"
        raise BadIntervention(f"{known} {reason}. Give the new resident another name.")


def find_home(maze: Maze, text: str, taken: Iterable[str]) -> Address:
    """Return a home with a free bed, given as world:sector:arena; `taken` has the home of each resident.

    Raises BadIntervention naming free ones.
    """
    try:
        home = Address.parse(text)
    except CorruptFile as fault:
        raise BadIntervention(f"home: {fault}") from None
    free = _free_beds(maze, Counter(taken))
    if home in free:
        return home
    reason = "has no free bed" if f"{home}:{BED}" in maze.address_tiles else "is not a home with a bed"
    homes = ", ".join(str(each) for each in list(free)[:MOST_HOMES]) or "none"
    raise BadIntervention(f"home: '{text}' {reason}. Free homes are: {homes}.")


def _free_beds(maze: Maze, living: Counter[str]) -> dict[Address, int]:
    """Return the number of free beds of every home that has any: empty homes first, in the order of the map."""
    beds = {
        Address.parse(address).arena_address: len(tiles)
        for address, tiles in maze.address_tiles.items()
        if address.endswith(f":{BED}")
    }
    free = {home: count - living[str(home)] for home, count in beds.items() if count > living[str(home)]}
    return dict(sorted(free.items(), key=lambda home: living[str(home[0])]))


def _free_tile(town: Town, home: Address) -> Tile:
    """Return a tile of a bed, a free one if there is one."""
    taken = {*town.tiles.values()}
    return min(town.maze.address_tiles[f"{home}:{BED}"], key=taken.__contains__)


def _new_persona(town: Town, resident: ResidentIn, home: Address) -> Persona:
    first, *_, last = resident.name.split()
    identity = Identity(
        name=resident.name,
        first_name=first,
        last_name=last,
        age=resident.age,
        innate=resident.innate,
        learned=resident.learned,
        currently=resident.currently,
        lifestyle=resident.lifestyle,
        living_area=str(home),
        daily_plan_req=resident.daily_plan_req,
    )
    like = next(iter(town.personas.values())).mind
    files = new_files(identity, _known_places(town, identity, home).tree)
    return Persona.load(resident.name, files, like.settings, modules=town.modules)


def _known_places(town: Town, identity: Identity, home: Address) -> SpatialMemory:
    """Return what a new resident knows: the home, and the public places that all residents know."""
    known = SpatialMemory()
    for arena in town.maze.places_in(home.sector_address):
        if arena.object:
            continue
        if arena == home or may_use(arena.arena, identity.name):
            _learn(known, arena, [place.object for place in town.maze.places_in(arena)])
    first, *others = (persona.mind.places for persona in town.personas.values())
    for arena in _arenas(first, home.world):
        is_public = may_use(arena.sector, identity.name) and may_use(arena.arena, identity.name)
        if is_public and all(each.knows(arena) for each in others):
            things = first.objects(arena)
            _learn(known, arena, [thing for thing in things if all(thing in each.objects(arena) for each in others)])
    return known


def _arenas(places: SpatialMemory, world: str) -> Iterator[Address]:
    """Yield the known arenas of a world."""
    for sector in places.sectors(world):
        for arena in places.arenas(world, sector):
            yield Address(world, sector, arena)


def _learn(known: SpatialMemory, arena: Address, things: Iterable[str]) -> None:
    known.add(*arena[:3])
    for thing in things:
        known.add(*arena[:3], thing)


KIND = Kind(
    ResidentIn,
    prepare,
    effect="a resident moves in",
    check=check,
    after=after,
    alone=True,
)
