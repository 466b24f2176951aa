"""Cost of the engine: a night and a day of a base simulation, beside the figures of the classic engine.

`python benchmarks/engine.py` runs in a temporary folder and leaves nothing behind. `--people 1000` lets everyone of the
base live again and again, with another family name, in the same homes.
"""

import argparse
import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path

from crowd import crowd_of
from still_stage import keep_in_memory

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Embedder, Models, Vectors
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation

ASLEEP, AWAKE, DAY = 60, 1440, 8640
"""Steps: ten past midnight, when all sleep, four in the morning, before anybody gets up, and a whole day."""
ALL = "base_the_ville_n25"
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

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        self.texts += len(texts)
        began = time.process_time()
        vectors = await self._embedder.embed(texts, step)
        self.seconds += time.process_time() - began
        return vectors


@dataclass(frozen=True)
class EngineCost:
    """Cost of a run."""

    people: int
    steps: int
    wall: float
    """Seconds."""
    cpu: float
    """Seconds of processor time, all in all."""
    engine: float
    """The same without answering questions and embedding texts."""
    questions: int
    load: float = 0.0
    """Seconds of processor time to fork and open the simulation."""
    save: float = 0.0
    """Seconds of processor time to save it at the end; 0 if it was kept in memory."""
    memory: float = 0.0
    """MiB: the peak of this process so far."""

    @property
    def speed(self) -> float:
        """Steps per second of processor time."""
        return self.steps / self.cpu

    @property
    def microseconds(self) -> float:
        """Microseconds of processor time per person and step."""
        return 1e6 * self.cpu / self.steps / self.people


@contextmanager
def opened(base: str = ALL, people: int = 0, *, in_memory: bool = False) -> Iterator[tuple[Simulation, Stopwatch]]:
    """Open a fork of a base simulation in a temporary folder, with so many people; 0: those that it has."""
    settings = load_settings()
    with tempfile.TemporaryDirectory() as folder:
        storage, origin = Path(folder), settings.fs_storage / base
        has = len(json.loads((origin / "reverie/meta.json").read_text("utf-8"))["persona_names"])
        crowd_of(origin, storage / base, people or has)
        simulation = open_simulation(replace(settings, fs_storage=storage, seed=1), base, "measured")
        stopwatch = Stopwatch(simulation.models.chat, simulation.models.embedder)
        simulation.models = Models(stopwatch, stopwatch, simulation.models.seed)
        if in_memory:
            keep_in_memory(simulation)
        try:
            yield simulation, stopwatch
        finally:
            asyncio.run(simulation.close())


def idle(base: str = ALL, people: int = 0, *, in_memory: bool, steps: int = AWAKE - ASLEEP) -> EngineCost:
    """Return the cost of steps of a night, in which everyone sleeps."""
    with opened(base, people, in_memory=in_memory) as (simulation, stopwatch):
        cost_of(simulation, ASLEEP, stopwatch)
        return cost_of(simulation, steps, stopwatch)


def days(base: str = ALL, people: int = 0, count: int = 1) -> EngineCost:
    """Return the cost of days by the rules, on disk."""
    began = time.process_time()
    with opened(base, people) as (simulation, stopwatch):
        loaded = time.process_time() - began
        cost = cost_of(simulation, count * DAY, stopwatch)
        began = time.process_time()
        simulation.save()
        saved = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return replace(cost, load=loaded, save=saved, memory=peak)


def cost_of(simulation: Simulation, steps: int, stopwatch: Stopwatch) -> EngineCost:
    """Run, and return what it took."""
    questions, answering = stopwatch.questions, stopwatch.seconds
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest()))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    engine = cpu - (stopwatch.seconds - answering)
    return EngineCost(len(simulation.town.personas), steps, wall, cpu, engine, stopwatch.questions - questions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=ALL, help="a simulation in the storage folder")
    parser.add_argument("--people", type=int, default=0, help="how many, if more than the base has")
    parser.add_argument("--days", type=int, default=1, help="how many to run after the night")
    choice = parser.parse_args()
    print(CLASSIC)
    for where, in_memory in (("in memory", True), ("on disk", False)):
        _print(f"night {where}", idle(choice.base, choice.people, in_memory=in_memory))
    if choice.days:
        _print(f"{choice.days} day(s)", days(choice.base, choice.people, choice.days))


def _print(what: str, cost: EngineCost) -> None:
    for name in (*(field.name for field in fields(cost)), "speed", "microseconds"):
        print(f"{what:<20}{name:<20}{getattr(cost, name):>14,.2f}")


if __name__ == "__main__":
    main()
