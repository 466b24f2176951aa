"""Records what a day asks of a telephone, hour by hour, for `estimate` to start from.

`python benchmarks/typical_day.py BASE [BASE ...]` runs each base simulation for a day with the offline rules, counts
what a language model would have been asked, and takes four characters for a token.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from ville.assembly.run import open_simulation
from ville.llm.accounting.estimate import TYPICAL_DAY, Hour
from ville.llm.batched import Batched
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Embedder, Models, Vectors
from ville.settings import load_settings
from ville.simulation.run import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.step import StepReport

HOUSE = Path(__file__).resolve().parents[1]

CHARACTERS = 4
"""In a token."""
ROUND = 0.002
"""Seconds within which all that is asked at once has been asked."""


class Counter:
    """A Chat and an Embedder that count; what is asked at the same time is answered at the same time: a round."""

    def __init__(self, chat: Chat, embedder: Embedder) -> None:
        self._chat, self._embedder = chat, embedder
        self.name = embedder.name
        self.hour = Hour()
        self._round: asyncio.Future[None] | None = None

    async def complete(self, request: ChatRequest) -> ChatReply:
        await self._next_round()
        reply = await self._chat.complete(request)
        asked = sum(len(message.content) for message in request.messages) + len(json.dumps(request.schema))
        prompt, answer = f"{request.tier}_prompt", f"{request.tier}_answer"
        self.hour = replace(
            self.hour,
            calls=self.hour.calls + 1,
            **{
                prompt: getattr(self.hour, prompt) + asked / CHARACTERS,
                answer: getattr(self.hour, answer) + len(reply.text) / CHARACTERS,
            },
        )
        return reply

    async def embed(self, texts: Sequence[str]) -> Vectors:
        await self._next_round()
        tokens = self.hour.batch_tokens + sum(map(len, texts)) / CHARACTERS
        self.hour = replace(self.hour, batches=self.hour.batches + 1, batch_tokens=tokens)
        return await self._embedder.embed(texts)

    async def _next_round(self) -> None:
        if self._round is None:
            loop = asyncio.get_running_loop()
            self._round = loop.create_future()
            loop.call_later(ROUND, self._answer)
        await self._round

    def _answer(self) -> None:
        if self._round:
            self._round.set_result(None)
        self._round = None
        self.hour = replace(self.hour, rounds=self.hour.rounds + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bases", nargs="+", type=Path, help="base simulations: folders")
    choice = parser.parse_args()
    records = [_record(base) for base in choice.bases]
    text = ",\n".join(json.dumps(record) for record in records)
    TYPICAL_DAY.write_text(f"[\n{text}\n]\n", "utf-8")
    print(f"{TYPICAL_DAY} is written.")


def _record(base: Path) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(base, Path(storage) / base.name)
        settings = replace(load_settings(), fs_storage=Path(storage), seed=1)
        simulation = open_simulation(settings, base.name, "day")
        hours = _day(simulation)
        asyncio.run(simulation.close())
        return {"people": len(simulation.town.personas), "hours": hours}


def _day(simulation: Simulation) -> list[dict[str, float]]:
    """What is asked in each hour of the first day."""
    models = simulation.models
    counter = Counter(models.chat, models.embedder)
    simulation.models = Models(chat=counter, embedder=Batched(counter), seed=models.seed)
    hours = []

    def watch(report: StepReport) -> None:
        if (report.now.minute, report.now.second) == (59, 60 - simulation.clock.seconds_per_step):
            hours.append({name: round(value) for name, value in asdict(counter.hour).items()})
            counter.hour = Hour()
            print(f"{report.now:%H}: {hours[-1]}", flush=True)

    steps = 24 * 3600 // simulation.clock.seconds_per_step
    asyncio.run(run(simulation, steps, autosave=0, watch=watch, stop=StopRequest()))
    return hours


if __name__ == "__main__":
    main()
