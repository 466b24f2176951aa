"""Choose place, object, emoji and object state for an action."""

import re
from collections.abc import Mapping, Sequence
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
_OWN = re.compile(r"\b(?:home|house|apartment|flat|bed ?room|bath ?room|living room|dorm)\b", re.IGNORECASE)
"""Kinds of places that are one's own."""
_OR = re.compile(r",|;|/|\bor\b|\band\b")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_CALLED = 100.0
"""Score of a site that is of the kind where something is usually done: less than that of one that the words name."""
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
    usual: StepLook | None = None
    """How it is usually done, as a model says; None: as the rules know."""
    usual_place: str = ""
    """Words for the kind of place where it is usually done, as a model says."""

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
        if self.usual:
            return self.usual
        look = look_of(self.action)
        return look if look is not UNKNOWN else look_of(self.activity)

    def may_use(self, name: str, sector: str) -> bool:
        """Return whether the persona may use an object; staff objects are closed to guests."""
        return self.works or sector == self.home_site[0] or not name.startswith(tuple(_table()["staff only"]))


def choose(wish: Wish, places: Places, rng: Random) -> Spot:
    """Return the best spot; ties are broken by chance."""
    return spot_at(wish, rng.choice(best_sites(wish, places)), places)


def best_sites(wish: Wish, places: Places) -> list[Site]:
    """Return the sites that suit a wish equally well, and better than all others."""
    sites = [(sector, arena) for sector, arenas in places.items() for arena in arenas]
    allowed = [site for site in sites if may_enter(wish.person, site[1])] or sites
    scored = [(_worth(wish, site, places[site[0]][site[1]]), site) for site in allowed]
    best = max(worth for worth, _ in scored)
    return [site for worth, site in scored if worth == best]


def fits_somewhere(wish: Wish, places: Places) -> bool:
    """Return whether one of these places is of the kind that is wanted, or has a thing that is."""
    return any(
        (wish.usual_place and _called(wish.usual_place.lower(), f"{sector} {arena}".lower()))
        or any(_is_a(want, name) for want in wish.look.objects for name in objects if wish.may_use(name, sector))
        for sector, arenas in places.items()
        for arena, objects in arenas.items()
    )


def spot_at(wish: Wish, site: Site, places: Places) -> Spot:
    """Return the object to use at a site, and how that looks."""
    chosen, fits = _object(wish, site, places[site[0]][site[1]])
    used = "is being used" if chosen else ""
    other = next((state for part, state in _table()["states"].items() if part in chosen), used)
    return Spot(*site, chosen, wish.look.emoji, (wish.look.state if fits else "") or other)


def names_place(words: str, places: Places) -> bool:
    """Return whether words say where something is done: at home, or at one of these places, by name or kind."""
    low = words.lower()
    sites = ((sector, arena) for sector, arenas in places.items() for arena in arenas)
    return bool(_AT_HOME.search(low)) or any(_said(low, *site) for site in sites)


def names_kind(words: str) -> bool:
    """Return whether words say of what kind the place is where something is done."""
    return bool(_kinds_in(words.lower()))


def place_in(words: str, places: Sequence[str]) -> str:
    """Return the place that words mean, by name or kind, of some among which the first is home."""
    low = words.lower()
    worth = {place: _said(low, place, place) for place in places[1:]}
    best = max(worth, key=lambda place: worth[place], default="")
    return best if best and worth[best] > 0 else places[0]


def speaks_of(words: str, site: Site, objects: tuple[str, ...]) -> bool:
    """Return whether words can mean a site, by its name, its kind, or a word that it shares with them."""
    low = words.lower()
    named = {word for name in (*site, *objects) for word in _LONG_WORD.findall(name.lower())}
    return _said(low, *site) > 0 or not named.isdisjoint(_LONG_WORD.findall(low))


def is_evident(look: StepLook) -> bool:
    """Return whether it is plain where something is done that looks so: in one's bed, bath or kitchen, or behind one's
    counter.
    """
    return bool(look.where or next(iter(look.objects), "").startswith(tuple(_table()["staff only"])))


def emoji_of_kind(words: str) -> str:
    """Return the emoji of the kind of place that a text speaks of; empty if there is none."""
    return next((_table()["emoji"][kind] for kind in _kinds_in(words.lower()) if kind in _table()["emoji"]), "")


def usual_look(place: str, things: str, emoji: str) -> StepLook:
    """Return how something looks that is usually done at a kind of place, with one of these things, as a model says."""
    named = [part.strip() for part in _OR.split(things.lower()) if part.strip()]
    wanted = [name for part in named for name in (part, part.split()[-1])]
    also = [name for part in wanted for name, others in _table()["also called"].items() if part in others]
    at_home = bool(_OWN.search(place))
    return StepLook(UNKNOWN.means, emoji or UNKNOWN.emoji, tuple(dict.fromkeys([*wanted, *also])), "", "home" * at_home)


def may_enter(person: Profile, arena: str) -> bool:
    """Return whether an arena is not the washroom of the other gender."""
    found = _WASHROOM.match(arena)
    return found is None or person.gender_word in {"", found[1].lower().replace("men", "man")}


def _worth(wish: Wish, site: Site, objects: tuple[str, ...]) -> float:
    """Return the score of a place: named places first, then wanted objects, then home and the current place."""
    sector, arena = site
    look, home = wish.look, wish.home_site
    worth = 0.0 if look.where == "home" else _said(wish.words, sector, arena)
    if wish.usual_place:
        worth += _called(wish.usual_place.lower(), f"{sector} {arena}".lower())
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


@lru_cache(maxsize=16384)
def _called(kind: str, place: str) -> float:
    """Return the score for being a place of this kind, by its words or by those of a kind that it speaks of."""
    if any(re.search(rf"\b{re.escape(word)}\b", place) for word in _LONG_WORD.findall(kind)):
        return _CALLED
    kinds = [name for name in _table()["kinds"] if re.search(rf"\b{name}\b", kind)]
    return _CALLED if any(_kind_worth(name, place) for name in kinds) else 0.0


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
