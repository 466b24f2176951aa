"""Return to random moments of a run, and check that what follows is what was.

`python benchmarks/moments.py --base base_the_ville_n25 --steps 8640 --moments 40` runs a day by the offline rules, then
branches at random moments. Each branch runs to the next save of the origin (`--to-end`: to its end), where the digest
of everything has to be that of the origin's checkpoint: from there on, both futures are the same. Prints how large
checkpoints are beside the movement files, how long it takes to write them, and how long to return. With `--recorded`,
a chat server on this machine answers instead of the rules, and the calls of branches are counted: there should be none.
Exit code 1 if a branch differs or calls. Everything happens in a temporary folder.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "environment" / "frontend_server"
sys.path[:0] = [str(ROOT / "reverie" / "backend_server"), str(ROOT / "tests" / "servers")]

from chat_server import ChatServer  # noqa: E402 - its folder is added above

from ville.assembly.run import open_at  # noqa: E402
from ville.settings import Settings, load_settings  # noqa: E402
from ville.simulation.running.run_loop import StopRequest, run  # noqa: E402
from ville.storage.past.checkpoints import Stem, digest_at, stems  # noqa: E402
from ville.storage.steps.step_store import StepStore  # noqa: E402

WHOLE = "whole"
SECONDS_PER_STEP = 10


async def went(settings: Settings, origin: str, name: str, until: int) -> float:
    """Run a fork to a step and save it; return the seconds that it took to open it."""
    began = time.perf_counter()
    simulation = await open_at(settings, origin, name)
    opened = time.perf_counter() - began
    steps = until - simulation.clock.step
    await run(simulation, steps, autosave=settings.autosave, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    await simulation.close()
    return opened


def sizes(root: Path) -> tuple[int, int]:
    """Return the bytes of the checkpoints, and about those of the movement files, if they are not packed."""
    return (
        sum(path.stat().st_size for path in (root / "reverie/checkpoints").glob("*")),
        StepStore(root).weight(),
    )


@contextmanager
def minds(settings: Settings, *, recorded: bool) -> Iterator[tuple[Settings, Callable[[], int]]]:
    """Yield the settings of who answers, and how many calls a server on this machine has had since asked last."""
    if not recorded:
        yield settings, lambda: 0
        return
    with ChatServer() as server:

        def calls() -> int:
            count = len(server.requests)
            server.requests.clear()
            return count

        served = {"fast_model": "m", "embedding_model": "v", "base_url": server.url}
        yield replace(settings, provider="llamacpp", embedder="llamacpp", **served), calls


async def wrong_branches(settings: Settings, moments: list[int], calls: Callable[[], int], *, to_end: bool) -> int:
    """Return how many branches call, or do not come to the state of the origin at its next save."""
    whole, wrong = settings.fs_storage / WHOLE, 0
    saved = stems(whole)
    for number, step in enumerate(moments, 1):
        end = min((stem for stem in saved if stem.step > step and not to_end), default=saved[-1])
        opened = await went(settings, f"{WHOLE}@{step}", "branch", end.step)
        branch = settings.fs_storage / "branch"
        same, asked = digest_at(branch, Stem(end.step)) == digest_at(whole, end), calls()
        wrong += not same or asked > 0
        found = "same" if same else "DIFFERENT"
        print(
            f"{number:3} step {step:6,}: {opened:6.1f} s to return, {found} at {end.step:,}, {asked} calls", flush=True
        )
        shutil.rmtree(branch)
    return wrong


def seconds(settings: Settings, choice: argparse.Namespace, *, kept: int | None) -> float:
    """Return the processor time of a run that keeps so many checkpoints (None: all)."""
    began = time.process_time()
    name = "without" if kept == 0 else WHOLE
    asyncio.run(went(replace(settings, checkpoints=kept), choice.base, name, choice.steps))
    return time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="base_the_ville_n25")
    parser.add_argument("--steps", type=int, default=8640)
    parser.add_argument("--moments", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to-end", action="store_true", help="run each branch to the end of the origin")
    parser.add_argument("--recorded", action="store_true", help="let a chat server answer instead of the rules")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder) / "storage"
        shutil.copytree(FRONTEND / "storage" / choice.base, storage / choice.base)
        offline = replace(load_settings({"provider": "offline", "seed": 1}), fs_storage=storage)
        with minds(offline, recorded=choice.recorded) as (settings, calls):
            return measured(settings, choice, calls)


def measured(settings: Settings, choice: argparse.Namespace, calls: Callable[[], int]) -> int:
    """Run, return to moments and print; return the exit code."""
    spent, without = (seconds(settings, choice, kept=kept) for kept in (None, 0))
    hours = choice.steps * SECONDS_PER_STEP / 3600
    print(f"{choice.steps:,} steps: {spent:.0f} s of processor time, {without:.0f} s without checkpoints:")
    print(f"  {max(0.0, spent - without) / hours:.2f} s a game hour, {calls():,} calls")
    checkpoints, movement = sizes(settings.fs_storage / WHOLE)
    print(f"Checkpoints: {checkpoints:,} bytes, {checkpoints / movement:.1%} of the movement files ({movement:,})")
    chance = random.Random(choice.seed)  # noqa: S311 - any moments will do
    moments = sorted(chance.sample(range(choice.steps), choice.moments))
    return int(asyncio.run(wrong_branches(settings, moments, calls, to_end=choice.to_end)) > 0)


if __name__ == "__main__":
    sys.exit(main())
