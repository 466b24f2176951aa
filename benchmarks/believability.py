"""Measure how believable a town was, from the files of saved simulations.

`python benchmarks/believability.py two_days other_days` prints one column for each simulation. `--details` adds, for
each, how news spread hour by hour, who came to the party and who did not, who talked to whom, and how alike the days
were. What the paper itself counted stands in `reverie/measure.py`. Nothing is run and nothing is written.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import combinations, groupby, pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from ville.analysis.measures import SAMPLE_INTERVAL, SavedRun, density, hearings, talks, turnout
from ville.analysis.meetings import accepted, introductions
from ville.analysis.paper_measures import CANDIDACY, PARTY, VALENTINES_PARTY
from ville.errors import ReverieError
from ville.settings import load_settings
from ville.storage.dates import parse_node_time
from ville.storage.files import read_object
from ville.storage.folder.storage import find

ROOT = Path(__file__).resolve().parents[1]

OVERHEARD = "conversing about"
SENTENCE = 5
"""Words from which on a sentence counts as one."""
ASLEEP = "sleeping"


@dataclass(frozen=True)
class MovementRecord:
    """One activity of a persona: `the activity (the step) @ the address`."""

    doing: str
    step: str
    address: str

    @classmethod
    def of(cls, description: str) -> "MovementRecord":
        doing, _, address = description.rpartition(" @ ")
        activity, _, step = doing.partition(" (")
        return cls(activity, step.rstrip(")"), address)


class Saved(SavedRun):
    """A saved simulation with its days."""

    @cached_property
    def days(self) -> dict[str, dict[datetime, MovementRecord]]:
        """Return the record of each persona at every glance."""
        found: dict[str, dict[datetime, MovementRecord]] = {name: {} for name in self.people}
        for look in range(int((self.ends - self.begins) / SAMPLE_INTERVAL)):
            now = self.begins + look * SAMPLE_INTERVAL
            for name, description in self.doings(now).items():
                found[name][now] = MovementRecord.of(description)
        return found

    @cached_property
    def chats(self) -> dict[str, list[dict[str, Any]]]:
        """The talks that each persona remembers."""
        return {name: [node for node in nodes if node["type"] == "chat"] for name, nodes in self.memories.items()}

    @cached_property
    def remarks(self) -> list[tuple[datetime, str, str]]:
        """Everything said once: when, by whom, what."""
        found = {
            (parse_node_time(node["created"]), speaker, words)
            for nodes in self.chats.values() for node in nodes for speaker, words in node["filling"]
        }  # fmt: skip
        return sorted(found)

    @cached_property
    def scratches(self) -> dict[str, dict[str, Any]]:
        folder = self._folder.root / "personas"
        return {name: read_object(folder / name / "bootstrap_memory" / "scratch.json") for name in self.people}

    @cached_property
    def insights(self) -> list[str]:
        """Return the conclusions of reflections, with the names left out."""
        names = sorted({part for name in self.people for part in (name, name.split()[0])}, key=len, reverse=True)
        told = (
            node["description"] for nodes in self.memories.values() for node in nodes if _is_insight(node)
        )  # fmt: skip
        return [re.sub("|".join(names), "X", text) for text in told]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulations", nargs="+", help="names in the storage folder")
    parser.add_argument("--details", action="store_true", help="also print what stands behind the figures")
    choice = parser.parse_args()
    try:
        saved = [Saved(find(load_settings().fs_storage, name)) for name in choice.simulations]
        print(*table(saved), sep="\n")
        for one in saved if choice.details else ():
            for title, lines in (
                ("News", news(one)), ("Party", party(one)), ("Talks", spoken(one)), ("Memory", memory(one)),
                ("Days", days(one)), ("Everybody", everybody(one)),
            ):  # fmt: skip
                print(f"\n{one.name}: {title}", *lines, sep="\n  ")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def table(saved: list[Saved]) -> Iterator[str]:
    """One line for each measure, one column for each simulation, and the mean of all."""
    yield f"{'':<52}" + "".join(f"{one.name[:11]:>12}" for one in saved) + f"{'mean':>12}"
    for title, measure in MEASURES.items():
        found = [measure(one) for one in saved]
        known = [value for value in found if value is not None]
        cells = [*found, mean(known) if known else None]
        yield f"{title:<52}" + "".join(f"{'-' if cell is None else f'{cell:,.3g}':>12}" for cell in cells)


def average(values: Iterable[float]) -> float | None:
    """Return the mean; None of nothing."""
    found = list(values)
    return mean(found) if found else None


PREPARES = re.compile(
    r"\b(?:(?<!admiring the )decorat\w+|garland|paper hearts|balloons?|(?:collect|gather)\w+ .*suppl"
    r"|what the party still)"
)
STILL_PREPARES = re.compile(r"(?:collect|gather)\w+ (?:decorations|supplies)")
INVITES = re.compile(
    r"party.*\b(?:[Ww]ill you (?:come|go|be there)|Are you (?:going|coming)|Can you come|you to come)\b"
)
EXCUSE = re.compile(
    r"(?i)\bsorry|didn't come|did not come|never came|missed (?:the|your)|instead of (?:the|your)|stayed away"
)


def out_of_doors(saved: Saved) -> float | None:
    """Share of waking time spent outside the own home."""
    homes = {name: scratch["living_area"].split(":")[1] for name, scratch in saved.scratches.items()}
    away = [
        homes[name] not in sight.address
        for name, day in saved.days.items() for sight in day.values() if ASLEEP not in sight.doing
    ]  # fmt: skip
    return average(away)


def themes(saved: Saved) -> list[float]:
    """For each persona, the share of its talks that were about its most frequent theme."""
    shares = []
    for nodes in saved.chats.values():
        counted: Counter[str] = Counter()
        for node in nodes:
            parts = node["description"].removeprefix(f"{OVERHEARD} ").split(" and ")
            counted.update({_theme(part) for part in parts})
        shares.append(max(counted.values(), default=0) / max(1, len(nodes)))
    return shares


def _theme(part: str) -> str:
    if re.search(r"mayor|election|candidacy", part):
        return "the election"
    return "the party" if "party" in part or "Valentine" in part else part.strip()


def repeated(saved: Saved) -> float:
    """Share of sentences of five words or more that were said before."""
    parts = (part for _, _, words in saved.remarks for part in re.split(r"(?<=[.!?]) ", words))
    said = [part for part in parts if len(part.split()) >= SENTENCE]
    return 1 - len(set(said)) / max(1, len(said))


def blocks(saved: Saved) -> list[tuple[int, int]]:
    """Start and length in minutes of the blocks of the last day's plans, sleep apart."""
    found = []
    for scratch in saved.scratches.values():
        start = 0
        for what, minutes in scratch["f_daily_schedule_hourly_org"]:
            found += [(start, minutes)] if "sleep" not in what else []
            start += minutes
    return found


