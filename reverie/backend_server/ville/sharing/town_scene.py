"""Moments of a recording as pictures: stills, and the frames of clips."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from PIL import Image

from ville.errors import BadArgument
from ville.sharing.shared_recording import SharedRecording
from ville.sharing.sky import lit
from ville.sharing.town_picture import SHEET, TownPicture, draw_town, sheet_picture, sprite_sheets
from ville.storage.steps.frames import Frame, FrameRecord, tile_of

FIGURE = 32
"""Pixels of a frame in a sprite sheet."""
ROWS = {(0, 1): 0, (-1, 0): 1, (1, 0): 2, (0, -1): 3}
"""Row of a sprite sheet by the direction of a move."""
STAND = 1
LEAST_FIGURE = 18
"""Pixels of a person, however small the town is."""
SPACING, MOST_SPREAD = 0.36, 0.8
"""Tiles between people who share one, and tiles that they may take."""
VIEW = (30, 20)
"""Columns and rows around a person who is followed."""
ASLEEP = re.compile(r"(sleeping|asleep)\b", re.IGNORECASE)
HOUR = 3600
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


@dataclass(frozen=True)
class TownScene:
    """Draws the steps of a shared recording."""

    recording: SharedRecording
    assets: Path
    widest: int
    """Pixels; the town is made smaller to fit. People stay large enough to be seen."""
    follow: str = ""
    """Person around whom a part of the town is drawn; empty: all of it."""

    def __post_init__(self) -> None:
        if self.follow and self.follow not in self.recording.people:
            known = ", ".join(self.recording.people)
            raise BadArgument(f"'{self.follow}' is not in the recording. There are: {known}.")

    @cached_property
    def _town(self) -> TownPicture:
        """The map in the size in which it is drawn."""
        town = draw_town(self.assets, self.recording.run.meta.maze_name)
        columns = town.below.width // town.tile
        shown = min(VIEW[0], columns) if self.follow else columns
        tile = min(town.tile, max(1, self.widest // shown))
        size = columns * tile, town.below.height // town.tile * tile
        below, above = (each.resize(size, Image.Resampling.LANCZOS) for each in (town.below, town.above))
        return TownPicture(tile, below, above)

    @cached_property
    def figure(self) -> int:
        """Pixels of a person."""
        return max(self._town.tile, LEAST_FIGURE)

    @cached_property
    def _sheets(self) -> Mapping[str, Image.Image]:
        people, share = self.recording.people, self.figure / FIGURE
        sheets = sprite_sheets(self.assets, people, self.recording.cast)
        size = round(SHEET[0] * share), round(SHEET[1] * share)
        smooth = Image.Resampling.NEAREST if share == 1 else Image.Resampling.LANCZOS
        return {name: sheet_picture(sheets.get(name)).resize(size, smooth) for name in people}

    def at(self, step: int) -> Image.Image:
        """Return the picture of a step of the run."""
        run, tile = self.recording.run, self._town.tile
        frame, before = run.frame(step), run.frame(max(run.first, step - 1))
        box = self._box(frame)
        picture = self._town.below.crop(box)
        spots = self.spots(step)
        for name in sorted(spots, key=lambda each: spots[each][1]):
            x, y = spots[name]
            corner = max(0, round(x - self.figure / 2)), max(0, round(y - self.figure))
            picture.alpha_composite(self._figure(name, frame[name], before.get(name)), corner)
        picture.alpha_composite(self._town.above.crop(box))
        awake = [tile_of(record) for record in frame.values() if not ASLEEP.match(record["description"])]
        lamps = [(column - box[0] // tile, row - box[1] // tile) for column, row in awake]
        return lit(picture.convert("RGB"), _hour(run.meta.time_of(step)), lamps, tile)

    def _figure(self, name: str, record: FrameRecord, before: FrameRecord | None) -> Image.Image:
        (column, row), (from_column, from_row) = tile_of(record), tile_of(before or record)
        facing = ROWS.get((column - from_column, row - from_row), 0)
        left, top = STAND * self.figure, facing * self.figure
        return self._sheets[name].crop((left, top, left + self.figure, top + self.figure))

    def _box(self, frame: Frame) -> Box:
        """Return the part that is drawn, on whole tiles: all, or that around the person who is followed."""
        width, height = self._town.below.size
        if self.follow not in frame:
            return 0, 0, width, height
        tile, (column, row) = self._town.tile, tile_of(frame[self.follow])
        wide, high = (min(side * tile, whole) for side, whole in zip(VIEW, (width, height), strict=True))
        left = min(max(0, (column - VIEW[0] // 2) * tile), width - wide)
        top = min(max(0, (row - VIEW[1] // 2) * tile), height - high)
        return left, top, left + wide, top + high

    def spots(self, step: int) -> Mapping[str, tuple[float, float]]:
        """Return where the feet of everyone are who is in the picture of a step."""
        frame, tile = self.recording.run.frame(step), self._town.tile
        left, top, right, bottom = self._box(frame)
        offsets = spread(frame)
        tiles = {name: tile_of(record) for name, record in frame.items()}
        spots = {
            name: ((column + 0.5 + offsets[name]) * tile - left, (row + 1) * tile - top)
            for name, (column, row) in tiles.items()
        }
        return {name: (x, y) for name, (x, y) in spots.items() if 0 <= x <= right - left and 0 <= y <= bottom - top}


def _hour(moment: datetime) -> float:
    """Return the hours since midnight."""
    return (moment - moment.replace(hour=0, minute=0, second=0)).total_seconds() / HOUR


def spread(frame: Frame) -> Mapping[str, float]:
    """Return how far to the side each person is drawn, in tiles, so that those on the same tile are all seen."""
    tiles: dict[tuple[int, int], list[str]] = {}
    for name, record in frame.items():
        tiles.setdefault(tile_of(record), []).append(name)
    return {name: _offset(names, place) for names in tiles.values() for place, name in enumerate(names)}


def _offset(names: Sequence[str], place: int) -> float:
    return (place - (len(names) - 1) / 2) * min(SPACING, MOST_SPREAD / len(names))
