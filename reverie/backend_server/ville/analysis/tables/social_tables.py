"""The tables of ties between people and of how news spread, as far as memories tell."""

from collections.abc import Iterator
from datetime import datetime
from itertools import permutations
from typing import Any

from ville.analysis.measures import acquaintances, hearings, is_named
from ville.analysis.tables.column import PERSON, TIME, Row, boolean, integer, text, time
from ville.analysis.tables.exported_run import ExportedRun
from ville.analysis.tables.table import Table
from ville.storage.dates import parse_node_time
from ville.storage.records.memory_files import read_memories


def _ties(exported: ExportedRun) -> Iterator[Row]:
    run = exported.run
    known = {name: _spoken_of(exported, name) for name in run.people}
    impressions = {name: _impressions(exported, name) for name in run.people}
    met = {name: _talk_times(exported, name) for name in run.people}
    mutual = acquaintances(run, run.ends)
    for name, other in permutations(run.people, 2):
        times, impression = met[name].get(other, []), impressions[name].get(other, (None, None))
        knows = is_named(other, known[name])
        if knows or times or impression != (None, None):
            first, last = (times[0], times[-1]) if times else (None, None)
            yield name, other, knows, frozenset((name, other)) in mutual, len(times), first, last, *impression


def _spoken_of(exported: ExportedRun, name: str) -> str:
    """Return the text of all conversations and thoughts of a person."""
    nodes = (node for node in exported.run.memories[name] if node["type"] != "event")
    return "\n".join(str(node[key]) for node in nodes for key in ("description", "object"))


def _talk_times(exported: ExportedRun, name: str) -> dict[str, list[datetime]]:
    """Return when a person talked with whom, as it remembers."""
    found: dict[str, list[datetime]] = {}
    for node in exported.run.memories[name]:
        if node["type"] == "chat":
            found.setdefault(str(node["object"]), []).append(parse_node_time(node["created"]))
    return found


def _impressions(exported: ExportedRun, name: str) -> dict[str, tuple[str | None, str | None]]:
    """Return relationship and feeling of a person by the other; none for a run until a moment."""
    run = exported.whole
    if run.steps != run.meta.step or exported.knows_user(name):
        return {}
    found: Any = read_memories(run.folder.root, name).scratch.get("relationship") or {}  # its shape was checked
    return {other: (each.get("relationship"), each.get("feeling")) for other, each in found.items()}


def _news(exported: ExportedRun) -> Iterator[Row]:
    run = exported.run
    for news in exported.news:
        for when, who, teller in hearings(run, news):
            yield news.name, who, run.step_at(when), when, teller or None


TIES = Table(
    "ties",
    "What a person has with another one, in one direction. Pairs without anything have no row.",
    (
        PERSON,
        text("other", "full name"),
        boolean("knows", "whether the person has talked with the other, or had a thought that names it"),
        boolean("acquainted", "whether both know each other in this sense (Park et al. 2023, section 7.1.2)"),
        integer("talks", "conversations with the other that the person remembers"),
        time("first", "when the first of them was remembered"),
        time("last", "when the last of them was remembered"),
        text("relationship", "impression of the other, as last saved"),
        text("feeling", "about the other, as last saved"),
    ),
    _ties,
)
NEWS = Table(
    "news",
    "How a person came to know of some news, by the words in its conversations and thoughts.",
    (
        text("news", "the party and the candidacy of the paper, or the words that were asked for"),
        PERSON,
        integer("step", "step in which it is first remembered"),
        TIME,
        text("teller", "who first spoke of it; missing if it is the person's own news, or was planted"),
    ),
    _news,
)
