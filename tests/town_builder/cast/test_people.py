"""The committed cast: its files match people.yaml, and it fits the town."""

import csv
import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from build_people import main
from town_builder.cast.cast import BaseSimulation, Cast, CastMember
from town_builder.cast.checks import HOUR, HOURS
from town_builder.cast.people import ASSETS, differences, load_people, people_files, write_people
from town_builder.cast.town_match import address_problems

ENVIRONMENT = Path(__file__).resolve().parents[3] / "environment"
COMMITTED = ENVIRONMENT / "frontend_server"
PEOPLE = ENVIRONMENT / "town_builder/towns/people.yaml"
FEWEST, MOST = 3, 17
CO_LIVING = ("Latoya Williams", "Rajiv Patel", "Abigail Chen", "Francisco Lopez", "Hailey Johnson")
STUDENTS = ("Klaus Mueller", "Maria Lopez", "Ayesha Khan", "Wolfgang Schulz")
LINS = ("Mei Lin", "John Lin", "Eddy Lin")
MOORES = ("Sam Moore", "Jennifer Moore")
MORENOS = ("Tom Moreno", "Jane Moreno")
ARTHUR, CARMEN, ISABELLA, SAM, YURIKO = (
    "Arthur Burton",
    "Carmen Ortiz",
    "Isabella Rodriguez",
    "Sam Moore",
    "Yuriko Yamamoto",
)
GUESTS = (
    "Latoya Williams",
    "Rajiv Patel",
    "Ryan Park",
    "Carlos Gomez",
    "Adam Smith",
    YURIKO,
    *MOORES,
    CARMEN,
    "Tom Moreno",
)
REGULARS = ("Maria Lopez", "Tamara Taylor", "Ryan Park", "Hailey Johnson", "Giorgio Rossi", "Wolfgang Schulz", CARMEN)
NEIGHBOURS_OF_THE_LINS = (*LINS, YURIKO, *MOORES, "Tamara Taylor", CARMEN, *MORENOS)
ACQUAINTED: dict[str, tuple[str, ...]] = {
    "Latoya Williams": (*CO_LIVING, ARTHUR),
    "Rajiv Patel": (*CO_LIVING, ARTHUR),
    "Abigail Chen": CO_LIVING,
    "Francisco Lopez": (*CO_LIVING, ISABELLA),
    "Hailey Johnson": (*CO_LIVING, ISABELLA),
    ARTHUR: (ISABELLA, *GUESTS),
    "Ryan Park": (ISABELLA, ARTHUR, "Giorgio Rossi", "Carlos Gomez"),
    ISABELLA: (*REGULARS, "Carlos Gomez", ARTHUR),
    "Giorgio Rossi": ("Carlos Gomez", ISABELLA, "Ryan Park"),
    "Carlos Gomez": ("Giorgio Rossi", ARTHUR, "Ryan Park"),
    "Klaus Mueller": (*STUDENTS, "Eddy Lin", "Mei Lin"),
    "Maria Lopez": (*STUDENTS, "Eddy Lin", "Mei Lin", ISABELLA),
    "Ayesha Khan": (*STUDENTS, "Eddy Lin", "Mei Lin"),
    "Wolfgang Schulz": (*STUDENTS, "Eddy Lin", "Mei Lin", ISABELLA),
    "Mei Lin": NEIGHBOURS_OF_THE_LINS,
    "John Lin": NEIGHBOURS_OF_THE_LINS,
    "Eddy Lin": (*NEIGHBOURS_OF_THE_LINS, "Wolfgang Schulz", "Ayesha Khan", "Maria Lopez"),
    "Tom Moreno": ("Jane Moreno", SAM, YURIKO, "Adam Smith", ARTHUR, CARMEN, *LINS),
    "Jane Moreno": ("Tom Moreno", SAM, CARMEN, *LINS),
    "Tamara Taylor": (CARMEN,),
    CARMEN: ("Tamara Taylor", YURIKO, *MOORES, *MORENOS, ARTHUR, ISABELLA),
    SAM: ("Jennifer Moore", "Adam Smith", YURIKO, CARMEN, "Tom Moreno", ARTHUR, *LINS),
    "Jennifer Moore": (SAM, "Adam Smith", YURIKO, CARMEN, "Tom Moreno", ARTHUR, *LINS),
    YURIKO: ("Adam Smith", *MOORES, CARMEN, "Tom Moreno", ARTHUR, *LINS),
    "Adam Smith": (YURIKO, SAM, "Tamara Taylor", CARMEN, "Tom Moreno", ARTHUR),
}


@pytest.fixture(scope="module")
def cast() -> Cast:
    return load_people(PEOPLE)


@pytest.fixture(scope="module")
def required() -> dict:
    place = os.environ.get("REQUIRED_ADDRESSES")
    if not place:
        pytest.skip("REQUIRED_ADDRESSES is not set: cannot compare the cast with the required addresses")
    return json.loads(Path(place).read_text(encoding="utf-8"))


