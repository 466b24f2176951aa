"""Read which places people know: the `places`, `groups` and `knows` of a people file."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NoReturn

import yaml

from town_builder.cast.cast import Places
from town_builder.plan.places import read_name
from town_builder.yaml_reader import YamlEntry


def read_places(entry: YamlEntry) -> Places:
    """Return sector → arena → objects, in file order."""
    return {
        sector: {
            arena: tuple(read_name(name) for name in objects.items()) for arena, objects in arenas.fields().items()
        }
        for sector, arenas in entry.fields().items()
    }


def read_place_lines(entry: YamlEntry) -> tuple[tuple[str, str], ...]:
    """Return every address below `places` with its `file:line`."""
    found = []
    for sector, arenas in entry.fields().items():
        found.append((sector, arenas.where))
        for arena, objects in arenas.fields().items():
            found.append((f"{sector}:{arena}", objects.where))
            found.extend((f"{sector}:{arena}:{each.text()}", each.where) for each in objects.items())
    return tuple(found)


def read_groups(entry: YamlEntry | None, places: Places) -> Mapping[str, Places]:
    """Return group name → the places in the group."""
    groups = entry.fields() if entry else {}
    for name, group in groups.items():
        if name in places:
            group.fail(f"the group {name!r} has the name of a sector", "give it another name")
    return {name: read_known(group, places, {}) for name, group in groups.items()}


def read_known(entry: YamlEntry, places: Places, groups: Mapping[str, Places]) -> Places:
    """Return the places of a list of groups, whole sectors and `{sector: [arenas]}`."""
    return _merged(_one(part, places, groups) for part in entry.items())


def _one(part: YamlEntry, places: Places, groups: Mapping[str, Places]) -> Places:
    if not isinstance(part.node, yaml.MappingNode):
        name = part.text()
        known = {**{sector: {sector: arenas} for sector, arenas in places.items()}, **groups}
        return known[name] if name in known else _fail_unknown_place(part, name, known)
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for sector, arenas in part.fields().items():
        if sector not in places:
            _fail_unknown_place(arenas, sector, places)
        found[sector] = {arena.text(): _objects(arena, places[sector]) for arena in arenas.items()}
    return found


def _objects(arena: YamlEntry, arenas: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    name = arena.text()
    return arenas[name] if name in arenas else _fail_unknown_place(arena, name, arenas)


def _fail_unknown_place(entry: YamlEntry, name: str, known: Iterable[str]) -> NoReturn:
    near = get_close_matches(name, list(known), 1)
    fix = f"did you mean {near[0]!r}?" if near else "add it to `places`"
    entry.fail(f"there is no place {name!r}", fix)


def _merged(parts: Iterable[Places]) -> Places:
    """Return the union, in order of appearance, each sector and arena once."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for part in parts:
        for sector, arenas in part.items():
            found.setdefault(sector, {}).update(arenas)
    return found
