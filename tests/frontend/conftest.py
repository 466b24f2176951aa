"""A stage over real folders: two people, a small map, and runs written as the engine writes them."""

import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from scripts import start_script

from translator.rights import access, pass_phrase
from translator.rights.rate_limit import RateLimit
from translator.storage.computed import computations
from ville.storage.exchange.inbox import Inbox
from ville.storage.studies.study_folder import JobManifest, JobResult, StudyAnswer, StudyFolder, StudyNote

HOUSE = Path(__file__).resolve().parents[2]
PAGES = HOUSE / "environment" / "frontend_server"
ADA, BEN = "Ada Stone", "Ben van Reed"
ROSTER = (ADA, BEN)
TALK = [[ADA, "Good morning."], [BEN, "Is it?"]]

Frame = dict[str, dict[str, Any]]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Leave the language of the last request behind: what is called without a request speaks English."""
    translation.deactivate()
    yield
    translation.deactivate()


def record(x: int, chat: Any = None, what: str = "walking") -> dict[str, Any]:
    """Return the record of a persona who stands in column x."""
    return {"movement": [x, 1], "pronunciatio": "🚶", "description": f"{what} @ the Town:Green:lawn", "chat": chat}


def compressed(frames: Sequence[Frame]) -> dict[str, Frame]:
    """The compressed form of whole frames, as docs/storage.md words it."""
    emitted: Frame = {}
    master: dict[str, Frame] = {}
    for step, frame in enumerate(frames):
        master[str(step)] = {name: shown for name, shown in frame.items() if emitted.get(name) != shown}
        emitted = {**emitted, **master[str(step)]}
    return master


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), "utf-8")


def study_job(study: str, arm: str, seed: int, guests: float | None) -> JobManifest:
    """A run of four steps; without guests, it waits."""
    answer = StudyAnswer(ask="Is there a party?", when="end", who=ADA, answer=f"{guests} are coming.")
    result = JobResult(measures={"guests": guests}, answers=[answer], calls=7, tokens=900, cost=0.25)
    run = f"{arm}-s{seed}"
    return JobManifest(
        run=run,
        simulation=f"{study}-{run}",
        base="base",
        arm=arm,
        seed=seed,
        origin="base@0",
        first_step=0,
        until_step=4,
        state="waiting" if guests is None else "done",
        step=0 if guests is None else 4,
        result=None if guests is None else result,
    )


@dataclass(frozen=True)
class Stage:
    """Storage folders in a temporary place."""

    root: Path

    roster = ROSTER

    def walk(self, steps: int) -> list[Frame]:
        """Ada walks a tile a step, Ben stays where he is; in steps 3 to 5 they talk."""
        talks = [TALK if step in range(3, 6) else None for step in range(steps)]
        return [{ADA: record(step, talk), BEN: record(9, talk, "idle")} for step, talk in enumerate(talks)]

    def places(self, frame: Frame) -> dict[str, dict[str, Any]]:
        """Where a frame leads, as the page reports it."""
        tiles = {name: shown["movement"] for name, shown in frame.items()}
        return {name: {"maze": "small", "x": x, "y": y} for name, (x, y) in tiles.items()}

    def put(self, address: str, content: Any) -> None:
        """Write a file below the stage's folders: text as it is, anything else as JSON."""
        put(self.root / address, content)

    @property
    def storage(self) -> Path:
        return self.root / "storage"

    @property
    def studies(self) -> Path:
        return self.root / "studies"

    @property
    def temp(self) -> Path:
        return self.root / "temp"

    @property
    def compressed(self) -> Path:
        return self.root / "compressed"

    def save(self, name: str, frames: Sequence[Frame] = (), **meta: Any) -> Path:
        """A simulation in storage, as the engine leaves it after its last step."""
        folder = self.storage / name
        put(folder / "reverie" / "meta.json", self.meta(name, len(frames)) | meta)
        put(folder / "environment" / "0.json", {who: {"maze": "small", "x": 0, "y": 1} for who in ROSTER})
        for step, frame in enumerate(frames):
            self.show(name, step, frame)
            put(folder / "environment" / f"{step + 1}.json", self.places(frame))
        self.remember(folder)
        return folder

    def show(self, name: str, step: int, frame: Frame) -> None:
        """Lay a movement file in the temp_storage, whole at one instant."""
        folder = self.storage / name / "movement"
        put(folder / f".{step}.tmp", {"persona": frame, "meta": {"curr_time": f"February 13, 2023, 00:{step:02}:00"}})
        (folder / f".{step}.tmp").replace(folder / f"{step}.json")

    def compress(self, name: str, frames: Sequence[Frame], **meta: Any) -> Path:
        folder = self.compressed / name
        put(folder / "meta.json", self.meta(name, len(frames)) | meta)
        put(folder / "master_movement.json", compressed(frames))
        self.remember(folder)
        return folder

    def meta(self, name: str, step: int) -> dict[str, Any]:
        return {
            "fork_sim_code": name,
            "start_date": "February 13, 2023",
            "curr_time": f"February 13, 2023, {step // 60:02}:{step % 60:02}:00",
            "sec_per_step": 60,
            "maze_name": "small",
            "persona_names": list(ROSTER),
            "step": step,
        }

    def plan_study(self, name: str, values: Mapping[str, Mapping[int, float | None]]) -> StudyFolder:
        """A study in its folder, with guests counted by arm and seed; None: the run waits."""
        folder = StudyFolder(self.studies, name)
        folder.create()
        seeds = sorted({seed for runs in values.values() for seed in runs})
        jobs = [study_job(name, arm, seed, guests) for arm, runs in values.items() for seed, guests in runs.items()]
        runs = [job.run for job in jobs]
        note = StudyNote(name=name, measures=["guests"], arms=list(values), seeds=seeds, bases=["base"], runs=runs)
        folder.write_note(note, "base: base\n")
        for job in jobs:
            folder.write_job(job)
        for table in ("runs.csv", "answers.csv"):
            folder.write_table(table, "run,cost\n")
        return folder

    def remember(self, folder: Path, nodes: Mapping[str, Any] | None = None) -> None:
        """Everybody's memories; without nodes, an empty mind."""
        for who in ROSTER:
            memory = folder / "personas" / who / "bootstrap_memory"
            put(
                memory / "scratch.json",
                {"name": who, "curr_time": "February 13, 2023, 00:00:00", "f_daily_schedule": []},
            )
            put(memory / "spatial_memory.json", {"the Town": {"Green": {"lawn": ["bench"]}}})
            put(memory / "associative_memory" / "nodes.json", nodes or {})

    def announce(self, name: str, step: int = 0) -> None:
        """As an engine does when it starts."""
        put(self.temp / "curr_sim_code.json", {"sim_code": name})
        put(self.temp / "curr_step.json", {"step": step})

    def listen(self, name: str | None) -> Inbox:
        """As an engine does when it opens a simulation, or before it has one; its side of the requests."""
        inbox = Inbox(self.temp, name, fsync=False)
        inbox.open()
        return inbox

    def files(self) -> dict[str, bytes]:
        """Everything below the stage's folders, and everything beside them."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes() for path in self.root.rglob("*") if path.is_file()
        }


@pytest.fixture
def stage(tmp_path, settings) -> Stage:
    made = Stage(tmp_path)
    for folder in (made.storage, made.temp, made.compressed):
        folder.mkdir()
    put(tmp_path / "assets" / "small" / "visuals" / "small.json", {"layers": [], "tilesets": []})
    settings.STORAGE, settings.TEMP_STORAGE, settings.COMPRESSED_STORAGE = made.storage, made.temp, made.compressed
    settings.STUDIES, settings.ENV_FILE = made.studies, tmp_path / ".env"
    settings.ASSETS, settings.TOWNS = tmp_path / "assets", tmp_path / "towns"
    settings.STATICFILES_DIRS = [("assets", tmp_path / "assets"), *settings.STATICFILES_DIRS]
    return made


HERE = "http://localhost:8000"
"""Origin of the pages."""


class Page(Client):
    """A browser's page, of a server that is bound to this machine, or to be reached from others."""

    def __init__(self, *, loopback: bool = True, **defaults: Any) -> None:
        bound = {"ville.loopback": "1"} if loopback else {}
        super().__init__(enforce_csrf_checks=True, headers={"Host": HERE.removeprefix("http://")}, **bound, **defaults)

    def tell(self, address: str, body: Any, **headers: str) -> Any:
        """Post JSON as a page does; text goes as it is."""
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        return self.post(address, text, content_type="application/json", headers={"Origin": HERE, **headers})


