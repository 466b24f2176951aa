"""Whisper a candidacy to one of twenty-five people at eight in the morning, and count who knows of it a day later.

`python benchmarks/whispered.py` takes a minute, and as long again for each further seed (`--seeds 5`). It prints one
line for each seed, and ends with exit code 1 if no one else knows of it, or the candidate has not understood.
"""

import argparse
import asyncio
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from ville.analysis.measures import Hearing, NewsTopic, SavedRun, hearings
from ville.assembly.run import open_simulation
from ville.settings import Settings, load_settings
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.kinds.whisper import Whisper
from ville.simulation.running.run_loop import StopRequest, run

BASE = "base_the_ville_n25"
"""Starting point without a history, so that no one else stands for mayor."""
CANDIDATE, WORDS = "Klaus Mueller", "You want to run for mayor in the local election next month."
NEWS = NewsTopic("the candidacy", re.compile(r"\bmayor\b"), CANDIDATE)
EIGHT, DAY = 8 * 360, 24 * 360
MORNING, MIDNIGHT = datetime(2023, 2, 13, 8), datetime(2023, 2, 14)  # noqa: DTZ001 - game time has no zone


async def whispered(settings: Settings, later: int) -> list[Hearing]:
    """Return who knows of the candidacy so many steps after it was whispered at eight."""
    simulation = open_simulation(settings, BASE, f"whispered_{settings.seed}")
    await run(simulation, EIGHT, autosave=0, watch=lambda _: None, stop=StopRequest())
    await simulation.intervene(Whisper(who=CANDIDATE, words=WORDS), source=Source(door="api"))
    await run(simulation, later, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    found = hearings(SavedRun(simulation.folder), NEWS)
    await simulation.close()
    return found


def _line(found: Sequence[Hearing]) -> str:
    others = [hearing for hearing in found if hearing.who != CANDIDATE]
    passed_on = sum(hearing.teller != CANDIDATE for hearing in others)
    tonight = sum(hearing.when < MIDNIGHT for hearing in others)
    delay = (others[0].when - MORNING) // timedelta(minutes=1) if others else 0
    ways = f"{tonight} by midnight, {passed_on} from a third person"
    return f"{len(others)} know ({ways}), the first after {delay} minutes"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how many seeds to try")
    parser.add_argument("--steps", type=int, default=DAY, help="how long they have to hear of it")
    choice = parser.parse_args(arguments)
    well = True
    for seed in range(1, choice.seeds + 1):
        with tempfile.TemporaryDirectory() as storage:
            shutil.copytree(load_settings().fs_storage / BASE, Path(storage) / BASE)
            environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
            settings = replace(load_settings(environment=environment), fs_storage=Path(storage), seed=seed, fsync=False)
            found = asyncio.run(whispered(settings, choice.steps))
        good = len(found) > 1 and found[0].who == CANDIDATE
        well = well and good
        print(f"{'ok  ' if good else 'WRONG'} seed {seed}: {_line(found)}", flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
