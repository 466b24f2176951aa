"""Saved files have the classic form: of our own town after a morning, and of classic data after 200 steps."""

import json
import os
import shutil
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from ville.persona.memory_structures.scratch import KEYS
from ville.storage.dates import node_time_text, parse_node_time, parse_time, time_text
from ville.storage.folder.classic_copy import write_classic

BASE = "base_the_ville_isabella_maria_klaus"
HISTORY = "agent_history_init_n3.csv"
STEPS = 200
NOON = 4320
META = ["fork_sim_code", "start_date", "curr_time", "sec_per_step", "maze_name", "persona_names", "step"]
NODE = [
    "node_count", "type_count", "type", "depth", "created", "expiration", "subject", "predicate", "object",
    "description", "embedding_key", "poignancy", "keywords", "filling",
]  # fmt: skip
STREAM = ["nodes.json", "embeddings.json", "kw_strength.json"]
VISITOR = "Ada"
VISIT = f"""
- {{kind: visitor_in, time: "10:00", name: {VISITOR}, look: visitor 3, about: a painter, tile: [72, 22]}}
- {{kind: visitor_walk, time: "10:05", name: {VISITOR}, to: [80, 25]}}
- {{kind: visitor_out, time: "10:20", name: {VISITOR}}}
"""
CLASSIC_SIZE = 1536
"""Numbers of a vector: the original compares with vectors of that size, and with no others."""
A_MONTH = timedelta(days=30)


@pytest.fixture
def classic(tmp_path, storage):
    """A map, a base simulation and a history that were not made by us."""
    if not (data := os.environ.get("REFERENCE_DATA")):
        pytest.skip("REFERENCE_DATA is not set")
    shutil.copytree(Path(data) / "matrix", tmp_path / "assets/the_ville/matrix")
    shutil.copy(Path(data) / HISTORY, tmp_path / "assets/the_ville")
    shutil.copytree(Path(data) / "storage" / BASE, storage.folder(BASE))
    return storage


@pytest.fixture
def lived(classic) -> Path:
    history = ["--load-history", f"the_ville/{HISTORY}"]
    assert classic.run("reverie_offline", "-o", BASE, "-t", "lived", "-s", STEPS, *history)[0] == 0
    return classic.folder("lived")


@pytest.fixture(
    params=[
        pytest.param("lived", marks=pytest.mark.reference),
        "morning",
    ]
)
def folder(request) -> Path:
    """A copy in the files of the released code."""
    found: Path = request.getfixturevalue(request.param)
    write_classic(found, copy := found.with_name(f"{found.name}-classic"))
    return copy


@pytest.fixture
def morning(ville) -> Path:
    """Our own three people until noon; they have a history, and talk. A visitor walks through the cafe."""
    history = ["--load-history", f"the_ville/{HISTORY}"]
    visit = ville.root / "visit.yaml"
    visit.write_text(VISIT, "utf-8")
    options = [*history, "--seed", 1, "--interventions", visit]
    assert ville.run("reverie_offline", "-o", BASE, "-t", "morning", "-s", NOON, *options)[0] == 0
    return ville.folder("morning")


@pytest.mark.reference
def test_an_untouched_persona_is_saved_byte_for_byte(classic, lived):
    """Whether it was written by another engine or by ours: opened and saved again, not one byte has changed."""
    for origin in (BASE, "lived"):
        assert classic.run("reverie_offline", "-o", origin, "-t", f"{origin}_again", "-s", 0)[0] == 0
        before, after = classic.files(origin), classic.files(f"{origin}_again")
        assert {name: after[name] for name in before} == before
    assert (lived / "personas").exists()


def test_everything_is_in_the_classic_form(folder):
    """Every file of a run, as docs/storage.md and classic readers want it."""
    meta = json.loads((folder / "reverie/meta.json").read_text("utf-8"))
    assert list(meta) == META
    assert serialised_badly(folder, ["reverie/meta.json"], indent=2) == []
    assert steps_out_of_form(folder, meta) == []
    assert [fault for name in meta["persona_names"] for fault in memory_out_of_form(folder, name)] == []


def serialised_badly(folder, files, *, indent):
    """ASCII, Python's separators, no newline at the end, keys in the order in which they were written."""
    texts = {file: (folder / file).read_bytes() for file in files}
    return [file for file, text in texts.items() if text != json.dumps(json.loads(text), indent=indent).encode()]