def base(cast: Cast, name: str) -> BaseSimulation:
    return next(one for one in cast.bases if one.name == name)


def person(cast: Cast, name: str) -> CastMember:
    return next(one for one in cast.people if one.name == name)


def test_what_is_committed_is_what_the_people_file_says(cast: Cast) -> None:
    """A build would change nothing, and bases contain no unexpected files."""
    assert differences(cast, COMMITTED) == []


def test_every_known_place_exists(cast: Cast, required: dict) -> None:
    """Every sector, arena and object in the cast is one of the required addresses."""
    tree = required["tree"]
    arenas = [f"{sector}:{arena}" for sector in tree for arena in tree[sector]]
    objects = [f"{s}:{a}:{one['object']}" for s in tree for a in tree[s] for one in tree[s][a]]
    assert list(address_problems(cast, {*tree, *arenas, *objects})) == []


def test_every_address_in_every_base_exists(cast: Cast, required: dict) -> None:
    """Spatial memories and living areas contain only required addresses below the required world."""
    for path, content in people_files(cast).items():
        if path.name == "spatial_memory.json":
            (world, sectors), *others = json.loads(content).items()
            assert (world, others) == (required["world"], [])
            for sector, arenas in sectors.items():
                for arena, objects in arenas.items():
                    assert set(objects) <= {one["object"] for one in required["tree"][sector][arena]}, (path, arena)
        if path.name == "scratch.json":
            world, sector, arena = json.loads(content)["living_area"].split(":")
            assert world == required["world"]
            assert arena in required["tree"][sector]


def test_each_object_is_known_to_the_required_number_of_people(cast: Cast, required: dict) -> None:
    """Each object is known at the start to its required number of the 25 people."""
    known = Counter(
        (sector, arena, each)
        for one in cast.people
        for sector, arenas in one.knows.items()
        for arena, objects in arenas.items()
        for each in objects
    )
    wanted = {
        (sector, arena, one["object"]): one["referenced_by"]
        for sector, arenas in required["tree"].items()
        for arena, objects in arenas.items()
        for one in objects
    }
    assert known == Counter(wanted)


def test_start_tiles_fit_older_maps(cast: Cast, required: dict) -> None:
    """Start tiles and living areas are the required ones, so that maps and bases are interchangeable."""
    assert {one.name: list(one.start) for one in cast.people} == required["anchors_n25"]
    homes = {one.name: f"{cast.world}:{one.living_area.words}" for one in cast.people}
    assert homes == required["living_areas"]


@pytest.mark.parametrize(
    ("sector", "people"),
    [
        ("Hobbs Cafe", 25),
        ("The Willows Market and Pharmacy", 25),
        ("Harvey Oak Supply Store", 25),
        ("Johnson Park", 25),
        ("The Rose and Crown Pub", 23),
        ("Dorm for Oak Hill College", 16),
        ("Oak Hill College", 13),
        ("artist's co-living space", 5),
        ("Lin family's house", 3),
    ],
)
def test_public_places_are_known_to_enough_people(cast: Cast, sector: str, people: int) -> None:
    """Each public sector is known at the start to the required number of people."""
    assert sum(sector in one.knows for one in cast.people) == people


def test_the_bases_differ_where_they_must(cast: Cast) -> None:
    """The reflection threshold is 150 in small bases and 250 in n25; two of the three have faster decay."""
    three, all_of_them = base(cast, "base_the_ville_isabella_maria_klaus"), base(cast, "base_the_ville_n25")
    assert [one.name for one in base(cast, "base_the_ville_isabella").people] == ["Isabella Rodriguez"]
    assert [(one.name, one.importance_trigger, one.recency_decay) for one in three.people] == [
        ("Isabella Rodriguez", 150, 0.995),
        ("Maria Lopez", 150, 0.99),
        ("Klaus Mueller", 150, 0.99),
    ]
    assert {(one.importance_trigger, one.recency_decay) for one in all_of_them.people} == {(250, 0.995)}
    assert all_of_them.people == cast.people


def test_everyone_has_a_history(cast: Cast) -> None:
    """In every history, each person of the base has three to seventeen statements about people present."""
    for one in cast.bases:
        if one.history:
            text = (COMMITTED / ASSETS / cast.maze_name / one.history).read_text(encoding="utf-8")
            header, *rows = csv.reader(text.splitlines())
            absent = {each.name for each in cast.people} - {each.name for each in one.people}
            assert header == ["Name", "Whisper"]
            assert [name for name, _ in rows] == [each.name for each in one.people]
            assert all(FEWEST <= len(whisper.split(";")) <= MOST for _, whisper in rows)
            assert not [name for name in absent if name in text]


