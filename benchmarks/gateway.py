"""Processor time that a call costs between a mind and the network, with so many calls open at a time.

`python benchmarks/gateway.py` asks the questions of a day of three people, over real HTTP, a server in another process
on this machine, which answers at once. What the server itself takes is not counted.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

from still_stage import keep_in_memory

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Models
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest, run

SERVER = Path(__file__).resolve().parents[1] / "tests" / "servers" / "chat_server.py"
BASE = "base_the_ville_isabella_maria_klaus"
DAY = 8640
"""Steps."""
OPEN = (1, 64, 256)


@dataclass(frozen=True)
class GatewayCost:
    """Cost of a call, with so many open at a time."""

    open: int
    calls: int
    milliseconds: float
    """Processor time of this process per call."""
    per_second: float
    """Calls per second of wall time, the server included."""


class _Listener:
    """Chat that keeps the requests."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.requests: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        return await self._chat.complete(request)


def costs(open_calls: Sequence[int] = OPEN, calls: int = 2000) -> list[GatewayCost]:
    """Return the cost of a call, for each number of open calls."""
    with tempfile.TemporaryDirectory() as folder, _server() as url:
        storage = Path(folder)
        shutil.copytree(load_settings().fs_storage / BASE, storage / BASE)
        questions = asyncio.run(_questions(storage))
        return [asyncio.run(_cost(storage, url, questions, each=(open_, calls))) for open_ in open_calls]


async def _questions(storage: Path) -> list[ChatRequest]:
    """Return what three people ask in a day by the rules."""
    settings = replace(load_settings(environment={**os.environ, "VILLE_PROVIDER": "offline"}), fs_storage=storage)
    simulation = open_simulation(replace(settings, seed=1, fsync=False), BASE, "asked")
    listener = _Listener(simulation.models.chat)
    simulation.models = Models(listener, simulation.models.embedder, simulation.models.seed)
    keep_in_memory(simulation)
    await run(simulation, DAY, autosave=0, watch=lambda _: None, stop=StopRequest())
    await simulation.close()
    return listener.requests


async def _cost(
    storage: Path, url: str, questions: Sequence[ChatRequest], *, each: tuple[int, int]
) -> GatewayCost:  # fmt: skip
    open_calls, calls = each
    environment = {
        **os.environ, "VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": url, "VILLE_FAST_MODEL": "any",
        "VILLE_EMBEDDER": "hashing", "VILLE_SEED": "1", "VILLE_MAX_CONCURRENCY": str(open_calls),
        "VILLE_FS_STORAGE": str(storage),
    }  # fmt: skip
    simulation = open_simulation(load_settings(environment=environment), BASE, f"asks_{open_calls}")
    chat, waiting = simulation.models.chat, iter(list(islice(cycle(questions), calls)))
    asked = iter(range(calls + 1))  # a step of its own for each, so that no answer is known before

    async def ask() -> None:
        for request in waiting:
            await chat.complete(replace(request, step=next(asked)))

    await chat.complete(replace(questions[0], step=next(asked)))  # imports what is needed
    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(ask() for _ in range(open_calls)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await simulation.close()
    return GatewayCost(open_calls, calls, round(1000 * cpu / calls, 3), round(calls / wall, 1))


@contextmanager
def _server() -> Iterator[str]:
    """Answer in another process; yield the address."""
    process = subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--open", type=int, nargs="+", default=OPEN, help="calls that are open at a time")
    parser.add_argument("--calls", type=int, default=2000, help="calls of each measurement")
    choice = parser.parse_args()
    for cost in costs(choice.open, choice.calls):
        print(
            f"{cost.open:>4} open: {cost.milliseconds:8.3f} ms of processor per call, {cost.per_second:8.1f} per second"
        )


if __name__ == "__main__":
    main()
