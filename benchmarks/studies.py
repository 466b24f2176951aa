"""Measure how fast studies run, and kill them at random moments.

`python benchmarks/studies.py` runs a study of 30 offline days of three people, one run after the other and in as many
processes as there are processors, and one of 30 runs of one step: what a run costs besides its steps. Then it kills
the program that runs a study (`--kills 5`) and goes on each time: tables and runs must be those of a study that was not
disturbed. `--file examples/studies/party.yaml` does only that, with a study of yours. `--engine ray` does the same on
Ray. Exit code 1 if they differ.

`--ray-nodes` does only this: it runs a study in two processes, and again on two Ray nodes of this machine, one of which
is killed with all its processes when half of the steps are done: both have to end with the same. With `--own-storage`
that node does not see the storage (this needs the right to mount). `--change seeds=1` and `--change steps=6000` make a
study of a file smaller.

`--budget` does only this: a study of 12 runs against a chat server on this machine that counts calls, tokens and
dollars itself, with a budget of $0.50, of which it needs more; then the budget is raised, and the same command goes on.
Exit code 1 if the budget or the limit of open calls was exceeded, if a run cannot be opened after the stop, or if in
the end something was asked more often than without a budget. Everything happens in a temporary folder.
"""

import argparse
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "reverie" / "backend_server"), str(ROOT / "tests" / "servers")]

import yaml  # noqa: E402
from chat_server import ChatServer  # noqa: E402 - its folder is added above
from counting_provider import PRICES  # noqa: E402
from plausible_provider import PlausibleProvider  # noqa: E402
from ray_nodes import RayNodes, new_token  # noqa: E402

import ville  # noqa: E402
from ville.machine import processors  # noqa: E402
from ville.storage.steps.step_store import StepStore  # noqa: E402
from ville.storage.studies.study_folder import StudyFolder  # noqa: E402

FRONTEND = ROOT / "environment" / "frontend_server"
SHELL = ROOT / "reverie" / "study.py"
BASE = "base_the_ville_isabella_maria_klaus"
TABLES = ("runs.csv", "answers.csv")
STUDY = """\
base: {base}
steps: {steps}
seeds: {seeds}
settings: {{provider: offline, embedder: hashing}}
arms:
  plain: {{}}
  told: {{interventions: [{{step: {half}, kind: whisper, who: Klaus Mueller, words: The cafe is closed}}]}}
questions: [{{ask: "Who are you?"}}]
measures: [conversations, pairs who talked]
"""
PAID = """\
base: {base}
steps: {steps}
seeds: 6
budget: {budget}
settings: {{max_concurrency: {open}}}
arms:
  plain: {{}}
  paper: {{settings: {{retrieval: paper}}}}
questions: [{{ask: "Who are you?"}}]
measures: [conversations]
"""
BUDGET, RAISED = 0.5, 50.0
MOST_OPEN, WORKERS = 4, 6
STOPPED = 130
"""Exit code of a study that is not at its end."""