def too_late(saved: Saved) -> int:
    """Preparations seen, and invitations spoken, once the party has begun."""
    sights = sum(
        at >= VALENTINES_PARTY.begins and PREPARES.search(f"{sight.doing} {sight.step}") is not None
        for day in saved.days.values() for at, sight in day.items() if not sight.doing.startswith(OVERHEARD)
    )  # fmt: skip
    later = [words for at, _, words in saved.remarks if at >= VALENTINES_PARTY.begins]
    return sights + sum(bool(INVITES.search(words) or STILL_PREPARES.search(words)) for words in later)


def excused(saved: Saved) -> int:
    """How many who had accepted and did not come say so afterwards."""
    there = turnout(saved, VALENTINES_PARTY)
    missing = accepted(saved, VALENTINES_PARTY) - (there.there if there else frozenset())
    return len({
        who for at, who, words in saved.remarks
        if who in missing and at > VALENTINES_PARTY.begins and EXCUSE.search(words)
    })  # fmt: skip


def kept(saved: Saved) -> int:
    there = turnout(saved, VALENTINES_PARTY)
    return len(accepted(saved, VALENTINES_PARTY) & (there.there if there else frozenset()))


def per_day(saved: Saved, part: Callable[[MovementRecord], str]) -> float | None:
    """How many different things a persona does a day."""
    return average(
        len({part(sight) for at, sight in day.items() if at.date() == date})
        for day in saved.days.values() for date in {at.date() for at in day}
    )  # fmt: skip


