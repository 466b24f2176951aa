"""Choose place, object, emoji and object state for an action."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from random import Random

from ville.offline.profile import Profile
from ville.offline.table import Value, load, rows, shows

Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Sector → arena → objects."""
Site = tuple[str, str]
_AT_HOME = re.compile(r"\bhome\b|\b(?:his|her|their) (?:room|desk)\b|\bready for bed\b|\bmorning routine\b")
_HOSTS = re.compile(r"\b(?:host|throw|decorat)\w*")
_WASHROOM = re.compile(r"((?:wo)?m[ae]n)['’]s\b", re.IGNORECASE)
_FITTING, _STEP = 60, 6
"""Score of the most wanted object, and the decrease for each next one."""


@dataclass(frozen=True)
class StepLook:
    """A row of looks.yaml: emoji, objects and object state of a step."""

    means: re.Pattern[str]
    emoji: str
    objects: tuple[str, ...]
    state: str
    where: str = ""


UNKNOWN = StepLook(re.compile(""), "🙂", (), "is being used")


@cache
def _looks() -> tuple[StepLook, ...]:
    return rows(load("looks.yaml"), StepLook)


@cache
def _table() -> Value:
    return load("places.yaml")


@lru_cache(maxsize=8192)
def look_of(text: str) -> StepLook:
    """Return the row a text means, or UNKNOWN."""
    return next((look for look in _looks() if look.means.search(text)), UNKNOWN)


@dataclass(frozen=True)
class Spot:
    """The chosen place with object, emoji and object state."""

    sector: str
    arena: str
    object: str
    emoji: str
    state: str


@dataclass(frozen=True)
class Wish:
    """An action with its persona, current place and home. Addresses are split into parts."""

    person: Profile
    action: str
    activity: str
    here: tuple[str, ...]
    home: tuple[str, ...]

    @cached_property
    def words(self) -> str:
        return f"{self.activity} | {self.action}".lower()

    @cached_property
    def home_site(self) -> Site:
        sector, arena = (*self.home, "", "")[:2]
        return sector, arena

    @cached_property
    def works(self) -> bool:
        """Whether the persona works or prepares something there."""
        return bool(shows("a shift", self.words) or _HOSTS.search(self.words))

    @cached_property
    def look(self) -> StepLook:
        look = look_of(self.action)
        return look if look is not UNKNOWN else look_of(self.activity)

    def may_use(self, name: str, sector: str) -> bool:
        """Return whether the persona may use an object; staff objects are closed to guests."""
        return self.works or sector == self.home_site[0] or not name.startswith(tuple(_table()["staff only"]))


def choose(wish: Wish, places: Places, rng: Random) -> Spot:
    """Return the best spot; ties are broken by chance."""
    sites = [(sector, arena) for sector, arenas in places.items() for arena in arenas]
    allowed = [site for site in sites if may_enter(wish.person, site[1])] or sites
    scored = [(_worth(wish, site, places[site[0]][site[1]]), site) for site in allowed]
    best = max(worth for worth, _ in scored)
    site = rng.choice([site for worth, site in scored if worth == best])
    chosen, fits = _object(wish, site, places[site[0]][site[1]])
    used = "is being used" if chosen else ""
    other = next((state for part, state in _table()["states"].items() if part in chosen), used)
    return Spot(*site, chosen, wish.look.emoji, wish.look.state if fits else other)


def may_enter(person: Profile, arena: str) -> bool:
    """Return whether an arena is not the washroom of the other gender."""
    found = _WASHROOM.match(arena)
    return found is None or person.gender_word in {"", found[1].lower().replace("men", "man")}


def _worth(wish: Wish, site: Site, objects: tuple[str, ...]) -> float:
    """Return the score of a place: named places first, then wanted objects, then home and the current place."""
    sector, arena = site
    look, home = wish.look, wish.home_site
    worth = 0.0 if look.where == "home" else _said(wish.words, sector, arena)
    if sector == home[0]:
        at_home = look.where == "home" or _AT_HOME.search(wish.words)
        worth += 15 + (400 if at_home else 0) + (10 if arena == home[1] else 0)
    if site == wish.here[:2] and look.where != "home":
        worth += 12
    usable = [name for name in objects if wish.may_use(name, sector)]
    rank = next((rank for rank, want in enumerate(look.objects) if any(_is_a(want, name) for name in usable)), None)
    return worth + (_FITTING - _STEP * rank if rank is not None else 0)


@lru_cache(maxsize=16384)
def _is_a(want: str, name: str) -> bool:
    """Return whether an object is the wanted one, by any of its names."""
    return want in name or any(other in name for other in _table()["also called"].get(want, ()))


@lru_cache(maxsize=16384)
def _said(words: str, sector: str, arena: str) -> float:
    """Return the score for being named, by full name, arena or kind."""
    bare = arena.lower().removeprefix("the ")
    worth = 200.0 if sector.lower().removeprefix("the ") in words else 0.0
    if bare in words and re.search(rf"\b{re.escape(bare)}\b", words):
        worth += 60.0
    return worth + max((_kind_worth(kind, f"{sector} {arena}".lower()) for kind in _kinds_in(words)), default=0.0)


@lru_cache(maxsize=8192)
def _kinds_in(words: str) -> tuple[str, ...]:
    """Return the kinds of place that a text speaks of."""
    found = [kind for kind in _table()["kinds"] if kind in words and
             re.search(rf"\b(?:at|in|to|of|from|behind|through|the)\s(?:\w+\s){{0,2}}{kind}\b", words)]  # fmt: skip
    return tuple(kind for kind in found if not any(kind != other and kind in other for other in found))


@lru_cache(maxsize=16384)
def _kind_worth(kind: str, place: str) -> float:
    names = _table()["kinds"][kind].split("|")
    rank = next((rank for rank, word in enumerate(names) if re.search(rf"\b{word}", place)), None)
    return 0.0 if rank is None else 120.0 - 5 * rank


def _object(wish: Wish, site: Site, objects: tuple[str, ...]) -> tuple[str, bool]:
    """Return the object to use, empty if there is none, and whether the step asks for it."""
    usable = [name for name in objects if wish.may_use(name, site[0])] or list(objects)
    for rank, want in enumerate(wish.look.objects):
        fitting = [name for name in usable if _is_a(want, name)]
        if fitting:
            fits = rank == 0 or want not in _table()["keep their look"]
            return next((name for name in fitting if name in wish.words), fitting[0]), fits
    staff = wish.look.where == "staff"
    named = [name for name in usable if name in wish.words or (staff and name.startswith("behind the"))]
    comfortable = [name for part in _table()["comfort"] for name in usable if part in name]
    return next(iter([*named, *comfortable, *usable]), ""), False
