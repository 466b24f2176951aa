"""Which of the places on offer fits an action: own rooms first, nobody else's private ones ever."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from ville.llm.offline.days.deeds import HOME, SHIFT, STAFF, UNKNOWN, Deed, deed_of
from ville.llm.offline.english.wordlist import words
from ville.llm.offline.people.person import Person, gender_word

Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Sector → arena → objects."""

_AT_HOME = re.compile(r"\bhome\b|\b(?:his|her|their) (?:room|desk)\b|\bready for bed\b|\bmorning routine\b")
KINDS = {
    "cafe": "cafe|coffee|bakery|tea|diner|restaurant|bistro|canteen|inn|pub",
    "pub": "pub|bar|tavern|inn|taproom|club|restaurant|cafe",
    "park": "park|garden|square|plaza|green|beach|meadow|lawn|wood|shore",
    "market": "market|grocer|store|shop|supermarket|stall|hall",
    "supply store": "supply|hardware|store|shop",
    "pharmacy": "pharmacy|drugstore|market",
    "library": "library|reading room|archive|school",
    "classroom": "classroom|lecture|hall|school",
    "class": "classroom|library",
    "college": "college|university|school",
    "garden": "garden|park",
    "common room": "common room|living room|lounge",
    "kitchen": "kitchen|common room|main room",
    "bathroom": "bathroom",
    "church": "church|chapel",
    "workshop bench": "workshop|garage",
}
"""What people call a place → words in the names of such places, best first."""
OWNED = re.compile(r"^(.+?)['’]s?\s+(?:\w+\s)*(?:bedroom|room|bathroom|house|apartment|flat|home|place|studio|cabin)$")
ALSO = {
    "cooking area": ("stove", "oven", "hearth", "cooker", "fireplace"), "refrigerator": ("fridge", "icebox", "pantry"),
    "bathroom sink": ("washbasin", "basin", "tub"), "kitchen sink": ("basin", "washtub"),
    "customer seating": ("bench", "booth", "stool", "tea table"), "counter": ("stall", "till", "scales"),
    "behind the": ("stall", "till", "scales"), "shelf": ("rack", "bookcase", "cupboard"),
    "closet": ("wardrobe", "chest"),
    "park garden": ("lawn", "flower bed", "path", "bench"), "garden chair": ("bench", "deck chair"),
    "sofa": ("armchair", "couch", "bench"), "shower": ("bath", "tub"), "computer": ("laptop",),
}  # fmt: skip
"""What the tables want → what it may be called in other towns."""
COMFORT = ("desk", "table", "seating", "sofa", "chair", "garden", "counter", "bed", "shelf")
"""What people turn to when nothing in particular is wanted, best first."""
STATES = {
    "bed": "is being sat on", "desk": "is being worked at", "table": "is being sat at", "seating": "is taken",
    "sofa": "is being sat on", "sink": "is being used", "garden": "is being walked through", "behind the": "is staffed",
    "shelf": "is being looked through", "closet": "is standing open", "refrigerator": "is standing open",
    "cooking area": "is warm", "counter": "is being leaned on", "computer": "is switched on", "chair": "is being sat"
                                                                                                       " in",
}  # fmt: skip
"""What an object is like that is used for something else than it is made for."""
STATEFUL = words("closet refrigerator bed shelf")
"""These look like themselves, whatever they stand in for."""
STAFF_ONLY = ("behind the", "refrigerator", "cooking area", "kitchen sink")
"""In places that are not home, these are for those who work there."""
_FITTING, _STEP = 60, 6
"""Worth of the object that is wanted most, and how much less each next one is worth."""


@dataclass(frozen=True)
class Spot:
    sector: str
    arena: str
    object: str
    deed: Deed
    fits: bool
    """Whether the object is one that the deed asks for."""

    @property
    def state(self) -> str:
        if self.fits:
            return self.deed.state
        return next(
            (state for part, state in STATES.items() if part in self.object), "is being used" if self.object else ""
        )


@dataclass(frozen=True)
class Wish:
    """Somebody's action and where it starts from. Addresses are cut into their parts."""

    person: Person
    action: str
    activity: str
    here: tuple[str, ...]
    home: tuple[str, ...]

    @property
    def words(self) -> str:
        return f"{self.activity} | {self.action}".lower()

    @property
    def on_shift(self) -> bool:
        return bool(re.search(SHIFT, self.words)) or bool(re.search(r"\b(?:host|throw|decorat)\w*", self.words))


def choose(wish: Wish, places: Places, rng: Random) -> Spot:
    """The best spot for a wish; among equals, any."""
    deed = deed_of(wish.action)
    deed = deed if deed is not UNKNOWN else deed_of(wish.activity)
    sites = [(sector, arena) for sector, arenas in places.items() for arena in arenas]
    allowed = [site for site in sites if may_enter(wish.person, site, wish.home)] or sites
    scored = [(_worth(wish, deed, site, places[site[0]][site[1]]), site) for site in allowed]
    best = max(worth for worth, _ in scored)
    sector, arena = rng.choice([site for worth, site in scored if worth == best])
    chosen, fits = _object(wish, deed, (sector, arena), places[sector][arena])
    return Spot(sector, arena, chosen, deed, fits)


