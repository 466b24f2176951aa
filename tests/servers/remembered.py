"""A small town at midnight of its second day, with memories that are written by hand."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from ville.analysis.comparison.compared_run import ComparedRun
from ville.storage.folder.simulation_folder import SimulationFolder

ADA, BEN, CLEO = "Ada Stone", "Ben Reed", "Cleo Adams Moor"
MIDNIGHT = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone
NOON = MIDNIGHT + timedelta(hours=12)
EVENING = NOON + timedelta(hours=6)


def thought(text: str, when: datetime = MIDNIGHT) -> dict:
    values = {"type": "thought", "created": str(when), "predicate": "is", "object": "it"}
    return values | {"description": text, "filling": None}


def sight(text: str, when: datetime = MIDNIGHT) -> dict:
    return thought(text, when) | {"type": "event", "filling": []}


def talk(partner: str, *lines: tuple[str, str], when: datetime = NOON) -> dict:
    return thought("conversing", when) | {"type": "chat", "object": partner, "filling": [list(line) for line in lines]}


def put(path: Path, content: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


def remembering(town: Path, **memories: list[dict]) -> ComparedRun:
    """Return a saved base with these memories, by first names, newest first as in the files; a step is a minute."""
    folder = SimulationFolder(town)
    put(town / "reverie/meta.json", {**folder.meta.as_json(), "curr_time": "February 14, 2023", "step": 1440})
    for name in (ADA, BEN, CLEO):
        nodes = [{"node_count": 1 + n} | node for n, node in enumerate(memories.get(name.split()[0], []))]
        file = town / "personas" / name / "bootstrap_memory/associative_memory/nodes.json"
        put(file, {f"node_{node['node_count']}": node for node in reversed(nodes)})
    return ComparedRun(SimulationFolder(town))
