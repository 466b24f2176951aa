"""Tables of facial features: eyes, mouths, marks and beards.

Characters: k lash, i and j dark and light half of the iris, w white, m mouth, n corner of the mouth, l lip, s shade
of the skin, p blush, u brow, and 0 to 3 the ramp of a beard or a pair of glasses.
"""

from town_builder.art.people.pose import View
from town_builder.art.people.stencil import Stencils, stencil

FRONT, SIDE = View.FRONT, View.SIDE

EYES: dict[str, Stencils] = {
    "open": {
        FRONT: stencil(11, 11, "kk......kk", "wi......wi", "ki......ki", "kj......kj"),
        SIDE: stencil(10, 11, "kk", "wi", "ik", "jk"),
    },
    "gentle": {
        FRONT: stencil(11, 12, "kk......kk", "wi......wi", "kj......kj"),
        SIDE: stencil(10, 12, "kk", "wi", "jk"),
    },
}

BROWS: dict[str, Stencils] = {
    "calm": {FRONT: stencil(11, 9, "uu......uu"), SIDE: stencil(10, 9, "uu")},
    "stern": {FRONT: stencil(10, 9, "uu........uu", "..u......u"), SIDE: stencil(10, 9, ".uu", "u")},
    "raised": {FRONT: stencil(10, 8, ".uu......uu.", "u..........u"), SIDE: stencil(10, 8, "uu")},
}

MOUTHS: dict[str, Stencils] = {
    "smile": {FRONT: stencil(14, 16, "n..n", ".mm."), SIDE: stencil(8, 16, ".m", "m")},
    "grin": {FRONT: stencil(13, 16, "mwwwwm", ".mmmm."), SIDE: stencil(8, 16, "wm", "m")},
    "lips": {FRONT: stencil(14, 16, "n..n", ".ll."), SIDE: stencil(8, 16, ".n", "l")},
    "frown": {FRONT: stencil(14, 16, ".mm.", "n..n"), SIDE: stencil(8, 16, "m", ".m")},
    "quiet": {FRONT: stencil(14, 16, ".mm."), SIDE: stencil(8, 16, "m")},
}

MARKS: dict[str, Stencils] = {
    "lashes": {FRONT: stencil(10, 10, "k..........k", ".k........k."), SIDE: stencil(12, 10, ".k", "k")},
    "freckles": {FRONT: stencil(9, 14, "s...s....s...s", ".s..........s."), SIDE: stencil(10, 15, "s.s")},
    "wrinkles": {
        FRONT: stencil(9, 13, "s............s", "..............", "..ss......ss..", "...s......s..."),
        SIDE: stencil(9, 13, "....s", ".....", ".ss"),
    },
    "mole": {FRONT: stencil(18, 15, "k"), SIDE: stencil(9, 15, "k")},
}
"""Marks that can be added to any face."""

BLUSH: Stencils = {FRONT: stencil(9, 15, "pp..........pp"), SIDE: stencil(11, 15, "pp")}
NOSE: Stencils = {FRONT: stencil(15, 14, "s")}

BEARDS: dict[str, Stencils] = {
    "full": {
        FRONT: stencil(
            8,
            13,
            "2..............2",
            "22............22",
            "222..22222222222",
            "2222232mm2222222",
            ".22332222222221.",
            "..2222222222211.",
            "...11222222111..",
        ),
        SIDE: stencil(
            8, 13, ".......22", "......222", "222..2222", "m22222222", "2232222221", ".222222211", "..1111111"
        ),
    },
    "short": {
        FRONT: stencil(
            8,
            13,
            "2..............2",
            "2..............2",
            "22............22",
            ".22..222222..22.",
            "..222n....n222..",
            "...222222221....",
        ),
        SIDE: stencil(8, 14, "........2", "........2", "22....222", "m2..2222", "22222221", ".222211"),
    },
    "moustache": {
        FRONT: stencil(11, 15, "..222222..", ".22322222.", "12......21"),
        SIDE: stencil(7, 15, ".2222", ".2222", "...1"),
    },
    "pencil": {FRONT: stencil(12, 15, ".111111.", "1......1"), SIDE: stencil(8, 15, "111")},
    "goatee": {
        FRONT: stencil(12, 15, "..2222..", ".2....2.", "........", "...22...", "...21..."),
        SIDE: stencil(8, 15, "222", "...", "...", ".22", ".21"),
    },
}
"""Facial hair by name; its colour is a hair colour."""
