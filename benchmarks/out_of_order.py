"""Measure what is gained by letting people be ahead of others, with a server that takes its time, over real HTTP.

`python benchmarks/out_of_order.py` runs a day of twenty-five people in lockstep, by distance and by rooms, with both
rules of time: people think at once, or go on meanwhile (`--thinking`), which makes another day, with more or fewer
talks. The server, a process of its own, answers as the rules do, and takes for each answer as long as the latency model
says, times `--scale`; with a small one, the processor time of the engine counts for more than it does with a model. It
prints the seconds of each run, their share of those of the first run, how many slots of the server were busy on
average, and whether all with the same rules have written the same steps.

For a busy hour of a city, run it by the rules until then, and name that run: `--base ten --steps 360`.

With `--virtual` there is no server: the rules answer, and a clock jumps to the next answer, so that processor time
counts for nothing, and a busy machine changes nothing. `--chain` then also prints what the run waited for: the seconds
on its longest chain of calls, each of which began when the one before was answered, by question.
"""

import argparse
import asyncio
import os
import selectors
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "servers"))

from latency_server import TOKEN, LatencyServer
from recorded_town import Latency

from ville.assembly.models import SwappedChat
from ville.assembly.run import open_simulation
from ville.llm.concurrency import ConcurrencyLimiter, LimitedClient
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.steps.step_store import StepStore

SCHEDULES = ("lockstep", "distance", "rooms")
THINKING = ("at_once", "meanwhile")
TINY = 1e-6
"""Seconds that rounding may make of nothing."""


class TimedCall(NamedTuple):
    """A call, from when to when it took."""

    ended: float
    began: float
    question: str


def longest_chain(calls: Sequence[TimedCall], end: float) -> list[TimedCall]:
    """Return the calls that were answered one after another until an end, each begun by the answer before; last first.

    A slot for which a call waited counts as such an answer.
    """
    chain = list[TimedCall]()
    for call in sorted(calls, reverse=True):
        if call.ended <= end + TINY and call.began < end - TINY:
            chain.append(call)
            end = call.began
    return chain


