"""The speech bubble: nine slices that stretch to any text, and a tail that is laid over the lower edge."""

import json
from pathlib import Path
from typing import Any

from town_builder.art.canvas import Canvas
from town_builder.art.palette import CAP, INK, PURPLE, mix

SIDE = 24
"""Pixels of the bubble's side before it is stretched."""
SLICE = 8
"""Pixels of a corner; what lies between two corners may be stretched or repeated."""
PADDING = 6
"""Pixels from the outer edge to the text."""
OVERLAP = 3
"""Rows by which the tail lies over the bubble's lower edge."""
LINE = mix(INK, PURPLE[0], 0.35)
CORNER = (4, 2, 1, 1, 0)
"""How far the paper is drawn in, in each of its first rows."""
TAIL = (
    ".oooooooo.",
    ".oooooooo.",
    "#oooooooo#",
    ".#ooooooo#",
    ".#oooooo#.",
    ".#ooooo#..",
    "#oooo##...",
    "#o###.....",
    "##........",
)


def bubble() -> Canvas:
    """24 × 24: paper with a dark line, lit above, shaded along the lower edge."""
    paper = Canvas(SIDE, SIDE)
    for row in range(SIDE - 2):
        inset = 1 + CORNER[min(row, SIDE - 3 - row, len(CORNER) - 1)]
        paper.row(inset, row + 1, SIDE - 2 * inset, CAP[4])
    shape = paper.drawn
    for rows, shade in ((2, CAP[3]), (1, CAP[2])):
        paper.fill(shape & ~paper.moved(0, -rows).drawn, shade)
    return paper.outline(LINE)


def tail() -> Canvas:
    """The pointer to the speaker; its upper rows hide the line of the bubble below which it hangs."""
    return Canvas.from_rows(TAIL, {"#": LINE, "o": CAP[4]})


def slices() -> dict[str, Any]:
    """How to put the pieces together; every number is in pixels of the pictures."""
    return {
        "image": "bubble.png",
        "size": [SIDE, SIDE],
        "slice": dict.fromkeys(("left", "top", "right", "bottom"), SLICE),
        "padding": PADDING,
        "tail": {"image": "tail.png", "size": [tail().width, tail().height], "overlap": OVERLAP},
    }


def write_bubble(folder: Path) -> None:
    """bubble.png, tail.png and bubble.json."""
    bubble().save(folder / "bubble.png")
    tail().save(folder / "tail.png")
    (folder / "bubble.json").write_text(json.dumps(slices(), indent=2) + "\n", encoding="utf-8")
