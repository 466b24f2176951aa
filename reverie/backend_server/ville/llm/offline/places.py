"""Which of the places on offer fits an action, what is used there, and how it looks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from random import Random

from ville.llm.offline.profile import Profile
from ville.llm.offline.table import Value, load, rows, shows

Places = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Sector → arena → objects."""
Site = tuple[str, str]
_AT_HOME = re.compile(r"\bhome\b|\b(?:his|her|their) (?:room|desk)\b|\bready for bed\b|\bmorning routine\b")
_HOSTS = re.compile(r"\b(?:host|throw|decorat)\w*")
_OWNED = re.compile(r"^(.+?)['’]s?\s+(?:\w+\s)*(?:bedroom|room|bathroom|house|apartment|flat|home|place|studio|cabin)$")
_FITTING, _STEP = 60, 6
"""Worth of the object that is wanted most, and how much less each next one is worth."""


@dataclass(frozen=True)
class StepLook:
    """A row of looks.yaml: how a step looks, with which object it is done, and what becomes of that meanwhile."""

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
    """The place that was chosen."""

    sector: str
    arena: str
    object: str
    emoji: str
    state: str


@dataclass(frozen=True)
class Wish:
    """Somebody's action and where it starts from. Addresses are cut into their parts."""

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
        """Whether the person is there to work or to prepare something."""
        return bool(shows("a shift", self.words) or _HOSTS.search(self.words))

    @cached_property
    def look(self) -> StepLook:
        look = look_of(self.action)
        return look if look is not UNKNOWN else look_of(self.activity)

    def may_use(self, name: str, sector: str) -> bool:
        """Return whether an object there is for this person: what is for staff is not for guests."""
        return self.works or sector == self.home_site[0] or not name.startswith(tuple(_table()["staff only"]))


def choose(wish: Wish, places: Places, rng: Random) -> Spot:
    """Return the best spot for a wish; among equals, any."""
    sites = [(sector, arena) for sector, arenas in places.items() for arena in arenas]
    allowed = [site for site in sites if may_enter(wish.person, site, wish.home_site)] or sites
    scored = [(_worth(wish, site, places[site[0]][site[1]]), site) for site in allowed]
    best = max(worth for worth, _ in scored)
    site = rng.choice([site for worth, site in scored if worth == best])
    chosen, fits = _object(wish, site, places[site[0]][site[1]])
    used = "is being used" if chosen else ""
    other = next((state for part, state in _table()["states"].items() if part in chosen), used)
    return Spot(*site, chosen, wish.look.emoji, wish.look.state if fits else other)


def may_enter(person: Profile, site: Site, home: Site) -> bool:
    """Return whether a place is open to somebody: home is, other people's rooms and the wrong washroom are not."""
    sector, arena = site
    if sector != home[0] and _owner(sector) and not _owns(person, _owner(sector)):
        return False
    owner = "" if site == home else _owner(arena)
    gender = owner.rpartition(" ")[2].replace("men", "man")
    if gender in {"man", "woman"}:
        return person.gender_word in {"", gender}
    return not owner or _owns(person, owner)


@lru_cache(maxsize=4096)
def _owner(place: str) -> str:
    """Return whose place it is by its name: a person, a family, `man`; an `artist's house` is no one's."""
    found = _OWNED.match(place)
    words = found[1] if found else ""
    named = re.search(r"\b[A-Z]", words) or words.rpartition(" ")[2] in {"man", "woman", "men", "women"}
    return words if named else ""


def _owns(person: Profile, owner: str) -> bool:
    words = owner.split()
    return person.first in words or ("family" in words and person.last in words)


def _worth(wish: Wish, site: Site, objects: tuple[str, ...]) -> float:
    """How well a place fits: what was said counts most, then the object, then being at home or here already."""
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
    """Return whether an object is what is wanted, by its name here or by another."""
    return want in name or any(other in name for other in _table()["also called"].get(want, ()))


@lru_cache(maxsize=16384)
def _said(words: str, sector: str, arena: str) -> float:
    """Worth of a place for being named: by its full name, by its arena, or by its kind."""
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
    """Return the object used there, and whether it is one the step asks for; nothing where there is nothing."""
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
