"""Count the news that people tell the same person again within two days, and the questions that they ask again.

`python benchmarks/said_again.py two_days other_days` reads what was said in saved simulations, as the offline rules
read it, and prints a line for each, followed by what was said again. Ends with exit code 1 if anything was.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ville.analysis.measures import SavedRun
from ville.errors import ReverieError
from ville.offline.talks.dialogue import QUESTIONS, news_of
from ville.offline.talks.news import NewsItem
from ville.offline.talks.sayings import RecognizedLine, heard
from ville.settings import load_settings
from ville.storage.dates import parse_node_time
from ville.storage.folder.storage import find

OF_LATE = timedelta(days=2)
INCIDENT = "incident"
"""Blank of the lines that tell what has happened."""


@dataclass(frozen=True)
class Said:
    """A line that tells or asks something."""

    when: datetime
    speaker: str
    listener: str
    line: RecognizedLine
    news: NewsItem | None = None
    """News that it tells; None if it asks."""

    def __str__(self) -> str:
        return f"{self.when:%d. %b %H:%M} {self.speaker} to {self.listener}: {self.line.text}"

    def is_same(self, other: "Said") -> bool:
        """Return whether the same was told or asked, in the same words or in others."""
        if self.news and other.news:
            return self.news.is_same(other.news)
        kind = self.line.key.startswith(QUESTIONS) and self.line.key == other.line.key
        return kind or self.line.text == other.line.text


def lines(saved: SavedRun) -> Iterator[tuple[datetime, str, str, RecognizedLine]]:
    """Yield every line of every talk once, in order: when it was said, by whom, to whom."""
    talks = {
        (parse_node_time(node["created"]), frozenset((node["subject"], node["object"]))): node["filling"]
        for nodes in saved.memories.values() for node in nodes if node["type"] == "chat"
    }  # fmt: skip
    for (when, pair), transcript in sorted(talks.items(), key=lambda talk: (talk[0][0], sorted(talk[0][1]))):
        for speaker, words in transcript:
            for line in heard(words):
                yield when, speaker, next(iter(pair - {speaker})), line


def tellings(saved: SavedRun) -> list[Said]:
    """Return the lines that tell news, or what has happened."""
    found = []
    for when, speaker, listener, line in lines(saved):
        told = list(news_of(line, when.date(), teller=speaker, listener=listener))
        told += [NewsItem(INCIDENT, "", what.lower()) for what in [line.blanks.get(INCIDENT)] if what]
        found += [Said(when, speaker, listener, line, news) for news in told]
    return found


def questions(saved: SavedRun) -> list[Said]:
    """Return the lines that ask something, but for those that ask for an opinion about news."""
    return [
        Said(when, speaker, listener, line) for when, speaker, listener, line in lines(saved)
        if "?" in line.text and "news" not in line.blanks
    ]  # fmt: skip


def again(found: Iterable[Said]) -> list[Said]:
    """Return what the same speaker has told or asked the same listener before, within two days."""
    before: dict[tuple[str, str], list[Said]] = {}
    repeated = []
    for said in found:
        earlier = before.setdefault((said.speaker, said.listener), [])
        if any(said.is_same(other) and said.when - other.when <= OF_LATE for other in earlier):
            repeated.append(said)
        earlier.append(said)
    return repeated


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("simulations", nargs="+", help="names in the storage folder")
    choice = parser.parse_args(arguments)
    repeated: list[Said] = []
    try:
        for name in choice.simulations:
            saved = SavedRun(find(load_settings().fs_storage, name))
            told, asked = tellings(saved), questions(saved)
            told_again, asked_again = again(told), again(asked)
            repeated += [*told_again, *asked_again]
            print(
                f"{name}: {len(told_again)} of {len(told)} tellings, {len(asked_again)} of {len(asked)} questions again"
            )
            print(*(f"  {said}" for said in [*told_again, *asked_again]), sep="\n")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 1 if repeated else 0


if __name__ == "__main__":
    sys.exit(main())
