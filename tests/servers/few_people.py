"""A base simulation with some of the people of the Ville, who know what their history tells."""

import csv
import json
import shutil
from pathlib import Path

import pytest

FRONTEND = Path(__file__).resolve().parents[2] / "environment/frontend_server"
HISTORY = FRONTEND / "static_dirs/assets/the_ville/agent_history_init_n25.csv"
BASE = FRONTEND / "storage/base_the_ville_n25"


def copy_base(folder, people):
    """Copy the base of the Ville with only these people; skip the test if it is not built."""
    if not BASE.exists():
        pytest.skip(f"the Ville is not built: {BASE} is needed")
    shutil.copytree(BASE, folder)
    meta, tiles = folder / "reverie/meta.json", folder / "environment/0.json"
    known, placed = json.loads(meta.read_text("utf-8")), json.loads(tiles.read_text("utf-8"))
    names = [name for name in known["persona_names"] if name in people]
    meta.write_text(json.dumps({**known, "persona_names": names}), "utf-8")
    tiles.write_text(json.dumps({name: placed[name] for name in names}), "utf-8")
    for persona in (folder / "personas").iterdir():
        if persona.name not in people:
            shutil.rmtree(persona)


def history_of(people):
    """Return the intervention that tells these people their history."""
    with HISTORY.open(encoding="utf-8", newline="") as file:
        rows = [[row[0], said.strip()] for row in csv.reader(file) if row[0] in people for said in row[1].split(";")]
    return {"kind": "history", "rows": rows}
