"""Places as models write them: `hobbs cafe`, `Hobbs Cafe > cafe`, `the Ville:Hobbs Cafe:cafe:piano`, or misspelt."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from ville.persona.prompt_template.blanks import Places

Alike = Callable[[str, str], bool]
"""Whether what was written can mean a name."""
SEPARATOR = re.compile(r"\s*(?:->|[>→:/|,])\s*")
POSSESSOR = re.compile(r"(\w+)['’]s?\b")
DENIALS = {"not", "no", "never", "except", "without", "не", "кроме"}
UNIMPORTANT = {"the", "a", "an", "s"}
SIMILAR = 0.8
"""Ratio from which a word is a misspelling of another: one wrong letter of five."""
SHORTEST = 3
"""Letters of a word that may be misspelt; shorter words are too much alike."""
KEPT = 10_000
"""Words and texts that were read lately, and need not be read again."""
BED = "bed"
HOME = {("home",), ("my", "home"), ("at", "home")}


class Site(NamedTuple):
    """A sector, one of its arenas, and one of that arena's objects; empty where nothing is named."""

    sector: str
    arena: str
    game_object: str = ""


def read_site(said: Site, places: Places, home: str) -> Site:
    """Return the only option that can be meant. `home` is the sector where the persona lives.

    Raise ValueError, worded for the model.
    """
    site = _site(said, places, home)
    if _is_denied(said, places):
        raise ValueError(_complaint(said, places))
    if not site.game_object and places[site.sector][site.arena]:
        raise ValueError(_complaint(site._replace(game_object=said.game_object), places))
    return site


def bent_site(said: Site, places: Places, home: str, *, asleep: bool = False) -> Site:
    """Return the option that agrees best with what was written, in the sector that is named, if any. Raise ValueError.

    A bed is used only if it is written, or in sleep.
    """
    sector, found = _named_sector(said.sector, places, home), []
    within = {sector: places[sector]} if sector else places
    parts = (said, said._replace(sector=""), said._replace(arena=""), said._replace(sector="", game_object=""))
    for part in (*parts, Site(sector, "", said.game_object)) if sector else parts:
        with suppress(ValueError):
            found.append(_site(part, within, home))
    if not found or _is_denied(said, places):
        raise ValueError(_complaint(said, places))
    best = next((site for site in found if site.game_object), found[0])
    objects = places[best.sector][best.arena]
    return best if best.game_object else best._replace(game_object=_likely_object(objects, asleep=asleep))


def site_choices(places: Places) -> dict[str, list[str]]:
    """Return all sectors, arenas and objects, by the fields of an answer that name them."""
    sites = [(arena, objects or ("",)) for arenas in places.values() for arena, objects in arenas.items()]
    return {
        "sector": list(places),
        "arena": list(dict.fromkeys(arena for arena, _ in sites)),
        "game_object": list(dict.fromkeys(name for _, objects in sites for name in objects)),
    }


def check_site(site: Site, places: Places) -> None:
    """Raise ValueError, worded for the model, if a site is not an option."""
    objects = places.get(site.sector, {}).get(site.arena)
    if objects is None or site.game_object not in (objects or ("",)):
        raise ValueError(_complaint(site, places))


def _site(said: Site, places: Places, home: str) -> Site:
    """Return the only option that can be meant, with an object if one of the arena is named or it has only one."""
    sites = [Site(sector, arena) for sector, arenas in places.items() for arena in arenas]
    names = [name for site in sites for name in (*site[:2], *places[site.sector][site.arena])]
    where = [part for text in said[:2] for part in _parts(text, names, home)]
    what = _parts(said.game_object, names, home)
    for alike in LEVELS:
        fitting = [site for site in sites if all(_names_part(part, site, places, alike) for part in where)]
        if fitting and (site := _only(fitting, said, what, places=places, alike=alike)):
            return site._replace(game_object=_object(site, where, what, places[site.sector][site.arena]))
        if fitting:
            break
    raise ValueError(_complaint(said, places))


