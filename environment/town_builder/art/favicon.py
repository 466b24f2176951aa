"""The favicon of the town: a small house with a red roof and a lit window."""

from pathlib import Path

from PIL import Image

from town_builder.art.canvas import Canvas
from town_builder.art.palette import BLUE, GRASS, RED, STONE, WALL, WOOD, YELLOW

SIZES = (16, 32, 48)
"""Side lengths of the pictures in favicon.ico."""
TOUCH_SIZE = 180
"""Side length of the picture for the home screen of phones."""

HOUSE = (
    "................",
    ".......34...SS..",
    "......3432..ST..",
    ".....343322.ST..",
    "....343323222T..",
    "...34332332222..",
    "..3433233222221.",
    ".343323323222221",
    ".111111111111111",
    "..WWWWWWWWWWWV..",
    "..WYyYWWWWDDWV..",
    "..WYYyWWWWDdWV..",
    "..WYYYWWWWDdWV..",
    "..WWWWWWWWDdWV..",
    ".LGGGGGGGGllGGg.",
    "..ggggggggggggg.",
)
KEY = {
    "1": RED[1],
    "2": RED[2],
    "3": RED[3],
    "4": RED[4],
    "S": STONE[3],
    "T": STONE[2],
    "W": WALL[3],
    "V": WALL[2],
    "Y": YELLOW[2],
    "y": YELLOW[4],
    "D": WOOD[2],
    "d": WOOD[1],
    "L": GRASS[4],
    "G": GRASS[3],
    "g": GRASS[1],
    "l": STONE[4],
}


def house() -> Canvas:
    """Draw the house, 16 × 16."""
    return Canvas.from_rows(HOUSE, KEY).outline(strength=0.3)


def touch_icon() -> Canvas:
    """Draw the opaque home screen icon, 180 × 180, with a margin for rounded corners."""
    scale = TOUCH_SIZE // 18
    margin = (TOUCH_SIZE - 16 * scale) // 2
    canvas = Canvas(TOUCH_SIZE, TOUCH_SIZE).rect(0, 0, TOUCH_SIZE, TOUCH_SIZE, BLUE[4])
    canvas.rect(0, TOUCH_SIZE - margin - 2 * scale, TOUCH_SIZE, margin + 2 * scale, GRASS[2])
    return canvas.over(house().scaled(scale), margin, margin)


def write_favicon(folder: Path) -> None:
    """Write favicon.ico with all SIZES, scaled by whole pixels, and favicon-180.png."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [Image.fromarray(house().scaled(size // 16).pixels, "RGBA") for size in SIZES]
    pictures[-1].save(
        folder / "favicon.ico", format="ICO", sizes=[(size, size) for size in SIZES], append_images=pictures[:-1]
    )
    touch_icon().save(folder / f"favicon-{TOUCH_SIZE}.png")
