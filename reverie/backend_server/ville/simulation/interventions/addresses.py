"""Finds objects and places by what users write: `stove`, `cafe > stove`, `кафе > плита`, or a whole address."""

from collections.abc import Sequence
from difflib import get_close_matches

from ville.errors import BadIntervention
from ville.persona.prompt_template.blanks import place_text
from ville.persona.prompt_template.place_questions import LEVELS, SEPARATOR, Alike, words_of
from ville.plain_text import shortened
from ville.storage.other_words import names_called
from ville.world.address import Address, Tile
from ville.world.maze import SPAWN, Maze

MOST_NAMED = 5
"""Addresses that a message names."""
EXCERPT = 60
SIMILAR = 0.5
"""Ratio from which an address is named as a near match."""


def find_object(maze: Maze, said: str) -> Address:
    """Return the object that is meant. Raises BadIntervention unless it is clear."""
    return _find(said, [each for each in _addresses(maze) if each.object], "an object")


def find_place(maze: Maze, said: str) -> Address:
    """Return the arena, the sector or the world that is meant. Raises BadIntervention unless it is clear."""
    places = [Address(maze.world), *(each for each in _addresses(maze) if not each.object)]
    return _find(said, places, "a place")


def places_of(maze: Maze) -> list[str]:
    """Return the addresses of all sectors and arenas."""
    return [str(each) for each in _addresses(maze) if not each.object]


def objects_of(maze: Maze) -> list[str]:
    """Return the addresses of all objects."""
    return [str(each) for each in _addresses(maze) if each.object]


def find_spot(maze: Maze, said: str | tuple[int, int], near: Tile | None = None) -> Tile:
    """Return a tile on which one can stand, given as column and row, or as a place or an object.

    Of a place it is the nearest tile, or the first one. Raises BadIntervention.
    """
    if not isinstance(said, str):
        tile = Tile(*said)
        if tile not in maze or maze.is_wall(tile):
            what = "a wall" if tile in maze else "off the map"
            raise BadIntervention(f"{tile.x}, {tile.y} is {what}. Choose another tile.")
        return tile
    address = _find(said, _addresses(maze), "a place")
    free = [tile for tile in maze.address_tiles[str(address)] if not maze.is_wall(tile)]
    if not free:
        raise BadIntervention(f"No one can stand at '{readable(address)}'. Choose another place.")
    return min(free, key=lambda tile: abs(tile.x - near.x) + abs(tile.y - near.y)) if near else free[0]


def readable(address: Address) -> str:
    """Return an address as users read it: without the world, unless it is the world."""
    return place_text(*address[1:]) or address.world


def _addresses(maze: Maze) -> list[Address]:
    return [Address.parse(address) for address in maze.address_tiles if not address.startswith(SPAWN)]


def _find(said: str, options: Sequence[Address], kind: str) -> Address:
    whole = next((each for each in options if str(each).casefold() == said.casefold()), None)
    if whole:
        return whole
    names = [part for part in SEPARATOR.split(said) if words_of(part)]
    for alike in (*LEVELS[:2], *map(_in_other_words, LEVELS[:2])):
        meant = [each for each in options if _is_meant(each, names, alike)]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise BadIntervention(f"'{shortened(said, EXCERPT)}' can mean {_listed(meant)}. Write one of these.")
    near = [each for each in options if _is_meant(each, names, LEVELS[2])] or _similar(said, options)
    hint = f"Did you mean {_listed(near)}?" if near else "Write it as sector > arena > object."
    raise BadIntervention(f"'{shortened(said, EXCERPT)}' is not {kind} of {options[0].world}. {hint}")


def _is_meant(address: Address, names: Sequence[str], alike: Alike) -> bool:
    """Return whether the last name is that of the address, and the others, in order, are those of what it is in."""
    *around, last = [part for part in address if part]
    if not names or not alike(names[-1], last):
        return False
    rest = iter(around)
    return all(any(alike(name, part) for part in rest) for name in names[:-1])


def _in_other_words(alike: Alike) -> Alike:
    """Return the same comparison of a name with what was said and with what that is another word for."""
    return lambda said, name: any(alike(each, name) for each in (said, *names_called(said)))


def _similar(said: str, options: Sequence[Address]) -> list[Address]:
    texts = {readable(each).casefold(): each for each in options} | {
        [part for part in each if part][-1].casefold(): each for each in options
    }
    return [texts[text] for text in get_close_matches(said.casefold(), texts, MOST_NAMED, SIMILAR)]


def _listed(addresses: Sequence[Address]) -> str:
    named = [f"'{readable(each)}'" for each in dict.fromkeys(addresses)]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return ", ".join(named[:MOST_NAMED]) + more
