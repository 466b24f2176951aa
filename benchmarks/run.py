"""Run the project's benchmarks of speed, and write a table and a plot of what they measured on this machine.

`python benchmarks/run.py` takes some minutes, `--all` with towns of up to a thousand people an hour. Each part runs in
a process of its own. Times of the engine are processor time; schedules are computed with a latency model, and need no
server. `benchmarks/results/` has the last results of each part: `speed.md`, `speed.json` and `speed.svg`. With
`--only`, the other parts stay as they are.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import engine
import gateway
import growth
from developer_packages import developer_packages
from recorded_town import Latency
from schedule import ALL, SLOTS, THREE, Scheduled, schedules

from ville.machine import memory, processors

with developer_packages():
    import matplotlib as mpl
    from matplotlib.figure import Figure

Size = Literal["smallest", "usual", "all"]

RESULTS = Path(__file__).resolve().parent / "results"
PUBLISHED = 4.15
"""Times faster than lockstep, at most, as published for AI Metropolis (Xie et al., MLSys 2025)."""
CLASSIC_NIGHT, CLASSIC_DAY = 2000 / 11, 568
"""The classic engine with 25 people: steps per second of processor time at night, at best, and seconds for a day."""
CLASSIC_GROWN = {(3, 1): ("", "classic: 38"), (25, 1): ("classic: 17,407", "classic: 421")}
"""Files and megabytes of the classic engine after a day, by people and days."""
BUSY = 0.5
"""Load of a machine that does other work."""


@dataclass(frozen=True)
class SpeedFigure:
    """A figure of a table."""

    what: str
    value: float
    unit: str
    beside: str = ""
    """Another figure to compare it with."""


@dataclass(frozen=True)
class SpeedPart:
    """Results of one benchmark."""

    title: str
    figures: Sequence[SpeedFigure]
    schedules: Sequence[Scheduled] = ()
    machine: str = ""
    """Where and when it was measured."""


def schedule_part(size: Size) -> SpeedPart:
    """Return the seconds of schedules, in small towns or in all."""
    sizes = {"smallest": (3,), "usual": (3, 25), "all": (3, 25, 100, 500, 1000)}[size]
    rows = schedules(sizes, SLOTS, seconds=360 if size == "smallest" else 24 * 3600)
    latency = Latency()
    title = (
        f"Schedules, with {latency.call} s + {1000 * latency.answer:g} ms per token of the answer + "
        f"{1000 * latency.prompt:g} ms per token of the prompt"
    )
    return SpeedPart(title, (), rows)


def idle_part(size: Size) -> SpeedPart:
    """Return how fast nights pass."""
    base, steps = (THREE, 20) if size == "smallest" else (ALL, engine.AWAKE - engine.ASLEEP)
    beside = f"classic, 25 people: at most {CLASSIC_NIGHT:.0f}"
    figures = []
    for where, in_memory in (("in memory", True), ("on disk", False)):
        cost = engine.idle(base, in_memory=in_memory, steps=steps)
        figures.append(SpeedFigure(f"{cost.people} people asleep, {where}", cost.speed, "steps/s", beside))
    if size == "all":
        cost = engine.idle(ALL, 1000, in_memory=True, steps=200)
        figures.append(SpeedFigure("1,000 people asleep, in memory", cost.microseconds, "µs per person and step"))
    return SpeedPart("Nights, in processor time", figures)


def day_part(size: Size) -> SpeedPart:
    """Return what a day by the rules costs."""
    cost = engine.days(THREE if size == "smallest" else ALL)
    figures = [
        SpeedFigure("all in all", cost.cpu, "s", f"classic, 25 people: {CLASSIC_DAY}"),
        SpeedFigure("without answering and embedding", cost.engine, "s"),
        SpeedFigure("fork and open", cost.load, "s"),
        SpeedFigure("save", cost.save, "s", "classic, 25 people: 11.6"),
        SpeedFigure("peak of memory", cost.memory, "MiB"),
        SpeedFigure("questions", cost.questions, ""),
    ]
    return SpeedPart(f"A day of {cost.people} people by the rules, on disk, in processor time", figures)


def growth_part(size: Size) -> SpeedPart:
    """Return what simulations grow to on disk and in memory after the last two of some days, and how soon they open."""
    bases = {"smallest": [(THREE, 1)], "usual": [(ALL, 2)], "all": [(ALL, 2), (THREE, 10)]}[size]
    last = [grown for base, days in bases for grown in list(growth.days_of(base, days))[-2:]]
    figures = [figure for grown in last for figure in _grown(grown)]
    return SpeedPart("What a simulation by the rules grows to, saved once a day", figures)


def _grown(grown: growth.GrownTown) -> Sequence[SpeedFigure]:
    after = f"{grown.residents} people, {grown.day} {'day' if grown.day == 1 else 'days'}"
    files, disk = CLASSIC_GROWN.get((grown.residents, grown.day), ("", ""))
    return (
        SpeedFigure(f"{after}: files", grown.files, "", files),
        SpeedFigure(f"{after}: on disk", grown.megabytes, "MB", disk),
        SpeedFigure(f"{after}: peak of memory in the last day", grown.peak, "MiB"),
        SpeedFigure(f"{after}: to open it", grown.load, "s of processor time"),
    )


def gateway_part(size: Size) -> SpeedPart:
    """Return what a call costs besides the model."""
    costs = gateway.costs(calls=20 if size == "smallest" else 2000)
    figures = [SpeedFigure(f"{cost.open} open", cost.milliseconds, "ms per call") for cost in costs]
    return SpeedPart("Calls, in processor time between mind and network", figures)


PARTS: Mapping[str, Callable[[Size], SpeedPart]] = {
    "schedule": schedule_part, "idle": idle_part, "day": day_part, "growth": growth_part,
    "gateway": gateway_part,
}  # fmt: skip


def machine() -> str:
    """Return what this machine is, and whether it does other work, in words."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    busy = f"busy with other work (load {load:.1f})" if load > BUSY else "otherwise idle"
    cores = f"{processors()} processor{'s' if processors() > 1 else ''}"
    system = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    return f"{cores}, {memory() / 2**30:.0f} GiB of memory ({system}); {busy} at the beginning"