@dataclass(frozen=True)
class Measured:
    """A run against a server that takes its time."""

    schedule: str
    thinking: str
    calls: int
    seconds: float
    cpu: float
    """Processor time of this process, without the server."""
    ahead: int
    """Most steps by which somebody was ahead of others."""
    busy: float = 0.0
    """Slots of the server that were busy, on average."""
    share: float = 1.0
    """Of the seconds of the first run."""
    talks: int = 0
    same: bool = True
    """Whether its steps are those of the first run with the same rules of time."""
    chain: Sequence[TimedCall] = ()
    """Its longest chain of calls, in virtual time."""

    @property
    def line(self) -> str:
        """Everything in a line."""
        times = f"{self.calls:,} calls, {self.seconds:,.1f} s ({self.share:.3f}), {self.busy:.1f} slots busy"
        how = f"{self.talks} talks, {self.ahead} steps ahead, {self.cpu:.1f} s of processor, same: {self.same}"
        return f"{self.schedule}, {self.thinking}: {times}, {how}"

    def chain_lines(self) -> list[str]:
        """Return a line for each question on the longest chain, most seconds first."""
        seconds, calls = Counter[str](), Counter(each.question for each in self.chain)
        for each in self.chain:
            seconds[each.question] += each.ended - each.began
        return [f"  {each}: {calls[each]} calls, {taken:,.1f} s" for each, taken in seconds.most_common()]


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that waits for nothing: when there is nothing to do, its clock jumps to what is due next."""

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self._passed

    def jump(self, seconds: float) -> None:
        self._passed += seconds


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout:
            self._loop.jump(timeout)
        return super().select(timeout and 0)


class TimedRules:
    """The rules, which take as long for an answer as a model would."""

    def __init__(self, rules: Chat, scale: float) -> None:
        self._rules, self._scale, self._latency = rules, scale, Latency()
        self.calls, self.seconds = 0, 0.0
        self.timed: list[TimedCall] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.calls += 1
        clock = asyncio.get_running_loop().time
        began, reply = clock(), await self._rules.complete(request)
        prompt, answer = sum(len(each.content) for each in request.messages) / TOKEN, len(reply.text) / TOKEN
        seconds = self._latency.call + self._latency.answer * answer + self._latency.prompt * prompt
        self.seconds += self._scale * seconds
        await asyncio.sleep(self._scale * seconds)
        self.timed.append(TimedCall(clock(), began, request.question))
        return reply


def tell_answers(server: LatencyServer) -> None:
    """Let every question to a model be answered by the server as the rules would; for good, in this process."""
    complete = SwappedChat.complete

    async def telling(swapped: SwappedChat, request: Any) -> ChatReply:
        answer = swapped._rules.answer(request, like=request).text  # noqa: SLF001 - the rules that it would ask
        server.answers([each.content for each in request.messages], answer)
        return await complete(swapped, request)

    SwappedChat.complete = telling  # type: ignore[method-assign, assignment]


def measured(
    base: str,
    steps: int,
    *,
    scale: float,
    slots: int,
    schedules: Sequence[str],
    virtual: bool,
    thinking: Sequence[str] = THINKING[:1],
    seed: int = 1,
    chain: bool = False,
) -> list[Measured]:
    """Run a base with each schedule, in temporary folders that are removed; print what they took."""
    rows, latency = list[Measured](), Latency()
    seconds = [scale * each for each in (latency.call, latency.answer, latency.prompt)]
    with tempfile.TemporaryDirectory() as folder, LatencyServer(seconds) as server:
        storage = Path(folder)
        (storage / base).symlink_to(load_settings().fs_storage / base)
        environment = {
            **os.environ, "VILLE_PROVIDER": "compatible", "VILLE_BASE_URL": server.url, "VILLE_FAST_MODEL": "any",
            "VILLE_EMBEDDER": "hashing", "VILLE_SEED": str(seed), "VILLE_MAX_CONCURRENCY": str(slots),
            "VILLE_FS_STORAGE": str(storage), "VILLE_AUTOSAVE": "0", "VILLE_FSYNC": "false",
        }  # fmt: skip
        if virtual:
            environment["VILLE_PROVIDER"] = "offline"
        else:
            tell_answers(server)
        for rule, schedule in product(thinking, schedules):
            settings = load_settings(environment={**environment, "VILLE_SCHEDULE": schedule, "VILLE_THINKING": rule})
            with asyncio.Runner(loop_factory=VirtualLoop if virtual else None) as runner:
                row = runner.run(_lived(settings, base, steps, scale if virtual else None))
            row = row if virtual else replace(row, busy=server.served().seconds / row.seconds)
            first = rows[0] if rows else row
            alike = next((each for each in rows if each.thinking == rule), row)
            same = _steps(storage / _name(row)) == _steps(storage / _name(alike))
            rows.append(replace(row, share=row.seconds / first.seconds, same=same))
            print("\n".join([rows[-1].line, *(rows[-1].chain_lines() if chain else ())]), flush=True)
    return rows


async def _lived(settings: Settings, base: str, steps: int, scale: float | None) -> Measured:
    """Run a base, named after its rules; with a scale, by rules that take their time in this process."""
    row = Measured(settings.schedule, settings.thinking, 0, 0.0, 0.0, 0)
    simulation, clock = open_simulation(settings, base, _name(row)), asyncio.get_running_loop().time
    timed = TimedRules(simulation.models.chat, scale or 0.0)
    if scale is not None:
        limited = LimitedClient(timed, ConcurrencyLimiter(settings.max_concurrency))
        simulation.models = replace(simulation.models, chat=limited)
    cpu, began = time.process_time(), clock()
    talks: list[int] = []
    await run(simulation, steps, autosave=0, watch=lambda step: talks.append(len(step.talks)), stop=StopRequest())
    seconds, cpu = clock() - began, time.process_time() - cpu
    calls = simulation.services.spend.calls if simulation.services.spend else timed.calls
    simulation.save()
    await simulation.close()
    row = replace(row, calls=calls, seconds=seconds, cpu=cpu, ahead=simulation.gain.ahead)
    chain = longest_chain(timed.timed, began + seconds)
    return replace(row, busy=timed.seconds / seconds, talks=sum(talks), chain=chain)


def _name(row: Measured) -> str:
    return f"{row.schedule}_{row.thinking}"


def _steps(folder: Path) -> dict[int, bytes]:
    store = StepStore(folder)
    return {step: store.movement_bytes(step) for step in store.shown()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="base_the_ville_n25", help="in the storage folder")
    parser.add_argument("--steps", type=int, default=8640)
    parser.add_argument("--scale", type=float, default=1.0, help="times the seconds of the latency model")
    parser.add_argument("--slots", type=int, default=64, help="calls at the same time")
    parser.add_argument("--schedules", nargs="+", default=SCHEDULES, choices=SCHEDULES)
    parser.add_argument("--thinking", nargs="+", default=THINKING, choices=THINKING, help="rules of time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--virtual", action="store_true", help="without a server, in virtual time")
    parser.add_argument("--chain", action="store_true", help="what the longest chain of calls is made of")
    choice = parser.parse_args()
    how = {"scale": choice.scale, "slots": choice.slots, "schedules": choice.schedules, "virtual": choice.virtual,
           "thinking": choice.thinking, "seed": choice.seed, "chain": choice.chain}  # fmt: skip
    measured(choice.base, choice.steps, **how)


if __name__ == "__main__":
    main()
