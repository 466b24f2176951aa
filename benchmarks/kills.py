"""Kill a backend with SIGKILL at random moments, resume it every time, and compare with an undisturbed run.

`python benchmarks/kills.py --kills 200 --seed 1` kills processes that load a history, start, run, save, fork and
compress, with answers and embeddings from a server on this machine. Afterwards all files must be equal byte for byte,
and no call may have been paid for twice except those in flight at a kill. Exit code 1 otherwise. Everything happens in
a temporary folder.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
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

from ville.storage.checkpoints import digest_at, stems  # noqa: E402

BASE = "base_the_ville_isabella_maria_klaus"
HISTORY = "the_ville/agent_history_init_n3.csv"
BEGINS = "February 13, 2023, 06:30:00"
"""Everyone gets up soon after that."""
PLACES = {"STORAGE": "storage", "TEMP_STORAGE": "temp", "COMPRESSED_STORAGE": "compressed"}
AUTOSAVE = 20
MAX_CONCURRENCY = 25
KINDS = ("history", "start", "run", "save", "fork", "compress")
LOG = "interventions.jsonl"
EACH = 4
"""Kills of each kind in one round; every round has a new simulation."""
POLL = 0.0005
"""Seconds between two checks of a folder."""
SLOWEST = 0.03
"""Longest delay of an answer in seconds, so that calls are in flight at kills."""
PROMPT = 1.0
"""Seconds within which a process is killed after its start."""

Bill = Counter[str]
"""Paid calls: chat requests, and texts that were embedded."""


@dataclass
class Experiment:
    """Storage folders, the server that is paid, and the random choice of moments."""

    root: Path
    server: ChatServer
    chance: random.Random
    steps: int
    lives: int = 0
    """Number of processes started. Each has a key of its own, which identifies its requests at the server."""
    open_at_kills: Bill = field(default_factory=Counter)
    most_open: int = 0
    """Largest number of chat requests in flight at a kill."""
    deaths: Counter[str] = field(default_factory=Counter)

    def start(self, shell: str, *arguments: object) -> "subprocess.Popen[str]":
        self.lives += 1
        environment = {
            **os.environ, **{f"VILLE_FS_{name}": str(self.root / place) for name, place in PLACES.items()},
            "VILLE_PROVIDER": "openai", "VILLE_EMBEDDER": "openai",
            "VILLE_BASE_URL": self.server.url, "OPENAI_API_KEY": self.key(self.lives),
            "VILLE_MAX_CONCURRENCY": str(MAX_CONCURRENCY), "VILLE_SEED": "1",
            "VILLE_ASSETS": str(FRONTEND / "static_dirs" / "assets"),
        }  # fmt: skip
        command = [sys.executable, str(BACKEND / f"{shell}.py"), *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=BACKEND, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
        )

    def key(self, life: int) -> str:
        return f"key-of-life-{life}"

    def finish(self, shell: str, *arguments: object) -> None:
        process = self.start(shell, *arguments)
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
        """Return the step at which the next process resumes. A committed save counts, although its files may not all
        be in their places yet.
        """
        saved, staged = self.folder(name), self.folder(name) / ".save"
        pending = staged / "reverie/meta.json"
        committed = (staged / "commit.json").exists() and pending.exists()
        meta = pending if committed else saved / "reverie/meta.json"
        return int(json.loads(meta.read_text("utf-8"))["step"])

    def loaded(self, name: str) -> bool:
        """Whether the history was saved."""
        nodes = self.folder(name).glob("personas/*/bootstrap_memory/associative_memory/nodes.json")
        return any(path.read_text("utf-8") != "{}" for path in nodes)


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
    in the log of interventions. Of checkpoints, return the digests: each process begins a chain of its own.
    """
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "branch.json"]
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    found |= {stem.file: digest_at(folder, stem).encode() for stem in stems(folder)}
    kept = {name: content for name, content in found.items() if "/ledger." not in name}
    metas = {name: json.loads(content) for name, content in kept.items() if name.endswith("meta.json")}
    kept |= {name: json.dumps(meta | {"fork_sim_code": ""}).encode() for name, meta in metas.items()}
    return kept | {name: _without_times(content) for name, content in kept.items() if name.endswith(LOG)}


