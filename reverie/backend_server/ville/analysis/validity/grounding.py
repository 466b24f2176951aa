"""Whether what people say of people, places and things is in their memories, or on the map."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.analysis.validity.finding import ValidityFinding, estimated_share, finding, not_said
from ville.analysis.validity.talk_words import SaidLine, word_pattern
from ville.json_types import Json
from ville.plain_text import shortened
from ville.storage.records.memory_files import SPATIAL

CAPITAL = "[A-Z\u0410-\u042f\u0401]"
"""A capital letter, Latin or Cyrillic."""
NAME = re.compile(rf"(?<![\w'’-]){CAPITAL}[\w'’-]*(?:\s+(?:(?:of|the|and)\s+)?{CAPITAL}[\w'’-]*)*")
"""Capitalized words in a row."""
SENTENCE = re.compile(r"(?:^|[.!?…:;\"“”«»()–—-]\s*)$")
"""End of a text before the first word of a sentence."""
POSSESSIVE = re.compile(r"['’]s?$")
LINKS = ("of", "the", "and")
SELF = ("name", "innate", "learned", "currently", "lifestyle", "living_area", "daily_plan_req")
"""Parts of a persona that it knows without a memory."""
_POSSESSED = re.compile(r"['’]s\b|[,(]|\)")
SHOWN, LONGEST = 8, 90


@dataclass(frozen=True)
class NamedThing:
    """A name in a line."""

    line: SaidLine
    name: str
    is_supported: bool


def grounding(runs: Sequence[ComparedRun], lines: Sequence[SaidLine]) -> ValidityFinding:
    """Return the finding on names in what is said."""
    named = [each for run in runs for each in _names_of(run, [line for line in lines if line.run == run.name])]
    if not named:
        return not_said("grounding", "No line of these runs names anybody or anything.")
    marks: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for each in named:
        marks[each.line.run, each.line.who].append(each.is_supported)
    loose = [each for each in named if not each.is_supported]
    told = [
        f"{each.line.run}, {each.line.who} ({each.line.node}) on “{each.name}”: {shortened(each.line.words, LONGEST)}"
        for each in loose[:SHOWN]
    ]
    details = [f"{len(loose):,} of {len(named):,} names are supported by nothing", *told]
    return finding("grounding", *estimated_share(marks, "names"), details)


def _names_of(run: ComparedRun, lines: Sequence[SaidLine]) -> Iterator[NamedThing]:
    """Yield each name in the lines of a run, with whether its speaker can know it."""
    town = _town_words(run)
    own = {name: _self_words(run, name) for name in run.people}
    starts = {name: _Memories(run, run.memories[name]) for name in run.people}
    heard: defaultdict[tuple[int, str], str] = defaultdict(str)
    for line in lines:
        told = heard[line.talk, line.who] + own[line.who]
        for name in names_in(line.words):
            key = name.lower()
            known = town.issuperset(key.split()) or _has(told, key) or starts[line.who].have(key, line)
            yield NamedThing(line, name, known)
        heard[line.talk, line.other] += f" {line.words}"


def names_in(words: str) -> list[str]:
    """Return the names in a line: capitalized words in a row, without one that begins a sentence."""
    calendar, found = word_pattern("calendar"), []
    for match in NAME.finditer(words):
        parts = [POSSESSIVE.sub("", part) for part in match[0].split()]
        if SENTENCE.search(words[: match.start()]):
            parts = parts[1:]  # which is capital in any case
        parts = [part for part in parts if not calendar.search(part)]
        if any(part not in LINKS for part in parts):
            found.append(" ".join(part for part in parts if part not in LINKS))
    return found


class _Memories:
    """Memories of a person, by step."""

    def __init__(self, run: ComparedRun, nodes: Sequence[NodeData]) -> None:
        self._nodes = [(run.step_of(node), node) for node in nodes]

    def have(self, key: str, line: SaidLine) -> bool:
        """Return whether a memory from before a line names something; the conversation itself is none."""
        return any(step < line.step and _has(_text(node), key) for step, node in self._nodes)


def _text(node: NodeData) -> str:
    filling = node["filling"] if node["type"] == "chat" else ()
    return " ".join([node["description"], *(words for _, words in filling or ())])


def _has(text: str, key: str) -> bool:
    """Return whether a text has a name, or all of its words."""
    low = text.lower()
    return key in low or all(part in low for part in key.split())


def _self_words(run: ComparedRun, name: str) -> str:
    scratch = run.scratch(name)
    return " ".join(str(scratch.get(part, "")) for part in SELF)


def _town_words(run: ComparedRun) -> frozenset[str]:
    """Return the words of names on the map, as its people know it, and of everyone who lives there, in lower case."""
    places: set[str] = set()
    for name in run.people:
        people = run.folder.people
        if people.has(f"{people.folder(name)}/{SPATIAL}"):
            _gather(people.memory(name, SPATIAL), places)
    return frozenset(part.lower() for name in (*run.people, *places) for part in _POSSESSED.sub("", name).split())


def _gather(tree: Mapping[str, Json], into: set[str]) -> None:
    """Add the names of worlds, sectors, arenas and objects."""
    for name, below in tree.items():
        into.add(str(name))
        if isinstance(below, Mapping):
            _gather(below, into)
        elif isinstance(below, list):
            into.update(map(str, below))