def may_enter(person: Person, site: tuple[str, str], home: tuple[str, ...]) -> bool:
    """Home is open; of other people's houses and rooms one stays out, and of the wrong washroom."""
    sector, arena = site
    home_sector, home_arena = (*home, "", "")[:2]
    if sector != home_sector and _owner(sector) and not _owns(person, _owner(sector)):
        return False
    if arena == home_arena and sector == home_sector:
        return True
    owner = _owner(arena)
    if owner.rpartition(" ")[2] in {"man", "men", "woman", "women"}:
        return gender_word(person) in {"", owner.rpartition(" ")[2].replace("men", "man")}
    return not owner or _owns(person, owner)


@lru_cache(maxsize=4096)
def _owner(place: str) -> str:
    """Whose place it is by its name: a person, a family, `man`; an `artist's house` is nobody's."""
    found = OWNED.match(place)
    if found is None:
        return ""
    words = found[1]
    return words if re.search(r"\b[A-Z]", words) or words.rpartition(" ")[2] in {"man", "woman", "men", "women"} else ""


def _owns(person: Person, owner: str) -> bool:
    words = owner.split()
    return person.first in words or ("family" in words and person.last in words)


def _worth(wish: Wish, deed: Deed, site: tuple[str, str], objects: tuple[str, ...]) -> float:
    """How well a place fits: what was said counts most, then the object, then being at home or here already."""
    sector, arena = site
    home = (*wish.home, "", "")[:2]
    worth = 0.0 if deed.where == HOME else _said(wish.words, sector, arena)
    if sector == home[0]:
        at_home = deed.where == HOME or re.search(_AT_HOME, wish.words)
        worth += 15 + (400 if at_home else 0) + (10 if arena == home[1] else 0)
    if site == wish.here[:2] and deed.where != HOME:
        worth += 12
    usable = [name for name in objects if _usable(name, wish, sector)]
    rank = _rank(deed, usable)
    return worth + (_FITTING - _STEP * rank if rank is not None else 0)


def _rank(deed: Deed, objects: list[str]) -> int | None:
    """How high the best of these objects stands among what the deed asks for."""
    wanted = deed.objects.split("|") if deed.objects else []
    return next((rank for rank, want in enumerate(wanted) if any(_is_a(want, name) for name in objects)), None)


def _is_a(want: str, name: str) -> bool:
    """Whether an object is what is wanted, by its name here or by another."""
    return want in name or any(other in name for other in ALSO.get(want, ()))


def _usable(name: str, wish: Wish, sector: str) -> bool:
    at_home = sector == (*wish.home, "")[0]
    return at_home or wish.on_shift or not name.startswith(STAFF_ONLY)


def _said(words: str, sector: str, arena: str) -> float:
    """Worth of a place for being named: by its full name, by its arena, or by its kind."""
    worth = 200.0 if _bare(sector) in words else 0.0
    if _bare(arena) in words and re.search(rf"\b{re.escape(_bare(arena))}\b", words):
        worth += 60.0
    return worth + max((_kind_worth(kind, f"{sector} {arena}".lower()) for kind in _kinds_in(words)), default=0.0)


@lru_cache(maxsize=4096)
def _bare(place: str) -> str:
    return place.lower().removeprefix("the ")


@lru_cache(maxsize=8192)
def _kinds_in(words: str) -> tuple[str, ...]:
    """The kinds of place that a text speaks of."""
    found = [
        kind
        for kind in KINDS
        if re.search(rf"\b(?:at|in|to|of|from|behind|through|the)\s(?:\w+\s){{0,2}}{kind}\b", words)
    ]
    return tuple(kind for kind in found if not any(kind != other and kind in other for other in found))


@lru_cache(maxsize=16384)
def _kind_worth(kind: str, place: str) -> float:
    synonyms = KINDS[kind].split("|")
    rank = next((rank for rank, word in enumerate(synonyms) if re.search(rf"\b{word}", place)), None)
    return 0.0 if rank is None else 120.0 - 5 * rank


def _object(wish: Wish, deed: Deed, site: tuple[str, str], objects: tuple[str, ...]) -> tuple[str, bool]:
    """The object used there, and whether it is one the deed asks for; nothing where there is nothing."""
    usable = [name for name in objects if _usable(name, wish, site[0])] or list(objects)
    for rank, want in enumerate(deed.objects.split("|") if deed.objects else []):
        fitting = [name for name in usable if _is_a(want, name)]
        if fitting:
            return next((name for name in fitting if name in wish.words), fitting[0]), rank == 0 or want not in STATEFUL
    named = [name for name in usable if name in wish.words or (deed.where == STAFF and name.startswith("behind the"))]
    comfortable = [name for part in COMFORT for name in usable if part in name]
    return next(iter([*named, *comfortable, *usable]), ""), False
