"""Kill branches, runs that prune checkpoints, and comparisons at random moments, and compare with undisturbed ones.

`python benchmarks/branch_kills.py --kills 60 --seed 1` runs a morning of three people by the offline rules, then kills
processes that branch it, that run with few checkpoints, and that compare. Whatever was killed is begun again, or
resumed if it exists. Afterwards all files must be equal byte for byte (checkpoints but for how they came about), and
nothing else may be in the storage folder. Exit code 1 otherwise. Everything happens in a temporary folder.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ville.storage.past.checkpoints import digest_at, stems

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "environment" / "frontend_server"
OFFLINE = ROOT / "reverie" / "backend_server" / "reverie_offline.py"
COMPARE = ROOT / "reverie" / "compare.py"
BASE, WHOLE = "base_the_ville_isabella_maria_klaus", "whole"
STEPS, AUTOSAVE = 2880, 60
"""Until eight o'clock, unless fewer are asked for; a save every ten minutes."""
Files = Mapping[str, bytes]


@dataclass
class Trial:
    """A storage folder, and who was killed in it."""

    root: Path
    chance: random.Random
    length: int = STEPS
    """Steps of each simulation."""
    deaths: Counter[str] = field(default_factory=Counter)

    @property
    def storage(self) -> Path:
        return self.root / "storage"

    def start(self, script: Path, *arguments: object) -> "subprocess.Popen[bytes]":
        environment = {
            **os.environ,
            "VILLE_FS_STORAGE": str(self.storage),
            "VILLE_FS_TEMP_STORAGE": str(self.root / "temp"),
            "VILLE_FS_COMPRESSED_STORAGE": str(self.root / "compressed"),
            "VILLE_PROVIDER": "offline",
            "VILLE_SEED": "1",
        }
        command = [sys.executable, str(script), *map(str, arguments)]
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def finish(self, script: Path, *arguments: object) -> float:
        """Run a process to its end; return the seconds that it took."""
        began = time.monotonic()
        process = self.start(script, *arguments)
        out, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{script.name} {arguments} ended with {process.returncode}:\n{out.decode()}")
        return time.monotonic() - began

    def kill(self, kind: str, within: float, script: Path, *arguments: object) -> None:
        """Start a process and kill it within some seconds; it may have ended before."""
        process = self.start(script, *arguments)
        time.sleep(self.chance.uniform(0, within))
        alive = process.poll() is None
        process.kill()
        process.communicate()
        self.deaths[f"{kind}, {'killed' if alive else 'ended before'}"] += 1

    def files(self, name: str) -> Files:
        """Return all files; of checkpoints the digests, because each process begins a chain of its own."""
        root = self.storage / name
        paths = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.name.endswith(".json.gz"))
        digests = {stem.file: digest_at(root, stem).encode() for stem in stems(root)}
        return digests | {str(path.relative_to(root)): path.read_bytes() for path in paths}

    def steps(self, name: str) -> int | None:
        """Return the number of saved steps of a simulation; None if there is none."""
        meta = self.storage / name / "reverie" / "meta.json"
        return int(json.loads(meta.read_text("utf-8"))["step"]) if meta.exists() else None


def run_flags(trial: Trial, name: str, origin: str, more: Sequence[object]) -> list[object]:
    """Return the flags that begin a simulation, or resume it if it exists, up to the last step."""
    done = trial.steps(name)
    begins = int(origin.partition("@")[2] or 0)
    source, left = (origin, trial.length - begins) if done is None else (name, trial.length - done)
    return ["-o", source, "-t", name, "-s", left, "--autosave", AUTOSAVE, *more]


def tormented(trial: Trial, kind: str, name: str, *, origin: str, more: Sequence[object], kills: int) -> list[str]:
    """Run a simulation that is killed again and again; return what is then other than in an undisturbed one."""
    took = trial.finish(OFFLINE, *run_flags(trial, name, origin, more))
    undisturbed = trial.files(name)
    shutil.rmtree(trial.storage / name)
    for _ in range(kills):
        trial.kill(kind, 1.2 * took, OFFLINE, *run_flags(trial, name, origin, more))
        if trial.steps(name) == trial.length:
            if trial.files(name) != undisturbed:
                break
            shutil.rmtree(trial.storage / name)
    if trial.steps(name) != trial.length:
        trial.finish(OFFLINE, *run_flags(trial, name, origin, more))
    found = trial.files(name)
    shutil.rmtree(trial.storage / name)
    different = sorted(file for file in {*undisturbed, *found} if undisturbed.get(file) != found.get(file))
    return [f"{kind}: {origin}: {file} differs" for file in different]


def compared(trial: Trial, kills: int) -> list[str]:
    """Kill comparisons; return what is wrong: a changed simulation, or half a result."""
    trial.finish(OFFLINE, "-o", f"{WHOLE}@{trial.length // 2}", "-t", "other", "-s", trial.length // 4, "--seed", 2)
    before, result = (trial.files(WHOLE), trial.files("other")), trial.root / "found.json"
    took = trial.finish(COMPARE, WHOLE, "other", "--json", result)
    right, faults = result.read_bytes(), []
    for _ in range(kills):
        result.unlink(missing_ok=True)
        trial.kill("compare", 1.2 * took, COMPARE, WHOLE, "other", "--json", result)
        if result.exists() and result.read_bytes() != right:
            faults.append("compare: the result is not whole")
    if (trial.files(WHOLE), trial.files("other")) != before:
        faults.append("compare: a simulation was changed")
    shutil.rmtree(trial.storage / "other")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=STEPS, help="length of each simulation, more than a save takes")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), random.Random(choice.seed), choice.steps)  # noqa: S311 - any moments will do
        shutil.copytree(FRONTEND / "storage" / BASE, trial.storage / BASE)
        trial.finish(OFFLINE, *run_flags(trial, WHOLE, BASE, []))
        whole, each, faults = trial.files(WHOLE), max(1, choice.kills // 6), list[str]()
        for _ in range(2):
            moment = trial.chance.randrange(AUTOSAVE, choice.steps)
            faults += tormented(trial, "branch", "branch", origin=f"{WHOLE}@{moment}", more=[], kills=each)
            faults += tormented(trial, "prune", "pruned", origin=BASE, more=["--checkpoints", 3], kills=each)
            faults += compared(trial, each)
        if trial.files(WHOLE) != whole:
            faults.append("The origin was changed")
        left = sorted(path.name for path in trial.storage.iterdir() if path.name not in {BASE, WHOLE})
        faults += [f"{name} is left in the storage folder" for name in left]
    print(*(f"{kind}: {count}" for kind, count in sorted(trial.deaths.items())), *faults, sep="\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
