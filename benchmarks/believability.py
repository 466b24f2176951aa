"""How believable a town was: counted from the files of a saved simulation, whoever answered its questions.

`python benchmarks/believability.py two_days` prints how news spread, who came to the party, who talked to whom, how
much was thought, and how alike the days were; beside it stands what the paper reports (Park et al. 2023, §7). Nothing
is run and nothing is written.
"""

import argparse
import json
import re
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

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE / "reverie" / "backend_server"))

from settings import load_settings  # noqa: E402 - it is found only now

NEWS = {
    "the party": (r"\bparty\b", "Isabella Rodriguez", "12 of 25"),
    "the candidacy": (r"\bSam\b.*\bmayor\b|\bmayor\b.*\bSam\b|\bI'm running for mayor", "Sam Moore", "8 of 25"),
}
"""What may spread → its signs, whose news it is, and how many knew of it after two days in the paper."""
PARTY = (datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19), "Hobbs Cafe")  # noqa: DTZ001 - game time has no zone
OVERHEARD = "conversing about"
MINUTE = timedelta(minutes=1)
SLICE = 10
"""Minutes between two looks at what people do."""
ASLEEP = "sleeping"


@dataclass(frozen=True)
class Sighting:
    """What somebody did at a moment: `the activity (the step) @ the address`."""

    doing: str
    step: str
    address: str

    @classmethod
    def of(cls, description: str) -> "Sighting":
        doing, _, address = description.partition(" @ ")
        activity, _, step = doing.partition(" (")
        return cls(activity, step.rstrip(")"), address)


