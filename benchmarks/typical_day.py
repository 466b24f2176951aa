"""Record the questions of a typical day, hour by hour, and what each takes, as a basis for `estimate`.

`python benchmarks/typical_day.py BASE [BASE ...] --ledgers LEDGER [LEDGER ...]` runs each base simulation for a day
with the offline rules, and counts the questions for a language model. The tokens of a question are the means of a real
model's ledgers; of questions that these have not or hardly, those by the rules, with four characters for a token.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from rounds import Rounds

from ville.assembly.run import open_simulation
from ville.llm.accounting.estimate import TYPICAL_DAY
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.ledger_schema import ANSWERED
from ville.llm.accounting.question_tokens import QUESTION_TOKENS
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
ENOUGH = 3
"""Answers of a real model from which on their mean counts."""


@dataclass
class CountedHour:
    """Calls within an hour of the run."""

    questions: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    batches: int = 0
    batch_tokens: float = 0.0

    def as_json(self) -> dict[str, object]:
        questions = dict(sorted(self.questions.items()))
        return {**vars(self), "questions": questions, "batch_tokens": round(self.batch_tokens)}


@dataclass
class CountedTokens:
    """Tokens of all calls with a question."""

    tier: str = "fast"
    calls: int = 0
    prompt: float = 0.0
    answer: float = 0.0

    def add(self, prompt: float, answer: float) -> None:
        self.calls, self.prompt, self.answer = self.calls + 1, self.prompt + prompt, self.answer + answer


Tokens = defaultdict[str, CountedTokens]


class CallCounter:
    """Chat and embedder that count calls, and answer concurrent questions in one round; vectors take no time."""

    def __init__(self, chat: Chat, embedder: Embedder, tokens: Tokens) -> None:
        self._rounds, self._embedder, self._tokens = Rounds(chat), embedder, tokens
        self.name = embedder.name
        self.hour, self._before = CountedHour(), 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._rounds.complete(request)
        asked = sum(len(message.content) for message in request.messages) + len(instruction(request.schema_text))
        self.hour.questions[request.question] += 1
        of_question = self._tokens[request.question]
        of_question.tier = request.tier
        of_question.add(asked / CHARACTERS, len(reply.text) / CHARACTERS)
        return reply

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        self.hour.batches += 1
        self.hour.batch_tokens += sum(map(len, texts)) / CHARACTERS
        return await self._embedder.embed(texts, step)

    def next_hour(self) -> CountedHour:
        """Return the calls since the last hour, and count anew."""
        rounds = len(self._rounds.sizes)
        hour, self.hour = replace(self.hour, rounds=rounds - self._before), CountedHour()
        self._before = rounds
        return hour


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bases", nargs="+", type=Path, help="base simulations: folders")
    parser.add_argument("--out", type=Path, default=TYPICAL_DAY, help="file to write hours to")
    parser.add_argument("--tokens", type=Path, default=QUESTION_TOKENS, help="file to write tokens to")
    parser.add_argument(
        "--ledgers", nargs="*", default=[], type=Path, metavar="LEDGER",
        help="calls of a real model: folders of simulations, or files with one call a line",
    )  # fmt: skip
    parser.add_argument("--origin", default="", help="of these ledgers, in words")
    choice = parser.parse_args()
    by_rules, real = Tokens(CountedTokens), Tokens(CountedTokens)
    records = [_record(base, by_rules) for base in choice.bases]
    for question, prompt, answer in (call for path in choice.ledgers for call in _answered(path)):
        real[question].add(prompt, answer)
    text = ",\n".join(json.dumps(record) for record in records)
    choice.out.write_text(f"[\n{text}\n]\n", "utf-8")
    choice.tokens.write_text(_tokens_text(by_rules, real, choice.origin), "utf-8")
    print(f"{choice.out} and {choice.tokens} are written.")


def _tokens_text(by_rules: Tokens, real: Tokens, origin: str) -> str:
    """Return the means by question; `calls` are those of the real model, 0 where the rules were counted."""
    lines = []
    for question, counted in sorted(by_rules.items()):
        found = real[question] if real[question].calls >= ENOUGH else counted
        calls = found.calls if found is not counted else 0
        means = {"prompt": round(found.prompt / found.calls), "answer": round(found.answer / found.calls)}
        lines.append(f"{json.dumps(question)}: {json.dumps({'tier': counted.tier, **means, 'calls': calls})}")
    questions = ",\n".join(lines)
    return f'{{"origin": {json.dumps(origin)},\n"questions": {{\n{questions}\n}}}}\n'


def _answered(path: Path) -> Iterator[tuple[str, int, int]]:
    """Yield question and tokens of prompt and answer of each call that was answered."""
    if path.is_dir():
        with closing(Ledger.read(path / "reverie")) as ledger:
            columns = "question, prompt_tokens, completion_tokens"
            yield from ledger.connection.execute(f"SELECT {columns} FROM calls WHERE outcome = ?", (ANSWERED,))  # noqa: S608 - names from here
        return
    for call in map(json.loads, path.read_text("utf-8").splitlines()):
        if call["outcome"] == ANSWERED:
            yield call["question"], call["prompt_tokens"], call["answer_tokens"]


def _record(base: Path, tokens: Tokens) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(base, Path(storage) / base.name)
        settings = replace(load_settings(), fs_storage=Path(storage), seed=1, fsync=False)
        simulation = open_simulation(settings, base.name, "day")
        hours = _day(simulation, tokens)
        asyncio.run(simulation.close())
        return {"people": len(simulation.town.personas), "hours": hours}


def _day(simulation: Simulation, tokens: Tokens) -> list[dict[str, object]]:
    """Return the calls of each hour of the first day."""
    models = simulation.models
    counter = CallCounter(models.chat, models.embedder, tokens)
    simulation.models = Models(chat=counter, embedder=BatchedEmbedder(counter), seed=models.seed)
    hours = []

    def watch(report: StepReport) -> None:
        if (report.now.minute, report.now.second) == (59, 60 - simulation.clock.seconds_per_step):
            hours.append(counter.next_hour().as_json())
            print(f"{report.now:%H}: {hours[-1]}", flush=True)

    steps = 24 * 3600 // simulation.clock.seconds_per_step
    asyncio.run(run(simulation, steps, autosave=0, watch=watch, stop=StopRequest()))
    return hours


if __name__ == "__main__":
    main()
