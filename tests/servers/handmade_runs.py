"""Runs of a day whose memories, impressions, interventions and appointments are written by hand."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.checkpoints import Checkpoint, Growth, PersonaPart, Stem

ADA, BEN, CLEO = "Ada Stone", "Ben Reed", "Cleo Adams Moor"
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
STEPS = 1440
"""A day, with a step a minute."""
IDLE = {"movement": [5, 6], "pronunciatio": "💤", "description": "idle @ the Ville", "chat": None}


def at(step: int) -> datetime:
    return MIDNIGHT + timedelta(minutes=step)


def thought(text: str, step: int = 0, *rests_on: int, poignancy: int = 3) -> dict[str, Any]:
    """A thought that rests on the memories of these numbers."""
    values = {"type": "thought", "created": str(at(step)), "predicate": "is", "object": "it", "poignancy": poignancy}
    return values | {"description": text, "filling": [f"node_{number}" for number in rests_on] or None}


def sight(text: str, step: int, poignancy: int = 3) -> dict[str, Any]:
    return thought(text, step, poignancy=poignancy) | {"type": "event", "filling": []}


def talk(partner: str, step: int, *lines: tuple[str, str], about: str = "the weather") -> dict[str, Any]:
    said = [list(line) for line in lines]
    return thought(f"conversing about {about}", step) | {"type": "chat", "object": partner, "filling": said}


def put(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


def write_run(
    root: Path,
    memories: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    relationships: Mapping[str, Mapping[str, Any]] | None = None,
    rows: Sequence[Mapping[str, Any]] = (),
    facts: Mapping[str, Any] | None = None,
) -> ComparedRun:
    """Write a day into the folder of a base, and return it: everyone idles on one tile.

    `memories` are by persona, oldest first; `relationships` are the impressions at its end, `rows` interventions.
    """
    folder = SimulationFolder(root)
    put(
        root / "reverie/meta.json",
        {**folder.meta.as_json(), "curr_time": "February 14, 2023, 00:00:00", "step": STEPS, "sec_per_step": 60},
    )
    for name in folder.meta.persona_names:
        nodes = [dict(node) | {"node_count": 1 + place} for place, node in enumerate(memories.get(name, ()))]
        bootstrap = root / "personas" / name / "bootstrap_memory"
        put(bootstrap / "associative_memory/nodes.json", {f"node_{node['node_count']}": node for node in nodes[::-1]})
        scratch = json.loads((bootstrap / "scratch.json").read_text("utf-8"))
        put(bootstrap / "scratch.json", scratch | {"relationship": (relationships or {}).get(name, {})})
    for step in (0, STEPS - 1):
        put(root / f"movement/{step}.json", {"persona": dict.fromkeys(folder.meta.persona_names, IDLE), "meta": {}})
    lines = [
        json.dumps({"v": 1, "n": 1 + place, "id": str(place), "door": "api", "by": "", "at": ""} | dict(row))
        for place, row in enumerate(rows)
    ]
    (root / "reverie/interventions.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    put(root / "reverie/run.json", {"seed": 0, "embedder": "letters-26", "interventions": len(rows)})
    put(root / "reverie/facts.json", facts or {})
    return ComparedRun(SimulationFolder(root))


def write_save(run: ComparedRun, step: int, relationships: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a checkpoint in which these impressions are."""
    none = Growth(size=1, digest="0" * 16)
    parts = {
        name: PersonaPart(
            memories=0, nodes=none, vectors=none, keywords={}, last_accessed={}, spatial_memory={},
            scratch={"relationship": relationships.get(name, {})},
        )
        for name in run.people
    }  # fmt: skip
    save = Checkpoint(step=step, digest="0" * 16, meta={**run.meta.as_json(), "step": step}, personas=parts)
    file = run.folder.root / Stem(step).file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(save.packed())
