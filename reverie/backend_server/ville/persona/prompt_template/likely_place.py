"""Where an activity takes place if no model says so: where its words say, or where the persona is. Sleep is in bed."""

import re
from collections.abc import Sequence

from ville.persona.memory_structures.action import SLEEP_WORD
from ville.persona.prompt_template.blanks import Places, place_text
from ville.persona.prompt_template.place_questions import BED, Site, words_of

NAP = re.compile(r"\b(?:asleep|naps?|napping|спит|сон|дремлет)\b", re.IGNORECASE)
"""Words of activities that are sleep, beside SLEEP_WORD."""


def bed_at_home(what: str, of: str | None, places: Places, home: str) -> Site | None:
    """Return the persona's own bed if it sleeps, unless the activity names another place; without a bed its room.

    `of` is the activity of which this one is a part. `home` is `sector > arena`.
    """
    doing = f"{of or ''} {what}"
    own = Site(*home.partition(" > ")[::2])
    objects = places.get(own.sector, {}).get(own.arena)
    if objects is None or not (SLEEP_WORD in doing or NAP.search(what)) or _names_elsewhere(doing, places, own):
        return None
    return own._replace(game_object=_bed_of(objects))


def _bed_of(objects: Sequence[str]) -> str:
    """Return the bed among objects, of whatever kind; empty if there is none."""
    beds = [name for name in objects if name == BED or name.endswith(f" {BED}")]
    return min(beds, key=len, default="")


def _names_elsewhere(doing: str, places: Places, own: Site) -> bool:
    """Return whether an activity names a place other than home, or something other than a bed to lie on."""
    sectors = [sector for sector in places if sector != own.sector]
    arenas = [arena for each in places.values() for arena in each if arena != own.arena]
    objects = [name for each in places.values() for things in each.values() for name in things if not _bed_of([name])]
    return any(_names(doing, name) for name in (*sectors, *arenas, *objects))


def likely_site(doing: str, places: Places, here: str, home: str) -> Site:
    """Return the option that an activity names, else the current place if it is an option, else one at home.

    Only sleep takes place in bed, at home. `here` and `home` are `sector > arena`.
    """
    known = {place_text(sector, arena): Site(sector, arena) for sector, arenas in places.items() for arena in arenas}
    own = known.get(home) or next(iter(known.values()))
    objects = {site: places[site.sector][site.arena] for site in known.values()}
    if SLEEP_WORD in doing:
        return own._replace(game_object=_bed_of(objects[own]))
    current = known.get(here)
    at_home = sorted((site for site in objects if site.sector == own.sector), key=lambda site: BED in objects[site])
    site = _named_site(doing, list(objects), [current.sector if current else "", own.sector]) or current or at_home[0]
    usable = [name for name in objects[site] if name != BED]
    named = [name for name in usable if _names(doing, name)]
    return site._replace(game_object=next(iter([*named, *usable]), ""))


def _named_site(doing: str, sites: Sequence[Site], near: Sequence[str]) -> Site | None:
    """Return the site that an activity names by sector or arena; of several arenas, one in a sector that is near."""
    sectors = [site for site in sites if _names(doing, site.sector)]
    arenas = [site for site in sectors or sites if _names(doing, site.arena)]
    close = [site for sector in near for site in arenas if site.sector == sector]
    found = close or (arenas if len(arenas) == 1 else []) or sectors
    return found[0] if found else None


def _names(doing: str, name: str) -> bool:
    """Return whether a text has the words of a name, one after another."""
    words, named = words_of(doing), words_of(name)
    return any(words[start : start + len(named)] == named != () for start in range(len(words)))