@pytest.fixture
def client(stage) -> Page:  # noqa: ARG001 - it asks for what lies there
    return Page()


@pytest.fixture
def afar(stage) -> Callable[[], Page]:  # noqa: ARG001 - as above
    """Open the pages on another machine, of a server that others can reach."""
    return lambda: Page(loopback=False)


@pytest.fixture(autouse=True)
def _nobody_has_asked(monkeypatch) -> None:
    """Requests of other tests count for no limit, and what they have begun to compute need not have ended."""
    monkeypatch.setattr(computations, "MOST_WAITING", 1000)
    monkeypatch.setattr(access, "_acts", RateLimit(access.MOST_PER_MINUTE))
    monkeypatch.setattr(pass_phrase, "_wrong", RateLimit(pass_phrase.WRONG_PER_MINUTE))
    monkeypatch.setattr(pass_phrase, "_all_wrong", RateLimit(pass_phrase.ALL_WRONG_PER_MINUTE))


@pytest.fixture
def database() -> str:
    """Where the server keeps what `admin/` knows, below its folders."""
    return "db.sqlite3"


@pytest.fixture
def bound() -> str:
    """The address of this machine that a real server is bound to."""
    return "127.0.0.1"


@pytest.fixture
def more_settings() -> dict[str, str]:
    """More settings of a real server."""
    return {}


@pytest.fixture
def port(stage, free_port, database, bound, more_settings) -> Iterator[int]:
    """Where a real server listens, a process of its own over the same folders."""
    number: int = free_port()
    names = {"FS_STORAGE": stage.storage, "FS_TEMP_STORAGE": stage.temp, "FS_COMPRESSED_STORAGE": stage.compressed}
    settings = {f"VILLE_{name}": str(place) for name, place in names.items()} | {
        "VILLE_BIND": f"{bound}:{number}",
        "VILLE_SECRET_KEY": "for a test",
        "VILLE_DATABASE": str(stage.root / database),
        **more_settings,
    }
    command = [sys.executable, "manage.py", "runserver", "--noreload"]
    process = start_script(command, PAGES, {**os.environ, **settings}, stage.root.with_suffix(".log"))
    try:
        _wait_for(number)
        yield number
    finally:
        process.terminate()
        process.communicate()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/status/"):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the environment server did not start")
