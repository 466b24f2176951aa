"""How well did people live? Check a saved simulation, minute by minute, as a reader of its conversations would.

`python benchmarks/lived_day.py NAME` prints, for a run with any model or by the rules: the share of minutes in a place
that fits what is done, of the night in one's own bed, of meals at mealtimes, and of talks with two turns or more; how
often somebody declines or says little; what each kind of question took; and, with `--talks 10`, so many talks as
they were said. What fits is written in truths.yaml; minutes that it says nothing of are not judged.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from truths import MEALTIMES, WORDS

from ville.analysis.comparison.compared_run import ComparedRun
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.summaries import Calendar, fallbacks, format_table, summarize
from ville.persona.cognitive_modules.committing.commit import DECLINES
from ville.settings import load_settings
from ville.storage.folder.storage import find

MINUTE = timedelta(minutes=1)
NIGHT = (1, 5)
"""Hours of the day between which everyone is asleep."""
EATING = r"\b(?:having|eating|enjoying|have|eat) (?:\w+ ){{0,2}}(?:{meal})\b"
FEW_WORDS = 4
"""Words of an utterance that says little, at most."""
ASLEEP = re.compile(r"\b(?:sleeping|asleep)\b")


@dataclass
class Share:
    """Minutes, or talks, that are as they should be, of those that can be judged."""

    good: int = 0
    judged: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    """The others, with how often each was seen."""

    def count(self, what: str, *, good: bool) -> None:
        self.judged += 1
        self.good += good
        if not good:
            self.wrong[what] += 1

    def line(self, title: str) -> str:
        if not self.judged:
            return f"{title:28} nothing to judge"
        worst = "; ".join(f"{what} ({count})" for what, count in self.wrong.most_common(4))
        return f"{title:28} {self.good / self.judged:6.1%} of {self.judged:,}" + (f"   not: {worst}" if worst else "")


@dataclass(frozen=True)
class LivedMinute:
    """A minute of one person: what it does, and where it means to do that."""

    name: str
    when: datetime
    doing: str
    place: str
    bed: str
    """Address of the room that it sleeps in."""

    @property
    def hour(self) -> float:
        return self.when.hour + self.when.minute / 60


def minutes_of(run: ComparedRun) -> Iterator[LivedMinute]:
    """Yield every minute of everyone, in order of time."""
    beds = {name: str(run.scratch(name)["living_area"]) for name in run.people}
    when = run.begins + MINUTE * (run.begins.second > 0)
    while when < run.ends:
        for name, shown in run.doings(when).items():
            doing, _, place = shown.partition(" @ ")
            yield LivedMinute(name, when, doing, place, beds.get(name, ""))
        when += MINUTE


def fits(minute: LivedMinute) -> bool | None:
    """Return whether a place fits what is done; None if nothing is known of it, or if they talk or wait somewhere."""
    if minute.place.startswith("<"):
        return None
    rows = [row for row in WORDS["places"] if re.search(row["doing"], minute.doing, re.IGNORECASE)]
    judged = [bool(re.search(row["fits"], minute.place, re.IGNORECASE)) for row in rows]
    return all(judged) if judged else None


def shares(run: ComparedRun) -> dict[str, Share]:
    """Return the shares of minutes, by what they are about."""
    place, night, meals = Share(), Share(), Share()
    for minute in minutes_of(run):
        if (good := fits(minute)) is not None:
            place.count(f"{minute.doing} @ {_room(minute.place)}", good=good)
        asleep = bool(ASLEEP.search(minute.doing))
        if asleep or NIGHT[0] <= minute.hour < NIGHT[1]:
            in_bed = asleep and minute.place.startswith(minute.bed)
            night.count(f"{minute.name}: {minute.doing} @ {_room(minute.place)}", good=in_bed)
        for meal, (first, last) in MEALTIMES.items():
            if re.search(EATING.format(meal=meal), minute.doing, re.IGNORECASE):
                meals.count(f"{minute.doing} at {minute.hour:.0f}", good=first <= minute.hour < last)
    return {"in a place that fits": place, "asleep in one's own bed": night, "meals at mealtimes": meals}


def _room(place: str) -> str:
    return " ".join(place.split(":")[1:])


@dataclass(frozen=True)
class HeldTalk:
    """A conversation as it was said."""

    when: str
    lines: tuple[tuple[str, str], ...]

    def text(self) -> str:
        return "\n".join([f"{self.when}", *(f"    {speaker}: {said}" for speaker, said in self.lines)])


def talks_of(run: ComparedRun) -> list[HeldTalk]:
    """Return the conversations that are remembered, each once, in order of time."""
    found = {
        (node["created"], tuple(sorted({speaker for speaker, _ in node["filling"]}))): node
        for name in run.people
        for node in run.memories[name]
        if node["type"] == "chat" and node["filling"]
    }
    nodes = sorted(found.values(), key=lambda node: (node["created"], node["filling"][0]))
    talks = [HeldTalk(node["created"], tuple((who, said) for who, said in node["filling"])) for node in nodes]
    return [next(same) for _, same in groupby(talks, key=lambda talk: talk.lines)]


def declined(held: Sequence[HeldTalk]) -> str:
    """Return how many utterances decline something, and how many say little."""
    said = [words for talk in held for _, words in talk.lines]
    refusals = sum(bool(DECLINES.search(words)) for words in said)
    brief = sum(len(words.split()) <= FEW_WORDS for words in said)
    return f"{'utterances':28} {len(said):,}: {refusals:,} decline something, {brief:,} say little"


def table(run: ComparedRun) -> list[str]:
    """Return what each kind of question took; nothing if the rules answered."""
    if run.ledger is None:
        return []
    calendar = Calendar(run.begins, run.meta.sec_per_step)
    with closing(Ledger.read(run.ledger)) as ledger:
        parts = summarize(ledger, "question", calendar)
        unanswered = fallbacks(ledger)
    asked = sum(part.calls - part.repairs for part in parts)
    corrected = sum(part.repairs for part in parts)
    lines = [f"Questions: {asked:,}; corrected {corrected:,}, without a usable answer {unanswered.total():,}."]
    lines += [f"  {title}: {count} without a usable answer" for title, count in unanswered.most_common()]
    return [format_table(sorted(parts, key=lambda part: -part.calls * part.seconds)), *lines]


def report(run: ComparedRun, talks: int) -> list[str]:
    """Return the lines to print."""
    held = talks_of(run)
    turns = Share()
    for talk in held:
        turns.count("one line", good=len(talk.lines) > 1)
    lines = [f"{run.name}: {len(run.people)} people, {run.begins} to {run.ends}"]
    lines += [share.line(title) for title, share in {**shares(run), "talks of two turns or more": turns}.items()]
    lines += [declined(held), *table(run)]
    return [*lines, *(talk.text() for talk in held[:talks])]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="simulation or replay")
    parser.add_argument("--storage", type=Path, help="folder of the simulations; without it that of the settings")
    parser.add_argument("--talks", type=int, default=0, metavar="N", help="print the first N conversations")
    choice = parser.parse_args(arguments)
    settings = load_settings({})
    if choice.storage:
        settings = replace(settings, fs_storage=choice.storage)
    print(*report(ComparedRun(find(settings.fs_storage, choice.name)), choice.talks), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
