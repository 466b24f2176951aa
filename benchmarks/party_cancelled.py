"""Cancel the party on its eve, and see who hears of it and who comes nevertheless.

`python benchmarks/party_cancelled.py --seeds 5` runs a day of twenty-five people by the offline rules for each seed,
then two branches from 20:00 until the party is over: one untouched, one in which Isabella is told that it is cancelled.
Prints a line a measure, and the mean difference with its 95% interval (over seeds, which are paired).
`--picture FILE` draws who knows what, and when. Takes some minutes a seed; everything happens in a temporary folder.
"""

import argparse
import asyncio
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import fmean

from ville.analysis.measures import NewsTopic, SavedRun, hearings, turnout
from ville.analysis.paper_measures import PARTY, VALENTINES_PARTY
from ville.analysis.run_statistics import estimated_mean
from ville.assembly.run import open_at
from ville.settings import Settings, load_settings
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.kinds.whisper import Whisper
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.talks.whispers import history_id, load_history

BASE, HISTORY = "base_the_ville_n25", "the_ville/agent_history_init_n25.csv"
HOSTESS, WORDS = "Isabella Rodriguez", "The party at Hobbs Cafe is cancelled"
CANCELLED = NewsTopic("the cancellation", re.compile(r"\bcancelled\b"), HOSTESS)
EVE, END = 20 * 360, 44 * 360
"""Steps: 20:00, and the same time on the next day, when the party is over."""
BEGIN = datetime(2023, 2, 13)  # noqa: DTZ001 - game time has no zone


@dataclass(frozen=True)
class Future:
    """Result of one branch."""

    party: tuple[datetime, ...]
    """When each person first knew of the party."""
    cancelled: tuple[datetime, ...]
    """When each person first knew that it is cancelled."""
    came: int

    @classmethod
    def of(cls, saved: SavedRun) -> "Future":
        found = turnout(saved, VALENTINES_PARTY)
        party, cancelled = (tuple(each.when for each in hearings(saved, news)) for news in (PARTY, CANCELLED))
        return cls(party, cancelled, len(found.there) if found else 0)


async def branch(settings: Settings, name: str, steps: int, words: str = "") -> Future:
    """Take another way from the eve on."""
    simulation = await open_at(settings, f"day@{EVE}", name)
    if words:
        await simulation.intervene(Whisper(who=HOSTESS, words=words), source=Source(door="api"))
    await run(simulation, steps, autosave=0, watch=lambda _: None, stop=StopRequest())
    simulation.save()
    found = Future.of(SavedRun(simulation.folder))
    await simulation.close()
    return found


async def futures(settings: Settings, steps: int) -> tuple[Future, Future]:
    """Return the untouched future, and the one without a party."""
    day = await open_at(settings, BASE, "day")
    history = settings.assets / HISTORY
    await load_history(day, history, Source(door="file", id=history_id(history)))
    await run(day, EVE, autosave=0, watch=lambda _: None, stop=StopRequest())
    day.save()
    await day.close()
    return await branch(settings, "untouched", steps), await branch(settings, "cancelled", steps, WORDS)


def of_seed(steps: int, seed: int) -> tuple[Future, Future]:
    with tempfile.TemporaryDirectory() as storage:
        shutil.copytree(load_settings().fs_storage / BASE, Path(storage) / BASE)
        environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing"}
        settings = replace(load_settings(environment=environment), fs_storage=Path(storage), seed=seed, fsync=False)
        return asyncio.run(futures(settings, steps))


def report(pairs: Sequence[tuple[Future, Future]]) -> Iterator[str]:
    """Yield a table: untouched and cancelled, by seed, and what the difference is on average."""
    measures = {
        "know of the party": [(len(one.party), len(other.party)) for one, other in pairs],
        "know that it is cancelled": [(len(one.cancelled), len(other.cancelled)) for one, other in pairs],
        "come to the cafe": [(one.came, other.came) for one, other in pairs],
    }
    for what, values in measures.items():
        apart = estimated_mean([float(other - one) for one, other in values])
        between = "" if apart.low is None else f" [{apart.low:+.1f}, {apart.high:+.1f}]"
        sides = ", ".join(f"{one} → {other}" for one, other in values)
        yield f"{what:<26} {sides:<48} {apart.mean:+.1f}{between}"


