"""Tables of haircuts: hairline on the forehead, length, ends, and tied parts.

Heights are rows of a frame: the crown is row 2, the eyes are rows 11 to 14, the chin is 18, the hips are 24.
"""

from dataclasses import dataclass
from enum import Enum

from town_builder.art.people.pose import View

FRINGES: dict[str, tuple[int, ...]] = {
    "short": (12, 11, 9, 8, 8, 9, 9, 8, 8, 9, 9, 8, 8, 9, 11, 12),
    "full": (13, 11, 10, 10, 11, 10, 10, 11, 10, 10, 11, 10, 10, 11, 11, 13),
    "left parting": (14, 13, 12, 11, 10, 9, 8, 7, 7, 8, 9, 9, 10, 11, 12, 13),
    "right parting": (13, 12, 11, 10, 9, 9, 8, 7, 7, 8, 9, 10, 11, 12, 13, 14),
    "middle parting": (14, 12, 11, 10, 9, 8, 7, 6, 6, 7, 8, 9, 10, 11, 12, 14),
    "swept": (9, 8, 8, 8, 8, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13),
    "brushed back": (11, 8, 7, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 11),
    "high": (10, 7, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 7, 10),
    "spiky": (12, 9, 11, 8, 10, 8, 9, 11, 8, 10, 9, 8, 11, 8, 9, 12),
    "curtain": (14, 13, 12, 11, 10, 10, 9, 7, 7, 9, 10, 10, 11, 12, 13, 14),
}
"""First row without hair for each of the columns 8 to 23, seen from the front."""


class Texture(Enum):
    STRANDS = "strands"
    CURLS = "curls"
    COILS = "coils"
    STUBBLE = "stubble"


@dataclass(frozen=True)
class Cut:
    """One haircut."""

    length: int = 13
    """Lowest row with hair; up to 15 the neck is free."""
    volume: float = 0
    """Distance of the hair from the usual radius, in pixels."""
    texture: Texture = Texture.STRANDS
    ends: tuple[int, ...] = (0,)
    """How many rows before `length` each column ends, repeating."""
    wave: float = 0
    """Amplitude of the wave along the edge of long hair, in pixels."""
    tails: str = ""
    """Name of the tied part in TAILS, if any."""

    @property
    def falls(self) -> bool:
        """Whether the hair hangs below the neckline."""
        return self.length > 15


TIDY = (0, 0, 0, 1)
POINTED = (2, 1, 0, 1, 3, 1, 0, 2)
TUFTS = (1, 0, 0, 2, 3)

CUTS: dict[str, Cut] = {
    "short": Cut(),
    "tousled": Cut(volume=0.5, tails="tufts"),
    "spiky": Cut(tails="spikes"),
    "buzz": Cut(volume=-0.7, texture=Texture.STUBBLE),
    "bald": Cut(volume=-0.4),
    "bob": Cut(length=17, volume=0.3, ends=TIDY),
    "wavy bob": Cut(length=17, volume=0.6, ends=TUFTS, wave=0.7),
    "shoulder": Cut(length=20, ends=TUFTS, wave=0.5),
    "long": Cut(length=25, volume=0.2, ends=POINTED),
    "wavy": Cut(length=24, volume=0.5, ends=POINTED, wave=1.1),
    "ponytail": Cut(tails="ponytail"),
    "braid": Cut(tails="braid"),
    "pigtails": Cut(tails="pigtails"),
    "bun": Cut(volume=-1.1, tails="bun"),
    "low bun": Cut(tails="low bun"),
    "puffs": Cut(volume=-0.5, tails="puffs"),
    "afro": Cut(length=17, volume=2.0, texture=Texture.COILS),
    "curly": Cut(length=18, volume=1.2, texture=Texture.CURLS),
    "wild": Cut(length=15, volume=1.8, texture=Texture.CURLS),
}

Lobe = tuple[float, float, float]
"""x, y and radius of one round piece of a tail."""


@dataclass(frozen=True)
class Tail:
    """Lobes joined into one shape, from root to tip; the tip swings by `sway` pixels with each step."""

    lobes: tuple[Lobe, ...]
    sway: float = 0
    behind: bool = False
    tie: tuple[int, int, int, int] | None = None
    """x, y, width, height of the ribbon."""


