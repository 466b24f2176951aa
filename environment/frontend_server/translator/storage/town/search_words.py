"""Search words for the names of a map: everyday words in the languages of the pages."""

from translator.storage.town.places import MapPlaces
from ville.storage.other_words import words_for_object, words_for_place


def search_words(places: MapPlaces) -> dict[str, list[str]]:
    """Return other words for the names of all sectors, arenas and objects of a map; names without any are left out."""
    things = {parts[-1] for parts in places.objects}
    found = {name: words_for_object(name) for name in sorted(things)}
    for name in sorted({*places.sectors, *(arena for _, arena in places.arenas)}):
        found[name] = [*found.get(name, []), *words_for_place(name)]
    return {name: words for name, words in found.items() if words}
