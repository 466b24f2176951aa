"""Two runs of ten minutes in the morning, one saved and one compressed, whose differences are made by hand."""

import json
import shutil

from ville.storage.compressed.compression import compress
from ville.storage.steps.step_store import StepStore

STEPS, FIRST = 60, 2700
DIFFERS = range(20, 40)
KLAUS = "Klaus Mueller"
WHISPER = "<b>You</b> want to run for mayor"


def write_pair(recording, root):
    """Write `plain` and `told` below a folder: in `told`, Klaus hears a whisper and then does something else."""
    for name in ("temp", "compressed"):
        (root / name).mkdir()
    for name in ("plain", "told"):
        _write_run(recording / "storage/recorded", root / "storage" / name)
    told = root / "storage/told"
    row = {"v": 1, "n": 1, "step": DIFFERS[0], "kind": "whisper", "who": KLAUS, "words": WHISPER, "id": "1"}
    row |= {"door": "api", "by": "", "at": ""}
    (told / "reverie/interventions.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    compress(told, root / "compressed/told")
    shutil.rmtree(told)
    return root


def _write_run(recorded, folder):
    shutil.copytree(recorded / "personas", folder / "personas")
    for part in ("movement", "reverie"):
        (folder / part).mkdir()
    for step in range(STEPS):
        content = StepStore(recorded).read_movement(FIRST + step)
        if folder.name == "told" and step in DIFFERS:
            x, y = content["persona"][KLAUS]["movement"]
            content["persona"][KLAUS] |= {"movement": [x, y + 1], "description": "painting a sign @ the Ville:Park"}
        (folder / "movement" / f"{step}.json").write_text(json.dumps(content), "utf-8")
    meta = json.loads((recorded / "reverie/meta.json").read_text("utf-8"))
    meta |= {"step": STEPS, "curr_time": "February 13, 2023, 07:40:00"}
    (folder / "reverie/meta.json").write_text(json.dumps(meta), "utf-8")
