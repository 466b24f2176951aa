"""Parts of a look that pages offer, in the words of the reader. The values are those of the town builder's tables."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from town_builder.art.palette import RAMPS, Ramp
from town_builder.art.people.colours import HAIRS, SKINS

Words = Mapping[str, Promise]
BODY = 2
"""Step of a ramp that a sample of it shows."""

SKIN: Words = {
    "porcelain": _("Very fair skin"),
    "light": _("Fair skin"),
    "tan": _("Tanned skin"),
    "brown": _("Brown skin"),
    "deep": _("Dark skin"),
}
HAIR: Words = {
    "black": _("Black hair"),
    "brown": _("Brown hair"),
    "chestnut": _("Chestnut hair"),
    "auburn": _("Auburn hair"),
    "blond": _("Blond hair"),
    "ash": _("Ash-blond hair"),
    "grey": _("Grey hair"),
    "white": _("White hair"),
    "pink": _("Pink hair"),
    "blue": _("Blue hair"),
    "teal": _("Teal hair"),
}
CUT: Words = {
    "short": _("Short hair"),
    "tousled": _("Tousled"),
    "spiky": _("Spiky"),
    "buzz": _("Buzz cut"),
    "bald": _("Bald"),
    "bob": _("Bob"),
    "wavy bob": _("Wavy bob"),
    "shoulder": _("Shoulder-length"),
    "long": _("Long hair"),
    "wavy": _("Long and wavy"),
    "ponytail": _("Ponytail"),
    "braid": _("Braid"),
    "pigtails": _("Pigtails"),
    "bun": _("High bun"),
    "low bun": _("Low bun"),
    "puffs": _("Two puffs"),
    "afro": _("Afro"),
    "curly": _("Curls"),
    "wild": _("Wild curls"),
}
BEARD: Words = {
    "": _("No beard"),
    "full": _("Full beard"),
    "short": _("Short beard"),
    "moustache": _("Moustache"),
    "pencil": _("Thin moustache"),
    "goatee": _("Goatee"),
}
FIT: Words = {
    "trousers": _("Shirt and trousers"),
    "shorts": _("Shirt and shorts"),
    "skirt": _("Shirt and skirt"),
    "pencil skirt": _("Shirt and pencil skirt"),
    "dress": _("Dress"),
    "coat": _("Coat"),
    "jacket": _("Jacket"),
}
CLOTH: Words = {
    "red": _("red"),
    "brick": _("brick red"),
    "orange": _("orange"),
    "yellow": _("yellow"),
    "sand": _("sand"),
    "leaf": _("green"),
    "pine": _("dark green"),
    "teal": _("teal"),
    "blue": _("blue"),
    "purple": _("purple"),
    "pink": _("pink"),
    "blossom": _("rose"),
    "oak": _("light brown"),
    "walnut": _("brown"),
    "soil": _("earth brown"),
    "grey": _("grey"),
    "white": _("white"),
}
DETAIL: Words = {
    "": _("Nothing else"),
    "apron": _("Apron"),
    "waist apron": _("Waist apron"),
    "vest": _("Vest"),
    "overalls": _("Overalls"),
    "hood": _("Hood"),
    "collar": _("Collar"),
    "shirt front": _("Open shirt"),
    "tie": _("Tie"),
    "bow tie": _("Bow tie"),
    "stripes": _("Stripes"),
    "checks": _("Checks"),
    "buttons": _("Buttons"),
    "scarf": _("Scarf"),
    "shawl": _("Shawl"),
    "necklace": _("Necklace"),
    "badge": _("Badge"),
    "cross": _("Cross"),
    "number": _("Number on the shirt"),
    "camera": _("Camera"),
    "paint": _("Stains of paint"),
    "satchel": _("Satchel"),
    "backpack": _("Backpack"),
}
WORN: Words = {
    "": _("Nothing"),
    "glasses": _("Glasses"),
    "round glasses": _("Round glasses"),
    "sunglasses": _("Sunglasses"),
    "cap": _("Cap"),
    "beret": _("Beret"),
    "beanie": _("Beanie"),
    "captain's cap": _("Captain's cap"),
    "straw hat": _("Straw hat"),
    "hair band": _("Hair band"),
    "sweatband": _("Sweatband"),
    "bow": _("Bow"),
    "flower": _("Flower"),
    "clip": _("Hair clip"),
    "headphones": _("Headphones"),
    "earrings": _("Earrings"),
    "pencil": _("Pencil behind the ear"),
}


class Sample(NamedTuple):
    """A colour that can be chosen."""

    value: str
    words: Promise
    colour: str
    """As in CSS."""


def samples() -> Mapping[str, list[Sample]]:
    """Return the colours that can be chosen."""
    return {
        "skins": _samples(SKIN, SKINS),
        "hair_colours": _samples(HAIR, HAIRS),
        "cloths": _samples(CLOTH, RAMPS),
    }


def kinds() -> Mapping[str, Iterable[tuple[str, Promise]]]:
    """Return everything else that can be chosen: pairs of value and words."""
    lists = {"cuts": CUT, "beards": BEARD, "fits": FIT, "details": DETAIL, "things": WORN}
    return {name: list(words.items()) for name, words in lists.items()}


def _samples(words: Words, ramps: Mapping[str, Ramp]) -> list[Sample]:
    return [Sample(value, each, "#{:02x}{:02x}{:02x}".format(*ramps[value][BODY][:3])) for value, each in words.items()]