WIDTH, HEIGHT, EDGE = 640, 300, 44
LINES = {"untouched": "#2d6a4f", "cancelled": "#9c3b24"}


def picture(pairs: Sequence[tuple[Future, Future]]) -> str:
    """Return an SVG: of both branches, how many know of the party, and how many that it is cancelled, mean of seeds."""
    curves = [
        ("untouched", "", "know of the party", [one.party for one, _ in pairs]),
        ("cancelled", "", "know of the party", [other.party for _, other in pairs]),
        ("cancelled", "5 4", "know that it is cancelled", [other.cancelled for _, other in pairs]),
    ]
    most = max(len(times) for *_, runs in curves for times in runs)
    parts = [_axes(most)]
    for place, (side, dashes, what, runs) in enumerate(curves):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in _points(runs, most))
        stroke = f'fill="none" stroke="{LINES[side]}" stroke-width="2" stroke-dasharray="{dashes}"'
        key = EDGE + 14 + 18 * place
        parts.append(f'<polyline points="{points}" {stroke}/>')
        parts.append(f'<line x1="{EDGE + 10}" y1="{key - 4}" x2="{EDGE + 40}" y2="{key - 4}" {stroke}/>')
        parts.append(f'<text x="{EDGE + 48}" y="{key}">{side}: {what}</text>')
    style = "<style>text{font:12px sans-serif;fill:#2b2233}</style>"
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{style}{"".join(parts)}</svg>\n'


def _axes(most: int) -> str:
    """Return the frame, the hours, the eve and the party."""
    hours = "".join(
        f'<text x="{_x(BEGIN + timedelta(hours=hour)):.1f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle">'
        f"{(BEGIN + timedelta(hours=hour)):%H:%M}</text>"
        for hour in range(8, 44, 6)
    )
    people = "".join(
        f'<text x="{EDGE - 8}" y="{_y(count, most) + 4:.1f}" text-anchor="end">{count}</text>'
        for count in range(0, most + 1, 5)
    )
    eve, begins, ends = _x(BEGIN + timedelta(hours=20)), _x(VALENTINES_PARTY.begins), _x(VALENTINES_PARTY.ends)
    top, low = EDGE - 16, HEIGHT - EDGE
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffaf0"/>'
        f'<rect x="{begins:.1f}" y="{top}" width="{ends - begins:.1f}" height="{low - top}" fill="#f8e2b8"/>'
        f'<line x1="{eve:.1f}" y1="{top}" x2="{eve:.1f}" y2="{low}" stroke="#777" stroke-dasharray="2 3"/>'
        f'<text x="{eve:.1f}" y="{top - 6}" text-anchor="middle">branch</text>'
        f'<text x="{(begins + ends) / 2:.1f}" y="{top - 6}" text-anchor="middle">party</text>'
        f'<path d="M{EDGE} {top}V{low}H{WIDTH - 12}" fill="none" stroke="#777"/>{hours}{people}'
    )


def _points(runs: Sequence[Sequence[datetime]], most: int) -> Iterator[tuple[float, float]]:
    """Yield the mean number of people who know, every ten minutes."""
    for minutes in range(0, END // 6 + 1, 10):
        moment = BEGIN + timedelta(minutes=minutes)
        yield _x(moment), _y(fmean(sum(when <= moment for when in times) for times in runs), most)


def _x(moment: datetime) -> float:
    return EDGE + (WIDTH - EDGE - 12) * ((moment - BEGIN) / timedelta(seconds=10 * END))


def _y(count: float, most: int) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE + 16) * count / most


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="how many seeds to try")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="where to draw the curves, as SVG")
    parser.add_argument("--steps", type=int, default=END - EVE, help="how far the futures go")
    choice = parser.parse_args(arguments)
    with ProcessPoolExecutor() as pool:
        pairs = list(pool.map(partial(of_seed, choice.steps), range(1, choice.seeds + 1)))
    print("by seed, untouched → cancelled; mean difference with its 95% interval")
    for line in report(pairs):
        print(line)
    if choice.picture:
        choice.picture.write_text(picture(pairs), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
