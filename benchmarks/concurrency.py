"""Measure how well concurrency is used: a day against a slow server, compared with the shortest possible time.

The shortest time assumes that calls without dependencies run concurrently and that nothing but calls takes time. A call
that depends on an answer cannot start before it.

`python benchmarks/concurrency.py` runs in a temporary folder and leaves nothing behind.
"""

import argparse
import asyncio
import math
import os
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from chat_server import ChatServer, Received, Reply, completion  # noqa: E402
from default_answers import answer_to  # noqa: E402
from rounds import Rounds  # noqa: E402

from ville.assembly.run import open_simulation  # noqa: E402
from ville.settings import Settings, load_settings  # noqa: E402
from ville.simulation.running.run_loop import StopRequest, run  # noqa: E402
from ville.simulation.simulation import Simulation  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="base_the_ville_isabella_maria_klaus", help="in the storage folder")
    parser.add_argument("--steps", type=int, default=8640)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long the server takes for an answer")
    parser.add_argument("--max-concurrency", type=int, default=8)
    choice = parser.parse_args()

    def slowly(request: Received) -> Reply:
        return Reply(completion(answer_to(request.body), request), delay=choice.seconds)

    with tempfile.TemporaryDirectory() as folder, ChatServer(slowly) as server:
        settings = _settings(server.url, Path(folder), choice.max_concurrency)
        shutil.copytree(load_settings().fs_storage / choice.base, settings.fs_storage / choice.base)
        cpu = time.process_time()
        seconds, calls = asyncio.run(_live(settings, choice.base, choice.steps))
        cpu = time.process_time() - cpu
        rounds = asyncio.run(_rounds(settings, choice.base, choice.steps))
    least = sum(math.ceil(size / choice.max_concurrency) for size in rounds) * choice.seconds
    print(
        f"{calls:,} calls in {len(rounds):,} rounds, concurrency {choice.max_concurrency}, {choice.seconds} s per call"
    )
    print(f"sequential           {calls * choice.seconds:10.1f} s")
    print(f"shortest possible    {least:10.1f} s")
    print(f"measured             {seconds:10.1f} s, {seconds / least:.3f} of the shortest")
    print(f"CPU meanwhile        {cpu:10.1f} s, run and server together")


def _settings(url: str, storage: Path, max_concurrency: int) -> Settings:
    environment = {
        **os.environ, "VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": url, "VILLE_FAST_MODEL": "any",
        "VILLE_EMBEDDER": "hashing", "VILLE_SEED": "1", "VILLE_MAX_CONCURRENCY": str(max_concurrency),
        "VILLE_FS_STORAGE": str(storage),
    }  # fmt: skip
    return load_settings(environment=environment)


async def _live(settings: Settings, base: str, steps: int) -> tuple[float, int]:
    """Return seconds and calls of a run."""
    simulation = open_simulation(settings, base, "measured")
    began = time.perf_counter()
    await _run(simulation, steps)
    seconds = time.perf_counter() - began
    calls = simulation.services.ledger.spend.calls if simulation.services.ledger else 0
    await simulation.close()
    return seconds, calls


async def _rounds(settings: Settings, base: str, steps: int) -> list[int]:
    """Replay the run from its ledger, and return the number of calls in each round."""
    simulation = open_simulation(settings, base, "again", recording="measured")
    rounds = Rounds(simulation.models.chat)
    simulation.models = replace(simulation.models, chat=rounds)
    await _run(simulation, steps)
    await simulation.close()
    return rounds.sizes


async def _run(simulation: Simulation, steps: int) -> None:
    """Run and save."""
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()


if __name__ == "__main__":
    main()