@dataclass(frozen=True)
class Saved:
    """A saved simulation."""

    folder: Path

    @cached_property
    def meta(self) -> dict[str, Any]:
        return json.loads((self.folder / "reverie" / "meta.json").read_text("utf-8"))  # type: ignore[no-any-return]

    @property
    def names(self) -> list[str]:
        return list(self.meta["persona_names"])

    @cached_property
    def begins(self) -> datetime:
        return datetime.strptime(self.meta["start_date"], "%B %d, %Y")  # noqa: DTZ007

    @cached_property
    def memories(self) -> dict[str, list[dict[str, Any]]]:
        """Everybody's memory stream, the oldest node first."""
        return {name: self._nodes(name) for name in self.names}

    def _nodes(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / "personas" / name / "bootstrap_memory" / "associative_memory" / "nodes.json"
        nodes = json.loads(path.read_text("utf-8"))
        return sorted(nodes.values(), key=lambda node: node["node_count"])

    @cached_property
    def days(self) -> dict[str, dict[datetime, Sighting]]:
        """What everybody did, looked at every ten minutes."""
        found: dict[str, dict[datetime, Sighting]] = {name: {} for name in self.names}
        every = SLICE * 60 // self.meta["sec_per_step"]
        for step in range(0, self.meta["step"], every):
            now = self.begins + timedelta(seconds=step * self.meta["sec_per_step"])
            moves = json.loads((self.folder / "movement" / f"{step}.json").read_text("utf-8"))["persona"]
            for name, move in moves.items():
                found[name][now] = Sighting.of(move["description"])
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulation", help="its name in the storage folder")
    saved = Saved(load_settings().fs_storage / parser.parse_args().simulation)
    for title, lines in (
        ("News", news(saved)), ("Party", party(saved)), ("Talks", talks(saved)), ("Memory", memory(saved)),
        ("Days", days(saved)), ("Everybody", everybody(saved)),
    ):  # fmt: skip
        print(f"\n{title}", *lines, sep="\n  ")


def news(saved: Saved) -> Iterable[str]:
    """How many knew, every six hours."""
    hours = range(6, int((_ends(saved) - saved.begins) / timedelta(hours=1)) + 1, 6)
    yield f"{'known by':<16}" + "".join(f"{saved.begins + timedelta(hours=hour):%d. %Hh}".rjust(9) for hour in hours)
    for what, (signs, source, paper) in NEWS.items():
        learned = {name: moment for name in saved.names if (moment := _learned(saved, name, signs, source))}
        counts = [sum(at < saved.begins + timedelta(hours=hour) for at in learned.values()) for hour in hours]
        yield f"{what:<16}" + "".join(f"{count:>9}" for count in counts) + f"     (paper: {paper})"


def _ends(saved: Saved) -> datetime:
    return saved.begins + timedelta(seconds=saved.meta["step"] * saved.meta["sec_per_step"])


def _learned(saved: Saved, name: str, signs: str, source: str) -> datetime | None:
    """When somebody first took part in talk or thought of it; what was merely overheard does not count."""
    for node in saved.memories[name]:
        said = " ".join(line for _, line in node["filling"]) if node["type"] == "chat" else ""
        if node["type"] != "event" and OVERHEARD not in node["description"]:
            said += f" {node['description']}"
        if re.search(signs, said) and (name == source or source.split(maxsplit=1)[0] in f"{said} {_partner(node)}"):
            return datetime.fromisoformat(node["created"])
    return None


def _partner(node: dict[str, Any]) -> str:
    return str(node["object"]) if node["type"] == "chat" else ""


def party(saved: Saved) -> Iterable[str]:
    """Who was there, and what those did instead who had said yes or no."""
    begins, ends, place = PARTY
    if _ends(saved) < ends:
        yield "not yet"
        return
    there = _present(saved, begins, ends, place)
    signs, source, _ = NEWS["the party"]
    knew = [name for name in saved.names if (at := _learned(saved, name, signs, source)) and at < begins]
    guests = [name for name in there if name in knew]
    yield f"{len(knew)} knew, {len(guests)} of them were in {place} between five and seven (paper: 5 of 12)"
    yield f"guests: {', '.join(guests) or 'nobody'}"
    yield f"there by chance: {', '.join(name for name in there if name not in knew) or 'nobody'}"
    elsewhere = Counter(saved.days[name][begins + timedelta(hours=1)].doing for name in knew if name not in there)
    yield f"elsewhere at six: {', '.join(f'{doing} ({count})' for doing, count in elsewhere.most_common())}"


def _present(saved: Saved, begins: datetime, ends: datetime, place: str) -> list[str]:
    """Who spent at least twenty minutes at a place."""
    looks = {name: [seen for at, seen in saved.days[name].items() if begins <= at < ends] for name in saved.names}
    return [name for name, seen in looks.items() if sum(place in sight.address for sight in seen) >= 20 // SLICE]


def talks(saved: Saved) -> Iterable[str]:
    """Conversations, pairs, lengths."""
    chats = [
        (name, node["object"], node["filling"])
        for name in saved.names for node in saved.memories[name] if node["type"] == "chat"
    ]  # fmt: skip
    pairs = Counter(frozenset((one, other)) for one, other, _ in chats)
    told = [line for _, _, filling in chats for _, line in filling]
    yield f"{len(chats) // 2} conversations between {len(pairs)} pairs, network density {_density(saved, pairs):.3f}"
    yield f"{mean(len(filling) for _, _, filling in chats or [((), (), ())]):.1f} utterances each"
    yield f"{len(set(told)) / max(1, len(told)) * 2:.0%} of the utterances are said only once"
    yield "most often: " + "; ".join(
        f"{' and '.join(sorted(pair))} {count // 2}" for pair, count in pairs.most_common(5)
    )
    alone = [name for name in saved.names if sum(name in pair for pair in pairs) <= 1]
    yield f"with one person at most talked: {', '.join(alone) or 'nobody'}"


def _density(saved: Saved, pairs: Counter[frozenset[str]]) -> float:
    """Share of all pairs who have talked. (paper §7.1.2 counts acquaintance: from 0.167 to 0.74)"""
    possible = len(saved.names) * (len(saved.names) - 1) / 2
    return len(pairs) / possible if possible else 0.0


def memory(saved: Saved) -> Iterable[str]:
    """Nodes a head, and how poignant they were."""
    for kind in ("event", "thought", "chat"):
        counts = [sum(node["type"] == kind for node in saved.memories[name]) for name in saved.names]
        yield f"{kind + 's a head':<18}{mean(counts):>8.0f}   from {min(counts)} to {max(counts)}"
    weights = Counter(node["poignancy"] for nodes in saved.memories.values() for node in nodes)
    total = weights.total()
    yield "poignancy         " + "  ".join(f"{weight}: {weights[weight] / total:.1%}" for weight in range(1, 11))
    reflections = [len({node["created"] for node in nodes if _is_insight(node)}) for nodes in saved.memories.values()]
    yield f"reflections a head {mean(reflections):>7.1f}   from {min(reflections)} to {max(reflections)}"


def _is_insight(node: dict[str, Any]) -> bool:
    return node["type"] == "thought" and bool(node["filling"]) and node["depth"] > 1


def days(saved: Saved) -> Iterable[str]:
    """How alike two days are: the share of waking time at which the same is done."""
    dates = sorted({at.date() for at in next(iter(saved.days.values()))})
    for day in dates:
        people = {name: _waking(saved, name, day) for name in saved.names}
        alike = {f"{one} and {other}": _alike(people[one], people[other]) for one, other in combinations(people, 2)}
        yield f"{day:%d. %b}: two people's days are {_summary(alike)}"
    for first, second in pairwise(dates):
        same = {name: _alike(_waking(saved, name, first), _waking(saved, name, second)) for name in saved.names}
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
    for name in saved.names:
        seen = list(saved.days[name].values())
        nodes = Counter(node["type"] for node in saved.memories[name])
        yield (
            f"{name:<20}{sum(sight.doing == ASLEEP for sight in seen) * SLICE / 60:>7.1f}h"
            f"{len({sight.doing for sight in seen}):>12}{len({sight.step for sight in seen}):>8}"
            f"{len({sight.address for sight in seen}):>8}{nodes['thought']:>10}{nodes['chat']:>7}"
        )


if __name__ == "__main__":
    main()