def test_people_know_those_they_should(cast: Cast) -> None:
    """All required pairs (housemates, classmates, neighbours, colleagues, rivals) are in the histories."""
    for name, known in ACQUAINTED.items():
        assert set(known) - {name} <= {other for other, _ in person(cast, name).relations}, name


def test_only_isabella_knows_of_her_party_and_only_sam_of_his_candidacy(cast: Cast) -> None:
    """Only Isabella's files mention the party; only Sam's link him with the office."""
    for path, content in people_files(cast).items():
        for line in content.splitlines() if path.suffix == ".csv" else [content]:
            if "Isabella Rodriguez" not in path.parts and not line.startswith("Isabella Rodriguez,"):
                assert not re.search(r"part(y|ies)\b|valentine", line, re.IGNORECASE), path
    for one in cast.people:
        if one.name != "Sam Moore":
            about = [text.words for text in one.texts if re.search(r"\bSam\b|husband", text.words)]
            assert not re.search(r"mayor|elect|candida|campaign|run for", " ".join(about), re.IGNORECASE), one.name


def test_everyone_sleeps_at_night(cast: Cast) -> None:
    """According to the lifestyles, everyone sleeps six to eleven hours and eats dinner while awake."""
    for one in (one for base in cast.bases for one in base.people):
        bed, up, dinner = (clock(rule, one.lifestyle.words) for rule in HOURS.values())
        assert 6 <= (up - bed) % 24 <= 11, one.name
        assert (dinner - up) % 24 < (bed - up) % 24, one.name


def clock(rule: str, words: str) -> float:
    """Return the hours since midnight of the time after the words of the rule."""
    found = re.search(rule + HOUR, words)
    assert found, words
    hour, minutes, half = found.groups()
    return int(hour) % 12 + (12 if half == "pm" else 0) + int((minutes or ":0")[1:]) / 60


def test_building_twice_changes_nothing(cast: Cast, tmp_path: Path) -> None:
    """After a build there are no differences, and a second build changes no byte."""
    assert len(differences(cast, tmp_path)) == len(people_files(cast))
    write_people(cast, tmp_path)
    first = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert write_people(cast, tmp_path) == []
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == first
    assert differences(cast, tmp_path) == []


def test_changed_missing_and_unexpected_files_are_listed(cast: Cast, tmp_path: Path) -> None:
    """An edited file, a missing file and the folder of a removed person are listed, one line each."""
    write_people(cast, tmp_path)
    folder = tmp_path / "storage/base_the_ville_isabella"
    (folder / "environment/0.json").write_text("{}", encoding="utf-8")
    (folder / "reverie/meta.json").unlink()
    unexpected = folder / "personas/Old Friend/bootstrap_memory/scratch.json"
    unexpected.parent.mkdir(parents=True)
    unexpected.write_text("{}", encoding="utf-8")
    lines = sorted(line.removeprefix("storage/base_the_ville_isabella/") for line in differences(cast, tmp_path))
    assert lines == [
        "environment/0.json: differs from the people file; build again",
        "personas/Old Friend/bootstrap_memory/scratch.json: not produced by the people file; delete it",
        "reverie/meta.json: missing; build again",
    ]


@pytest.mark.slow
def test_the_command_builds_compares_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`build --check` fails before and passes after a build; an invalid file writes nothing."""
    out = ["--out", str(tmp_path / "out")]
    assert main(["build", "--check", *out]) == 1
    assert main(["build", *out]) == 0
    assert main(["build", "--check", *out]) == 0
    assert main(["check"]) == 0
    broken = tmp_path / "people.yaml"
    broken.write_text(PEOPLE.read_text(encoding="utf-8").replace("age: 65", "age: old"), encoding="utf-8")
    capsys.readouterr()
    assert main(["build", str(broken), "--out", str(tmp_path / "never")]) == 1
    assert "age must be a whole number" in capsys.readouterr().out
    assert not (tmp_path / "never").exists()


def test_anyone_can_be_drawn_from_the_name_alone(tmp_path, capsys):
    """`draw` writes sheet, profile and portrait for a name that is in no file."""
    assert main(["draw", "Ada Stone", "--out", str(tmp_path)]) == 0
    folder = tmp_path / "static_dirs/assets/characters"
    assert all((folder / part / "Ada_Stone.png").is_file() for part in ("", "profile", "portraits"))
    assert "drawn: 1" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["build", "draw"])
def test_a_folder_that_cannot_be_written_is_reported(tmp_path, capsys, command):
    """A file in place of the folder gives one line instead of a traceback."""
    (tmp_path / "taken").write_text("a file, not a folder", encoding="utf-8")
    names = ["Ada Stone"] if command == "draw" else []
    assert main([command, *names, "--out", str(tmp_path / "taken")]) == 1
    assert "cannot be written (Not a directory)" in capsys.readouterr().out
