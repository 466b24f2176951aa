"""Kills single programs that make, run, copy and compress a simulation whose answers are paid."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "environment" / "frontend_server"
BACKEND = ROOT / "reverie" / "backend_server"
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from chat_server import ChatServer, Received, Reply, completion, embeddings  # noqa: E402 - its folder is added above
from default_answers import answer_to  # noqa: E402

from ville.storage.new_folder import partial_folder  # noqa: E402
from ville.storage.past.checkpoints import digest_at, stems  # noqa: E402
from ville.storage.records.people_files import PeopleFiles  # noqa: E402
from ville.storage.records.people_pack import PEOPLE  # noqa: E402
from ville.storage.steps.step_store import StepStore  # noqa: E402

BASE = "base_the_ville_isabella_maria_klaus"
HISTORY = "the_ville/agent_history_init_n3.csv"
BEGINS = "February 13, 2023, 17:30:00"
"""They meet, talk and think most in the hour after that."""
PLACES = {"STORAGE": "storage", "TEMP_STORAGE": "temp", "COMPRESSED_STORAGE": "compressed"}
AUTOSAVE, CHECKPOINTS = 20, 5
MAX_CONCURRENCY = 25
KINDS = ("begin", "history", "start", "run", "call", "save", "prune", "fork", "branch", "compress")
SEED = 7
RAIN = {"kind": "memory_add", "who": "Klaus Mueller", "words": "Klaus Mueller saw that it rained"}
"""A planned intervention."""
BEFORE_END = 15
"""Steps between the moment of a branch and the end."""
LOG = "interventions.jsonl"
CHECKPOINTS_FOLDER = "reverie/checkpoints/"
EACH = 4
"""Kills of each kind in one round; every round has a new simulation."""
POLL = 0.0005
"""Seconds between two checks of a folder."""
SLOWEST = 0.03
"""Longest delay of an answer in seconds, so that calls are in flight at kills."""
PROMPT = 1.5
"""Seconds within which a process is killed after its start, from the first millisecond on."""

Bill = Counter[str]
"""Paid calls: chat requests, and texts that were embedded."""


@dataclass
class Experiment:
    """Storage folders, the server that is paid, and the random choice of moments."""

    root: Path
    server: ChatServer
    chance: random.Random
    steps: int
    schedule: str = "lockstep"
    """Of the runs that are killed; those that are not are in lockstep."""
    lives: int = 0
    """Number of processes started. Each has a key of its own, which identifies its requests at the server."""
    open_at_kills: Bill = field(default_factory=Counter)
    most_open: int = 0
    """Largest number of chat requests in flight at a kill."""
    deaths: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def branches_at(self) -> int:
        """Step of the moment of a branch."""
        return max(self.steps // 2, self.steps - BEFORE_END)

    def begin(self, name: str) -> tuple[object, ...]:
        """Return the command that begins a simulation and runs it to its end."""
        plan = self.root / "plan.yaml"
        plan.write_text(json.dumps([{"step": self.steps // 2, **RAIN}]), "utf-8")
        made = ("--seed", SEED, "--load-history", HISTORY, "--interventions", plan)
        return ("reverie_offline", "-o", BASE, "-t", name, "-s", self.steps, *made)

    def start(self, shell: str, *arguments: object, schedule: str = "") -> "subprocess.Popen[str]":
        """Start a program with a key of its own and the schedule of runs that are killed, unless it has another."""
        self.lives += 1
        environment = {
            **settings_of(self.root), "VILLE_PROVIDER": "openai", "VILLE_EMBEDDER": "openai",
            "VILLE_BASE_URL": self.server.url, "OPENAI_API_KEY": self.key(self.lives),
            "VILLE_MAX_CONCURRENCY": str(MAX_CONCURRENCY), "VILLE_CHECKPOINTS": str(CHECKPOINTS),
            "VILLE_SCHEDULE": schedule or self.schedule,
        }  # fmt: skip
        command = [sys.executable, str(BACKEND / f"{shell}.py"), *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=BACKEND, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
        )

    def key(self, life: int) -> str:
        return f"key-of-life-{life}"

    def finish(self, shell: str, *arguments: object, schedule: str = "") -> None:
        process = self.start(shell, *arguments, schedule=schedule)
        out, err = process.communicate()
        if process.returncode:
            raise SystemExit(f"{shell} {arguments} ended with {process.returncode}:\n{out}{err}")

    def folder(self, name: str) -> Path:
        return self.root / "storage" / name

    def received(self, life: int) -> Bill:
        """Return the calls that the server received from one process."""
        bearer = f"Bearer {self.key(life)}"
        return bill(request for request in list(self.server.requests) if request.headers.get("authorization") == bearer)

    def saved_step(self, name: str) -> int:
        """Return the step at which the next process resumes, or begins. A committed save counts, although its files may
        not all be in their places yet.
        """
        saved, staged = self.folder(name), self.folder(name) / ".save"
        pending = staged / "reverie/meta.json"
        committed = (staged / "commit.json").exists() and pending.exists()
        meta = pending if committed else saved / "reverie/meta.json"
        return int(json.loads(meta.read_text("utf-8"))["step"]) if meta.exists() else 0

    def loaded(self, name: str) -> bool:
        """Whether the history was saved."""
        nodes = self.folder(name).glob("personas/*/bootstrap_memory/associative_memory/nodes.json")
        return any(path.read_text("utf-8") != "{}" for path in nodes)


def settings_of(root: Path) -> dict[str, str]:
    """Return the environment of programs that work in a folder: settings of a user, and not of a simulation."""
    places = {f"VILLE_FS_{name}": str(root / place) for name, place in PLACES.items()}
    own = {"VILLE_AUTOSAVE": str(AUTOSAVE), "VILLE_ASSETS": str(FRONTEND / "static_dirs" / "assets")}
    own |= {"VILLE_WALLET_FILE": str(root / "wallet.sqlite3")}  # not the wallet of the user who runs this
    return {**os.environ, **places, **own}


def bill(requests: Iterator[Received]) -> Bill:
    paid: Bill = Counter()
    for request in requests:
        texts = request.body.get("input", [])
        paid.update(f"vector of {text}" for text in texts)
        paid.update([] if texts else [f"answer to {json.dumps(request.body['messages'])}"])
    return paid


def recorded(folder: Path) -> Bill:
    """Return the number of answers and vectors in the ledger of a simulation."""
    path = folder / "reverie" / "ledger.sqlite3"
    if not path.exists():
        return Counter()
    with closing(sqlite3.connect(path)) as ledger:
        try:
            answered = "SELECT count(*) FROM calls WHERE outcome = 'answered' AND question <> 'embedding'"
            (answers,) = ledger.execute(answered).fetchone()
            (vectors,) = ledger.execute("SELECT count(*) FROM vectors").fetchone()
        except sqlite3.OperationalError:  # killed before its tables were created
            return Counter()
    return Counter(answers=answers, vectors=vectors)


def totals(paid: Bill) -> Bill:
    vectors = sum(count for what, count in paid.items() if what.startswith("vector"))
    return Counter(answers=paid.total() - vectors, vectors=vectors)


def slowly(experiment: Experiment) -> None:
    """Make the server answer with random delays."""

    def chat(request: Received) -> Reply:
        return Reply(completion(answer_to(request.body), request), delay=random.uniform(0, SLOWEST))  # noqa: S311

    def embed(request: Received) -> Reply:
        return Reply(embeddings(request), delay=random.uniform(0, SLOWEST))  # noqa: S311

    experiment.server.chat, experiment.server.embed = chat, embed


def files(folder: Path) -> dict[str, bytes]:
    """Return all files of a simulation or a replay except its ledger; without its origin, and without the time of day
    in the log of interventions. Of checkpoints, return the digests: each process begins a chain of its own. Of packed
    people, return the files: a pack may have parts that do not count.
    """
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "branch.json"]
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    found |= {stem.file: digest_at(folder, stem).encode() for stem in stems(folder)}
    people = PeopleFiles(folder)
    if index := people.index:
        found = {name: content for name, content in found.items() if name not in {PEOPLE, f"reverie/{index.pack}"}}
        found |= {name: people.content(name) for name in index.files}
    kept = {name: content for name, content in found.items() if "/ledger." not in name}
    metas = {name: json.loads(content) for name, content in kept.items() if name.endswith("meta.json")}
    kept |= {name: json.dumps(meta | {"fork_sim_code": ""}).encode() for name, meta in metas.items()}
    return kept | {name: _without_time(content) for name, content in kept.items() if name.endswith(LOG)}


def _without_time(log: bytes) -> bytes:
    rows = (json.loads(line) for line in log.splitlines())
    return json.dumps([row | {"at": ""} for row in rows]).encode()


def kill(experiment: Experiment, kind: str, moment: Callable[[], bool], command: tuple[object, ...]) -> bool:
    """Start a process, kill it at a moment, count the calls in flight, and return whether it was still running."""
    shell, *arguments = command
    before = recorded(experiment.folder("parts"))
    process = experiment.start(str(shell), *arguments)
    while process.poll() is None and not moment():
        time.sleep(POLL)
    process.kill()
    out, err = process.communicate()
    if process.returncode not in {0, -signal.SIGKILL}:
        raise SystemExit(f"{command} ended with {process.returncode}:\n{out}{err}")
    time.sleep(2 * SLOWEST)  # requests in flight arrive
    lost = totals(experiment.received(experiment.lives))
    lost.update(before)
    lost.subtract(recorded(experiment.folder("parts")))
    experiment.open_at_kills.update(lost)
    experiment.most_open = max(experiment.most_open, lost["answers"])
    experiment.deaths[kind] += process.returncode != 0
    return process.returncode != 0


def after(seconds: float, begun: Callable[[], bool]) -> Callable[[], bool]:
    """Return a predicate that becomes true some seconds after `begun`."""
    since: list[float] = []

    def moment() -> bool:
        if not since and begun():
            since.append(time.monotonic())
        return bool(since) and time.monotonic() - since[0] >= seconds

    return moment


class KilledRun:
    """The simulation `parts`, which is killed again and again until it reaches the state of `whole`."""

    def __init__(self, experiment: Experiment, kinds: Counter[str]) -> None:
        self._scene = experiment
        self._left = kinds

    def live(self) -> None:
        self._begin()
        self._load_history()
        self._run()
        copy, replay = self._scene.folder("copy"), self._scene.root / "compressed" / "parts"
        moment = f"parts@{self._scene.branches_at}"
        self._copy("branch", copy, ("reverie_offline", "-o", moment, "-t", "copy", "-s", 0))
        copy.rename(copy.with_name("branch"))
        self._copy("fork", copy, ("reverie_offline", "-o", "parts", "-t", "copy", "-s", 0))
        self._copy("compress", replay, ("../compress_sim_storage", "parts"))

    def _dies(self, kind: str, moment: Callable[[], bool]) -> None:
        """Go on with the simulation by its name, or begin it if it is not there; and be killed."""
        self._left[kind] -= kill(self._scene, kind, moment, self._command)

    @property
    def _command(self) -> tuple[object, ...]:
        experiment = self._scene
        if not experiment.folder("parts").exists():
            return experiment.begin("parts")
        return (
            "reverie_offline",
            "-o",
            "parts",
            "-t",
            "parts",
            "-s",
            experiment.steps - experiment.saved_step("parts"),
        )

    def _begin(self) -> None:
        """Kill it before it is there: from its first millisecond on, or while its folder is filled."""
        folder, chance = self._scene.folder("parts"), self._scene.chance
        half = partial_folder(folder)
        while not folder.exists() and self._left["begin"] > 0:
            if chance.random() < 1 / 2:
                self._dies("begin", after(chance.uniform(0, PROMPT), lambda: True))
            else:
                self._dies("begin", after(chance.uniform(0, 0.3), lambda: half.exists() or folder.exists()))

    def _load_history(self) -> None:
        """Kill it while whispers become memories."""
        experiment = self._scene
        whispers = experiment.chance.sample(range(1, 16), 15)
        while self._left["history"] > 0 and whispers:
            if experiment.folder("parts").exists() and experiment.loaded("parts"):
                return
            begun = partial(self._asked, experiment.lives + 1, whispers.pop())
            self._dies("history", after(experiment.chance.uniform(0, SLOWEST), begun))

    def _asked(self, life: int, count: int) -> bool:
        return self._scene.received(life).total() >= count

    def _run(self) -> None:
        experiment, chance = self._scene, self._scene.chance
        folder = experiment.folder("parts")
        while (step := experiment.saved_step("parts")) < experiment.steps:
            rest = experiment.steps - step
            left = [kind for kind in ("start", "run", "call", "save", "prune") for _ in range(self._left[kind])]
            if not left:
                experiment.finish(*self._command)
                continue
            kind = chance.choice(left)
            ahead = chance.randrange(rest // (len(left) + 1) + 1)
            shown = partial(StepStore(folder).shows, step + ahead)
            saving = partial(self._saves, folder, shown if ahead else None)
            calling = partial(self._asked_chat, experiment.lives + 1)
            begun = {"start": lambda: True, "run": shown, "call": calling, "save": saving, "prune": saving}[kind]
            latest = {"start": PROMPT, "run": 0.05, "call": SLOWEST, "save": 0.01, "prune": 0.1}[kind]
            self._dies(kind, after(chance.uniform(0, latest), begun))

    def _asked_chat(self, life: int) -> bool:
        return totals(self._scene.received(life))["answers"] > 0

    def _saves(self, folder: Path, shown: Callable[[], bool] | None) -> bool:
        return (shown is None or shown()) and (folder / ".save").exists()

    def _copy(self, kind: str, target: Path, command: tuple[object, ...]) -> None:
        """Kill it while it copies a folder, which must be complete or absent; then copy once more."""
        half, there = partial_folder(target), list[dict[str, bytes]]()
        while self._left[kind] > 0:
            begun = after(self._scene.chance.uniform(0, 0.3), lambda: half.exists() or target.exists())
            self._left[kind] -= kill(self._scene, kind, begun, command)
            there += [files(target)] if target.exists() else []
            shutil.rmtree(target, ignore_errors=True)
        self._scene.finish(*map(str, command))
        self._scene.faults += [f"{kind}: half of it was there" for found in there if found != files(target)]


def undisturbed(experiment: Experiment) -> dict[str, dict[str, bytes]]:
    """Return the files of an undisturbed simulation, a fork of it, and a replay of it."""
    experiment.finish(*experiment.begin("whole"), schedule="lockstep")
    experiment.finish("reverie_offline", "-o", f"whole@{experiment.branches_at}", "-t", "branch", "-s", 0)
    experiment.finish("reverie_offline", "-o", "whole", "-t", "copy", "-s", 0)
    experiment.finish("../compress_sim_storage", "whole", "--out", "parts")
    return results(experiment, "whole")


def results(experiment: Experiment, name: str) -> dict[str, dict[str, bytes]]:
    """Return all files of the results, and delete them."""
    folders = {
        "run": experiment.folder(name),
        "branch": experiment.folder("branch"),
        "fork": experiment.folder("copy"),
        "replay": experiment.root / "compressed" / "parts",
    }
    found = {what: files(folder) for what, folder in folders.items()}
    for folder in folders.values():
        shutil.rmtree(folder)
    experiment.faults += [f"{left} is left" for left in left_in(experiment.root)]
    return found


def left_in(root: Path) -> list[str]:
    """Return what is left in storage folders beside the base: locks, and what was half made."""
    places = [root / "storage", root / "compressed"]
    return sorted(path.name for place in places if place.exists() for path in place.iterdir() if path.name != BASE)


def settle(root: Path) -> None:
    shutil.copytree(FRONTEND / "storage" / BASE, root / "storage" / BASE)
    path = root / "storage" / BASE / "reverie" / "meta.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"curr_time": BEGINS}), "utf-8")


def different(whole: dict[str, dict[str, bytes]], parts: dict[str, dict[str, bytes]]) -> list[str]:
    """Return the files that are different. Which checkpoints are kept depends on their size, and so on where a process
    has begun its chain: those that both have must restore the same.
    """
    return [
        f"{what}: {name}"
        for what in whole
        for name in sorted(whole[what].keys() | parts[what].keys())
        if whole[what].get(name) != parts[what].get(name)
        and not (CHECKPOINTS_FOLDER in name and None in {whole[what].get(name), parts[what].get(name)})
    ]
