"""Laws of `migrate`: all of an old project is here afterwards, works, and the old folder is as it was."""

import json
import os
import shutil

import pytest

from ville.cli import migrate_command
from ville.migration.brought_note import NOTE
from ville.migration.migration_proof import Proof
from ville.storage.records.vector_rows import read_rows

TOWN = "storage/run/personas/Ada Stone/bootstrap_memory"


def without_note(files):
    return {name: content for name, content in files.items() if not name.endswith(NOTE)}


def test_all_is_brought_and_proved(projects, contents):
    """Byte for byte but for the name of the map, which differs from ours; what has a name of ours gets another one."""
    before, ours = contents(projects.old), contents(projects.ours)
    code, said = projects.migrate("--yes")
    assert code == 0, said
    assert contents(projects.old) == before
    now = contents(projects.ours)
    assert {name: now[name] for name in ours} == ours
    assert contents(projects.ours / "assets/old_small") == contents(projects.pages / "static_dirs/assets/small")
    for old, new in (
        ("storage/run", "storage/run"),
        ("storage/base", "storage/base_old"),
        ("compressed_storage/run", "replays/run"),
    ):
        there, here = contents(projects.pages / old), without_note(contents(projects.ours / new))
        changed = {name for name in here if there.get(name) != here[name]}
        (meta,) = changed
        assert there.keys() == here.keys()
        assert json.loads(here[meta]) == json.loads(there[meta]) | {"maze_name": "old_small"}
    assert "same, 12 steps" in said


def test_what_is_here_is_not_brought_again(projects, contents):
    """Begun again, after a copy was renamed, it changes nothing. A simulation that went on is brought once more."""
    projects.migrate("--yes")
    (projects.ours / "storage/run").rename(projects.ours / "storage/mine")
    (projects.ours / "replays/run").rename(projects.ours / "replays/mine")
    before = contents(projects.ours)
    assert projects.migrate("--yes")[0] == 0
    assert contents(projects.ours) == before
    meta = projects.pages / "storage/run/reverie/meta.json"
    meta.write_text(meta.read_text("utf-8").replace("00:12:00", "00:11:00").replace("12\n", "11\n"), "utf-8")
    code, said = projects.migrate("--yes")
    assert (code, (projects.ours / "storage/mine_old").is_dir()) == (0, True), said


@pytest.mark.parametrize("words", [["--dry-run"], []], ids=["dry", "not agreed"])
def test_without_consent_nothing_changes(projects, contents, words):
    """A dry run says the same plan. Where no one can be asked, only --yes agrees. No key is ever shown."""
    before = contents(projects.ours)
    code, said = projects.migrate(*words)
    assert (code, contents(projects.ours)) == (0 if words else 1, before)
    assert "base_old, on the map old_small" in said
    assert "OPENAI_API_KEY=…" in said or "stay: OPENAI_API_KEY" in said
    assert "sk-of" not in said


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_any_moment_it_goes_on(projects, tmp_path, contents, dying_migration, monkeypatch):
    """Nothing half-written has a name, and what is here in the end is what it would have been, once."""
    monkeypatch.setattr(migrate_command, "prove", lambda _plan, transfer, _settings: Proof(transfer, {}))
    projects.put_old(
        "storage/public/policy_pool/Ada Stone.json", {"tea": {"duration": 5, "decomp": [], "embedding": []}}
    )
    start = tmp_path / "start"
    shutil.copytree(projects.ours, start)
    assert projects.migrate("--yes")[0] == 0
    whole = contents(projects.ours)
    for operations in dying_migration.numbers(projects, start):
        assert dying_migration.dies(projects, start, operations)
        here = contents(projects.ours)
        assert {name for name in here if "/." not in f"/{name}"} <= whole.keys()
        assert projects.migrate("--yes")[0] == 0
        assert contents(projects.ours) == whole


def test_vectors_are_made_where_there_are_none(projects):
    """Only those that cost nothing and replace nothing; vectors that were paid for stay."""
    paid = (projects.pages / TOWN / "associative_memory/embeddings.json").read_bytes()
    shutil.copytree(projects.pages / "storage/run", projects.pages / "storage/bare")
    bare = "bare".join(TOWN.split("run"))
    (projects.pages / bare / "associative_memory/embeddings.json").unlink()
    code, said = projects.migrate("--yes")
    assert code == 0, said
    assert (projects.ours / TOWN / "associative_memory/embeddings.json").read_bytes() == paid
    file = projects.ours / bare / "associative_memory/vectors.f32"
    made = read_rows(file.read_bytes(), None, file)
    assert list(made) == ["Ada likes tea"]
    assert "bare: 1 vector was made by hashing-512" in said


def test_pools_of_aga_are_added_to_ours(projects, contents):
    """Ours stay as they are; a torn file is told, and stays where it is."""
    entry = {"duration": 5, "decomp": [["tea", 5]], "embedding": [0.5]}
    projects.put_old("storage/public/policy_pool/Ada Stone.json", {"tea": entry, "walk": entry})
    projects.put_old("storage/public/policy_pool/Ben Reed.json", "{")
    ours = projects.ours / "storage/public/policy_pool/Ada Stone.json"
    ours.parent.mkdir(parents=True)
    ours.write_text(json.dumps({"tea": {"duration": 9}}), "utf-8")
    before = contents(projects.old)
    code, said = projects.migrate("--yes")
    assert (code, contents(projects.old)) == (1, before)
    assert json.loads(ours.read_text("utf-8")) == {"tea": {"duration": 9}, "walk": entry}
    assert "Ben Reed.json is no whole JSON file. Restore it" in said


