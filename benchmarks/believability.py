"""How believable a town was: counted from the files of a saved simulation, whoever answered its questions.

`python benchmarks/believability.py two_days` prints how news spread hour by hour, what those did who did not come to
the party, who talked to whom, how much was thought, and how alike the days were. What the paper itself counted stands
in `reverie/measure.py`. Nothing is run and nothing is written.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from ville.analysis.measures import GLANCE, Record, density, hearings, talks, turnout
from ville.cli.measure import AT_THE_CAFE, CANDIDACY, PARTY
from ville.errors import ReverieError
from ville.settings import load_settings
from ville.storage.storage import find

HOUSE = Path(__file__).resolve().parents[1]

OVERHEARD = "conversing about"
ASLEEP = "sleeping"


@dataclass(frozen=True)
class Sighting:
    """What somebody did at a moment: `the activity (the step) @ the address`."""

    doing: str
    step: str
    address: str

    @classmethod
    def of(cls, description: str) -> "Sighting":
        doing, _, address = description.rpartition(" @ ")
        activity, _, step = doing.partition(" (")
        return cls(activity, step.rstrip(")"), address)


class Saved(Record):
    """A saved simulation with its days."""

    @cached_property
    def days(self) -> dict[str, dict[datetime, Sighting]]:
        """What everybody did, at every glance."""
        found: dict[str, dict[datetime, Sighting]] = {name: {} for name in self.people}
        for look in range(int((self.ends - self.begins) / GLANCE)):
            now = self.begins + look * GLANCE
            for name, description in self.doings(now).items():
                found[name][now] = Sighting.of(description)
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulation", help="its name in the storage folder")
    name = parser.parse_args().simulation
    try:
        saved = Saved(find(load_settings().fs_storage, name))
        for title, lines in (
            ("News", news(saved)), ("Party", party(saved)), ("Talks", spoken(saved)), ("Memory", memory(saved)),
            ("Days", days(saved)), ("Everybody", everybody(saved)),
        ):  # fmt: skip
            print(f"\n{title}", *lines, sep="\n  ")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def news(saved: Saved) -> Iterable[str]:
    """How many knew, every six hours."""
    hours = range(6, int((saved.ends - saved.begins) / timedelta(hours=1)) + 1, 6)
    yield f"{'known by':<16}" + "".join(f"{saved.begins + timedelta(hours=hour):%d. %Hh}".rjust(9) for hour in hours)
    for what in (PARTY, CANDIDACY):
        known = [hearing.when for hearing in hearings(saved, what)]
        counts = [sum(when < saved.begins + timedelta(hours=hour) for when in known) for hour in hours]
        yield f"{what.name:<16}" + "".join(f"{count:>9}" for count in counts)


def party(saved: Saved) -> Iterable[str]:
    """Who was there, and what those did instead who had heard of it."""
    if (found := turnout(saved, AT_THE_CAFE)) is None:
        yield "not yet"
        return
    yield f"guests: {_listed(found.there & found.invited)}"
    yield f"there by chance: {_listed(found.there - found.invited)}"
    at_six = AT_THE_CAFE.begins + timedelta(hours=1)
    elsewhere = Counter(saved.days[name][at_six].doing for name in sorted(found.invited - found.there))
    yield f"elsewhere at six: {', '.join(f'{doing} ({count})' for doing, count in elsewhere.most_common())}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nobody"


def spoken(saved: Saved) -> Iterable[str]:
    """Conversations, pairs, lengths."""
    pairs = talks(saved)
    told = [
        [line for _, line in node["filling"]]
        for nodes in saved.memories.values() for node in nodes if node["type"] == "chat"
    ]  # fmt: skip
    lines = [line for talk in told for line in talk]
    yield f"{pairs.total()} conversations between {len(pairs)} pairs, {density(saved, pairs) or 0:.3f} of all"
    yield f"{mean(map(len, told or [[]])):.1f} utterances each"
    yield f"{len(set(lines)) / max(1, len(lines)) * 2:.0%} of the utterances are said only once"
    yield "most often: " + "; ".join(f"{' and '.join(sorted(pair))} {count}" for pair, count in pairs.most_common(5))
    yield f"with one person at most talked: {_listed(name for name in saved.people if _alone(name, pairs))}"


def _alone(name: str, pairs: Iterable[frozenset[str]]) -> bool:
    return sum(name in pair for pair in pairs) <= 1


def memory(saved: Saved) -> Iterable[str]:
    """Nodes a head, and how poignant they were."""
    for kind in ("event", "thought", "chat"):
        counts = [sum(node["type"] == kind for node in saved.memories[name]) for name in saved.people]
        yield f"{kind + 's a head':<18}{mean(counts):>8.0f}   from {min(counts)} to {max(counts)}"
    weights = Counter(node["poignancy"] for nodes in saved.memories.values() for node in nodes)
    total = max(1, weights.total())
    yield "poignancy         " + "  ".join(f"{weight}: {weights[weight] / total:.1%}" for weight in range(1, 11))
    reflections = [len({node["created"] for node in nodes if _is_insight(node)}) for nodes in saved.memories.values()]
    yield f"reflections a head {mean(reflections):>7.1f}   from {min(reflections)} to {max(reflections)}"


def _is_insight(node: dict[str, Any]) -> bool:
    return node["type"] == "thought" and bool(node["filling"]) and node["depth"] > 1


def days(saved: Saved) -> Iterable[str]:
    """How alike two days are: the share of waking time at which the same is done."""
    dates = sorted({at.date() for at in next(iter(saved.days.values()))})
    for day in dates:
        people = {name: _waking(saved, name, day) for name in saved.people}
        alike = {f"{one} and {other}": _alike(people[one], people[other]) for one, other in combinations(people, 2)}
        yield f"{day:%d. %b}: two people's days are {_summary(alike)}"
    for first, second in pairwise(dates):
        same = {name: _alike(_waking(saved, name, first), _waking(saved, name, second)) for name in saved.people}
        yield f"{first:%d.} and {second:%d. %b} of one person are {_summary(same)}"


def _summary(alike: dict[str, float]) -> str:
    who = max(alike, key=lambda name: alike[name], default="")
    return f"{mean(alike.values() or [0.0]):.0%} alike; most of all {who}: {alike.get(who, 0.0):.0%}"


def _waking(saved: Saved, name: str, day: object) -> dict[str, str]:
    """Clock time → activity, without the steps, the talks and the night."""
    return {
        f"{at:%H:%M}": sight.doing for at, sight in saved.days[name].items()
        if at.date() == day and sight.doing != ASLEEP and not sight.doing.startswith(OVERHEARD)
    }  # fmt: skip


def _alike(one: dict[str, str], other: dict[str, str]) -> float:
    both = one.keys() & other.keys()
    return mean(one[at] == other[at] for at in both) if both else 0.0


def everybody(saved: Saved) -> Iterable[str]:
    """A line for each: hours asleep, activities, thoughts, talks."""
    yield f"{'':<20}{'asleep':>8}{'activities':>12}{'steps':>8}{'places':>8}{'thoughts':>10}{'talks':>7}"
    for name in saved.people:
        seen = list(saved.days[name].values())
        nodes = Counter(node["type"] for node in saved.memories[name])
        yield (
            f"{name:<20}{sum(sight.doing == ASLEEP for sight in seen) * GLANCE / timedelta(hours=1):>7.1f}h"
            f"{len({sight.doing for sight in seen}):>12}{len({sight.step for sight in seen}):>8}"
            f"{len({sight.address for sight in seen}):>8}{nodes['thought']:>10}{nodes['chat']:>7}"
        )


if __name__ == "__main__":
    sys.exit(main())
