"""The words of people: what they said to each other, and which of these words say something."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import yaml

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.meetings import PLAN
from ville.analysis.paper_measures import TALKING

FILE = Path(__file__).with_name("words.yaml")
SHORTEST = 4
"""Letters of a word that says something."""
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SILENT = "Nothing was said in these runs."


@dataclass(frozen=True)
class SaidLine:
    """A line of a resident in a conversation."""

    run: str
    who: str
    other: str
    step: int
    words: str
    talk: int
    """Number of the conversation within the run, in the order of people and memories."""
    node: str
    """Memory of it, as `Isabella Rodriguez node_12`."""


@cache
def word_pattern(section: str) -> re.Pattern[str]:
    """Return what any of the patterns of a section of words.yaml matches."""
    patterns: Sequence[str] = yaml.safe_load(FILE.read_text("utf-8"))[section]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def said_lines(run: ComparedRun) -> list[SaidLine]:
    """Return all that residents said to each other, each conversation once; what visitors say is left out."""
    seen: set[tuple[str, str]] = set()
    found: list[SaidLine] = []
    for name in run.people:
        for node in run.memories[name]:
            if node["type"] != "chat" or not node["filling"]:
                continue
            key = (node["created"], str(node["filling"][0]))
            if key in seen:
                continue
            seen.add(key)
            pair, where = (name, str(node["object"])), f"{name} node_{node['node_count']}"
            found += [
                SaidLine(run.name, who, pair[pair[0] == who], run.step_of(node), words, len(seen), where)
                for who, words in node["filling"]
                if who in run.people
            ]
    return found


@lru_cache(maxsize=65_536)
def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about, in lower case."""
    stop = word_pattern("stop")
    words = (found[0].lower() for found in WORD.finditer(text))
    return frozenset(word for word in words if len(word) >= SHORTEST and not stop.search(word))


def activities(run: ComparedRun, name: str) -> frozenset[str]:
    """Return what a person does in a run, as it remembers it, without its name; talks do not count."""
    own = (
        node["description"].replace(name, "").strip()
        for node in run.memories[name]
        if node["type"] == "event" and node["subject"] == name and TALKING not in node["description"]
    )
    return frozenset(own)


def day_plans(run: ComparedRun) -> Iterator[tuple[str, int, str]]:
    """Yield person, day and words of each plan for a day."""
    for name in run.people:
        for node in run.memories[name]:
            if node["type"] == "thought" and node["predicate"] == PLAN:
                yield name, run.meta.time_of(run.step_of(node)).toordinal(), node["description"].replace(name, "")


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the likeness of two sets of words: those in both, as a share of all (0 if there are none)."""
    return len(one & other) / len(one | other) if one | other else 0.0
