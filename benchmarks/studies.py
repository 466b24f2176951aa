"""Measure how fast studies run, and kill them at random moments.

`python benchmarks/studies.py` runs a study of 30 offline days of three people, one run after the other and in as many
processes as there are processors, and one of 30 runs of one step: what a run costs besides its steps. Then it kills
the program that runs a study (`--kills 5`) and goes on each time: tables and runs must be those of a study that nobody
disturbed. `--engine ray` does the same on Ray. Exit code 1 if they differ. Everything happens in a temporary folder.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
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


@dataclass(frozen=True)
class Desk:
    """A storage folder for studies, and how they are run."""

    root: Path
    engine: str

    def start(self, name: str, *, steps: int, seeds: int, workers: int) -> "subprocess.Popen[bytes]":
        """Begin a study, or go on with it."""
        file = self.root / f"{name}.yaml"
        file.write_text(STUDY.format(base=BASE, steps=steps, half=steps // 2, seeds=seeds), "utf-8")
        flags = ["--workers", str(workers), "--engine", self.engine]
        places = {"VILLE_FS_STORAGE": "storage", "VILLE_FS_TEMP_STORAGE": "temp", "VILLE_FS_STUDIES": "studies"}
        return subprocess.Popen(
            [sys.executable, str(SHELL), "run", str(file), *flags],
            env={**os.environ, **{key: str(self.root / place) for key, place in places.items()}},
            stdout=subprocess.DEVNULL,
        )

    def run(self, name: str, *, steps: int, seeds: int, workers: int) -> float:
        """Run a study to its end; return the seconds that took."""
        began = time.perf_counter()
        code = self.start(name, steps=steps, seeds=seeds, workers=workers).wait()
        if code:
            raise SystemExit(f"The study {name} ended with exit code {code}.")
        return time.perf_counter() - began

    def outcome(self, name: str) -> dict[str, bytes]:
        """Return tables and movement files of a study, without its name."""
        tables = {table: (self.root / "studies" / name / table).read_bytes() for table in TABLES}
        storage = self.root / "storage"
        steps = {path.relative_to(storage).as_posix(): path for path in storage.glob(f"{name}-*/movement/*.json")}
        files = {file: path.read_bytes() for file, path in steps.items()} | tables
        return {file.removeprefix(name): content.replace(f"{name}-".encode(), b"") for file, content in files.items()}

    def clean(self, name: str) -> None:
        """Delete a study and its simulations."""
        shutil.rmtree(self.root / "studies" / name)
        for folder in (self.root / "storage").glob(f"{name}-*"):
            shutil.rmtree(folder)


def speed(desk: Desk, seeds: int, steps: int) -> None:
    """Print how much faster several processes are than one, and what a run costs besides its steps."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    spent = {}
    for workers in (1, cores):
        spent[workers] = desk.run("days", steps=steps, seeds=seeds, workers=workers)
        desk.clean("days")
    print(f"{2 * seeds} runs of {steps:,} steps: {spent[1]:.0f} s one after the other, {spent[cores]:.0f} s in {cores} "
          f"processes: {spent[cores] / spent[1]:.2f}", flush=True)  # fmt: skip
    short = desk.run("short", steps=1, seeds=seeds, workers=1)
    desk.clean("short")
    print(f"{2 * seeds} runs of one step: {short / (2 * seeds):.2f} s a run", flush=True)


def killed(desk: Desk, kills: int, seeds: int, steps: int) -> list[str]:
    """Kill a study at random moments, go on each time, and return the files that differ from an undisturbed one."""
    chance = random.Random(1)  # noqa: S311 - any moments will do
    whole = desk.run("whole", steps=steps, seeds=seeds, workers=2)
    deaths = 0
    for _ in range(kills):
        process = desk.start("killed", steps=steps, seeds=seeds, workers=2)
        time.sleep(chance.uniform(0, 1.5 * whole / kills))
        deaths += process.poll() is None
        process.kill()
        process.wait()
    desk.run("killed", steps=steps, seeds=seeds, workers=2)
    one, other = desk.outcome("killed"), desk.outcome("whole")
    different = sorted(file for file in {*one, *other} if one.get(file) != other.get(file))
    print(f"{deaths} of {kills} times killed before the end, {len(one):,} files compared, {len(different)} different")
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=15, help="of each of two arms")
    parser.add_argument("--steps", type=int, default=8640, help="of each run whose speed is measured")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--only-kills", action="store_true", help="do not measure the speed")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), choice.engine)
        shutil.copytree(FRONTEND / "storage" / BASE, desk.root / "storage" / BASE)
        if not choice.only_kills:
            speed(desk, choice.seeds, choice.steps)
        different = killed(desk, choice.kills, 3, choice.steps)
    for file in different[:10]:
        print(file)
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
