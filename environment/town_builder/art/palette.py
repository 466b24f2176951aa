"""The complete palette: hue-shifted ramps from dark to light. Shadows shift to violet, lights to yellow.

Drawings never use raw colours, only steps of a ramp (`OAK[3]`) or mixtures of two steps.
"""

from collections.abc import Sequence

Colour = tuple[int, int, int, int]
"""Red, green, blue, alpha; 0 to 255."""

Ramp = tuple[Colour, ...]
"""Four to six shades of one material, darkest first."""


def colour(code: str, alpha: int = 255) -> Colour:
    """Return `#rrggbb` as a Colour."""
    red, green, blue = bytes.fromhex(code.removeprefix("#"))
    return red, green, blue, alpha


def ramp(*codes: str) -> Ramp:
    return tuple(colour(code) for code in codes)


def mix(one: Sequence[int], other: Sequence[int], share: float) -> Colour:
    """Return the opaque colour that is `share` (0 to 1) of the way from one to the other."""
    red, green, blue = (int(a * (1 - share) + b * share) for a, b in zip(one[:3], other[:3], strict=True))
    return red, green, blue, 255


INK = colour("#2a2038")
"""The darkest line colour: violet-black instead of #000."""
SHADOW = colour("#241848", 70)
"""Contact shadow under everything that stands on the ground."""
SHADE = colour("#241848", 38)
"""Lighter shadow beside walls and in front of wall faces."""

RAMPS: dict[str, Ramp] = {
    "grass": ramp("#2f6a58", "#4a8a56", "#6aab5c", "#8ac567", "#aeda7c", "#d2eb9c"),
    "pine": ramp("#1d4650", "#27605a", "#397f62", "#5a9f68", "#86bd74"),
    "leaf": ramp("#24544f", "#38764f", "#589a52", "#82bb58", "#b2d76c", "#daf094"),
    "blossom": ramp("#7a3d6a", "#b05a86", "#dc86a2", "#f3b3bb", "#fdd9d4", "#fff0ea"),
    "autumn": ramp("#7a3340", "#a94a3c", "#d3723f", "#eea24e", "#fbcd72", "#ffeaa4"),
    "sand": ramp("#a9795a", "#c99b6e", "#e2bf89", "#efd3a0", "#f8e6bd"),
    "soil": ramp("#4a2f36", "#6b4540", "#8a5f4c", "#a67a5b", "#c49a74"),
    "stone": ramp("#474a66", "#69708c", "#8f98ae", "#b6bfcb", "#d7dee2", "#f1f5f2"),
    "water": ramp("#2b4f86", "#3a73aa", "#4f98c4", "#76bfd6", "#a9e0e3", "#e4faf4"),
    "wood": ramp("#4b2b31", "#71423a", "#9a6343", "#c08a56", "#dcb377", "#f0d6a0"),
    "walnut": ramp("#35222f", "#53343b", "#754c46", "#986a54", "#bb8e6b"),
    "oak": ramp("#8f6246", "#b98657", "#d3a66d", "#e4bf86", "#f0d5a3", "#f9e7c4"),
    "wall": ramp("#7d6f84", "#b3a3a4", "#d9c9b8", "#efe3cd", "#fbf5e6", "#ffffff"),
    "cap": ramp("#4a3a52", "#8d7d8c", "#cfc3c0", "#efe8de", "#fffdf6"),
    "red": ramp("#5d1f3c", "#932f47", "#c64a4e", "#e57a62", "#f7b088"),
    "orange": ramp("#82372f", "#bb5b36", "#e58a45", "#f7b866", "#fde09a"),
    "yellow": ramp("#925f2e", "#cb9138", "#f0c04f", "#fae07f", "#fff6bf"),
    "blue": ramp("#232f5e", "#33509a", "#4b7ccc", "#7cafe6", "#b7dcf5"),
    "teal": ramp("#1b4357", "#27697a", "#3b958f", "#6abf9f", "#aee2b8"),
    "purple": ramp("#33245c", "#553a8d", "#805cbc", "#ae8bdc", "#dcc0f2"),
    "pink": ramp("#73305f", "#ad4f80", "#dd7f9f", "#f4afb8", "#fddcd7"),
    "grey": ramp("#2f3048", "#4c4f6c", "#747a94", "#a2a9bb", "#ced4da", "#f2f5f5"),
    "white": ramp("#8a8fab", "#b9c0d3", "#dde3ea", "#f3f6f6", "#ffffff"),
    "glass": ramp("#3c6a94", "#6aa2c4", "#a5d4e2", "#dff5f3"),
    "brick": ramp("#6a2f3d", "#96473f", "#bb6549", "#d58a60", "#e9b283"),
}
"""All materials by name; town files use the same names for colours."""

GRASS, PINE, LEAF = RAMPS["grass"], RAMPS["pine"], RAMPS["leaf"]
BLOSSOM, AUTUMN = RAMPS["blossom"], RAMPS["autumn"]
SAND, SOIL, STONE, WATER = RAMPS["sand"], RAMPS["soil"], RAMPS["stone"], RAMPS["water"]
WOOD, WALNUT, OAK = RAMPS["wood"], RAMPS["walnut"], RAMPS["oak"]
WALL, CAP, BRICK, GLASS = RAMPS["wall"], RAMPS["cap"], RAMPS["brick"], RAMPS["glass"]
RED, ORANGE, YELLOW, BLUE, TEAL = (RAMPS[name] for name in ("red", "orange", "yellow", "blue", "teal"))
PURPLE, PINK, GREY, WHITE = (RAMPS[name] for name in ("purple", "pink", "grey", "white"))
