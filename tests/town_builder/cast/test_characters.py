"""Picture files of people for browsers."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from town_builder.art.canvas import load
from town_builder.art.people.generated_look import look_for
from town_builder.art.people.looks_file import read_looks
from town_builder.art.people.sheet import sheet
from town_builder.cast.characters import atlas, file_stem, write_characters

ENVIRONMENT = Path(__file__).resolve().parents[3] / "environment"
ASSETS = ENVIRONMENT / "frontend_server" / "static_dirs" / "assets"
CAST = read_looks(ENVIRONMENT / "town_builder" / "towns" / "looks.yaml")
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=[]), max_size=300)


@given(ANY_TEXT)
def test_every_name_has_a_file_name(name: str) -> None:
    r"""A stem matches `[\w-]+`, is not a path, fits any file system and can be encoded."""
    stem = file_stem(name)
    assert re.fullmatch(r"[\w-]+", stem)
    assert 0 < len(stem.encode()) <= 60


@given(st.lists(st.text("aB_- é.\t'/", max_size=6), unique=True, max_size=30))
def test_no_two_names_share_a_file(names: list[str]) -> None:
    """Different names have different stems, even if they reduce to the same characters."""
    assert len({file_stem(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Isabella Rodriguez", "Isabella_Rodriguez"),
        ("Mary-Ann van der Berg", "Mary-Ann_van_der_Berg"),
        ("José Núñez", "José_Núñez"),
        ("山田 花子", "山田_花子"),
        ("R2", "R2"),
    ],
)
def test_a_plain_name_keeps_its_letters(name: str, stem: str) -> None:
    """Letters, digits and hyphens stay, and spaces become underscores, as browsers request it."""
    assert file_stem(name) == stem


def test_the_atlas_covers_the_sheet() -> None:
    """The twenty frames cover the sheet; standing equals the second frame of the walk."""
    frames = {entry["filename"]: entry["frame"] for entry in atlas()["frames"]}
    ways = ("down", "left", "right", "up")
    assert set(frames) == {*ways, *(f"{way}-walk.{number:03}" for way in ways for number in range(4))}
    covered = np.zeros((128, 96), int)
    for place in frames.values():
        covered[place["y"] : place["y"] + place["h"], place["x"] : place["x"] + place["w"]] += 1
    assert covered.min() == 1
    assert {(place["w"], place["h"]) for place in frames.values()} == {(32, 32)}
    for row, way in enumerate(ways):
        assert {place["y"] for name, place in frames.items() if name.split("-")[0] == way} == {row * 32}
        assert [frames[f"{way}-walk.{number:03}"]["x"] for number in range(4)] == [0, 32, 64, 32]
        assert frames[way] == frames[f"{way}-walk.001"]


def test_names_with_and_without_a_look_are_written(tmp_path: Path) -> None:
    """Names without a look get a generated one; no other files are written."""
    mine = {"Ada Oak": look_for("somebody else")}
    write_characters(["Ada Oak", "Zoë!"], mine, tmp_path)
    stems = ["Ada_Oak", file_stem("Zoë!")]
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    people = {f"characters/{folder}{stem}.png" for stem in stems for folder in ("", "profile/", "portraits/")}
    shared = {"favicon.ico", "favicon-180.png", "characters/atlas.json"}
    assert files == people | shared | {f"speech_bubble/{name}" for name in ("bubble.png", "tail.png", "bubble.json")}
    assert (load(tmp_path / "characters/Ada_Oak.png").pixels == sheet(mine["Ada Oak"]).pixels).all()
    assert (load(tmp_path / f"characters/{stems[1]}.png").pixels == sheet(look_for("Zoë!")).pixels).all()


def test_writing_again_changes_no_byte(tmp_path: Path) -> None:
    """The same people give the same bytes."""
    for folder in ("one", "two"):
        write_characters(["Ada Oak"], {}, tmp_path / folder)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert files
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)


@pytest.mark.slow
def test_the_pictures_of_the_house_are_up_to_date(tmp_path: Path) -> None:
    """The committed pictures equal the drawings of the cast's looks, pixel for pixel."""
    write_characters(CAST, CAST, tmp_path)
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        kept = ASSETS / path.relative_to(tmp_path)
        if path.suffix == ".json":
            assert json.loads(kept.read_text("utf-8")) == json.loads(path.read_text("utf-8"))
        else:
            with Image.open(kept) as old, Image.open(path) as new:
                assert np.array_equal(np.asarray(old.convert("RGBA")), np.asarray(new.convert("RGBA")))
