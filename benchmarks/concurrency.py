"""How well the lines are used: a day against a server that takes its time, beside the least time that it can take.

The least: every call takes as long as the server does, those that wait for nothing but each other share the lines, and
between the calls nothing takes any time. What is asked only after an answer has come cannot be asked earlier.

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

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE / "tests" / "servers"))

from chat_server import ChatServer, Received, Reply, completion  # noqa: E402
from resident import answer_to  # noqa: E402

from ville.assembly.run import open_simulation  # noqa: E402
from ville.llm.gateway import Chat, ChatReply, ChatRequest  # noqa: E402
from ville.settings import Settings, load_settings  # noqa: E402
from ville.simulation.run import StopRequest, run  # noqa: E402
from ville.simulation.simulation import Simulation  # noqa: E402

ROUND = 0.005
"""Seconds within which everything has been asked that waits for no answer."""


class Rounds:
    """A Chat that answers all at once those who wait at the same time, and counts them."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._round: asyncio.Future[None] | None = None
        self._waiting = 0
        self.sizes: list[int] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        if self._round is None:
            loop = asyncio.get_running_loop()
            self._round = loop.create_future()
            loop.call_later(ROUND, self._answer)
        self._waiting += 1
        await self._round
        return await self._chat.complete(request)

    def _answer(self) -> None:
        if self._round:
            self._round.set_result(None)
        self.sizes.append(self._waiting)
        self._round, self._waiting = None, 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="base_the_ville_isabella_maria_klaus", help="in the storage folder")
    parser.add_argument("--steps", type=int, default=8640)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long the server takes for an answer")
    parser.add_argument("--lines", type=int, default=8)
    choice = parser.parse_args()

    def slowly(request: Received) -> Reply:
        return Reply(completion(answer_to(request.body), request), delay=choice.seconds)

    with tempfile.TemporaryDirectory() as folder, ChatServer(slowly) as server:
        settings = _settings(server.url, Path(folder), choice.lines)
        shutil.copytree(load_settings().fs_storage / choice.base, settings.fs_storage / choice.base)
        cpu = time.process_time()
        seconds, calls = asyncio.run(_live(settings, choice.base, choice.steps))
        cpu = time.process_time() - cpu
        rounds = asyncio.run(_rounds(settings, choice.base, choice.steps))
    least = sum(math.ceil(size / choice.lines) for size in rounds) * choice.seconds
    print(f"{calls:,} calls in {len(rounds):,} rounds, {choice.lines} lines, {choice.seconds} s a call")
    print(f"one after the other  {calls * choice.seconds:10.1f} s")
    print(f"the least            {least:10.1f} s")
    print(f"measured             {seconds:10.1f} s, {seconds / least:.3f} of it")
    print(f"CPU meanwhile        {cpu:10.1f} s, of the run and of the server together")


def _settings(url: str, storage: Path, lines: int) -> Settings:
    environment = {
        **os.environ, "VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": url, "VILLE_FAST_MODEL": "any",
        "VILLE_EMBEDDER": "hashing", "VILLE_SEED": "1", "VILLE_MAX_CONCURRENCY": str(lines),
        "VILLE_FS_STORAGE": str(storage),
    }  # fmt: skip
    return load_settings(environment=environment)


async def _live(settings: Settings, base: str, steps: int) -> tuple[float, int]:
    """Seconds and calls of a run."""
    simulation = open_simulation(settings, base, "measured")
    began = time.perf_counter()
    await _run(simulation, steps)
    seconds = time.perf_counter() - began
    calls = simulation.services.ledger.spend.calls if simulation.services.ledger else 0
    await simulation.close()
    return seconds, calls


async def _rounds(settings: Settings, base: str, steps: int) -> list[int]:
    """The same run once more, from its ledger: how many calls waited for nothing but each other, time after time."""
    simulation = open_simulation(settings, base, "again", recording="measured")
    rounds = Rounds(simulation.models.chat)
    simulation.models = replace(simulation.models, chat=rounds)
    await _run(simulation, steps)
    await simulation.close()
    return rounds.sizes


async def _run(simulation: Simulation, steps: int) -> None:
    """The last save is part of it."""
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()


if __name__ == "__main__":
    main()
