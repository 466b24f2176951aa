"""The light of the sky by the hour, as `town/sky.js` has it, laid over a picture of the town."""

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops

Colour = tuple[int, int, int]
SKY: tuple[tuple[float, Colour], ...] = (
    (0, (86, 98, 158)),
    (4.5, (86, 98, 158)),
    (6, (166, 154, 186)),
    (7, (255, 226, 204)),
    (8.5, (255, 255, 255)),
    (16.5, (255, 255, 255)),
    (18.5, (255, 222, 184)),
    (20, (190, 160, 184)),
    (21.5, (104, 112, 168)),
    (24, (86, 98, 158)),
)
"""Hour of the day and the colour that the town is multiplied with; interpolated in between."""
LAMP = np.array((255, 226, 172))
LAMP_RADIUS = 4.5
"""Tiles."""
WHITE = (255, 255, 255)
Light = npt.NDArray[np.float64]


def sky_at(hour: float) -> Colour:
    """Return the colour of the light at an hour of the day; white by day."""
    place = bisect_right([begin for begin, _ in SKY], hour)
    (begin, first), (end, second) = SKY[place - 1], SKY[place]
    share = (hour - begin) / (end - begin)
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(first, second, strict=True))
    return red, green, blue


def lit(picture: Image.Image, hour: float, lamps: Iterable[tuple[int, int]], tile: int) -> Image.Image:
    """Return a picture of the town in the light of an hour. `lamps` are the tiles of those who are awake."""
    sky = sky_at(hour)
    if sky == WHITE:
        return picture
    rows, columns = picture.height // tile, picture.width // tile
    light = np.full((rows, columns, 3), sky, np.float64)
    dark = 1 - min(sky) / 255
    lamp = np.array(sky) + (LAMP - np.array(sky)) * min(1, 1.6 * dark)
    for column, row in lamps:
        light = np.maximum(light, _glow((rows, columns), (column, row), lamp, np.array(sky)))
    overlay = Image.fromarray(light.round().astype(np.uint8), "RGB").resize(picture.size, Image.Resampling.BILINEAR)
    return ImageChops.multiply(picture, overlay)


def _glow(size: tuple[int, int], spot: tuple[int, int], lamp: Light, sky: Light) -> Light:
    """Return the light around one spot, which fades into that of the sky."""
    rows, columns = np.indices(size)
    away = np.hypot(columns - spot[0], rows - spot[1])
    share = np.clip((away - 0.5) / (LAMP_RADIUS - 0.5), 0, 1)[..., None]
    return np.asarray(lamp * (1 - share) + sky * share)
