"""Tables of clothes, drawn on a standing torso; they move down with it during a step.

Characters: 0 to 3 the ramp of the top or of the detail itself, A to D the ramp of the bottom, darkest first. The
torso spans columns 11 to 20 from the front, 12 to 19 from the side, rows 18 (shoulders) to 24 (belt).
"""

from town_builder.art.people.pose import View
from town_builder.art.people.stencil import Stencils, stencil

FRONT, SIDE, BACK = View.FRONT, View.SIDE, View.BACK

SHIRT: Stencils = {
    FRONT: stencil(
        11, 18, "..222222..", "3322222211", "3322222211", "3322222211", "3322222211", "3322222211", "2211111111"
    ),
    SIDE: stencil(12, 18, ".222222.", "33222211", "33222211", "33222211", "33222211", "33222211", "22111111"),
    BACK: stencil(
        11, 18, "..222222..", "3322222211", "3322222211", "3322222211", "3322222211", "3322222211", "2211111111"
    ),
}
"""Basic top under all other clothes."""

FITS: dict[str, Stencils] = {
    "trousers": {
        FRONT: stencil(12, 24, "BBBBBBBB"),
        SIDE: stencil(12, 24, "BBBBBBBB"),
        BACK: stencil(12, 24, "BBBBBBBB"),
    },
    "shorts": {
        FRONT: stencil(12, 24, "DDCCCCCB"),
        SIDE: stencil(12, 24, "DDCCCCCB"),
        BACK: stencil(12, 24, "DDCCCCCB"),
    },
    "skirt": {
        FRONT: stencil(10, 23, "..DDDDDDDB..", ".DDCCCCCCCB.", "DDCCBCCBCCBB", "DCCCBCCBCCCB", "BBBBBBBBBBBB"),
        SIDE: stencil(11, 23, ".DDDDDDDB.", ".DCCCCCCB.", "DDCCBCCBCB", "DCCCBCCBCB", "BBBBBBBBBB"),
        BACK: stencil(10, 23, "..DDDDDDDB..", ".DDCCCCCCCB.", "DDCCBCCBCCBB", "DCCCBCCBCCCB", "BBBBBBBBBBBB"),
    },
    "pencil skirt": {
        FRONT: stencil(11, 23, ".DDDDDDDB.", "DDCCCCCCCB", "DDCCCCCCCB", "DDCCCCCCCB", ".BBBBBBBB."),
        SIDE: stencil(12, 23, "DDDDDDDB", "DCCCCCCB", "DCCCCCCB", "DCCCCCCB", ".BBBBBB."),
        BACK: stencil(11, 23, ".DDDDDDDB.", "DDCCCCCCCB", "DDCCCCCCCB", "DDCCBBCCCB", ".BBBBBBBB."),
    },
    "dress": {
        FRONT: stencil(
            9,
            22,
            "...BBBBBBBB...",
            "..3322222221..",
            ".332222222211.",
            ".322122212211.",
            "33221222122211",
            "22222222222221",
            "11111111111111",
        ),
        SIDE: stencil(
            10,
            22,
            "..BBBBBBBB..",
            "..33222221..",
            ".3322222211.",
            ".3221222121.",
            "332212221211",
            "222222222221",
            "111111111111",
        ),
        BACK: stencil(
            9,
            22,
            "...BBBBBBBB...",
            "..3322222221..",
            ".332222222211.",
            ".322122212211.",
            "33221222122211",
            "22222222222221",
            "11111111111111",
        ),
    },
    "coat": {
        FRONT: stencil(
            10,
            19,
            "......01....",
            "......01....",
            "......01....",
            "......01....",
            "......01....",
            ".33222012211",
            "332222012211",
            "332222012211",
            "111111.11111",
        ),
        SIDE: stencil(11, 24, ".33222221", "332222221", "332222221", "111111111"),
        BACK: stencil(10, 24, ".33222222211", "332222122211", "332222122211", "111111011111"),
    },
    "jacket": {
        FRONT: stencil(11, 19, "....01....", "....01....", "....01....", "....01....", "....01....", "1111001111"),
        SIDE: stencil(12, 24, "11111111"),
        BACK: stencil(11, 24, "1111111111"),
    },
}
"""Cuts of clothes. All but trousers, coat and jacket leave the legs bare."""

