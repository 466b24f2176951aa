"""Measure what it takes that the minds of a town live in districts, on two Ray nodes of this machine.

`python benchmarks/districts.py` runs twenty-five people by the rules until eight in the morning, and then an hour,
first in one process, then in two and four districts. It prints for each: messages, bytes, processor time of the
engine, of all districts, and of Ray itself, and what a step would take if each district had a processor of its own
("apart"); it ends with exit code 1 if files differ.

For a city, build it and run it until a busy hour, and name that run: `--base ten --begin 0 --steps 360`.
"""

import argparse
import asyncio
import os
import resource
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ray_nodes import RayNodes, new_token

from ville.assembly.run import open_simulation
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.stepping.step import StepReport

ALL = "base_the_ville_n25"
NAMING_ORIGIN = ("meta.json", "branch.json")


@dataclass(frozen=True)
class DistrictsRun:
    """Cost of a stretch of steps. Seconds are those of processors, but for `wall`."""

    title: str
    steps: int
    wall: float
    """From the end of the first step to that of the last one, as are those of the engine."""
    engine: float
    """Of this process."""
    minds: float = 0.0
    """Of all districts, for steps."""
    longest: float = 0.0
    """Of the slowest district of each step."""
    moving: float = 0.0
    """Of all districts and the engine, in the first step and after the last one, when everybody moved in or out."""
    ray: float = 0.0
    """Of all processes of the nodes, without what districts did: of starting Python, and of messages."""
    carried: float = 0.0
    """Megabytes of everybody moving in and out."""
    messages: int = 0
    size: int = 0
    moved: int = 0
    memory: float = 0.0
    """MiB: the peak of this process so far."""
    same: bool = True
    """Whether its files are those of the first run."""

    def line(self) -> str:
        each = 1000 / self.steps
        apart = f"{(self.engine + self.longest) * each:8.2f}"
        return (
            f"{self.title:14}{self.wall * each:9.2f}{self.engine * each:9.2f}{self.minds * each:9.2f}"
            f"{self.longest * each:9.2f}{apart:>9}{self.ray:9.1f}{self.moving:9.2f}{self.carried:9.1f}"
            f"{self.messages / self.steps:9.2f}{self.size / self.steps / 1000:9.2f}{self.moved:9,}{self.memory:9.0f}  "
            f"{'same' if self.same else 'OTHER'} files"
        )


TITLES = ("wall", "engine", "minds", "slowest", "apart", "Ray", "moving", "MB", "messages", "kB", "moved", "MiB")
HEAD = " " * 14 + "".join(f"{title:>9}" for title in TITLES)
UNITS = "ms a step; Ray and moving: s in all; MB moved in and out; messages and kB a step; people who moved to talk"


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a simulation but for those that say when it was saved, and where it comes from."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if path.name not in NAMING_ORIGIN and "/checkpoints/" not in name
    }


def _between(ends: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return what passed from the end of the first step to that of the last one, for as many steps as there are."""
    wall, spent = (last - first for first, last in zip(ends[0], ends[-1], strict=True))
    share = len(ends) / (len(ends) - 1)
    return wall * share, spent * share


def lived(
    settings: Settings, origin: str, name: str, steps: int, *, title: str, nodes: RayNodes | None = None, count: int = 0
) -> DistrictsRun:
    """DistrictsRun a fork, in districts if there are nodes."""
    simulation = open_simulation(settings, origin, name)
    simulation.save()
    ends = list[tuple[float, float]]()

    def note(_report: StepReport) -> None:
        ends.append((time.monotonic(), time.process_time()))

    async def live() -> None:
        await run(simulation, steps, autosave=0, watch=note, stop=StopRequest())

    began = time.process_time()
    if not nodes:
        asyncio.run(live())
        cost = DistrictsRun(title, steps, *_between(ends))
    else:
        from ville.jobs.ray.ray_districts import RayDistricts, slowest  # noqa: PLC0415 - Ray reads its token when it is imported

        with RayDistricts(count, nodes.address) as districts:
            given = {"fs_storage": settings.fs_storage, "seed": settings.seed}
            districts.move_in(simulation, given)
            before, began = nodes.seconds(), time.process_time()
            asyncio.run(live())
            traffic, away = districts.traffic, nodes.seconds() - before
            moving, minds = sum(each.moving for each in traffic), sum(sum(each.steps) for each in traffic)
            cost = DistrictsRun(
                title,
                steps,
                *_between(ends),
                minds=minds,
                longest=slowest(traffic),
                moving=moving + time.process_time() - began - (ends[-1][1] - ends[0][1]),
                ray=away - minds - moving,
                carried=sum(each.carried for each in traffic) / 1e6,
                messages=sum(each.messages for each in traffic),
                size=sum(each.size for each in traffic),
                moved=sum(each.moved for each in traffic),
            )
    simulation.districts = ()
    simulation.save()
    asyncio.run(simulation.close())
    return replace(cost, memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def in_districts(settings: Settings, origin: str, steps: int, count: int, nodes_count: int) -> DistrictsRun:
    """DistrictsRun a fork in so many districts, on a cluster of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with RayNodes(port) as nodes:
        for _ in range(nodes_count):
            nodes.start(processors=-(-count // nodes_count))
        return lived(settings, origin, f"in-{count}", steps, title=f"{count} districts", nodes=nodes, count=count)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default=ALL, help=f"simulation to run on (default: {ALL})")
    parser.add_argument("--begin", type=int, default=2880, help="steps before those that are measured (default: 2880)")
    parser.add_argument("--steps", type=int, default=360, help="steps that are measured (default: 360, an hour)")
    parser.add_argument("--districts", type=int, nargs="*", default=[2, 4], help="how many (default: 2 4)")
    parser.add_argument("--nodes", type=int, default=2, help="Ray nodes (default: 2)")
    choice = parser.parse_args(arguments)
    os.environ.update(new_token())
    own = load_settings()
    with tempfile.TemporaryDirectory() as folder:
        storage = Path(folder) / "storage"
        shutil.copytree(own.fs_storage / choice.base, storage / choice.base)
        settings, origin = replace(own, fs_storage=storage, seed=1), choice.base
        if choice.begin:
            lived(settings, origin, "begun", choice.begin, title="")
            origin = "begun"
        print(f"{HEAD}\n{'':14}{UNITS}", flush=True)
        first = lived(settings, origin, "whole", choice.steps, title="one process")
        wanted = files_of(storage / "whole")
        print(first.line(), flush=True)
        runs = []
        for count in choice.districts:
            cost = in_districts(settings, origin, choice.steps, count, choice.nodes)
            runs.append(replace(cost, same=files_of(storage / f"in-{count}") == wanted))
            print(runs[-1].line(), flush=True)
            shutil.rmtree(storage / f"in-{count}")
    return 0 if all(each.same for each in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