def difference_of_days(saved: Saved) -> float | None:
    """Return the edit distance of what a persona does on two days in a row, as a share of the longer day."""
    found = []
    for day in saved.days.values():
        dates = sorted({at.date() for at in day})
        done = [
            [what for what, _ in groupby(day[at].doing for at in sorted(day) if at.date() == date)] for date in dates
        ]
        found += [edit_distance(one, other) / max(len(one), len(other)) for one, other in pairwise(done)]
    return average(found)


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many insertions, deletions and replacements turn one into the other (Levenshtein 1966)."""
    row = list(range(len(other) + 1))
    for count, each in enumerate(one, 1):
        before, row[0] = row[0], count
        for place, that in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (each != that))
    return row[-1]


def came(saved: Saved, *, knew: bool) -> int | None:
    found = turnout(saved, VALENTINES_PARTY)
    return None if found is None else len(found.there & found.invited if knew else found.there - found.invited)


def most_common(values: Iterable[str]) -> float:
    counted = Counter(values)
    return max(counted.values(), default=0) / max(1, counted.total())


MEASURES: dict[str, Callable[[Saved], float | None]] = {
    "know of the party": lambda saved: len(hearings(saved, PARTY)),
    "know of the candidacy": lambda saved: len(hearings(saved, CANDIDACY)),
    "  of these, from a third person": lambda saved: sum(
        hearing.teller not in {"", "Sam Moore"} for hearing in hearings(saved, CANDIDACY)
    ),
    "guests who knew of the party": lambda saved: came(saved, knew=True),
    "there by chance": lambda saved: came(saved, knew=False),
    "said yes to the party": lambda saved: len(accepted(saved, VALENTINES_PARTY)),
    "  and came": kept,
    "  did not, and said so": excused,
    "preparations and invitations after it began": too_late,
    "introductions between acquaintances": lambda saved: sum(each.contradicts for each in introductions(saved)),
    "talks": lambda saved: talks(saved).total(),
    "pairs who talked": lambda saved: len(talks(saved)),
    "density": lambda saved: density(saved, talks(saved)),
    "fewest talks of a persona": lambda saved: min(len(nodes) for nodes in saved.chats.values()),
    "utterances in a talk": lambda saved: average(
        len(node["filling"]) for nodes in saved.chats.values() for node in nodes
    ),
    "share of sentences said before": repeated,
    "share of talks on one theme, mean": lambda saved: average(themes(saved)),
    "share of talks on one theme, highest": lambda saved: max(themes(saved)),
    "activities of a persona a day": lambda saved: per_day(saved, lambda sight: sight.doing),
    "steps of a persona a day": lambda saved: per_day(saved, lambda sight: sight.step),
    "edit distance between days": difference_of_days,
    "waking time away from home": out_of_doors,
    "minutes of a block": lambda saved: average(length for _, length in blocks(saved)),
    "share of blocks that begin off the hour": lambda saved: average(start % 60 > 0 for start, _ in blocks(saved)),
    "insights": lambda saved: len(saved.insights),
    "different insights, names left out": lambda saved: len(set(saved.insights)),
    "share of the most frequent insight": lambda saved: most_common(saved.insights),
}


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
    if (found := turnout(saved, VALENTINES_PARTY)) is None:
        yield "not yet"
        return
    yield f"guests: {_listed(found.there & found.invited)}"
    yield f"there by chance: {_listed(found.there - found.invited)}"
    at_six = VALENTINES_PARTY.begins + timedelta(hours=1)
    elsewhere = Counter(saved.days[name][at_six].doing for name in sorted(found.invited - found.there))
    yield f"elsewhere at six: {', '.join(f'{doing} ({count})' for doing, count in elsewhere.most_common())}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


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
            f"{name:<20}{sum(sight.doing == ASLEEP for sight in seen) * SAMPLE_INTERVAL / timedelta(hours=1):>7.1f}h"
            f"{len({sight.doing for sight in seen}):>12}{len({sight.step for sight in seen}):>8}"
            f"{len({sight.address for sight in seen}):>8}{nodes['thought']:>10}{nodes['chat']:>7}"
        )


if __name__ == "__main__":
    sys.exit(main())
