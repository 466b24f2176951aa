"""Measure what is gained by letting people be ahead of others, with a server that takes its time, over real HTTP.

`python benchmarks/out_of_order.py` runs a day of twenty-five people in lockstep, by distance and by rooms. The server
answers as the rules do, and takes for each answer as long as the latency model says, times `--scale`; with a small one,
the processor time of the engine counts for more than it does with a model. It prints the seconds of each run, their
share of those of lockstep, and whether all have written the same steps.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from chat_server import ChatServer, Received, Reply  # noqa: E402
from recorded_town import Latency  # noqa: E402
from ruled_provider import RuledProvider  # noqa: E402

from ville.assembly.run import open_simulation  # noqa: E402
from ville.settings import load_settings  # noqa: E402
from ville.simulation.running.run_loop import StopRequest, run  # noqa: E402
from ville.storage.steps.step_store import StepStore  # noqa: E402

SCHEDULES = ("lockstep", "distance", "rooms")


@dataclass(frozen=True)
class Measured:
    """A run against a server that takes its time."""

    schedule: str
    calls: int
    seconds: float
    cpu: float
    """Processor time of this process: engine and server."""
    ahead: int
    """Most steps by which somebody was ahead of others."""
    share: float = 1.0
    """Of the seconds of the first run."""
    same: bool = True
    """Whether its steps are those of the first run."""


class SlowRules:
    """Answers as the rules do, after as many seconds as a model would take, times a scale."""

    def __init__(self, scale: float) -> None:
        self._rules, self._scale, self._latency = RuledProvider(_Patch(), {}), scale, Latency()

    def __call__(self, request: Received) -> Reply:
        reply = self._rules.chat(request)
        used: Any = reply.body["usage"]
        seconds = self._latency.call + self._latency.answer * used["completion_tokens"]
        return replace(reply, delay=self._scale * (seconds + self._latency.prompt * used["prompt_tokens"]))


class _Patch:
    """Sets attributes for good: this process does nothing else."""

    setattr = staticmethod(setattr)


def measured(base: str, steps: int, *, scale: float, slots: int, schedules: Sequence[str]) -> list[Measured]:
    """Run a base with each schedule, in temporary folders that are removed."""
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder, ChatServer(SlowRules(scale)) as server:
        storage = Path(folder)
        shutil.copytree(load_settings().fs_storage / base, storage / base)
        environment = {
            **os.environ, "VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": server.url, "VILLE_FAST_MODEL": "any",
            "VILLE_EMBEDDER": "hashing", "VILLE_SEED": "1", "VILLE_MAX_CONCURRENCY": str(slots),
            "VILLE_FS_STORAGE": str(storage), "VILLE_AUTOSAVE": "0", "VILLE_FSYNC": "false",
        }  # fmt: skip
        for schedule in schedules:
            row = asyncio.run(_lived({**environment, "VILLE_SCHEDULE": schedule}, base, schedule, steps))
            first = rows[0] if rows else row
            same = _steps(storage / schedule) == _steps(storage / first.schedule)
            rows.append(replace(row, share=round(row.seconds / first.seconds, 3), same=same))
            print(rows[-1], flush=True)
    return rows


async def _lived(environment: dict[str, str], base: str, name: str, steps: int) -> Measured:
    simulation = open_simulation(load_settings(environment=environment), base, name)
    cpu, began = time.process_time(), time.perf_counter()
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    calls = simulation.services.spend.calls if simulation.services.spend else 0
    simulation.save()
    await simulation.close()
    return Measured(name, calls, round(seconds, 1), round(cpu, 1), simulation.gain.ahead)


def _steps(folder: Path) -> dict[int, bytes]:
    store = StepStore(folder)
    return {step: store.movement_bytes(step) for step in store.shown()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="base_the_ville_n25", help="in the storage folder")
    parser.add_argument("--steps", type=int, default=8640)
    parser.add_argument("--scale", type=float, default=1.0, help="times the seconds of the latency model")
    parser.add_argument("--slots", type=int, default=64, help="calls at the same time")
    parser.add_argument("--schedules", nargs="+", default=SCHEDULES, choices=SCHEDULES)
    choice = parser.parse_args()
    measured(choice.base, choice.steps, scale=choice.scale, slots=choice.slots, schedules=choice.schedules)


if __name__ == "__main__":
    main()
