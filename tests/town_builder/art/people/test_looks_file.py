"""The looks file that people edit by hand."""

from pathlib import Path

import pytest

from town_builder.art.people.look import Clothes, Face, Hair, Look
from town_builder.art.people.looks_file import LooksFileError, read_looks

TOWN = Path(__file__).resolve().parents[4] / "environment" / "town_builder" / "towns"
VILLAGERS = """
Latoya Williams, Rajiv Patel, Abigail Chen, Francisco Lopez, Hailey Johnson, Arthur Burton, Ryan Park,
Isabella Rodriguez, Giorgio Rossi, Carlos Gomez, Klaus Mueller, Maria Lopez, Ayesha Khan, Wolfgang Schulz,
Mei Lin, John Lin, Eddy Lin, Tom Moreno, Jane Moreno, Tamara Taylor, Carmen Ortiz, Sam Moore, Jennifer Moore,
Yuriko Yamamoto, Adam Smith
"""
GOOD = """
format: looks/1
people:
  Ada Oak:
    skin: tan
    eyes: blue
    hair: {cut: bob, colour: black, tie: teal}
    face: {mouth: grin, marks: [freckles]}
    clothes: {top: red, bottom: blue, details: {apron: white, scarf: red}}
    worn: {glasses: grey}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "looks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_person_of_the_ville_has_a_look() -> None:
    """The file of the Ville describes exactly its twenty-five people."""
    assert set(read_looks(TOWN / "looks.yaml")) == set(VILLAGERS.strip().replace(",\n", ", ").split(", "))


def test_a_look_is_read_as_it_is_written(tmp_path: Path) -> None:
    """Every field is read, missing fields get defaults, and details keep their order."""
    read = read_looks(written(tmp_path, GOOD))
    clothes = Clothes("red", "blue", details={"apron": "white", "scarf": "red"})
    face = Face("grin", marks=("freckles",))
    assert read == {
        "Ada Oak": Look("tan", "blue", Hair("bob", "black", tie="teal"), clothes, face, worn={"glasses": "grey"})
    }
    assert list(read["Ada Oak"].clothes.details) == ["apron", "scarf"]


ERRORS = {
    "format: looks/1": ("format: looks/2", "the first line should read `format: looks/1`"),
    "cut: bob": ("cut: bobb", "Ada Oak: hair cut 'bobb' is unknown; choose one of"),
    "eyes: blue": ("eyes: [blue", "is not YAML"),
    "skin: tan": ("complexion: tan", "Ada Oak: "),
    "    hair: {cut: bob, colour: black, tie: teal}\n": ("", "Ada Oak: the part 'hair' is missing"),
    "{mouth: grin, marks: [freckles]}": ("happy", "Ada Oak: "),
    "people:\n  Ada Oak:": ("people:\n  Ada Oak: tall\n  Bo:", "Ada Oak: "),
}


@pytest.mark.parametrize("right", ERRORS)
def test_errors_name_file_and_person(tmp_path: Path, right: str) -> None:
    """Errors in a file of looks name the file and the person."""
    wrong, expected = ERRORS[right]
    with pytest.raises(LooksFileError) as caught:
        read_looks(written(tmp_path, GOOD.replace(right, wrong)))
    assert expected in str(caught.value)
    assert "looks.yaml" in str(caught.value)
