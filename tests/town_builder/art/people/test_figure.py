"""Pictures of people as browsers and viewers need them."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from town_builder.art.canvas import Canvas
from town_builder.art.people.colours import EYES, HAIRS, SKINS
from town_builder.art.people.features import BEARDS, BROWS, MARKS, MOUTHS
from town_builder.art.people.figure import frame
from town_builder.art.people.garments import BUILDS, DETAILS, FITS, SLEEVES
from town_builder.art.people.haircuts import CUTS, FRINGES
from town_builder.art.people.look import WORN, Clothes, Face, Hair, Look
from town_builder.art.people.looks_file import read_looks
from town_builder.art.people.pose import STRIDES, Pose, View
from town_builder.art.people.sheet import portrait, profile, sheet

ROOT = Path(__file__).resolve().parents[4]
CAST = read_looks(ROOT / "environment" / "town_builder" / "towns" / "looks.yaml")
SHEETS = {name: sheet(look) for name, look in CAST.items()}
ROWS = {"down": 0, "left": 32, "right": 64, "up": 96}
PLAIN = Look("tan", "brown", Hair("short", "brown"), Clothes("blue", "grey"))


def variants() -> dict[str, Look]:
    """Return one look for every entry of every table, each differing from PLAIN in this entry only."""
    hair, clothes = PLAIN.hair, PLAIN.clothes
    many = {f"skin {name}": Look(name, PLAIN.eyes, hair, clothes) for name in SKINS}
    many |= {f"eyes {name}": Look(PLAIN.skin, name, hair, clothes) for name in EYES}
    many |= {f"hair {name}": Look(PLAIN.skin, PLAIN.eyes, Hair("short", name), clothes) for name in HAIRS}
    many |= {f"cut {name}": Look(PLAIN.skin, PLAIN.eyes, Hair(name, "brown"), clothes) for name in CUTS}
    many |= {f"fringe {name}": Look(PLAIN.skin, PLAIN.eyes, Hair("short", "brown", name), clothes) for name in FRINGES}
    many |= {f"fit {name}": _dressed(Clothes("blue", "grey", name)) for name in FITS}
    many |= {f"sleeves {name}": _dressed(Clothes("blue", "grey", sleeves=name)) for name in SLEEVES}
    many |= {f"detail {name}": _dressed(Clothes("blue", "grey", details={name: "red"})) for name in DETAILS}
    many |= {f"mouth {name}": _faced(Face(mouth=name)) for name in MOUTHS}
    many |= {f"brows {name}": _faced(Face(brows=name)) for name in BROWS}
    many |= {f"mark {name}": _faced(Face(marks=(name,))) for name in MARKS}
    many |= {f"beard {name}": _faced(Face(beard=name)) for name in BEARDS}
    many |= {f"build {name}": Look(PLAIN.skin, PLAIN.eyes, hair, clothes, build=name) for name in BUILDS}
    many |= {f"worn {name}": Look(PLAIN.skin, PLAIN.eyes, hair, clothes, worn={name: "red"}) for name in WORN}
    return many


def _dressed(clothes: Clothes) -> Look:
    return Look(PLAIN.skin, PLAIN.eyes, PLAIN.hair, clothes)


def _faced(face: Face) -> Look:
    return Look(PLAIN.skin, PLAIN.eyes, PLAIN.hair, PLAIN.clothes, face)


VARIANTS = variants()


def differing(one: Canvas, other: Canvas) -> int:
    """Return the number of pixels that differ visibly: in transparency, or strongly in colour."""
    a, b = one.pixels.astype(int), other.pixels.astype(int)
    return int((abs(a - b).sum(-1) > 60).sum())


@pytest.mark.slow
def test_every_choice_stays_in_its_frame() -> None:
    """Feet are on one of the two lowest rows, the sides are free, and pixels are opaque or transparent."""
    for name in VARIANTS:
        for view in View:
            for stride in STRIDES:
                picture = frame(VARIANTS[name], Pose(view, stride))
                rows, columns = picture.drawn.nonzero()
                assert rows.max() in {30, 31}, name
                assert columns.min() > 0, name
                assert columns.max() < 31, name
                assert set(np.unique(picture.pixels[..., 3])) == {0, 255}, name


def test_the_crown_is_never_cut_off() -> None:
    """The top row of a standing frame contains at most an outline, so hats and hair are not cut off."""
    for name in VARIANTS:
        for view in View:
            top = frame(VARIANTS[name], Pose(view, 0)).pixels[0]
            painted = top[top[:, 3] > 0][:, :3].astype(int)
            assert (painted.sum(-1) < 330).all(), name


@pytest.mark.slow
def test_every_choice_can_be_seen() -> None:
    """Any two entries of a table give different sheets."""
    sheets = {name: sheet(look).pixels.tobytes() for name, look in VARIANTS.items()}
    tables: dict[str, list[bytes]] = {}
    for name, drawn in sheets.items():
        tables.setdefault(name.split()[0], []).append(drawn)
    assert {table: len(set(drawn)) for table, drawn in tables.items()} == {
        table: len(drawn) for table, drawn in tables.items()
    }


def test_a_sheet_is_twelve_frames() -> None:
    """A sheet is 96 × 128; the frames that look right mirror those that look left."""
    for name in CAST:
        drawn = SHEETS[name]
        assert (drawn.width, drawn.height) == (96, 128), name
        for column in (0, 32, 64):
            left, right = (drawn.crop(column, ROWS[way], 32, 32) for way in ("left", "right"))
            assert (left.flipped().pixels == right.pixels).all(), name


def test_people_walk() -> None:
    """In each view both steps differ from standing and from each other, and the head moves down one pixel."""
    for name in CAST:
        for top in ROWS.values():
            first, stand, second = (SHEETS[name].crop(column, top, 32, 32) for column in (0, 32, 64))
            assert min(differing(first, stand), differing(second, stand), differing(first, second)) > 10, name
            heights = [int(picture.drawn.nonzero()[0].min()) for picture in (first, stand, second)]
            assert heights == [heights[1] + 1, heights[1], heights[1] + 1], name


def test_profile_and_portrait_are_the_same_person() -> None:
    """The profile is the standing frame; the portrait shows its upper part at four times the size."""
    for name in CAST:
        stand = SHEETS[name].crop(32, 0, 32, 32)
        assert (profile(CAST[name]).pixels == stand.pixels).all(), name
        large = portrait(CAST[name])
        assert (large.width, large.height) == (96, 96), name
        small = Canvas.of(large.pixels[::4, ::4])
        assert (small.scaled(4).pixels == large.pixels).all(), name
        bust = stand.crop(4, 0, 24, 24)
        assert (small.pixels[bust.drawn] == bust.pixels[bust.drawn]).all(), name


@pytest.mark.parametrize("way", ROWS)
def test_any_two_people_look_different(way: str) -> None:
    """From every side, any two of the cast differ in at least a sixth of a person's pixels."""
    standing = {name: drawn.crop(32, ROWS[way], 32, 32) for name, drawn in SHEETS.items()}
    alike = {
        (one, other): differing(standing[one], standing[other])
        for one, other in combinations(standing, 2)
        if differing(standing[one], standing[other]) * 6 < standing[one].drawn.sum()
    }
    assert not alike


def test_the_same_look_is_the_same_picture() -> None:
    """Drawing twice gives the same pixels."""
    for look in list(CAST.values())[:4]:
        assert (sheet(look).pixels == sheet(look).pixels).all()