def _without_times(log: bytes) -> bytes:
    return json.dumps([json.loads(line) | {"at": ""} for line in log.splitlines()]).encode()


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
        self._load_history()
        self._run()
        fork, replay = self._scene.folder("copy"), self._scene.root / "compressed" / "parts"
        self._copy("fork", fork, ("reverie_offline", "-o", "parts", "-t", "copy", "-s", 0))
        self._copy("compress", replay, ("../compress_sim_storage", "parts"))

    def _dies(self, kind: str, moment: Callable[[], bool], command: tuple[object, ...]) -> None:
        self._left[kind] -= kill(self._scene, kind, moment, command)

    def _load_history(self) -> None:
        """Kill it while whispers become memories; start again or resume, as a user would."""
        experiment = self._scene
        whispers = experiment.chance.sample(range(1, 16), 15)
        while not (experiment.folder("parts").exists() and experiment.loaded("parts")):
            origin = "parts" if experiment.folder("parts").exists() else BASE
            command = ("reverie_offline", "-o", origin, "-t", "parts", "-s", 0, "--load-history", HISTORY)
            if self._left["history"] <= 0:
                experiment.finish(*command)
                return
            begun = partial(self._asked, experiment.lives + 1, whispers.pop() if whispers else 1)
            self._dies("history", after(experiment.chance.uniform(0, SLOWEST), begun), command)

    def _asked(self, life: int, count: int) -> bool:
        return self._scene.received(life).total() >= count

    def _run(self) -> None:
        experiment, chance = self._scene, self._scene.chance
        folder = experiment.folder("parts")
        while (step := experiment.saved_step("parts")) < experiment.steps:
            rest = experiment.steps - step
            command = ("reverie_offline", "-o", "parts", "-t", "parts", "-s", rest, "--autosave", AUTOSAVE)
            left = [kind for kind in ("start", "run", "save") for _ in range(self._left[kind])]
            if not left:
                experiment.finish(*command)
                return
            kind = chance.choice(left)
            ahead = chance.randrange(rest // (len(left) + 1) + 1)
            shown = folder / "movement" / f"{step + ahead}.json"
            begun = {
                "start": lambda: True,
                "run": shown.exists,
                "save": lambda shown=shown, ahead=ahead: (not ahead or shown.exists()) and (folder / ".save").exists(),
            }[kind]
            latest = {"start": PROMPT, "run": 0.05, "save": 0.01}[kind]
            self._dies(kind, after(chance.uniform(0, latest), begun), command)

    def _copy(self, kind: str, target: Path, command: tuple[object, ...]) -> None:
        """Kill it while it copies a folder, which must be complete or absent; then copy once more."""
        half = target.with_name(f".{target.name}.partial")
        while self._left[kind] > 0:
            shutil.rmtree(target, ignore_errors=True)
            self._dies(kind, after(self._scene.chance.uniform(0, 0.1), half.exists), command)
        shutil.rmtree(target, ignore_errors=True)
        self._scene.finish(*map(str, command))


def undisturbed(experiment: Experiment) -> dict[str, dict[str, bytes]]:
    """Return the files of an undisturbed simulation, a fork of it, and a replay of it."""
    command = ("-o", BASE, "-t", "whole", "-s", experiment.steps, "--autosave", AUTOSAVE, "--load-history", HISTORY)
    experiment.finish("reverie_offline", *command)
    experiment.finish("reverie_offline", "-o", "whole", "-t", "copy", "-s", 0)
    experiment.finish("../compress_sim_storage", "whole", "--out", "parts")
    return results(experiment, "whole")


def results(experiment: Experiment, name: str) -> dict[str, dict[str, bytes]]:
    """Return all files of the results, and delete them."""
    folders = {
        "run": experiment.folder(name),
        "fork": experiment.folder("copy"),
        "replay": experiment.root / "compressed" / "parts",
    }
    found = {what: files(folder) for what, folder in folders.items()}
    for folder in folders.values():
        shutil.rmtree(folder)
    return found


def settle(root: Path) -> None:
    shutil.copytree(FRONTEND / "storage" / BASE, root / "storage" / BASE)
    path = root / "storage" / BASE / "reverie" / "meta.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"curr_time": BEGINS}), "utf-8")


def different(whole: dict[str, dict[str, bytes]], parts: dict[str, dict[str, bytes]]) -> list[str]:
    return [
        f"{what}: {name}"
        for what in whole
        for name in sorted(whole[what].keys() | parts[what].keys())
        if whole[what].get(name) != parts[what].get(name)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument(
        "--seed", type=int, default=1, help="random seed of the moments (timing also depends on the machine)"
    )
    parser.add_argument("--steps", type=int, default=360, help="length of the run, in steps of ten seconds")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ChatServer() as server:
        experiment = Experiment(Path(folder), server, random.Random(choice.seed), choice.steps)  # noqa: S311 - any moments will do
        settle(experiment.root)
        slowly(experiment)
        whole = undisturbed(experiment)
        once = bill(iter(server.requests))
        left, rounds = Counter(KINDS[number % len(KINDS)] for number in range(choice.kills)), 0
        wrong: list[str] = []
        paid: Bill = Counter()
        while left:
            server.requests.clear()
            kinds = Counter({kind: min(count, EACH) for kind, count in left.items()})
            left -= kinds
            KilledRun(experiment, kinds).live()
            left += kinds  # a run may end before all kills were made
            rounds += 1
            paid += bill(iter(server.requests))
            wrong += [f"round {rounds}, {name}" for name in different(whole, results(experiment, "parts"))]
            print(f"{experiment.deaths.total():>4} kills, {len(wrong)} files different", flush=True)
    needed = Counter({what: count * rounds for what, count in once.items()})
    return verdict(experiment, wrong, needed=needed, paid=paid, compared=sum(map(len, whole.values())) * rounds)


def verdict(experiment: Experiment, wrong: list[str], *, needed: Bill, paid: Bill, compared: int) -> int:
    """Print the results, and return the exit code. Not every call in flight at a kill was paid."""
    print("\nkilled during  kills")
    for kind in KINDS:
        print(f"{kind:<12}{experiment.deaths[kind]:>8}")
    print(f"\nfiles compared {compared:,}, different {len(wrong)}")
    print("\n               needed      paid   in flight at kill   paid twice")
    without, bought, lost = totals(needed), totals(paid), experiment.open_at_kills
    twice = {what: bought[what] - without[what] - lost[what] for what in ("answers", "vectors")}
    for what, count in twice.items():
        print(f"{what:<10}{without[what]:>11,}{bought[what]:>10,}{lost[what]:>17,}{count:>13,}")
    print(f"At most {experiment.most_open} of {MAX_CONCURRENCY} concurrent calls were in flight at a kill.")
    missing = needed - paid
    for line in [*wrong[:10], *[f"never requested: {what[:90]}" for what in list(missing)[:10]]]:
        print(line)
    return int(bool(wrong or missing or max(twice.values()) > 0 or experiment.most_open > MAX_CONCURRENCY))


if __name__ == "__main__":
    sys.exit(main())
