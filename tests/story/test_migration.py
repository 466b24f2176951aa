"""A user with a folder of 2023 follows section 1 of MIGRATION.md to the letter, without a key."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from outside import wait
from step_texts import has_step
from terminal_session import ENTER, Session

from ville.api.functions import fork
from ville.errors import BadSetting
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.memory_files import EMBEDDINGS, NODES, VECTORS
from ville.storage.records.vector_rows import as_listed

BUILD_TOWN = Path(__file__).resolve().parents[2] / "environment/build_town.py"
BASE = "base_the_ville_isabella_maria_klaus"
JULY = "July1_the_ville_isabella_maria_klaus-step-3-20"
BREAKFAST = 2700
OURS = (
    "run.json",
    "branch.json",
    "checkpoints",
    "last_accessed",
    "former",
    "town.json",
    "lifestyle_policy.json",
    "common_sense.json",
    "vectors.json",
)
"""Files below reverie/ that the original does not have."""
SIZE = 1536


@pytest.fixture(params=["made", pytest.param("reference", marks=pytest.mark.reference)])
def project(request, ville, tmp_path):
    """The folder of a project of 2023: its map, and the simulation of July 1.

    Where that simulation is not at hand, it is one of the same shape: three people after breakfast, with a vector of
    the original's size for each text, and no file of ours.
    """
    data = Path(os.environ.get("REFERENCE_DATA", "")) if request.param == "reference" else None
    if data and "REFERENCE_DATA" not in os.environ:
        pytest.skip("REFERENCE_DATA is not set")
    project = replace(ville, root=tmp_path / "old")
    shutil.copytree(data or ville.root / "assets/the_ville", project.root / "assets/the_ville")
    there = (data or ville.root) / "storage"
    if data and (there / JULY).exists():
        shutil.copytree(there / JULY, project.folder(JULY), copy_function=shutil.copyfile)
        return project
    shutil.copytree(there / BASE, project.folder(BASE), copy_function=shutil.copyfile)
    assert project.run("reverie_offline", "-o", BASE, "-t", JULY, "-s", BREAKFAST, "--seed", 1)[0] == 0
    as_of_2023(project.folder(JULY))
    return project


def as_of_2023(folder):
    """Leave what the original writes."""
    dice = Random(1)  # noqa: S311 - not for secrets
    ours = SimulationFolder(folder)
    ours.steps.unpack()
    for name in ours.meta.persona_names:
        texts = [*ours.vectors.read(name)]
        store = {text: [dice.gauss() for _ in range(SIZE)] for text in texts}
        (folder / "personas" / name / EMBEDDINGS).write_text(json.dumps(store), "utf-8")
        (folder / "personas" / name / VECTORS).unlink(missing_ok=True)
    for name in OURS:
        shutil.rmtree(folder / "reverie" / name, ignore_errors=True)
        (folder / "reverie" / name).unlink(missing_ok=True)


@pytest.fixture
def old(ville, project) -> Path:
    """Its folder, put into storage/ and given its map, as the document says."""
    shutil.copytree(project.folder(JULY), ville.folder(JULY), copy_function=shutil.copyfile)
    places = [
        "--storage",
        ville.root / "storage",
        "--compressed",
        ville.root / "compressed",
        "--out",
        ville.root / "assets",
    ]
    command = [sys.executable, BUILD_TOWN, "adopt", JULY, "--map", project.root / "assets/the_ville", *places]
    subprocess.run(command, check=True, capture_output=True)
    return ville.folder(JULY)


def memories(folder, file):
    return {path.parts[-4]: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob(f"personas/*/{file}"))}


def step_of(folder):
    return json.loads((folder / "reverie/meta.json").read_text("utf-8"))["step"]


def test_the_main_migration(ville, old):
    """The two answers of the original, then a morning and an interview. Every memory is there and can be retrieved; the
    old folder is as it was.
    """
    before, begins = ville.files(JULY), step_of(old)
    typed = f"{JULY}\nnew\nrun 30\ncall -- analysis Isabella Rodriguez\nWhat did you do this morning?\n\nfin\n"
    code, out = ville.run("reverie", typed=typed)
    assert (code, "Traceback" in out) == (0, False), out
    assert "recorded on a different map" not in out
    assert "vectors were made by hashing-512; those of openai:text-embedding-ada-002 are kept" in out
    assert step_of(ville.folder("new")) == begins + 30
    new = SimulationFolder(ville.folder("new"))
    for name, nodes in memories(old, NODES).items():
        now, vectors = memories(new.root, NODES)[name], new.vectors.read(name)
        assert {key: now[key] for key in nodes} == nodes
        assert {node["embedding_key"] for node in now.values()} <= set(vectors)
        assert {len(as_listed(vector)) for vector in vectors.values()} == {SIZE}
    assert ville.files(JULY) == before


MEMORY = {
    "node_count": 1, "type_count": 1, "type": "thought", "depth": 1, "created": "2023-02-12 08:00:00",
    "expiration": None, "subject": "Ada Stone", "predicate": "likes", "object": "tea", "description": "Ada likes tea",
    "embedding_key": "Ada likes tea", "poignancy": 3, "keywords": ["tea"], "filling": None,
}  # fmt: skip
STREAM = "personas/Ada Stone/bootstrap_memory/associative_memory"


@pytest.fixture
def small(storage):
    """The small town, in which Ada has a memory with a vector of the original."""
    stream = storage.folder("base") / STREAM
    (stream / "nodes.json").write_text(json.dumps({"node_1": MEMORY}), "utf-8")
    (stream / "embeddings.json").write_text(json.dumps({"Ada likes tea": [1.0] * SIZE}), "utf-8")
    return storage


@pytest.fixture
def priced(small, server):
    """The same, with an embedder that costs money."""
    small.settings.update(VILLE_EMBEDDER="openai", VILLE_EMBEDDING_BASE_URL=server.url, OPENAI_API_KEY="sk-1")
    return small


def sizes(town, name):
    return {len(as_listed(vector)) for vector in SimulationFolder(town.folder(name)).vectors.read("Ada Stone").values()}


def test_pages_fork_it_too(small, serve):
    """Opened, and as a branch in the background; the page is told."""
    town = serve("--re-embed")
    assert town.ask("open", origin="base", name="opened")["result"] == "done"
    wait(lambda: "1 vector was made by hashing-512" in str(town.temp.status().get("said")), town.process)
    assert town.ask("branch", **{"from": "base"}, name="branched", until="00:03:00")["result"] == "done"
    wait(has_step(small.folder("branched"), 2), town.process)
    assert sizes(small, "opened") == sizes(small, "branched") == {SIZE}


@pytest.mark.parametrize("agreed", ["setting", "flag", ""])
def test_the_price_is_agreed_on(priced, agreed):
    """By VILLE_RE_EMBED or by a flag; else one line says what it costs and how to agree, and there is no fork."""
    if agreed == "setting":
        priced.settings["VILLE_RE_EMBED"] = "true"
    flags = ["--re-embed"] if agreed == "flag" else []
    code, out = priced.run("reverie_offline", "-o", "base", "-t", "new", "-s", 1, *flags)
    assert (code == 0, priced.folder("new").exists()) == (bool(agreed), bool(agreed)), out
    if agreed:
        assert "1 vector was made by openai:" in out
        assert sizes(priced, "new") == {32}
    else:
        for words in ("costs less than a cent.", "To agree, use --re-embed"):
            assert words in out.splitlines()[-1]


@pytest.mark.parametrize("answer", ["y", "n"])
def test_the_price_is_asked_for_at_a_terminal(priced, answer):
    """And with `n` everything is as before."""
    pytest.importorskip("pty", reason="a terminal of one's own needs a Unix")
    with Session(priced) as session:
        session.until("forked simulation:")
        session.press("base", ENTER)
        session.until("new simulation:")
        session.press("new", ENTER)
        assert "costs less than a cent" in session.until("(y/n)")
        session.press(answer, ENTER)
        if answer == "y":
            session.until("made by openai:")
            session.type("fin")
        assert session.left() == (0 if answer == "y" else 1)
    assert priced.folder("new").exists() is (answer == "y")


def test_python_forks_it_too(small, server):
    """A warning says what was done; what costs money needs `re_embed=True`."""
    places = {"fs_storage": small.root / "storage", "assets": small.root / "assets", "seed": 1}
    with pytest.warns(UserWarning, match="made by hashing-512"), fork("base", "free", **places) as town:
        town.run(1)
    bought = {"embedder": "openai", "embedding_base_url": server.url, "openai_api_key": "sk-1"}
    with pytest.raises(BadSetting, match="re_embed=True"):
        fork("base", "dear", **places, **bought)
    with pytest.warns(UserWarning, match="made by openai"), fork("base", "dear", re_embed=True, **places, **bought):
        assert sizes(small, "dear") == {32}
