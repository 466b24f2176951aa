"""The speech bubble: nine slices that stretch to any text, and a tail that overlaps the lower edge."""

import json
from pathlib import Path
from typing import Any

from town_builder.art.canvas import Canvas
from town_builder.art.palette import CAP, INK, PURPLE, mix

SIDE = 24
"""Side length of the unstretched bubble, in pixels."""
SLICE = 8
"""Pixels of a corner; the part between two corners may be stretched or repeated."""
PADDING = 6
"""Pixels from the outer edge to the text."""
OVERLAP = 3
"""Rows by which the tail overlaps the lower edge of the bubble."""
LINE = mix(INK, PURPLE[0], 0.35)
CORNER = (4, 2, 1, 1, 0)
"""Inset of the paper in each of its first rows."""
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
    """Draw the bubble, 24 × 24: light paper with a dark outline, shaded along the lower edge."""
    paper = Canvas(SIDE, SIDE)
    for row in range(SIDE - 2):
        inset = 1 + CORNER[min(row, SIDE - 3 - row, len(CORNER) - 1)]
        paper.row(inset, row + 1, SIDE - 2 * inset, CAP[4])
    shape = paper.drawn
    for rows, shade in ((2, CAP[3]), (1, CAP[2])):
        paper.fill(shape & ~paper.moved(0, -rows).drawn, shade)
    return paper.outline(LINE)


def tail() -> Canvas:
    """Draw the pointer to the speaker; its upper rows cover the outline of the bubble above it."""
    return Canvas.from_rows(TAIL, {"#": LINE, "o": CAP[4]})


def slices() -> dict[str, Any]:
    """Return how to assemble the pieces; all numbers are pixels of the pictures."""
    return {
        "image": "bubble.png",
        "size": [SIDE, SIDE],
        "slice": dict.fromkeys(("left", "top", "right", "bottom"), SLICE),
        "padding": PADDING,
        "tail": {"image": "tail.png", "size": [tail().width, tail().height], "overlap": OVERLAP},
    }


def write_bubble(folder: Path) -> None:
    """Write bubble.png, tail.png and bubble.json."""
    bubble().save(folder / "bubble.png")
    tail().save(folder / "tail.png")
    (folder / "bubble.json").write_text(json.dumps(slices(), indent=2) + "\n", encoding="utf-8")
