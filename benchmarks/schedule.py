"""Time that a run takes against a model, by how its steps are scheduled: a recorded run under a latency model.

`python benchmarks/schedule.py` records a day of three and of twenty-five people by the rules, and prints the seconds
that their calls would take

- one after another, as in the classic engine;
- in lockstep: all think at once, then all talks take place, and nobody begins the next step before;
- out of order by distance, the rule of AI Metropolis (Xie et al., MLSys 2025): a person at step a waits for one at an
  earlier step b that is within sight + (a - b + 1) tiles; who is within sight + 1 tile goes on together;
- out of order by rooms: only for one who can have walked to the person's arena, and into sight, by then;
- by stays: as by rooms, as if it was certain that everybody stays as long as it means to: no rule that knows what they
  have in mind can do better, since what they meet with may change that;
- by true interactions: only for whom it newly perceives in that step, or talks with. No rule can know that before;
- the bounds: the calls of the busiest person, and all calls on as many slots as the server has.

More people are copies of the town side by side, in the hour from 13:00, each seven steps later than the one before.
What is read of the whole town in a step (free chairs, objects in use) is not looked at: by distance and by rooms, the
seconds are those of an engine whose every read is local.
"""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from recorded_schedule import ScheduleRecording, record
from recorded_town import LATER, RecordedTown
from schedule_rules import RULES, lockstep

THREE, ALL = "base_the_ville_isabella_maria_klaus", "base_the_ville_n25"
TOWN = 25
"""People of a town that is copied."""
SIZES, SLOTS = (3, TOWN), (0, 64)
DAY, BUSY, HOUR = 24 * 3600, 13 * 3600, 3600
"""Seconds of game time: the length of a day, when the busy hour begins, and its length."""


@dataclass(frozen=True)
class Scheduled:
    """Seconds of a run, by how it is scheduled."""

    people: int
    hours: float
    """Of game time."""
    calls: int
    slots: int
    """0: any number."""
    one_by_one: float
    lockstep: float
    distance: float
    rooms: float
    stays: float
    true: float
    busiest: float
    floor: float
    """The busiest person, or all calls on these slots, whichever is more."""


def scheduled(town: RecordedTown, slots: int, hours: float) -> Scheduled:
    found = {name: rule(town, slots).seconds() for name, rule in RULES.items()}
    whole = {"one_by_one": town.one_by_one, "busiest": town.busiest, "floor": town.floor(slots)}
    rows = {"people": town.people, "hours": round(hours, 2), "calls": town.calls, "slots": slots}
    seconds = {"lockstep": lockstep(town, slots), **whole, **found}
    return Scheduled(**rows, **{name: round(each, 1) for name, each in seconds.items()})


def schedules(
    sizes: Iterable[int],
    slots: Iterable[int] = SLOTS,
    *,
    seconds: int = DAY,
    seed: int = 1,
    folder: Path | None = None,
) -> list[Scheduled]:
    """Return the seconds for towns of so many people; a day of one town, the busy hour of more.

    Args:
        sizes: people; above 25 multiples of it.
        slots: slots of the server; 0: any number.
        seconds: game time that is recorded.
        seed: that of the day.
        folder: where recordings are kept for the next time; None: nowhere.
    """
    recordings: dict[str, ScheduleRecording] = {}
    rows = []
    for size in sizes:
        base = ALL if size >= TOWN else THREE
        recording = recordings[base] = recordings.get(base) or _recording(base, seconds, seed, folder)
        towns, span = max(1, size // TOWN), range(recording.steps)
        if towns > 1:
            begin, length = BUSY // recording.clock, HOUR // recording.clock
            span = range(begin, min(begin + length, recording.steps - towns * LATER))
        town = RecordedTown([recording] * towns, span)
        rows += [scheduled(town, each, len(span) * recording.clock / 3600) for each in slots]
    return rows


def _recording(base: str, seconds: int, seed: int, folder: Path | None) -> ScheduleRecording:
    kept = folder / f"{base}_{seconds}_{seed}.json.gz" if folder else None
    if kept and kept.exists():
        return ScheduleRecording.read(kept)
    recording = record(base, seconds // 10, seed)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        recording.write(kept)
    return recording


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, nargs="+", default=SIZES, help="3, 25 or a multiple of 25")
    parser.add_argument("--slots", type=int, nargs="+", default=SLOTS, help="of the server; 0: any number")
    parser.add_argument("--hours", type=float, default=24, help="of game time that are recorded")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="of days, one after another")
    parser.add_argument("--keep", type=Path, help="folder in which recordings are kept for the next time")
    choice = parser.parse_args()
    if any(size not in SIZES and (size < TOWN or size % TOWN) for size in choice.people) or choice.hours <= 0:
        parser.error("--people are 3, 25 or a multiple of 25, and --hours more than 0")
    for seed in choice.seeds:
        seconds = round(choice.hours * 3600)
        for row in schedules(choice.people, choice.slots, seconds=seconds, seed=seed, folder=choice.keep):
            print(f"seed {seed}: {row}", flush=True)


if __name__ == "__main__":
    main()