def measured(name: str, size: Size) -> SpeedPart:
    """Run a benchmark in a fresh process."""
    here = machine()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        part = process.submit(PARTS[name], size).result()
    return replace(part, machine=here)


def read(path: Path) -> dict[str, SpeedPart]:
    """Return the parts of earlier results, without those that had other columns."""
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    columns = {column.name for column in fields(Scheduled)}
    same = {name: part for name, part in kept.items() if all(row.keys() == columns for row in part["schedules"])}
    return {name: _part(values) for name, values in same.items()}


def _part(values: Mapping[str, Any]) -> SpeedPart:
    figures = [SpeedFigure(**each) for each in values["figures"]]
    return SpeedPart(values["title"], figures, [Scheduled(**row) for row in values["schedules"]], values["machine"])


def write(parts: Mapping[str, SpeedPart], folder: Path) -> None:
    """Write the results as JSON, as a table and as a plot."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {name: asdict(parts[name]) for name in PARTS if name in parts}
    (folder / "speed.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
    lines = ["# Speed", "", "Measured by `python benchmarks/run.py`, each part in one run.", ""]
    lines += [line for name in kept for line in _lines(parts[name])]
    (folder / "speed.md").write_text("\n".join(lines).strip() + "\n", "utf-8")
    if "schedule" in parts:
        plot(parts["schedule"].schedules, folder / "speed.svg")


def _lines(part: SpeedPart) -> list[str]:
    """Return a part as Markdown."""
    lines = [f"## {part.title}", "", f"{part.machine[:1].upper()}{part.machine[1:]}.", ""]
    if part.figures:
        lines += ["| | measured | | beside it |", "|---|---:|---|---|"]
        lines += [f"| {each.what} | {each.value:,.4g} | {each.unit} | {each.beside} |" for each in part.figures]
    if part.schedules:
        lines += _schedule_lines(part.schedules)
    return [*lines, ""]


def _schedule_lines(rows: Sequence[Scheduled]) -> list[str]:
    """Return a table of seconds, each with how many times faster it is than lockstep."""
    names = ("one_by_one", "distance", "rooms", "stays", "true", "busiest", "floor")
    head = ("people", "hours", "slots", "calls", "lockstep", *(name.replace("_", " ") for name in names))
    lines = [f"| {' | '.join(head)} |", f"|{'---:|' * len(head)}"]
    for row in rows:
        cells = [f"{row.people:,}", f"{row.hours:g}", str(row.slots or "any"), f"{row.calls:,}", f"{row.lockstep:,.0f}"]
        cells += [f"{getattr(row, name):,.0f} ({times(row, name):.2f} ×)" for name in names]
        lines.append(f"| {' | '.join(cells)} |")
    published = f"In brackets: times faster than lockstep. Published for AI Metropolis: up to {PUBLISHED} ×."
    return [*lines, "", published]


def times(row: Scheduled, name: str) -> float:
    """Return how many times faster than lockstep a schedule is."""
    return row.lockstep / (getattr(row, name) or 1.0) if row.lockstep else 1.0


def plot(rows: Sequence[Scheduled], path: Path) -> None:
    """Draw how many times faster than lockstep schedules are, by the number of people."""
    mpl.rcParams["svg.hashsalt"] = "speed"
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    shown = [row for row in rows if not row.slots]
    for name, label in (("distance", "by distance"), ("rooms", "by rooms"), ("true", "true interactions")):
        axes.plot([row.people for row in shown], [times(row, name) for row in shown], marker="o", label=label)
    axes.axhline(PUBLISHED, color="gray", linestyle="--", label=f"AI Metropolis, at most ({PUBLISHED} ×)")
    axes.set(xscale="log", yscale="log", xlabel="people", ylabel="times faster than lockstep")
    axes.set_xticks([row.people for row in shown], [f"{row.people:,}" for row in shown])
    axes.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--all", dest="size", action="store_const", const="all", help="large towns, too")
    size.add_argument("--smallest", dest="size", action="store_const", const="smallest", help="three people, a moment")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=[*PARTS], help="some of the benchmarks")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    choice = parser.parse_args()
    parts = read(choice.out / "speed.json")
    for name in choice.only:
        parts[name] = measured(name, choice.size or "usual")
        print(*_lines(parts[name]), sep="\n", flush=True)
        write(parts, choice.out)
    print(f"{choice.out / 'speed.md'} is written.", file=sys.stderr)


if __name__ == "__main__":
    main()
