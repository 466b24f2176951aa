"""The favicon."""

from pathlib import Path

import numpy as np
from PIL import IcoImagePlugin, Image

from town_builder.art.canvas import load
from town_builder.art.favicon import SIZES, house, write_favicon


def test_every_size_is_whole_pixels(tmp_path: Path) -> None:
    """favicon.ico contains the house in 16, 32 and 48 pixels, scaled by whole pixels."""
    write_favicon(tmp_path)
    with (tmp_path / "favicon.ico").open("rb") as file:
        icon = IcoImagePlugin.IcoFile(file)
        assert icon.sizes() == {(size, size) for size in SIZES}
        for size in SIZES:
            drawn = np.asarray(icon.getimage((size, size)).convert("RGBA"))
            assert np.array_equal(drawn, house().scaled(size // 16).pixels)


def test_the_home_screen_picture_has_no_holes(tmp_path: Path) -> None:
    """The large picture is opaque, because phones fill transparency with black, and shows the house."""
    write_favicon(tmp_path)
    large = load(tmp_path / "favicon-180.png")
    assert (large.width, large.height) == (180, 180)
    assert (large.pixels[..., 3] == 255).all()
    colours = {tuple(pixel) for pixel in large.pixels.reshape(-1, 4).tolist()}
    assert {tuple(pixel) for pixel in house().pixels.reshape(-1, 4).tolist() if pixel[3] == 255} <= colours


def test_the_ico_is_an_image(tmp_path: Path) -> None:
    """Image libraries can open the file."""
    write_favicon(tmp_path)
    with Image.open(tmp_path / "favicon.ico") as icon:
        assert icon.format == "ICO"
