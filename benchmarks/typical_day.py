"""Record the calls of a typical day, hour by hour, as a basis for `estimate`.

`python benchmarks/typical_day.py BASE [BASE ...]` runs each base simulation for a day with the offline rules, counts
the questions for a language model, and takes four characters for a token.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rounds import Rounds

from ville.assembly.run import open_simulation
from ville.llm.accounting.estimate import TYPICAL_DAY, TypicalHour
from ville.llm.batching import BatchedEmbedder
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Embedder, Models, Vectors
from ville.llm.wire.schemas import instruction
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport

ROOT = Path(__file__).resolve().parents[1]

CHARACTERS = 4
"""Characters of a token."""


class Counter:
    """Chat and embedder that count calls, and answer concurrent questions in one round; vectors take no time."""

    def __init__(self, chat: Chat, embedder: Embedder) -> None:
        self._rounds, self._embedder = Rounds(chat), embedder
        self.name = embedder.name
        self._hour, self._before = TypicalHour(), 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._rounds.complete(request)
        asked = sum(len(message.content) for message in request.messages) + len(instruction(request.schema))
        prompt, answer = f"{request.tier}_prompt", f"{request.tier}_answer"
        self._hour = replace(
            self._hour,
            calls=self._hour.calls + 1,
            **{
                prompt: getattr(self._hour, prompt) + asked / CHARACTERS,
                answer: getattr(self._hour, answer) + len(reply.text) / CHARACTERS,
            },
        )
        return reply

    async def embed(self, texts: Sequence[str]) -> Vectors:
        tokens = self._hour.batch_tokens + sum(map(len, texts)) / CHARACTERS
        self._hour = replace(self._hour, batches=self._hour.batches + 1, batch_tokens=tokens)
        return await self._embedder.embed(texts)

    def next_hour(self) -> TypicalHour:
        """Return the calls since the last hour, and count anew."""
        rounds = len(self._rounds.sizes)
        hour = replace(self._hour, rounds=rounds - self._before)
        self._hour, self._before = TypicalHour(), rounds
        return hour


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bases", nargs="+", type=Path, help="base simulations: folders")
    parser.add_argument("--out", type=Path, default=TYPICAL_DAY, help="file to write to")
    choice = parser.parse_args()
    records = [_record(base) for base in choice.bases]
    text = ",\n".join(json.dumps(record) for record in records)
    choice.out.write_text(f"[\n{text}\n]\n", "utf-8")
    print(f"{choice.out} is written.")


def _record(base: Path) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(base, Path(storage) / base.name)
        settings = replace(load_settings(), fs_storage=Path(storage), seed=1, fsync=False)
        simulation = open_simulation(settings, base.name, "day")
        hours = _day(simulation)
        asyncio.run(simulation.close())
        return {"people": len(simulation.town.personas), "hours": hours}


def _day(simulation: Simulation) -> list[dict[str, float]]:
    """Return the calls of each hour of the first day."""
    models = simulation.models
    counter = Counter(models.chat, models.embedder)
    simulation.models = Models(chat=counter, embedder=BatchedEmbedder(counter), seed=models.seed)
    hours = []

    def watch(report: StepReport) -> None:
        if (report.now.minute, report.now.second) == (59, 60 - simulation.clock.seconds_per_step):
            hours.append({name: round(value) for name, value in asdict(counter.next_hour()).items()})
            print(f"{report.now:%H}: {hours[-1]}", flush=True)

    steps = 24 * 3600 // simulation.clock.seconds_per_step
    asyncio.run(run(simulation, steps, autosave=0, watch=watch, stop=StopRequest()))
    return hours


if __name__ == "__main__":
    main()
