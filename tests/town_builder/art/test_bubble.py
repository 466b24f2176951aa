"""The speech bubble fits any text."""

import json
from pathlib import Path

from town_builder.art.bubble import bubble, slices, tail, write_bubble
from town_builder.art.canvas import load


def test_the_bubble_stretches_without_a_seam() -> None:
    """Between the corners all columns are equal, and all rows, so that stretching shows no pattern."""
    pixels, cut = bubble().pixels, slices()["slice"]
    across = pixels[:, cut["left"] : -cut["right"]]
    down = pixels[cut["top"] : -cut["bottom"]]
    assert (across == across[:, :1]).all()
    assert (down == down[:1]).all()


def test_the_bubble_is_closed() -> None:
    """A dark line surrounds the paper: pixels next to transparent ones are darker than the inside."""
    pixels = bubble().pixels.astype(int)
    middle = pixels.shape[0] // 2
    for edge in (pixels[middle, 0], pixels[middle, -1], pixels[0, middle], pixels[-1, middle]):
        assert edge[3] == 255
        assert edge[:3].sum() < pixels[middle, middle][:3].sum() / 3
    assert pixels[0, 0][3] == 0


def test_the_tail_opens_the_edge() -> None:
    """Placed over the lower edge as described, the tail joins the paper without a line between."""
    sheet, piece, overlap = bubble(), tail(), slices()["tail"]["overlap"]
    left = (sheet.width - piece.width) // 2
    joined = sheet.copy().over(piece, left, sheet.height - overlap)
    column = left + piece.width // 2
    paper = sheet.at(column, sheet.height // 2)
    assert all(joined.at(column, row) == paper for row in range(sheet.height // 2, sheet.height))


def test_the_description_is_of_these_pictures(tmp_path: Path) -> None:
    """bubble.json has the sizes and names of the pictures, and the corners leave a middle part."""
    write_bubble(tmp_path)
    description = json.loads((tmp_path / "bubble.json").read_text("utf-8"))
    for piece in (description, description["tail"]):
        picture = load(tmp_path / piece["image"])
        assert [picture.width, picture.height] == piece["size"]
    assert description["slice"]["left"] + description["slice"]["right"] < description["size"][0]
    assert description["slice"]["top"] + description["slice"]["bottom"] < description["size"][1]
