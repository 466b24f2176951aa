"""Run as a script: make forks, each in a storage of its own, and be killed before one more file operation each time.

Arguments: a folder with the small town, in which a simulation `whole` has run; how the forks are made; the numbers of
operations that they may still do. Each fork is made in a process of its own, in a copy of the storage; the name of the
copy is the number.
"""

import asyncio
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import sklearn.feature_extraction.text  # noqa: F401 - once, and not in every process that dies

from ville.assembly.forking import Beginning, BeginningHistory
from ville.assembly.run import open_at
from ville.settings import Settings
from ville.simulation.interventions.intervention import Source

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}


def die_after(operations: int, below: Path) -> None:
    """Count what changes files below a folder, and be gone before one too many."""
    done = 0

    def hook(event: str, arguments: tuple) -> None:
        nonlocal done
        writes = event in CHANGES or (event == "open" and arguments[1] not in {"r", None})
        if writes and str(arguments[0]).startswith(str(below)):
            done += 1
            if done > operations:
                os._exit(9)

    sys.addaudithook(hook)


async def make(settings: Settings, town: Path, origin: str) -> None:
    """Make a fork with a seed, a title, a plan and a past."""
    past = BeginningHistory(town / "past.csv", Source(door="file", id="past"))
    beginning = Beginning(interventions=town / "plan.yaml", history=past, title="Rain")
    simulation = await open_at(replace(settings, seed=7), origin, "fork", beginning=beginning)
    await simulation.close()


def main(town: Path, origin: str, numbers: list[int]) -> None:
    for number in numbers:
        storage = town / "killed" / str(number) / "storage"
        shutil.copytree(town / "storage", storage)
        if (child := os.fork()) == 0:
            die_after(number, storage)
            settings = Settings(fs_storage=storage, fs_temp_storage=storage.with_name("temp"), assets=town / "assets")
            asyncio.run(make(settings, town, origin))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], [int(number) for number in sys.argv[3:]])
