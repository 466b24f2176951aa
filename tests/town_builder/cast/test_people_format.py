"""Files of base simulations in the format of the classic engine: keys, order, bytes."""

import json
import os
from pathlib import Path, PurePosixPath

import pytest

from town_builder.cast.base_simulation import simulation_files
from town_builder.cast.cast import Cast
from town_builder.cast.people import load_people

PEOPLE = Path(__file__).resolve().parents[3] / "environment/town_builder/towns/people.yaml"
BASE = "base_the_ville_isabella_maria_klaus"
MEMORY = "bootstrap_memory"
BROAD = ("meta.json", "0.json", "scratch.json")


@pytest.fixture(scope="module")
def cast() -> Cast:
    return load_people(PEOPLE)


@pytest.fixture(scope="module")
def files(cast: Cast) -> dict[PurePosixPath, str]:
    base = next(one for one in cast.bases if one.name == BASE)
    return simulation_files(base, cast)


@pytest.fixture(scope="module")
def reference() -> Path:
    place = os.environ.get("REFERENCE_DATA")
    if not place:
        pytest.skip("REFERENCE_DATA is not set: the cast's files are not compared with real ones")
    return Path(place) / "storage"


def test_json_is_written_as_python_writes_it(files: dict[PurePosixPath, str]) -> None:
    """ASCII without final newline; meta, environment and scratch indented by two, memories on one line."""
    for path, content in files.items():
        indent = 2 if path.name in BROAD else None
        assert content.isascii()
        assert content == json.dumps(json.loads(content), indent=indent), path


def test_a_base_is_complete(cast: Cast) -> None:
    """Every persona in meta.json, and no other, has a position and all five memory files."""
    memory = {f"associative_memory/{name}.json" for name in ("nodes", "embeddings", "kw_strength")}
    memory |= {"scratch.json", "spatial_memory.json"}
    for base in cast.bases:
        files = simulation_files(base, cast)
        root = PurePosixPath(base.name)
        meta, standing = (json.loads(files.pop(root / name)) for name in ("reverie/meta.json", "environment/0.json"))
        assert meta["fork_sim_code"] == base.name
        assert list(standing) == meta["persona_names"]
        wanted = {root / "personas" / name / MEMORY / one for name in meta["persona_names"] for one in memory}
        assert set(files) == wanted


def test_every_base_begins_at_the_same_midnight(cast: Cast) -> None:
    """All bases begin on February 13th, 2023, at midnight, with step 0 and ten seconds per step."""
    for base in cast.bases:
        meta = json.loads(simulation_files(base, cast)[PurePosixPath(base.name) / "reverie/meta.json"])
        assert meta["start_date"] == "February 13, 2023"
        assert meta["curr_time"] == "February 13, 2023, 00:00:00"
        assert (meta["sec_per_step"], meta["maze_name"], meta["step"]) == (10, "the_ville", 0)


@pytest.mark.reference
def test_keys_have_the_order_of_real_files(files: dict[PurePosixPath, str], reference: Path) -> None:
    """Each file of the base of three has the same keys in the same order as real data."""
    real = {path.relative_to(reference).as_posix() for path in (reference / BASE).rglob("*.json")}
    assert {path.as_posix() for path in files} == real
    for path, content in files.items():
        if path.name in {"meta.json", "scratch.json", "kw_strength.json"}:
            theirs = json.loads((reference / path).read_text(encoding="utf-8"))
            assert list(json.loads(content)) == list(theirs), path


@pytest.mark.reference
def test_facts_equal_real_files_and_sentences_differ(files: dict[PurePosixPath, str], reference: Path) -> None:
    """In scratch.json everything but the written texts equals real data; the texts never do."""
    written = {"daily_plan_req", "learned", "currently", "lifestyle"}
    for path, content in files.items():
        if path.name == "scratch.json":
            ours, theirs = json.loads(content), json.loads((reference / path).read_text(encoding="utf-8"))
            assert {key for key in ours if ours[key] != theirs[key]} == written, path


@pytest.mark.reference
def test_known_places_equal_real_files(files: dict[PurePosixPath, str], reference: Path) -> None:
    """The base of three knows the same sectors, arenas and objects as real data, in any order."""

    def addresses(text: str) -> set[tuple[str, ...]]:
        tree = json.loads(text)
        return {(w, s, a, o) for w in tree for s in tree[w] for a in tree[w][s] for o in tree[w][s][a] or [""]}

    for path, content in files.items():
        if path.name == "spatial_memory.json":
            assert addresses(content) == addresses((reference / path).read_text(encoding="utf-8")), path