@dataclass(frozen=True)
class Desk:
    """A storage folder for studies, and how they are run."""

    root: Path
    engine: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of settings."""
    address: str = ""
    """Of a Ray cluster that is running."""

    @property
    def environment(self) -> dict[str, str]:
        """All settings of the runs."""
        places = {"VILLE_FS_STORAGE": "storage", "VILLE_FS_TEMP_STORAGE": "temp", "VILLE_FS_STUDIES": "studies"}
        return {**{key: str(self.root / place) for key, place in places.items()}, **self.settings}

    def start(self, name: str, text: str, *, workers: int) -> "subprocess.Popen[bytes]":
        """Begin a study, or go on with it."""
        file = self.root / f"{name}.yaml"
        file.write_text(text, "utf-8")
        flags = ["--workers", str(workers), "--engine", self.engine, "--address", self.address]
        return subprocess.Popen(
            [sys.executable, str(SHELL), "run", str(file), "--yes", *flags],
            env={**os.environ, "VILLE_WALLET_FILE": str(self.root / "wallet.sqlite3"), **self.environment},
            stdout=subprocess.DEVNULL,
        )

    def run(self, name: str, text: str, *, workers: int) -> float:
        """Run a study to its end; return the seconds that took."""
        began = time.perf_counter()
        code = self.start(name, text, workers=workers).wait()
        if code:
            raise SystemExit(f"The study {name} ended with exit code {code}.")
        return time.perf_counter() - began

    def outcome(self, name: str) -> dict[str, str]:
        """Return digests of the tables, and of the movement files of all runs, without the name of the study.

        Shared beginnings are left out: their names depend on it, and their files are in the runs, too.
        """
        storage, study = self.root / "storage", self.root / "studies" / name
        runs = (run for run in storage.glob(f"{name}-*") if not run.name.startswith(f"{name}-shared-"))
        texts = {table: (study / table).read_bytes() for table in TABLES}
        for store in map(StepStore, runs):
            texts |= {f"{store.root.name}/{step}": store.movement_bytes(step) for step in sorted(store.shown())}
        return {
            file.removeprefix(name): blake2b(text.replace(f"{name}-".encode(), b"")).hexdigest()
            for file, text in texts.items()
        }

    def clean(self, name: str) -> None:
        """Delete a study and its simulations."""
        shutil.rmtree(self.root / "studies" / name)
        for folder in (self.root / "storage").glob(f"{name}-*"):
            shutil.rmtree(folder)


def days(seeds: int, steps: int) -> str:
    """Return a study file of offline runs."""
    return STUDY.format(base=BASE, steps=steps, half=steps // 2, seeds=seeds)


def speed(desk: Desk, seeds: int, steps: int) -> None:
    """Print how much faster several processes are than one, and what a run costs besides its steps."""
    cores = processors()
    spent = {}
    for workers in (1, cores):
        spent[workers] = desk.run("days", days(seeds, steps), workers=workers)
        desk.clean("days")
    print(f"{2 * seeds} runs of {steps:,} steps: {spent[1]:.0f} s one after the other, {spent[cores]:.0f} s in {cores} "
          f"processes: {spent[cores] / spent[1]:.2f}", flush=True)  # fmt: skip
    short = desk.run("short", days(seeds, 1), workers=1)
    desk.clean("short")
    print(f"{2 * seeds} runs of one step: {short / (2 * seeds):.2f} s a run", flush=True)


def killed(desk: Desk, kills: int, text: str) -> list[str]:
    """Kill a study at random moments, go on each time, and return the files that differ from an undisturbed one."""
    chance = random.Random(1)  # noqa: S311 - any moments will do
    whole = desk.run("whole", text, workers=2)
    print(f"undisturbed: {whole / 60:.1f} minutes in two processes", flush=True)
    deaths = 0
    for _ in range(kills):
        process = desk.start("killed", text, workers=2)
        time.sleep(chance.uniform(0, 1.5 * whole / kills))
        deaths += process.poll() is None
        process.kill()
        process.wait()
    desk.run("killed", text, workers=2)
    print(f"{deaths} of {kills} times killed before the end", flush=True)
    return different(desk, "killed", "whole")


def different(desk: Desk, name: str, other_name: str) -> list[str]:
    """Return the files that differ between two studies."""
    one, other = desk.outcome(name), desk.outcome(other_name)
    found = sorted(file for file in {*one, *other} if one.get(file) != other.get(file))
    print(f"{len(one):,} files compared, {len(found)} different", flush=True)
    return found


def node_lost(desk: Desk, text: str, *, own_storage: bool) -> list[str]:
    """Kill a node in the middle of a study; return the files that differ from a study on one machine."""
    whole = desk.run("whole", text, workers=2)
    print(f"{whole / 60:.1f} minutes in two processes", flush=True)
    os.environ.update(new_token())
    with RayNodes(free_port()) as nodes:
        nodes.start()
        nodes.start(hidden=desk.root / "storage" if own_storage else None)
        began = time.perf_counter()
        process = replace(desk, engine="ray", address=nodes.address).start("lost", text, workers=2)
        while process.poll() is None and part_done(desk, "lost") < 1 / 2:
            time.sleep(0.2)
        is_going, minutes = process.poll() is None, (time.perf_counter() - began) / 60
        nodes.kill(1)
        print(f"node killed after {minutes:.1f} minutes, with {part_done(desk, 'lost'):.0%} of the steps", flush=True)
        code = process.wait()
        print(f"{(time.perf_counter() - began) / 60:.1f} minutes on two nodes", flush=True)
    faults = [] if is_going else ["the study ended before the node was killed"]
    faults += [f"the study ended with exit code {code}"] if code else []
    return faults + different(desk, "lost", "whole")


def part_done(desk: Desk, name: str) -> float:
    """Return how much of a study is done."""
    folder = desk.root / "studies" / name
    jobs = StudyFolder(folder.parent, name).jobs() if folder.exists() else []
    steps = sum(job.until_step - job.first_step for job in jobs)
    return sum(job.step - job.first_step for job in jobs) / steps if steps else 0.0


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def changed(text: str, changes: Sequence[str]) -> str:
    """Return a study file with other values, `key=value`."""
    return yaml.safe_dump(
        yaml.safe_load(text) | yaml.safe_load("\n".join(each.replace("=", ": ", 1) for each in changes))
    )


@contextmanager
def paid(desk: Desk) -> Iterator[tuple[Desk, PlausibleProvider]]:
    """Yield the desk with a model that costs money, and what counts its calls."""
    provider, prices = PlausibleProvider(), desk.root / "prices.toml"
    prices.write_text(PRICES, "utf-8")
    with ChatServer(provider.chat) as server:
        server.embed = provider.embed
        model = {"PROVIDER": "compatible", "BASE_URL": server.url, "API_KEY": "sk-1", "FAST_MODEL": "m"}
        vectors = {"EMBEDDER": "compatible", "EMBEDDING_MODEL": "v", "PRICES": str(prices), "ANSWER_TOKENS": "500"}
        settings = {f"VILLE_{name}": value for name, value in {**model, **vectors}.items()}
        yield Desk(desk.root, desk.engine, settings), provider


def unopened(desk: Desk, name: str) -> list[str]:
    """Open the simulations of a study; return what is wrong with them."""
    jobs = StudyFolder(desk.root / "studies", name).jobs()
    begun = [job for job in jobs if (desk.root / "storage" / job.simulation).exists()]
    settings = {key.removeprefix("VILLE_").lower(): value for key, value in desk.environment.items()}
    states = ", ".join(f"{count} {state}" for state, count in Counter(job.state for job in jobs).items())
    print(f"{len(jobs)} runs: {states}; {len(begun)} have a simulation", flush=True)
    faults = [f"{job.run}: {job.fault}" for job in jobs if job.state not in {"done", "stopped", "waiting"}]
    for job in begun:
        with ville.open(job.simulation, **settings) as town:
            if town.step != job.step:
                faults.append(f"{job.run} is saved at step {town.step}, and said to be at {job.step}")
    return faults


def budgeted(desk: Desk, provider: PlausibleProvider, steps: int) -> list[str]:
    """Run a study whole, with a budget, and on with a larger one; return what went wrong."""
    faults: list[str] = []

    def run(name: str, budget: float) -> tuple[int, Counter[str]]:
        """Return the exit code, and what was asked."""
        provider.asked = Counter()
        text = PAID.format(base=BASE, steps=steps, budget=budget, open=MOST_OPEN)
        began = time.perf_counter()
        code = desk.start(name, text, workers=WORKERS).wait()
        seconds, asked = time.perf_counter() - began, provider.asked
        print(f"{name}, budget ${budget:.2f}: {seconds:.0f} s, exit code {code}, {asked.total():,} questions")
        print(f"  by the server's count: ${provider.cost:.4f}, at most {provider.most_open} calls open", flush=True)
        return code, asked

    code, whole = run("whole", RAISED)
    faults += ["the study without a stop failed"] if code else []
    provider.cost = 0.0
    code, before = run("cut", BUDGET)
    faults += ["the budget did not stop the study"] if code != STOPPED else []
    faults += [f"${provider.cost:.4f} were spent"] if provider.cost > BUDGET else []
    faults += unopened(desk, "cut")
    code, after = run("cut", RAISED)
    faults += ["the study did not go on to its end"] if code else []
    again, missing = before + after - whole, whole - before - after
    counts = f"Asked again after the stop: {again.total():,} questions; never asked: {missing.total():,}"
    print(counts)
    faults += [counts] if again or missing else []
    return faults + ([f"{provider.most_open} calls were open"] if provider.most_open > MOST_OPEN else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=15, help="of each of two arms")
    parser.add_argument("--steps", type=int, default=8640, help="of each run whose speed is measured")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--only-kills", action="store_true", help="do not measure the speed")
    parser.add_argument("--file", type=Path, help="only kill this study")
    parser.add_argument("--change", action="append", default=[], metavar="KEY=VALUE", help="of the study in the file")
    parser.add_argument("--ray-nodes", action="store_true", help="only kill one of two Ray nodes")
    parser.add_argument("--own-storage", action="store_true", help="that node does not see the storage")
    parser.add_argument("--budget", action="store_true", help="only stop a study by its budget, and raise it")
    choice = parser.parse_args()
    text = choice.file.read_text("utf-8") if choice.file else days(3, choice.steps)
    text = changed(text, choice.change) if choice.change else text
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), choice.engine)
        for base in (FRONTEND / "storage").glob("base_*"):
            shutil.copytree(base, desk.root / "storage" / base.name)
        if choice.budget:
            with paid(desk) as (paying, provider):
                faults = budgeted(paying, provider, choice.steps)
        elif choice.ray_nodes:
            faults = node_lost(desk, text, own_storage=choice.own_storage)
        else:
            if not (choice.only_kills or choice.file):
                speed(desk, choice.seeds, choice.steps)
            faults = killed(desk, choice.kills, text)
    print(*faults[:10], sep="\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
