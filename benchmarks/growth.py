"""How a simulation grows: files and bytes on disk, memory, and the time to load it, day by day, by the offline rules.

`python benchmarks/growth.py --base base_the_ville_n25 --days 2` runs in a temporary folder and leaves nothing behind.
Each day is a process of its own, which resumes the one before; each load, too. Every line is one day.
"""

import argparse
import asyncio
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ville.assembly.run import open_simulation
from ville.assembly.town_loading import load_town
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.folder.storage import find

NAME, DAY = "measured", 8640
"""The simulation, and the steps of a day."""
MIB, MEGABYTE = 2**20, 1e6
PARTS = ("movement", "environment", "personas", "reverie")
HEAD = " day   files      MB   steps  people  memories  CPU, s peak, MiB load, s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="base_the_ville_n25", help="a simulation in the storage folder")
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--autosave", type=int, default=0, help="steps between two saves; 0: only at the end of a day")
    parser.add_argument("--act", choices=("live", "load"), help="what a process of its own does", default="")
    parser.add_argument("--storage", type=Path)
    choice = parser.parse_args()
    if choice.act:
        settings = replace(load_settings(), fs_storage=choice.storage, seed=1)
        print(json.dumps({"live": _live, "load": _load}[choice.act](settings, choice)))
        return
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(load_settings().fs_storage / choice.base, Path(folder) / choice.base)
        print(HEAD)
        for day in range(1, choice.days + 1):
            print(f"{day:>4}{_line(Path(folder), choice)}", flush=True)


def _line(storage: Path, choice: argparse.Namespace) -> str:
    """Live a day, and return its figures."""
    lived, loaded = (_process(storage, choice, act) for act in ("live", "load"))
    root = storage / NAME
    sizes = {part: _sizes(root / part) for part in PARTS}
    size = {part: sum(found) / MEGABYTE for part, found in sizes.items()}
    files = sum(map(len, sizes.values()))
    return (
        f"{files:>8,}{sum(size.values()):>8.1f}{size['movement'] + size['environment']:>8.1f}"
        f"{size['personas']:>8.1f}{loaded['memories']:>10,}{lived['seconds']:>8.1f}"
        f"{lived['peak']:>10.0f}{loaded['seconds']:>8.2f}"
    )


def _sizes(folder: Path) -> list[int]:
    return [path.stat().st_size for path in folder.rglob("*") if path.is_file()]


def _process(storage: Path, choice: argparse.Namespace, act: str) -> Mapping[str, Any]:
    options = ["--base", choice.base, "--autosave", str(choice.autosave), "--act", act, "--storage", str(storage)]
    done = subprocess.run([sys.executable, __file__, *options], check=True, capture_output=True, text=True)
    found: Mapping[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _live(settings: Settings, choice: argparse.Namespace) -> Mapping[str, float]:
    origin = NAME if (settings.fs_storage / NAME).exists() else choice.base
    simulation = open_simulation(settings, origin, NAME)
    asyncio.run(run(simulation, DAY, autosave=choice.autosave, watch=lambda _: None, stop=StopRequest()))
    simulation.save()
    asyncio.run(simulation.close())
    return {"seconds": time.process_time(), "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MIB}


def _load(settings: Settings, _choice: argparse.Namespace) -> Mapping[str, float]:
    folder = find(settings.fs_storage, NAME)
    began = time.process_time()
    town = load_town(settings, folder)
    seconds = time.process_time() - began
    return {"seconds": seconds, "memories": sum(len(each.mind.stream) for each in town.personas.values())}


if __name__ == "__main__":
    main()