def test_a_copy_of_a_save_comes_once(projects):
    """Wherever it lies in the folder, under the same name; another save of that name gets another one."""
    shutil.copytree(projects.pages / "storage/run", projects.old / "backup/run")
    shutil.copytree(projects.pages / "storage/run", projects.old / "older/run")
    scratch = projects.old / "older/run/personas/Ada Stone/bootstrap_memory/scratch.json"
    scratch.write_text(scratch.read_text("utf-8") + " ", "utf-8")
    for _ in range(2):
        assert projects.migrate("--yes")[0] == 0
        here = {path.name for path in (projects.ours / "storage").glob("[!.]*")}
        assert here == {"base", "base_old", "run", "run_old"}


def bad_meta(projects):
    projects.put_old("storage/bad/reverie/meta.json", '{"step": ')
    return "bad/reverie/meta.json:1 is not JSON"


def no_meta(projects):
    shutil.copytree(projects.pages / "storage/run", projects.pages / "storage/bad")
    (projects.pages / "storage/bad/reverie/meta.json").unlink()
    return "bad has no reverie/meta.json. Restore it"


def link(projects):
    shutil.copytree(projects.pages / "storage/run", projects.pages / "storage/bad")
    (projects.pages / "storage/bad/secret").symlink_to(projects.old / "reverie")
    return "bad/secret is a link. Put a copy"


def torn_memory(projects):
    shutil.copytree(projects.pages / "storage/run", projects.pages / "storage/bad")
    projects.put_old("storage/bad/personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json", "{")
    return "nodes.json:1 is not JSON"


def walls(projects):
    """A walk on a map that is not in the folder."""
    shutil.copytree(projects.pages / "storage/run", projects.pages / "storage/bad")
    for path in (projects.pages / "storage/bad/movement").iterdir():
        frame = json.loads(path.read_text("utf-8"))
        for record in frame["persona"].values():
            record["movement"] = [0, 0]
        path.write_text(json.dumps(frame), "utf-8")
    return "of its steps lead through walls. Give it the map it was recorded on: python environment/build_town.py adopt"


def other_replay(projects):
    path = projects.pages / "compressed_storage/run/master_movement.json"
    master = json.loads(path.read_text("utf-8"))
    master["7"] = {"Ada Stone": {"movement": [1, 2], "pronunciatio": "x", "description": "x @ y", "chat": None}}
    path.write_text(json.dumps(master), "utf-8")
    return "shows something else in step 7 than its replay"


def torn_replay(projects):
    projects.put_old("compressed_storage/run/master_movement.json", "{")
    return "not a JSON object. Pages show the rest; make it anew"


@pytest.mark.parametrize("fault", [bad_meta, no_meta, link, torn_memory, walls, other_replay, torn_replay])
def test_one_fault_is_told_and_the_rest_is_here(projects, contents, fault):
    """In a line that says how it is put right; the exit code is 1. What was copied is not changed by being checked."""
    says = fault(projects)
    before = contents(projects.old)
    code, said = projects.migrate("--yes")
    assert code == 1
    assert says in said, said
    assert contents(projects.old) == before
    assert (
        without_note(contents(projects.ours / "storage/run")).keys() == contents(projects.pages / "storage/run").keys()
    )


@pytest.mark.parametrize(
    ("name", "here"),
    [("day one (v1.2)", "day_one_v1_2"), ("день", "день"), ("..x", None), ("a\nb", "a_b"), ("con", "con_old")],
)
def test_names_become_names_that_pages_can_have(projects, name, here):
    """Blanks, dots and line breaks become `_`; hidden folders are left alone. A row of the plan is one line."""
    (projects.pages / "storage/run").rename(projects.pages / "storage" / name)
    code, said = projects.migrate("--yes")
    assert code == 0
    found = {path.name for path in (projects.ours / "storage").iterdir() if not path.name.startswith(".")}
    assert found == {"base", "base_old"} | ({here} if here else set())
    assert "\nb " not in said


@pytest.mark.parametrize("place", ["empty", "file", "missing", "ours", "circle"])
def test_what_is_no_old_project_is_refused(projects, tmp_path, contents, place):
    """In one line, and nothing changes."""
    given = {"ours": projects.ours}.get(place, tmp_path / place)
    if place == "file":
        given.write_text("x", "utf-8")
    elif place not in {"missing", "ours"}:
        given.mkdir()
    if place == "circle":
        (given / "again").symlink_to(given)
    before = contents(projects.ours)
    code, said = projects.migrate("--yes", of=given)
    assert (code, len(said.splitlines()), contents(projects.ours)) == (1, 1, before)
    assert "Name the folder of the old project" in said


@pytest.mark.reference
def test_the_classic_base_and_map(projects, tmp_path, contents):
    """The real files, wherever they lie in the folder: the base plays on its own map, and the history is with it."""
    if "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA is not set")
    old = tmp_path / "reference"
    shutil.copytree(os.environ["REFERENCE_DATA"], old)
    before = contents(old)
    code, said = projects.migrate("--yes", of=old)
    assert (code, contents(old)) == (0, before), said
    meta = next((projects.ours / "storage").glob("base_the_ville*/reverie/meta.json"))
    assert json.loads(meta.read_text("utf-8"))["maze_name"] == "reference"
    assert (projects.ours / "assets/reference/agent_history_init_n3.csv").is_file()
    assert "pages cannot draw this map" in said
