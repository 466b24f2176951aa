"""Search words for objects: everyday names beside those of a map (`locale/search_words.yaml`)."""

import re
from collections.abc import Mapping
from functools import lru_cache

import yaml
from django.conf import settings

from translator.storage.places import MapPlaces
from ville.storage.files import read_text

FILE = "search_words.yaml"

Words = Mapping[str, list[str]]
"""Other words by name."""


def search_words(places: MapPlaces) -> dict[str, list[str]]:
    """Return other words for the names of all sectors, arenas and objects of a map; names without any are left out."""
    objects, rooms = _known()
    things = {parts[-1] for parts in places.objects}
    found = {name: _of(name, objects) for name in sorted(things)}
    for name in sorted({*places.sectors, *(arena for _, arena in places.arenas)}):
        found[name] = [*found.get(name, []), *_of(name, rooms)]
    return {name: words for name, words in found.items() if words}


def _of(name: str, known: Words) -> list[str]:
    """Return the words of all names that a name contains, the longest first."""
    inside = [each for each in known if re.search(rf"\b{re.escape(each)}\b", name, re.IGNORECASE)]
    return list(dict.fromkeys(word for each in sorted(inside, key=len, reverse=True) for word in known[each]))


@lru_cache(maxsize=1)
def _known() -> tuple[Words, Words]:
    """Return the words for objects and for places, read once: restart the server after a change."""
    read = yaml.safe_load(read_text(settings.LOCALE_PATHS[0] / FILE))
    return read["objects"], read["places"]
