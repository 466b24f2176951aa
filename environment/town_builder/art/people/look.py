"""The appearance of a person: choices from the tables of this package, validated on creation."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from town_builder.art.palette import RAMPS
from town_builder.art.people.colours import EYES, HAIRS, SKINS
from town_builder.art.people.features import BEARDS, BROWS, MARKS, MOUTHS
from town_builder.art.people.garments import BUILDS, DETAILS, FITS, SLEEVES
from town_builder.art.people.haircuts import CUTS, FRINGES, Cut
from town_builder.art.people.headwear import BANDS, GLASSES, HATS, TRINKETS

WORN = (*BANDS, *GLASSES, *HATS, *TRINKETS)
CLOTHS = [name for name, ramp in RAMPS.items() if name != "glass"]


class UnknownChoiceError(ValueError):
    """Raised for a choice that is not in its table."""


def choose(what: str, name: object, among: Collection[str]) -> None:
    """Raise UnknownChoiceError unless `name` is one of the choices; the message lists them."""
    if name not in among:
        raise UnknownChoiceError(f"{what} {name!r} is unknown; choose one of: {', '.join(sorted(among))}")


@dataclass(frozen=True)
class Hair:
    cut: str
    colour: str
    fringe: str = "short"
    tie: str = "red"
    """Ribbon of a tail or bun, a cloth colour."""

    def __post_init__(self) -> None:
        choose("hair cut", self.cut, CUTS)
        choose("hair colour", self.colour, HAIRS)
        choose("fringe", self.fringe, FRINGES)
        choose("tie", self.tie, CLOTHS)


@dataclass(frozen=True)
class Face:
    mouth: str = "smile"
    brows: str = "calm"
    marks: tuple[str, ...] = ()
    beard: str | None = None
    beard_colour: str | None = None
    """A hair colour; None for the colour of the hair."""

    def __post_init__(self) -> None:
        choose("mouth", self.mouth, MOUTHS)
        choose("brows", self.brows, BROWS)
        if self.beard is not None:
            choose("beard", self.beard, BEARDS)
        if self.beard_colour is not None:
            choose("beard colour", self.beard_colour, HAIRS)
        for mark in self.marks:
            choose("mark", mark, MARKS)


@dataclass(frozen=True)
class Clothes:
    top: str
    bottom: str
    fit: str = "trousers"
    sleeves: str = "long"
    sleeve_colour: str | None = None
    shoes: str = "walnut"
    details: Mapping[str, str] = field(default_factory=dict)
    """Details in drawing order: name → cloth colour."""

    def __post_init__(self) -> None:
        choose("fit", self.fit, FITS)
        choose("sleeves", self.sleeves, SLEEVES)
        for colour in (self.top, self.bottom, self.shoes, self.sleeve_colour or self.top, *self.details.values()):
            choose("cloth colour", colour, CLOTHS)
        for detail in self.details:
            choose("detail", detail, DETAILS)


@dataclass(frozen=True)
class Look:
    skin: str
    eyes: str
    hair: Hair
    clothes: Clothes
    face: Face = field(default_factory=Face)
    build: str = "slim"
    worn: Mapping[str, str] = field(default_factory=dict)
    """Things on head and face: name → cloth colour."""

    def __post_init__(self) -> None:
        choose("skin", self.skin, SKINS)
        choose("eyes", self.eyes, EYES)
        choose("build", self.build, BUILDS)
        for thing, colour in self.worn.items():
            choose("worn thing", thing, WORN)
            choose("cloth colour", colour, CLOTHS)

    @property
    def cut(self) -> Cut:
        return CUTS[self.hair.cut]
