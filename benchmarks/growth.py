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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ville.assembly.run import open_simulation
from ville.assembly.town_loading import load_town
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.folder.storage import find

NAME, DAY = "measured", 8640
"""The simulation, and the steps of a day."""
ALL = "base_the_ville_n25"
MIB, MEGABYTE = 2**20, 1e6
PARTS = ("movement", "environment", "personas", "reverie")
HEAD = " day   files      MB   steps  people  memories  CPU, s peak, MiB load, s"


@dataclass(frozen=True)
class GrownTown:
    """A simulation after some days."""

    residents: int
    day: int
    files: int
    megabytes: float
    steps: float
    """Megabytes of movements and places."""
    people: float
    """Megabytes of what people remember."""
    memories: int
    seconds: float
    """Processor time that this day took."""
    peak: float
    """MiB, of the process that lived this day."""
    load: float
    """Seconds of processor time in which a fresh process opens it."""

    def line(self) -> str:
        return (
            f"{self.day:>4}{self.files:>8,}{self.megabytes:>8.1f}{self.steps:>8.1f}{self.people:>8.1f}"
            f"{self.memories:>10,}{self.seconds:>8.1f}{self.peak:>10.0f}{self.load:>8.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=ALL, help="a simulation in the storage folder")
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--autosave", type=int, default=0, help="steps between two saves; 0: only at the end of a day")
    parser.add_argument("--act", choices=("live", "load"), help="what a process of its own does", default="")
    parser.add_argument("--storage", type=Path)
    choice = parser.parse_args()
    if choice.act:
        settings = replace(load_settings(), fs_storage=choice.storage, seed=1)
        print(json.dumps({"live": _live, "load": _load}[choice.act](settings, choice)))
        return
    print(HEAD)
    for grown in days_of(choice.base, choice.days, autosave=choice.autosave):
        print(grown.line(), flush=True)


def days_of(base: str, days: int, *, autosave: int = 0) -> Iterator[GrownTown]:
    """Yield what a base has grown to after each day."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(load_settings().fs_storage / base, Path(folder) / base)
        options = ["--base", base, "--autosave", str(autosave), "--storage", folder]
        for day in range(1, days + 1):
            lived, loaded = (_process([*options, "--act", act]) for act in ("live", "load"))
            sizes = {part: _sizes(Path(folder) / NAME / part) for part in PARTS}
            size = {part: sum(found) / MEGABYTE for part, found in sizes.items()}
            yield GrownTown(
                loaded["residents"],
                day,
                sum(map(len, sizes.values())),
                sum(size.values()),
                size["movement"] + size["environment"],
                size["personas"],
                loaded["memories"],
                lived["seconds"],
                lived["peak"],
                loaded["seconds"],
            )


def _sizes(folder: Path) -> list[int]:
    return [path.stat().st_size for path in folder.rglob("*") if path.is_file()]


def _process(options: list[str]) -> Mapping[str, Any]:
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
    memories = sum(len(each.mind.stream) for each in town.personas.values())
    return {"seconds": seconds, "memories": memories, "residents": len(town.personas)}


if __name__ == "__main__":
    main()