BARE_LEGGED = frozenset({"shorts", "skirt", "pencil skirt", "dress"})

SLEEVES: dict[str, int] = {"long": 4, "rolled": 3, "short": 2, "none": 0}
"""Covered rows of an arm, of six."""

BUILDS: dict[str, int] = {"slim": 2, "broad": 3}
"""Width of an arm in pixels."""

DETAILS: dict[str, Stencils] = {
    "apron": {
        FRONT: stencil(
            12,
            19,
            "3......3",
            "33333332",
            "33333332",
            "33333332",
            "22222222",
            "33222233",
            "33333332",
            "33333332",
            "11111111",
        ),
        SIDE: stencil(11, 20, ".333", ".333", ".333", "2222222.", "3332....", "3332....", "3332....", "111....."),
        BACK: stencil(
            11, 19, ".3......3.", "..3....3..", "...3..3...", "....33....", "2222332222", "...3113...", "...3..3..."
        ),
    },
    "waist apron": {
        FRONT: stencil(11, 23, "2222222222", ".33333332.", ".33222232.", ".33333332.", ".11111111."),
        SIDE: stencil(11, 23, ".2222222.", ".3333....", "33332....", "1111....."),
        BACK: stencil(11, 23, "2222332222", "...3113...", "...3..3..."),
    },
    "vest": {
        FRONT: stencil(
            11, 18, "..3....1..", "332....211", "3322..2211", "3322222211", "3322122211", "3322222211", "1111111111"
        ),
        SIDE: stencil(12, 18, "..2222..", "33222211", "33222211", "33222211", "33222211", "33222211", "11111111"),
        BACK: stencil(
            11, 18, "..222222..", "3322222211", "3322222211", "3322222211", "3322112211", "3322222211", "1111111111"
        ),
    },
    "overalls": {
        FRONT: stencil(12, 18, "2......2", "2......2", "z222222z", "32222221", "32111121", "32222221", "32222221"),
        SIDE: stencil(12, 18, "...2....", "..2.2...", "22..22..", "32222221", "32222221", "32222221", "32222221"),
        BACK: stencil(12, 18, "2......2", ".2....2.", "..2222..", "..3221..", "33222211", "32222221", "32222221"),
    },
    "hood": {
        FRONT: stencil(
            11, 17, ".11....11.", ".11111111.", "...w..w...", "...w..w...", "..........", "..111111..", "..100001.."
        ),
        SIDE: stencil(12, 17, "....1111", "..111110", "........"),
        BACK: stencil(11, 17, "1111111111", "1221111221", "1122222211", ".11222211.", "..011110.."),
    },
    "collar": {
        FRONT: stencil(12, 18, "33333333", "32.22.23", ".2....2."),
        SIDE: stencil(12, 18, "33333333"),
        BACK: stencil(11, 18, ".33333333.", "..222222.."),
    },
    "shirt front": {
        FRONT: stencil(13, 18, "333333", ".3333.", ".3333.", "..33..", "..33.."),
        SIDE: stencil(12, 18, "33", "33", "3."),
    },
    "tie": {FRONT: stencil(14, 18, "w22w", ".21.", ".21.", ".22.", ".21.", "..1.")},
    "bow tie": {FRONT: stencil(13, 18, "w3ww3w", ".3113.", ".2..2.")},
    "stripes": {
        FRONT: stencil(11, 20, "2222222222", "..........", "2222222222", "..........", "2222222222"),
        SIDE: stencil(12, 20, "22222222", "........", "22222222", "........", "22222222"),
        BACK: stencil(11, 20, "2222222222", "..........", "2222222222", "..........", "2222222222"),
    },
    "checks": {
        FRONT: stencil(11, 19, ".1..1..1..", "1111111111", ".1..1..1..", ".1..1..1..", "1111111111"),
        SIDE: stencil(12, 19, ".1..1..1", "11111111", ".1..1..1", ".1..1..1", "11111111"),
        BACK: stencil(11, 19, ".1..1..1..", "1111111111", ".1..1..1..", ".1..1..1..", "1111111111"),
    },
    "buttons": {FRONT: stencil(13, 20, "3..3", "....", "3..3", "....", "3..3"), SIDE: stencil(12, 20, "3", ".", "3")},
    "scarf": {
        FRONT: stencil(11, 17, ".33333333.", "3222222221", ".11111221.", "......322.", "......322.", "......111."),
        SIDE: stencil(12, 17, "33333333", "22222221", "....3221", ".....322", ".....111"),
        BACK: stencil(11, 17, ".33333333.", "3222222221", ".11111111."),
    },
    "number": {
        FRONT: stencil(13, 20, ".3.33", "33..3", ".3.3.", ".3.33"),
        BACK: stencil(13, 19, ".3.333", "33...3", ".3..3.", ".3.3..", ".3.333"),
    },
    "camera": {
        FRONT: stencil(12, 18, "k......k", ".k....k.", ".k....k.", ".hhhggg.", ".gbbgrg.", ".gbbggg."),
        SIDE: stencil(11, 19, ".k", "kk", "gg", "bg", "gg"),
        BACK: stencil(12, 18, "k......k", ".kkkkkk."),
    },
    "necklace": {FRONT: stencil(13, 18, "3....3", ".3333.", "..2...")},
    "badge": {FRONT: stencil(17, 20, "33", "32")},
    "cross": {FRONT: stencil(17, 20, ".2.", "222", ".2.")},
    "paint": {
        FRONT: stencil(12, 20, "..r.....", ".....y..", "b.......", "...o....", "......b.", ".y......"),
        SIDE: stencil(12, 20, "r.......", ".......y", "y.......", "........", ".b....r."),
        BACK: stencil(12, 21, "......y.", ".b......", "........", "....r..."),
    },
    "satchel": {
        FRONT: stencil(12, 18, "......22", ".....22.", "....22..", "...22...", "..22....", ".22....."),
        SIDE: stencil(
            12, 18, "....22..", "...22...", "...22...", "........", "........", ".332221.", ".322221.", ".111111."
        ),
        BACK: stencil(
            9,
            18,
            "...22.........",
            "....22........",
            ".....22.......",
            "......22......",
            ".......22.....",
            "........332221",
            "........322221",
            "........111111",
        ),
    },
    "backpack": {
        FRONT: stencil(12, 18, "22....22", "22....22", "22....22", "21....21", "1......1"),
        SIDE: stencil(19, 18, "222.", "3222", "3222", "3221", "3111", "3221", "111."),
        BACK: stencil(
            12, 17, ".333333.", "33222221", "32222221", "32222221", "31111111", "32233221", "32222221", "11111111"
        ),
    },
    "neck phones": {
        FRONT: stencil(10, 17, ".33......33.", ".3222222223.", "..2......2.."),
        SIDE: stencil(12, 17, "22222222", "...332..", "...322.."),
        BACK: stencil(10, 17, ".33......33.", ".3222222223.", "..22222222.."),
    },
    "shawl": {
        FRONT: stencil(
            11, 18, "3322222211", "3322222211", "3222222221", ".32222221.", "..322221..", "...3221...", "....21...."
        ),
        SIDE: stencil(12, 18, "33222211", "33222211", ".3222221", "..322221", "...11111"),
        BACK: stencil(11, 18, "3322222211", "3322222211", "3222222221", ".32222221.", "..322221..", "....21...."),
    },
}
"""Optional details, in drawing order. Each takes a colour; letters with a fixed colour keep it."""
