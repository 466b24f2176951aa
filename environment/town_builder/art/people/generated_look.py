"""Generate a look for people without an entry in the looks file; it depends only on the name.

Related choices are made together (hair with skin and age, clothes as complete outfits, colours as palettes), so that
every result is plausible.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from town_builder.art.canvas import noise
from town_builder.art.people.colours import EYES, SKINS
from town_builder.art.people.look import Clothes, Face, Hair, Look

Choice = TypeVar("Choice")

DARK = ("black", "black", "black", "brown", "brown", "chestnut")
FAIR = ("black", "brown", "brown", "chestnut", "auburn", "blond", "blond", "ash")
HAIR_COLOURS = {"porcelain": FAIR, "light": FAIR, "tan": (*DARK, "auburn", "ash"), "brown": DARK, "deep": DARK}
DYED = ("pink", "blue", "teal")
AGED = ("grey", "white")

DARK_EYES = ("brown", "brown", "hazel")
EYE_COLOURS = {
    "porcelain": tuple(EYES),
    "light": tuple(EYES),
    "tan": ("green", *DARK_EYES),
    "brown": DARK_EYES,
    "deep": DARK_EYES,
}


@dataclass(frozen=True)
class Outfit:
    """Clothes without colours; `accent` in details stands for the third colour of the palette."""

    fit: str
    sleeves: str = "long"
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StyleSet:
    """Haircuts, fringes, outfits and accessories that go together."""

    cuts: Sequence[str]
    fringes: Sequence[str]
    outfits: Sequence[Outfit]
    mouths: Sequence[str]
    marks: Sequence[tuple[str, ...]]
    beards: Sequence[str | None]
    trinkets: Sequence[str | None]
    hats: Sequence[str]


EVERYDAY_OUTFITS = (
    Outfit("trousers", details={"hood": "accent"}),
    Outfit("trousers", details={"scarf": "accent"}),
    Outfit("trousers", "short", {"stripes": "accent"}),
    Outfit("trousers", "rolled", {"overalls": "accent"}),
    Outfit("trousers", details={"collar": "white", "satchel": "oak"}),
    Outfit("trousers", "short", {"backpack": "accent"}),
    Outfit("jacket", details={"shirt front": "white"}),
    Outfit("coat", details={"scarf": "accent"}),
    Outfit("coat", details={"shirt front": "white", "tie": "accent"}),
    Outfit("shorts", "short", {"number": "white"}),
)
TROUSER_OUTFITS = (
    Outfit("trousers", "rolled", {"vest": "accent", "bow tie": "accent"}),
    Outfit("trousers", details={"vest": "accent", "collar": "white"}),
    Outfit("trousers", "rolled", {"checks": "accent"}),
    Outfit("trousers", "rolled", {"apron": "accent"}),
    Outfit("shorts", "short", {"collar": "white"}),
)
SKIRT_OUTFITS = (
    Outfit("dress", details={"collar": "white"}),
    Outfit("dress", "short", {"necklace": "accent"}),
    Outfit("dress", details={"shawl": "accent"}),
    Outfit("skirt", details={"collar": "white"}),
    Outfit("skirt", "short", {"stripes": "accent"}),
    Outfit("skirt", "rolled", {"apron": "white"}),
    Outfit("pencil skirt", details={"shirt front": "white", "badge": "accent"}),
    Outfit("skirt", details={"scarf": "accent"}),
)
SHORT_STYLES = StyleSet(
    cuts=("short", "short", "tousled", "spiky", "buzz", "bald", "shoulder", "wild", "afro"),
    fringes=("short", "full", "left parting", "right parting", "swept", "brushed back", "spiky", "high"),
    outfits=EVERYDAY_OUTFITS + TROUSER_OUTFITS,
    mouths=("smile", "smile", "grin", "quiet"),
    marks=((), (), ("freckles",), ("mole",)),
    beards=(None, None, None, "full", "short", "moustache", "pencil", "goatee"),
    trinkets=(None, None, None, None, "headphones", "sweatband"),
    hats=("cap", "beanie", "straw hat"),
)
LONG_STYLES = StyleSet(
    cuts=(
        "bob",
        "wavy bob",
        "shoulder",
        "long",
        "wavy",
        "ponytail",
        "braid",
        "pigtails",
        "bun",
        "low bun",
        "puffs",
        "afro",
        "curly",
    ),
    fringes=("full", "left parting", "right parting", "middle parting", "swept", "curtain"),
    outfits=EVERYDAY_OUTFITS + SKIRT_OUTFITS,
    mouths=("smile", "smile", "lips", "grin"),
    marks=(("lashes",), ("lashes",), ("lashes", "freckles"), ()),
    beards=(None,),
    trinkets=(None, None, "earrings", "flower", "bow", "clip", "hair band", "headphones"),
    hats=("beret", "beanie", "straw hat"),
)
FITS_UNDER_HAT = frozenset(
    {"short", "tousled", "buzz", "bald", "bob", "wavy bob", "shoulder", "long", "wavy", "braid", "low bun"}
)
"""Haircuts that leave room for a hat."""

PALETTES = (
    ("red", "blue", "yellow"), ("blue", "grey", "orange"), ("teal", "walnut", "yellow"), ("yellow", "blue", "red"),
    ("purple", "grey", "yellow"), ("pink", "purple", "teal"), ("orange", "walnut", "teal"), ("white", "blue", "red"),
    ("grey", "walnut", "red"), ("pine", "soil", "orange"), ("sand", "walnut", "teal"), ("leaf", "soil", "yellow"),
    ("blossom", "teal", "purple"), ("brick", "grey", "sand"), ("walnut", "sand", "leaf"), ("white", "purple", "pink"),
)  # fmt: skip
"""Top, bottom, accent."""
SHOES = ("walnut", "walnut", "soil", "grey", "red", "white")


class NameChooser:
    """Choose by name and question: the same name always gives the same answer to the same question."""

    def __init__(self, name: str) -> None:
        self.name = unicodedata.normalize("NFC", name)

    def pick(self, question: str, among: Sequence[Choice]) -> Choice:
        return among[int(noise("look", self.name, question) * len(among))]

    def happens(self, question: str, share: float) -> bool:
        return noise("look", self.name, question) < share


def look_for(name: str) -> Look:
    """Return the look for any text; composed and decomposed Unicode forms count as one name."""
    chooser = NameChooser(name)
    # The questions are part of the seed: renaming one changes every generated look.
    style = chooser.pick("manner", (SHORT_STYLES, LONG_STYLES))
    skin = chooser.pick("skin", tuple(SKINS))
    aged = chooser.happens("aged", 0.14)
    hair = _hair(chooser, style, _hair_colour(chooser, skin, aged=aged))
    palette = chooser.pick("palette", PALETTES)
    return Look(
        skin=skin,
        eyes=chooser.pick("eyes", EYE_COLOURS[skin]),
        hair=hair,
        clothes=_clothes(chooser, style, palette),
        face=_face(chooser, style, aged=aged),
        build=chooser.pick("build", ("slim", "slim", "broad")),
        worn=_worn(chooser, style, hair.cut, palette[2]),
    )


def _hair_colour(chooser: NameChooser, skin: str, *, aged: bool) -> str:
    if aged:
        return chooser.pick("hair colour", AGED)
    return chooser.pick("hair colour", DYED if chooser.happens("dyed", 0.08) else HAIR_COLOURS[skin])


def _hair(chooser: NameChooser, style: StyleSet, colour: str) -> Hair:
    return Hair(
        cut=chooser.pick("cut", style.cuts),
        colour=colour,
        fringe=chooser.pick("fringe", style.fringes),
        tie=chooser.pick("tie", ("red", "yellow", "teal", "pink", "white")),
    )


def _clothes(chooser: NameChooser, style: StyleSet, palette: tuple[str, str, str]) -> Clothes:
    top, bottom, accent = palette
    outfit = chooser.pick("outfit", style.outfits)
    details = {name: accent if colour == "accent" else colour for name, colour in outfit.details.items()}
    return Clothes(top, bottom, outfit.fit, outfit.sleeves, shoes=chooser.pick("shoes", SHOES), details=details)


def _face(chooser: NameChooser, style: StyleSet, *, aged: bool) -> Face:
    marks = ("wrinkles",) if aged else chooser.pick("marks", style.marks)
    return Face(
        mouth=chooser.pick("mouth", style.mouths),
        brows=chooser.pick("brows", ("calm", "calm", "calm", "raised")),
        marks=marks,
        beard=chooser.pick("beard", style.beards),
    )


def _worn(chooser: NameChooser, style: StyleSet, cut: str, accent: str) -> dict[str, str]:
    worn = {}
    if chooser.happens("hatted", 0.2) and cut in FITS_UNDER_HAT:
        hat = chooser.pick("hat", style.hats)
        worn[hat] = "sand" if hat == "straw hat" else accent
    elif trinket := chooser.pick("trinket", style.trinkets):
        worn[trinket] = accent
    if chooser.happens("glasses", 0.22):
        worn[chooser.pick("frame", ("glasses", "round glasses"))] = chooser.pick(
            "rim", ("walnut", "grey", "red", "purple")
        )
    return worn
