"""The files of a study, as a running study leaves them: no simulation is run."""

import json
import shutil
from pathlib import Path

from ville.storage.studies.study_folder import JobManifest, JobResult, StudyAnswer, StudyFolder, StudyNote

BASES = Path(__file__).resolve().parents[2] / "environment/frontend_server/storage"
BASE = "base_the_ville_isabella_maria_klaus"
PEOPLE = ("Isabella Rodriguez", "Maria Lopez", "Klaus Mueller")
GUESTS = {"plain": {1: 12, 2: 9, 3: 15}, "told": {1: 7, 2: 6, 3: 7}}
STEPS = 40
NASTY = "<b>Nobody</b> comes."


def job(arm, seed, **changes):
    run = f"{arm}-s{seed}"
    plain = JobManifest(
        run=run, simulation=f"party-{run}", base=BASE, arm=arm, seed=seed, origin=BASE, first_step=0, until_step=STEPS
    )
    return plain.model_copy(update=changes)


def done(arm, seed):
    answer = StudyAnswer(ask="Who comes?", when="end", who=PEOPLE[0], answer=NASTY)
    result = JobResult(measures={"guests": float(GUESTS[arm][seed])}, answers=[answer], calls=40, cost=0.1)
    return job(arm, seed, state="done", step=STEPS, result=result)


def write_party(root):
    """Write a study with two arms of three seeds, none of them run; and a short run of the first."""
    for name in ("temp", "compressed"):
        (root / name).mkdir(exist_ok=True)
    run = root / "storage/party-plain-s1"
    shutil.copytree(BASES / BASE, run)
    places = json.loads((run / "environment/0.json").read_text("utf-8"))
    doing = {"pronunciatio": "☕", "description": "drinking coffee", "chat": None}
    people = {who: {"movement": [at["x"], at["y"]], **doing} for who, at in places.items()}
    (run / "movement").mkdir()
    for step in range(STEPS):
        meta = {"curr_time": f"February 13, 2023, 00:{step // 6:02}:{step % 6}0"}
        (run / f"movement/{step}.json").write_text(json.dumps({"persona": people, "meta": meta}), "utf-8")
    meta = json.loads((run / "reverie/meta.json").read_text("utf-8"))
    (run / "reverie/meta.json").write_text(json.dumps({**meta, "step": STEPS}), "utf-8")
    folder = StudyFolder(root / "studies", "party")
    folder.create()
    runs = [f"{arm}-s{seed}" for arm in GUESTS for seed in (1, 2, 3)]
    note = StudyNote(
        name="party", title="Who comes?", measures=["guests"], arms=list(GUESTS), seeds=[1, 2, 3], runs=runs
    )
    folder.write_note(note, "")
    for arm, values in GUESTS.items():
        for seed in values:
            folder.write_job(job(arm, seed))
    return folder


def finish_party(folder):
    """Write what its runs measured and answered; one has failed."""
    for arm, values in GUESTS.items():
        for seed in values:
            folder.write_job(done(arm, seed))
    folder.write_job(job("told", 3, state="failed", fault="<i>No such model.</i>"))