def _is_denied(said: Site, places: Places) -> bool:
    """Return whether a place is written that is not meant: `not the cafe`."""
    named = {word for sector, arenas in places.items() for name in (sector, *arenas) for word in words_of(name)}
    return any((DENIALS - named).intersection(words_of(text)) for text in said[:2])


def _named_sector(text: str, places: Places, home: str) -> str:
    """Return the only sector that the first place in a text can mean, or an empty text."""
    arenas = [arena for each in places.values() for arena in each]
    for part in _parts(text, (*places, *arenas), home)[:1]:
        for alike in LEVELS:
            found = [sector for sector in places if alike(part, sector)]
            if found or any(alike(part, arena) for arena in arenas):
                return found[0] if len(found) == 1 else ""
    return ""


def _likely_object(objects: Sequence[str], *, asleep: bool) -> str:
    """Return the bed in sleep, else any other object; empty if there are none."""
    usable = [name for name in objects if (name == BED) == asleep]
    return next(iter([*usable, *objects]), "")


def _parts(text: str, names: Iterable[str], home: str) -> list[str]:
    """Return the places in a text, without the world that addresses begin with."""
    if any(_same(text, name) for name in names):
        return [text]
    parts = [part for part in SEPARATOR.split(text) if words_of(part)]
    if len(parts) > 1 and not any(_partly_same(parts[0], name) for name in names):
        parts = parts[1:]
    return [home if words_of(part) in HOME and home else part for part in parts]


def _names_part(part: str, site: Site, places: Places, alike: Alike) -> bool:
    return any(alike(part, name) for name in (*site[:2], *places[site.sector][site.arena]))


def _only(
    fitting: Sequence[Site], said: Site, what: Sequence[str], *, places: Places, alike: Alike
) -> Site | None:  # fmt: skip
    """Return the site of which most is named in its place, or else the only one with the object; None if unclear."""

    def named(site: Site) -> int:
        return sum(alike(text, name) for text, name in zip(said[:2], site[:2], strict=True))

    most = max(map(named, fitting))
    best = [site for site in fitting if named(site) == most]
    if len(best) > 1 and what:
        best = [site for site in best if all(_names_part(part, site, places, alike) for part in what)]
    return best[0] if len(best) == 1 else None


def _object(site: Site, where: Sequence[str], what: Sequence[str], objects: Sequence[str]) -> str:
    """Return the only object of an arena that can be meant, or an empty text."""
    for alike in LEVELS:
        said = what or [part for part in where if not any(alike(part, name) for name in site[:2])]
        found = [name for name in objects if any(alike(part, name) for part in said)]
        if len(found) == 1:
            return found[0]
    return objects[0] if len(objects) == 1 and not what else ""


@lru_cache(maxsize=KEPT)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name that distinguish it from others."""
    return tuple(word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in UNIMPORTANT)


def _same(said: str, name: str) -> bool:
    return words_of(said) == words_of(name) != ()


def _partly_same(said: str, name: str) -> bool:
    """Return whether one has all the words of the other, and the same owner: `Ada's room` is not any `room`."""
    words, others = set(words_of(said)), set(words_of(name))
    owners = set(POSSESSOR.findall(said.casefold()))
    return bool(words and others and (words <= others or others <= words) and owners <= others)


def _similar(said: str, name: str) -> bool:
    """Return whether one is the other with misspelt words."""
    words, others = words_of(said), words_of(name)
    return len(words) == len(others) > 0 and all(map(_misspelt, words, others))


@lru_cache(maxsize=KEPT)
def _misspelt(one: str, other: str) -> bool:
    long = min(len(one), len(other)) >= SHORTEST
    return one == other or (long and SequenceMatcher(None, one, other).ratio() >= SIMILAR)


LEVELS: tuple[Alike, ...] = (_same, _partly_same, _similar)


def _complaint(said: Site, places: Places) -> str:
    """Return what is wrong, worded for the model."""
    if said.sector not in places:
        return f"sector: {said.sector!r} is not one of {', '.join(places)}"
    arenas = places[said.sector]
    if said.arena not in arenas:
        return f"arena: {said.arena!r} is not one of {', '.join(arenas)}"
    return f"game_object: {said.game_object!r} is not one of {', '.join(arenas[said.arena])}"