PONY_FRONT = ((24.5, 8.5, 2.4), (26, 12, 2.7), (26.3, 15.5, 2.3), (25.6, 18.5, 1.6))
PIGTAIL = ((0, 12.5, 2.2), (0, 15.5, 2.5), (0, 18.5, 2.1), (0, 21, 1.2))
SPIKES = ((9.5, 4.5), (13, 2.6), (17, 2.2), (21, 3.4), (23.6, 6))


def _at(x: float, lobes: tuple[Lobe, ...]) -> tuple[Lobe, ...]:
    return tuple((x + along, y, radius) for along, y, radius in lobes)


def _spike(x: float, y: float) -> Tail:
    return Tail(((x, y + 1.5, 1.9), (x - 0.8, y - 0.6, 0.7)))


TAILS: dict[str, dict[View, tuple[Tail, ...]]] = {
    "ponytail": {
        View.FRONT: (Tail(PONY_FRONT, sway=0.8, behind=True),),
        View.SIDE: (
            Tail(
                ((23.6, 7.5, 2.0), (26, 10.5, 2.5), (26.6, 14, 2.5), (26, 17.5, 2.1), (25, 20, 1.2)),
                1,
                tie=(22, 6, 2, 3),
            ),
        ),
        View.BACK: (
            Tail(
                ((15.5, 8, 2.2), (15.5, 11.5, 3.0), (15.5, 15.5, 3.1), (15.5, 19, 2.3), (15.5, 21.6, 1.2)),
                1,
                tie=(14, 5, 4, 2),
            ),
        ),
    },
    "braid": {
        View.FRONT: (
            Tail(_at(24, ((0, 15.5, 1.8), (0.4, 18, 1.9), (0.2, 20.5, 1.8), (0, 23, 1.1))), 0.6, tie=(23, 22, 3, 1)),
        ),
        View.SIDE: (
            Tail(
                ((22.8, 13.5, 2), (23.6, 16.2, 2.1), (23.6, 18.8, 2), (23.2, 21.2, 1.8), (22.8, 23.6, 1.1)),
                1,
                tie=(22, 22, 3, 1),
            ),
        ),
        View.BACK: (
            Tail(
                _at(15.5, ((0, 12, 2.4), (0, 14.8, 2.3), (0, 17.4, 2.1), (0, 20, 1.9), (0, 22.4, 1.7), (0, 24.8, 1.1))),
                1,
                tie=(14, 23, 4, 1),
            ),
        ),
    },
    "pigtails": {
        View.FRONT: (Tail(_at(5.8, PIGTAIL), 0.5, behind=True), Tail(_at(25.2, PIGTAIL), 0.5, behind=True)),
        View.SIDE: (Tail(_at(20.5, PIGTAIL), 0.7, tie=(19, 10, 3, 1)),),
        View.BACK: (Tail(_at(6.3, PIGTAIL), 0.5, tie=(5, 10, 3, 1)), Tail(_at(24.7, PIGTAIL), 0.5, tie=(24, 10, 3, 1))),
    },
    "bun": {
        View.FRONT: (Tail(((15.5, 4.1, 3.0),), tie=(14, 7, 4, 1)),),
        View.SIDE: (Tail(((20, 4.1, 3.0),), tie=(19, 7, 3, 1)),),
        View.BACK: (Tail(((15.5, 4.2, 3.1),), tie=(14, 7, 4, 1)),),
    },
    "low bun": {
        View.SIDE: (Tail(((24.2, 14.6, 3.0),), tie=(21, 12, 1, 3)),),
        View.BACK: (Tail(((15.5, 15.2, 3.3),), tie=(14, 11, 4, 1)),),
    },
    "puffs": {
        View.FRONT: (Tail(((6.6, 5.6, 3.6),), behind=True), Tail(((24.4, 5.6, 3.6),), behind=True)),
        View.SIDE: (Tail(((19.8, 4.9, 3.7),), tie=(18, 8, 3, 1)),),
        View.BACK: (Tail(((6.8, 5.6, 3.6),), tie=(9, 7, 1, 2)), Tail(((24.2, 5.6, 3.6),), tie=(21, 7, 1, 2))),
    },
    "spikes": {view: tuple(_spike(x, y) for x, y in SPIKES) for view in View},
    "tufts": {view: (_spike(18, 2.4), _spike(14.2, 2.8)) for view in View},
}