def steps_out_of_form(folder, meta):
    """Every fifth step: its file and the one that answers it, the people in them, where they stand, and the time."""
    start = parse_time(meta["curr_time"]) - timedelta(seconds=meta["step"] * meta["sec_per_step"])
    names, faults = meta["persona_names"], []
    for step in range(0, meta["step"], 5):
        files = [f"movement/{step}.json", f"environment/{step}.json", f"environment/{step + 1}.json"]
        moves, before, after = (json.loads((folder / file).read_text("utf-8")) for file in files)
        now = start + timedelta(seconds=step * meta["sec_per_step"])
        laws = {
            "bytes": not serialised_badly(folder, files[::2], indent=2),
            "time": moves["meta"] == {"curr_time": time_text(now)},
            "people": persons(moves["persona"]) == persons(before) == names
            or (step == 0 and set(before) == set(names)),
            "records": all(record_in_form(record) for record in moves["persona"].values()),
            "places": all(list(place) == ["maze", "x", "y"] for place in after.values()),
            "arrives": {n: p["movement"] for n, p in moves["persona"].items()}
            == {n: [p["x"], p["y"]] for n, p in after.items()},
            "a tile at most": all(
                abs(before[n]["x"] - after[n]["x"]) + abs(before[n]["y"] - after[n]["y"]) <= 1 for n in names
            ),
        }
        faults += [(step, law) for law, holds in laws.items() if not holds]
    return faults


def persons(records):
    """The people of a step file without the visitor, who comes after them, while it is there."""
    return [name for name in records if name != VISITOR or list(records)[-1] != VISITOR]


def record_in_form(record):
    what, at, where = record["description"].rpartition(" @ ")
    return (
        list(record) == ["movement", "pronunciatio", "description", "chat"]
        and bool(what and at)
        and (where.count(":") == 3 or where.startswith("<"))
        and (record["chat"] is None or all(len(line) == 2 for line in record["chat"]))
        and bool(record["pronunciatio"])
    )


def memory_out_of_form(folder, name):
    """The five files of a persona."""
    memory = folder / "personas" / name / "bootstrap_memory"
    stream = memory / "associative_memory"
    scratch, nodes, vectors, strength = (
        json.loads(path.read_text("utf-8")) for path in (memory / "scratch.json", *(stream / file for file in STREAM))
    )
    laws = {
        "scratch bytes": not serialised_badly(memory, ["scratch.json"], indent=2),
        "scratch keys": list(scratch)[: len(KEYS)] == list(KEYS),
        "a whole day": sum(minutes for _, minutes in scratch["f_daily_schedule"]) == 1440,
        "spatial memory": not serialised_badly(memory, ["spatial_memory.json"], indent=None),
        "memory bytes": not serialised_badly(
            stream, ["nodes.json", "embeddings.json", "kw_strength.json"], indent=None
        ),
        "descending": list(nodes) == [f"node_{count}" for count in range(len(nodes), 0, -1)],
        "vectors": {node["embedding_key"] for node in nodes.values()} <= set(vectors),
        "1,536 floats": all(
            len(vector) == CLASSIC_SIZE and {type(number) for number in vector} == {float}
            for vector in vectors.values()
        ),
        "strengths": strength == strengths(nodes),
    }
    faults = [(name, law) for law, holds in laws.items() if not holds]
    return faults + [(name, node, law) for node in nodes for law in node_out_of_form(nodes, node)]


def node_out_of_form(nodes, key):
    node = nodes[key]
    created, kind, filling = parse_node_time(node["created"]), node["type"], node["filling"]
    older = [other for other in nodes.values() if other["node_count"] <= node["node_count"] and other["type"] == kind]
    evidence = [nodes[other]["depth"] for other in filling or [] if kind == "thought" and other in nodes]
    laws = {
        "fields": list(node) == NODE,
        "count": key == f"node_{node['node_count']}" and node["type_count"] == len(older),
        "depth": node["depth"] == (1 + max(evidence, default=0) if kind == "thought" else 0),
        "expiration": node["expiration"] == (node_time_text(created + A_MONTH) if kind == "thought" else None),
        "poignancy": node["poignancy"] in range(1, 11),
        "created": node["created"] == node_time_text(created),
        "filling": filling_in_form(kind, filling),
    }
    return [law for law, holds in laws.items() if not holds]


def filling_in_form(kind, filling):
    if kind == "chat":
        return bool(filling) and all(len(line) == 2 for line in filling)
    ids = filling is None if kind == "thought" else len(filling) <= 1
    return ids or (kind == "thought" and all(node.startswith("node_") for node in filling))


def strengths(nodes):
    """How often each keyword came up, by kind, in nodes that are not idle; chats do not count."""
    counts = {"event": Counter(), "thought": Counter()}
    for node in nodes.values():
        if node["type"] in counts and f"{node['predicate']} {node['object']}" != "is idle":
            counts[node["type"]].update(word.lower() for word in node["keywords"])
    return {f"kw_strength_{kind}": dict(count) for kind, count in counts.items()}
