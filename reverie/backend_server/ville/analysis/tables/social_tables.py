"""The tables of ties between people and of how news spread: what the pages and commands of both show."""

from collections.abc import Iterator
from itertools import permutations

from ville.analysis.impressions import KeptImpression
from ville.analysis.tables.column import PERSON, STEP, TIME, Row, boolean, integer, text, time
from ville.analysis.tables.exported_run import ExportedRun
from ville.analysis.tables.table import Table


def _ties(exported: ExportedRun) -> Iterator[Row]:
    graph = exported.graph
    since = {(each.who, each.other): each.step for each in graph.namings}
    last = {(each.who, each.other): each for each in exported.impressions}
    talked: dict[frozenset[str], list[int]] = {}
    for talk in graph.talks:
        talked.setdefault(frozenset(talk.names), []).append(talk.step)
    for pair in permutations(graph.people, 2):
        talks, felt = talked.get(frozenset(pair), []), _felt(last.get(pair))
        if pair in since or talks or any(felt):
            ends = [exported.time(step) for step in (talks[0], talks[-1])] if talks else [None, None]
            both = pair in since and pair[::-1] in since
            yield *pair, pair in since, since.get(pair), both, len(talks), *ends, *felt


def _felt(impression: KeptImpression | None) -> tuple[str | None, str | None, str | None]:
    """Return relationship, feeling and liking; None for what was not noted."""
    if impression is None:
        return None, None, None
    return impression.relationship or None, impression.feeling or None, impression.liking or None


def _news(exported: ExportedRun) -> Iterator[Row]:
    for news in exported.news:
        for each in news.knowers:
            found = (each.who, each.step, exported.time(each.step), each.how, each.teller or None, each.words)
            became = _number(each.became) if each.became else None
            yield news.fact, *found, _number(each.memory), became, each.supported, not each.is_supported


def _tellings(exported: ExportedRun) -> Iterator[Row]:
    for news in exported.news:
        for each in news.tellings:
            found = (each.step, exported.time(each.step), each.teller, each.who, each.words)
            became = _number(each.became) if each.became else None
            said = (each.is_first, each.is_supported, each.reply or None, each.answer or None)
            yield news.fact, *found, _number(each.memory), became, *said


def _number(node: str) -> int:
    return int(node.removeprefix("node_"))


_FACT = text("news", "the party and the candidacy of the paper, or what was asked for")
_BECAME = integer("became", "number of the thought with the news that was kept of this talk; missing without one")
TIES = Table(
    "ties",
    "What a person has with another one at the end of the run, in one direction. Pairs without anything have no row.",
    (
        PERSON,
        text("other", "full name"),
        boolean("knows", "whether the person has talked with the other, or had a thought that names it"),
        integer("since", "step since which it knows the other; missing if it does not"),
        boolean("acquainted", "whether both know each other (Park et al. 2023, section 7.1.2)"),
        integer("talks", "conversations of the two; what both remember counts once"),
        time("first", "when the first of them was remembered"),
        time("last", "when the last of them was remembered"),
        text("relationship", "impression of the other, as last noted"),
        text("feeling", "about the other, as last noted"),
        text("liking", "likes or dislikes, by the words of the feeling, or of the relationship; missing for neither"),
    ),
    _ties,
)
NEWS = Table(
    "news",
    "Somebody who claims to know some news, and how that began, by the words in conversations and thoughts.",
    (
        _FACT,
        PERSON,
        integer("step", "step in which it first is in a memory"),
        TIME,
        text(
            "how",
            "own, whisper, memory_add, history, sight, told, concluded (from other memories), or claimed: not at all, "
            "it only claims to know",
        ),
        text("teller", "who told it, or talked with the person before it concluded this; missing if nobody did"),
        text("words", "what was said, whispered or thought"),
        integer("memory", "number of the memory in which it is"),
        _BECAME,
        integer("supported", "first step in which a memory supports what is claimed; missing if none ever does"),
        boolean("claims", "whether no memory supported it at first: what the paper calls hallucinated"),
    ),
    _news,
)
TELLINGS = Table(
    "tellings",
    "A conversation in which somebody told some news, as the listener remembers it. What both tell is in two rows.",
    (
        _FACT,
        STEP,
        TIME,
        text("teller", "full name"),
        text("listener", "full name"),
        text("words", "what was said"),
        integer("memory", "number of the conversation in the memory of the listener"),
        _BECAME,
        boolean("first", "whether the listener had not heard of it before"),
        boolean("supported", "whether a memory of the teller supported it"),
        text("reply", "accepted, denied, or missing: whether the listener said that it will come, or the like"),
        text("answer", "next words of the listener"),
    ),
    _tellings,
)
