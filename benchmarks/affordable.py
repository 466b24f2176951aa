"""Measure what the savings save, and what they cost: calls and tokens by arm, and what people do.

`python benchmarks/affordable.py` lives two days with three people and one with twenty-five, by the offline rules, and
counts calls and tokens as if a model had answered (four characters a token). Arms: none, policy, social, both, the
preset lean, and lean with the public store. Each is run cold, and those with the public store once more from the same
base, warmed by earlier runs (`--earlier`, one by default). `--spoilt small` spoils the answers as small models do, so
that the rules repeat themselves less. `--lost 5` compares, over so many seeds of each arm, the measures of
believability with the spread of the arm without savings. Everything happens in a temporary folder.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, stdev
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from believability import MEASURES, Saved  # noqa: E402
from spoiling import PROFILES, Profile, Spoiler  # noqa: E402

from ville.assembly.run import open_simulation  # noqa: E402
from ville.llm.gateway import Chat, ChatReply, ChatRequest, Embedder, Vectors  # noqa: E402
from ville.llm.wire.responses import ResponseChoice  # noqa: E402
from ville.llm.wire.schemas import instruction  # noqa: E402
from ville.settings import Settings, load_settings  # noqa: E402
from ville.simulation.interventions.intervention import Source  # noqa: E402
from ville.simulation.running.run_loop import StopRequest, run  # noqa: E402
from ville.simulation.talks.whispers import history_id, load_history  # noqa: E402

DAY = 8640
CHARACTERS = 4
"""Characters of a token."""
THREE, ALL = "base_the_ville_isabella_maria_klaus", "base_the_ville_n25"
HISTORIES = {THREE: "the_ville/agent_history_init_n3.csv", ALL: "the_ville/agent_history_init_n25.csv"}
STEPS = {THREE: 2 * DAY, ALL: DAY}
POLICY, SOCIAL = {"policy_store": "public"}, {"social_memory": True}
ARMS: Mapping[str, Mapping[str, Any]] = {
    "none": {},
    "policy": POLICY,
    "social": SOCIAL,
    "both": POLICY | SOCIAL,
    "lean": {"preset": "lean"},
    "lean_public": {"preset": "lean"} | POLICY,
}
PUBLISHED = {(THREE, "policy"): 40.2, (THREE, "social"): 58.6, (THREE, "both"): 31.1, (ALL, "both"): 42.7}
"""Percentage of the tokens of the baseline in AGA (TMLR 2024): two days, policies warmed by earlier runs."""
CLASSIC = {THREE: (2 * 3_856, None), ALL: (60_964, 14_200_000)}
"""Calls and prompt tokens of the released engine in the same time, measured with a stub."""


@dataclass
class ArmUsage:
    """Calls and tokens of the questions to the models."""

    calls: float = 0
    prompt: float = 0.0
    """Tokens."""
    answer: float = 0.0
    embeddings: float = 0
    """Calls."""
    by_question: dict[str, list[float]] = field(default_factory=dict)
    """Calls and tokens."""

    @property
    def tokens(self) -> float:
        return self.prompt + self.answer

    @classmethod
    def mean(cls, found: Sequence["ArmUsage"]) -> "ArmUsage":
        """Return the mean of several runs."""
        names = {name for each in found for name in each.by_question}
        rows = {name: [each.by_question.get(name, [0, 0.0]) for each in found] for name in names}
        return cls(
            *(
                mean(values)
                for values in zip(*((u.calls, u.prompt, u.answer, u.embeddings) for u in found), strict=True)
            ),
            {name: [mean(values) for values in zip(*counted, strict=True)] for name, counted in rows.items()},
        )


class CountingModels:
    """Chat and embedder that count what they are asked, and may spoil right answers."""

    def __init__(self, chat: Chat, embedder: Embedder, spoiler: Spoiler | None) -> None:
        self._chat, self._embedder, self._spoiler = chat, embedder, spoiler
        self.name = embedder.name
        self.usage = ArmUsage()

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        text = sum(len(message.content) for message in request.messages) + len(instruction(request.schema_text))
        asked, said = text / CHARACTERS, len(reply.text) / CHARACTERS
        self.usage.calls += 1
        self.usage.prompt += asked
        self.usage.answer += said
        counted = self.usage.by_question.setdefault(request.question, [0, 0.0])
        counted[0] += 1
        counted[1] += asked + said
        return self._spoilt(request, reply) if self._spoiler else reply

    def _spoilt(self, request: ChatRequest, reply: ChatReply) -> ChatReply:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        spoilt = self._spoiler.spoil(messages, reply.text)
        choice = ResponseChoice.model_validate({"message": {"content": spoilt.text}, "finish_reason": spoilt.finish})
        return replace(reply, text=choice.message.content, fault=choice.fault)

    async def embed(self, texts: Sequence[str], step: int | None = None, /) -> Vectors:
        self.usage.embeddings += 1
        return await self._embedder.embed(texts, step)


@dataclass(frozen=True)
class Lived:
    """Result of one run."""

    usage: ArmUsage
    measures: Mapping[str, float | None]


@dataclass(frozen=True)
class Job:
    """One arm: how it is lived, cold and perhaps warmed."""

    arm: str
    base: str
    seed: int = 1
    spoilt: str = "none"
    history: bool = False
    """Whether the histories of all are whispered first: the party and the candidacy are in them."""
    earlier: int = 0
    """Runs by which those with a lifestyle policy are warmed."""
    steps: int = 0
    """Length of the run; 0: as long as the base is measured."""


def settings_of(job: Job, storage: Path) -> Settings:
    environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
    flags = {"seed": job.seed, "max_fallbacks": 0, "fsync": False, **ARMS[job.arm]}
    return replace(load_settings(flags, environment=environment), fs_storage=storage, checkpoints=0)


async def live(job: Job, settings: Settings, name: str) -> Lived:
    """Run a fork of the base and return what was asked and what people did."""
    simulation = open_simulation(settings, job.base, name)
    profile = Profile.named(job.spoilt)
    spoiler = None if job.spoilt == "none" else Spoiler(profile, job.seed)
    counting = CountingModels(simulation.models.chat, simulation.models.embedder, spoiler)
    simulation.models = replace(simulation.models, chat=counting, embedder=counting)
    if job.history:
        history = settings.assets / HISTORIES[job.base]
        await load_history(simulation, history, Source(door="file", id=history_id(history)))
    await run(simulation, job.steps or STEPS[job.base], autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    saved = Saved(simulation.folder)
    measures = {title: measure(saved) for title, measure in MEASURES.items()} if job.history else {}
    await simulation.close()
    return Lived(counting.usage, measures)


def lived(job: Job) -> list[Lived]:
    """Return what came of an arm: cold, and then warmed by the earlier runs."""
    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder) / "storage"
        shutil.copytree(load_settings().fs_storage / job.base, storage / job.base)
        settings = settings_of(job, storage)
        runs = 1 + (job.earlier if "policy_store" in ARMS[job.arm] else 0)
        each = [replace(settings, seed=job.seed + 100 * number) for number in range(runs)]
        found = [asyncio.run(live(job, one, f"run_{number}")) for number, one in enumerate(each)]
        return found[:1] if runs == 1 else [found[0], found[-1]]


def cost_lines(base: str, found: Mapping[str, list[ArmUsage]], *, by_question: bool) -> Iterator[str]:
    """Yield a table: calls and tokens of each arm, beside those of our own baseline and of others."""
    baseline = found["none"][0]
    classic_calls, classic_tokens = CLASSIC[base]
    yield f"\n{base}"
    head = (
        "arm",
        "calls",
        "prompt",
        "answer",
        "embedding calls",
        "% calls",
        "% tokens",
        "published",
        "% classic calls",
        "% classic prompt tokens",
    )
    yield " | ".join(head)
    for arm, runs in found.items():
        for warmth, use in zip(("cold", "warmed"), runs, strict=False):
            published = PUBLISHED.get((base, arm)) if warmth == "warmed" or arm == "social" else None
            cells = [
                f"{arm}, {warmth}", f"{use.calls:,.0f}", f"{use.prompt:,.0f}", f"{use.answer:,.0f}",
                f"{use.embeddings:,.0f}", f"{use.calls / baseline.calls:.1%}", f"{use.tokens / baseline.tokens:.1%}",
                f"{published} %" if published else "–", f"{(use.calls + use.embeddings) / classic_calls:.1%}",
                f"{use.prompt / classic_tokens:.1%}" if classic_tokens else "–",
            ]  # fmt: skip
            yield " | ".join(cells)
    if classic_tokens:
        yield f"The classic engine: {classic_calls:,} calls, {classic_tokens:,} prompt tokens."
    if by_question:
        yield from _questions(found)


def _questions(found: Mapping[str, list[ArmUsage]]) -> Iterator[str]:
    """Yield calls and tokens of each question, for the last run of each arm."""
    names = sorted({name for runs in found.values() for name in runs[-1].by_question})
    yield f"{'':<32}" + "".join(f"{arm:>22}" for arm in found)
    for name in names:
        counts = [runs[-1].by_question.get(name, [0, 0.0]) for runs in found.values()]
        yield f"{name:<32}" + "".join(f"{calls:>9,.0f} {tokens:>12,.0f}" for calls, tokens in counts)


def lost_lines(found: Mapping[str, list[Lived]]) -> Iterator[str]:
    """Yield the mean of each measure by arm; a star if it lies outside what seeds of the baseline show."""
    yield f"{'':<48}" + "".join(f"{arm:>20}" for arm in found)
    for title in MEASURES:
        values = {
            arm: [value for one in runs if (value := one.measures[title]) is not None] for arm, runs in found.items()
        }
        own = values["none"]
        if not own:
            continue
        cells = []
        for arm, each in values.items():
            outside = arm != "none" and not min(own) <= mean(each) <= max(own)
            spread = stdev(each) if len(each) > 1 else 0.0
            cells.append(f"{mean(each):>10.3g} ±{spread:<7.2g}{'*' if outside else ' '}")
        yield f"{title:<48}" + "".join(cells)


def usages(
    pool: ProcessPoolExecutor, base: str, arms: Sequence[str], choice: argparse.Namespace
) -> dict[str, list[ArmUsage]]:  # fmt: skip
    """Return what each arm asked, cold and perhaps warmed: the mean over the seeds."""
    seeds = range(1, choice.seeds + 1)
    same = {"spoilt": choice.spoilt, "earlier": choice.earlier, "steps": choice.steps}
    jobs = {arm: [Job(arm, base, seed, **same) for seed in seeds] for arm in arms}
    begun = {arm: [pool.submit(lived, job) for job in some] for arm, some in jobs.items()}
    found = {arm: [each.result() for each in some] for arm, some in begun.items()}
    return {
        arm: [ArmUsage.mean([one.usage for one in runs]) for runs in zip(*some, strict=True)]
        for arm, some in found.items()
    }


def losses(pool: ProcessPoolExecutor, base: str, arms: Sequence[str], seeds: int) -> dict[str, list[Lived]]:
    """Return what came of each arm, cold, with each seed."""
    jobs = {arm: [Job(arm, base, seed, history=True) for seed in range(1, seeds + 1)] for arm in arms}
    begun = {arm: [pool.submit(lived, job) for job in some] for arm, some in jobs.items()}
    return {arm: [each.result()[0] for each in some] for arm, some in begun.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arms", nargs="+", choices=[*ARMS], default=[*ARMS])
    parser.add_argument("--bases", nargs="+", choices=[THREE, ALL], default=[THREE, ALL])
    parser.add_argument("--spoilt", choices=PROFILES, default="none", help="profile of the spoiling model server")
    parser.add_argument("--questions", action="store_true", help="also print calls and tokens of each question")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each arm, whose mean is printed")
    parser.add_argument("--earlier", type=int, default=1, help="runs by which those with a policy are warmed")
    parser.add_argument("--lost", type=int, metavar="SEEDS", default=0, help="compare behaviour over so many seeds")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=0, help="length of each run, instead of two days and one")
    choice = parser.parse_args()
    arms = list(dict.fromkeys(["none", *choice.arms]))
    with ProcessPoolExecutor(choice.processes) as pool:
        for base in choice.bases:
            if choice.lost:
                print(base, *lost_lines(losses(pool, base, arms, choice.lost)), sep="\n", flush=True)
                continue
            found = usages(pool, base, arms, choice)
            print(*cost_lines(base, found, by_question=choice.questions), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
