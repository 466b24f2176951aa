"""Cost of the engine: a night and a day of a base simulation, beside the figures of the classic engine.

`python benchmarks/engine.py` runs in a temporary folder and leaves nothing behind.
"""

import argparse
import asyncio
import resource
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Embedder, Models, Vectors
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[1]

NIGHT, DAY = 2000, 8640
"""Steps."""
CLASSIC = "classic engine, 25 people: a night 11 to 18 s of CPU, a day 568 s, a save 11.6 s"


class Stopwatch:
    """A Chat and an Embedder that count calls and the CPU seconds that answering took."""

    def __init__(self, chat: Chat, embedder: Embedder) -> None:
        self._chat, self._embedder = chat, embedder
        self.name = embedder.name
        self.questions = self.texts = 0
        self.seconds = 0.0

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.questions += 1
        began = time.process_time()
        reply = await self._chat.complete(request)
        self.seconds += time.process_time() - began
        return reply

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        began = time.process_time()
        vectors = await self._embedder.embed(texts)
        self.seconds += time.process_time() - began
        return vectors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="base_the_ville_n25", help="a simulation in the storage folder")
    parser.add_argument("--days", type=int, default=1, help="how many to run after the night")
    choice = parser.parse_args()
    settings = load_settings()
    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder)
        shutil.copytree(settings.fs_storage / choice.base, storage / choice.base)
        print(CLASSIC)
        _measure(replace(settings, fs_storage=storage, seed=1), choice.base, choice.days)


def _measure(settings: Settings, base: str, days: int) -> None:
    began = time.perf_counter()
    simulation = open_simulation(settings, base, "measured")
    _line("fork and load", time.perf_counter() - began, "s")
    stopwatch = Stopwatch(simulation.models.chat, simulation.models.embedder)
    simulation.models = Models(stopwatch, stopwatch, simulation.models.seed)
    _run(simulation, NIGHT, "night", stopwatch)
    if days:
        _run(simulation, days * DAY, f"{days} day(s)", stopwatch)
    began = time.perf_counter()
    simulation.save()
    _line("save", time.perf_counter() - began, "s")
    asyncio.run(simulation.close())
    _line("peak memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MiB")


def _run(simulation: Simulation, steps: int, what: str, stopwatch: Stopwatch) -> None:
    """Steps in wall time, in CPU time, and without what the offline mind itself took."""
    questions, answering = stopwatch.questions, stopwatch.seconds
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest()))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    _line(f"{what}: {steps} steps, wall", wall, "s")
    _line(f"{what}: speed", steps / wall, "steps/s")
    _line(f"{what}: CPU", cpu, "s")
    _line(f"{what}: CPU without the offline mind", cpu - (stopwatch.seconds - answering), "s")
    _line(f"{what}: CPU per step", 1000 * cpu / steps, "ms")
    _line(f"{what}: questions", stopwatch.questions - questions, "")


def _line(what: str, figure: float, unit: str) -> None:
    print(f"{what:<48}{figure:>12,.2f} {unit}")


if __name__ == "__main__":
    main()
