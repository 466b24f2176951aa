"""Measure the prompts of a day: calls and tokens by question, and how much of a prompt repeats an earlier one.

`python benchmarks/prompts.py` runs the Ville's 25 people, with their histories, for a day with the offline rules, and
prints a table of what a language model would be asked. Four characters count as a token. A local server that keeps the
prefix of earlier prompts computes only what is not repeated.
"""

import argparse
import asyncio
import shutil
import tempfile
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, quantiles

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Models
from ville.llm.wire.schemas import instruction
from ville.settings import load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.talks.whispers import load_history

ROOT = Path(__file__).resolve().parents[1]
STORAGE = ROOT / "environment/frontend_server/storage"
BASE, HISTORY = "base_the_ville_n25", "the_ville/agent_history_init_n25.csv"
CHARACTERS = 4
"""Characters of a token."""
KEPT = 20
"""Prompts of a persona that a server may keep."""
ALL = "all questions"


@dataclass(frozen=True)
class MeasuredPrompt:
    """Sizes of one prompt, in characters."""

    total: int
    """With the schema in words, as local servers get it."""
    schema: int
    answer: int
    after_own: int
    """Characters in common with the beginning of the persona's previous prompt."""
    after_any_own: int
    """The same for the best of the persona's earlier prompts, as far as a server may keep them."""
    after_same: int
    """The same for the previous prompt of the same question, by anybody."""


@dataclass
class PromptMeter:
    """Chat layer that measures every prompt by question."""

    chat: Chat
    prompts: dict[str, list[MeasuredPrompt]] = field(default_factory=lambda: defaultdict(list))
    _kept: dict[str, deque[str]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=KEPT)))
    """Latest prompts by persona and by question, newest last."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self.chat.complete(request)
        schema = instruction(request.schema_text)
        text = "\n".join([*(message.content for message in request.messages), schema])
        own, same = (
            [_common(text, kept) for kept in self._kept[key]] or [0] for key in (request.persona, request.question)
        )
        measured = MeasuredPrompt(len(text), len(schema), len(reply.text), own[-1], max(own), same[-1])
        for key in (request.persona, request.question):
            self._kept[key].append(text)
        self.prompts[request.question].append(measured)
        return reply


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, default=STORAGE / BASE, help="base simulation: a folder")
    parser.add_argument("--history", default=HISTORY, help="file in the assets folder; empty for none")
    parser.add_argument("--steps", type=int, default=8640)
    parser.add_argument("--seed", type=int, default=1)
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(choice.base, Path(storage) / choice.base.name)
        prompts = _measure(Path(storage), choice)
    for line in table(prompts):
        print(line)


def _measure(storage: Path, choice: argparse.Namespace) -> dict[str, list[MeasuredPrompt]]:
    settings = replace(load_settings(), fs_storage=storage, seed=choice.seed, fsync=False)
    simulation = open_simulation(settings, choice.base.name, "day")
    models = simulation.models
    meter = PromptMeter(models.chat)
    simulation.models = Models(chat=meter, embedder=models.embedder, seed=models.seed)

    async def live() -> None:
        if choice.history:
            await load_history(simulation, settings.assets / choice.history)
        meter.prompts.clear()
        await run(simulation, choice.steps, autosave=0, watch=lambda _: None, stop=StopRequest())
        await simulation.close()

    asyncio.run(live())
    return meter.prompts


def table(prompts: dict[str, list[MeasuredPrompt]]) -> list[str]:
    """Return the lines of a table: all questions first, then each by its number of tokens."""
    rows = sorted(prompts.items(), key=lambda item: -sum(prompt.total for prompt in item[1]))
    everything = [prompt for some in prompts.values() for prompt in some]
    heading = f"{'':28} {'calls':>6} {'k tokens':>8} {'mean':>6} {'p50':>6} {'p95':>6} {'max':>6}"
    heading += f" {'schema':>6} {'answer':>6} {'last %':>6} {'own %':>6} {'same %':>6}"
    return [heading, _row(ALL, everything), *(_row(question, some) for question, some in rows)]


def _row(question: str, prompts: Sequence[MeasuredPrompt]) -> str:
    sizes = sorted(prompt.total / CHARACTERS for prompt in prompts)
    cuts = quantiles(sizes, n=20, method="inclusive") if len(sizes) > 1 else sizes * 19
    total = sum(prompt.total for prompt in prompts)
    repeats = zip(*((prompt.after_own, prompt.after_any_own, prompt.after_same) for prompt in prompts), strict=True)
    shares = " ".join(f"{100 * sum(each) / total:>6.0f}" for each in repeats)
    schema, answer = (mean(each) / CHARACTERS for each in zip(*((p.schema, p.answer) for p in prompts), strict=True))
    numbers = (len(prompts), total / CHARACTERS / 1000, mean(sizes), cuts[9], cuts[18], sizes[-1])
    shown = " ".join(f"{number:>{width}.0f}" for number, width in zip(numbers, (6, 8, 6, 6, 6, 6), strict=True))
    return f"{question:28} {shown} {schema:>6.0f} {answer:>6.0f} {shares}"


if __name__ == "__main__":
    main()
