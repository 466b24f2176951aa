"""Measures that a study collects of each run over time: of each persona, of each pair, of the town as a whole."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from ville.analysis.collected_run import THOUGHT, RunMoment
from ville.analysis.impressions import DISLIKES, LIKES
from ville.analysis.measures import NewsTopic, density
from ville.analysis.named_news import named_news
from ville.analysis.paper_measures import CANDIDACY, PARTY
from ville.analysis.task_spans import activity_and_place
from ville.analysis.ties import KNOWS, TALKED
from ville.errors import BadArgument
from ville.json_types import Json

PERSONA, PAIR, TOWN = "persona", "pair", "town"
KEYS: Mapping[str, tuple[str, ...]] = {PERSONA: ("persona",), PAIR: ("a", "b"), TOWN: ()}
"""Columns that say whose value a row has, by table."""
WORDS = frozenset({"place", "activity"})
"""Measures whose values are words. Those of all others are numbers."""
PARTY_NEWS = {"know of the party": PARTY, "know of the candidacy": CANDIDACY}
Value = str | float | None
Collect = Callable[[RunMoment], Iterable[tuple[tuple[str, ...], Value]]]
"""Yields the values of a moment, each after whose it is."""


@dataclass(frozen=True)
class CollectedMeasure:
    """A measure of each persona, of each pair, or of the town, in a step."""

    name: str
    source: Json
    """As in the study file."""
    of: Collect


@dataclass(frozen=True)
class CollectPlan:
    """Measures that are collected, by table, and how often."""

    every: timedelta
    """Game time between two looks at a run."""
    tables: Mapping[str, tuple[CollectedMeasure, ...]]


def collected_measure(table: str, source: object) -> CollectedMeasure:
    """Return the measure that an entry of a study file names. Raises BadArgument."""
    if isinstance(source, Mapping):
        if table == PAIR:
            raise BadArgument("news are known by a persona, not by a pair; write it below `persona` or `town`")
        name, news = named_news(source)
        if name in MEASURES[table]:
            raise BadArgument(f"'{name}' is another measure of a {table}; choose another `name`")
        return CollectedMeasure(name, dict(source), _news(news)[table])
    name, known = str(source).strip(), MEASURES[table]
    if name not in known:
        also = "" if table == PAIR else ", or {news: WORDS}"
        raise BadArgument(f"there is no measure '{name}' of a {table}; choose from: {', '.join(known)}{also}")
    return CollectedMeasure(name, name, known[name])


def _each(of: Callable[[RunMoment, str], Value]) -> Collect:
    return lambda moment: (((name,), of(moment, name)) for name in moment.of.people)


def _pairs(of: Callable[[RunMoment], Mapping[tuple[str, str], int]]) -> Collect:
    return lambda moment: sorted(of(moment).items())


def _town(of: Callable[[RunMoment], float | None]) -> Collect:
    return lambda moment: [((), of(moment))]


def _news(topic: NewsTopic) -> Mapping[str, Collect]:
    return {
        PERSONA: _each(lambda moment, name: int(name in moment.knowers(topic))),
        TOWN: _town(lambda moment: len(moment.knowers(topic))),
    }


def _shown(moment: RunMoment, name: str, part: int) -> str | None:
    """Return what a persona does (part 0), or where (part 1); None if it is not there."""
    record = moment.frame.get(name)
    return activity_and_place(record)[part] if record else None


def _talks_now(moment: RunMoment, name: str) -> int | None:
    return int(bool(record["chat"])) if (record := moment.frame.get(name)) else None


def _tied(moment: RunMoment, kind: str) -> dict[tuple[str, str], int]:
    return dict.fromkeys(moment.ties(kind), 1)


def _talked(moment: RunMoment) -> dict[tuple[str, str], int]:
    """Return the conversations of residents, for both directions."""
    people = moment.of.people
    found: dict[tuple[str, str], int] = {}
    for pair, count in moment.talks.items():
        one, other = sorted(pair) if len(pair) > 1 else [*pair, *pair]
        if one in people and other in people:
            found |= {(one, other): count, (other, one): count}
    return found


def _people_of(kind: str) -> Collect:
    return _each(lambda moment, name: sum(who == name for who, _ in moment.ties(kind)))


def _acquainted(moment: RunMoment) -> set[frozenset[str]]:
    known = set(moment.ties(KNOWS))
    return {frozenset(pair) for pair in known if pair[::-1] in known}


MEASURES: Mapping[str, Mapping[str, Collect]] = {
    PERSONA: {
        "place": _each(lambda moment, name: _shown(moment, name, 1)),
        "activity": _each(lambda moment, name: _shown(moment, name, 0)),
        "talks now": _each(_talks_now),
        "memories": _each(lambda moment, name: moment.memories(name)),
        "thoughts": _each(lambda moment, name: moment.memories(name, THOUGHT)),
        "conversations": _each(lambda moment, name: sum(count for pair, count in moment.talks.items() if name in pair)),
        "people known": _people_of(KNOWS),
        "people liked": _people_of(LIKES),
        "people disliked": _people_of(DISLIKES),
        **{name: _news(topic)[PERSONA] for name, topic in PARTY_NEWS.items()},
    },
    PAIR: {
        TALKED: _pairs(_talked),
        KNOWS: _pairs(lambda moment: _tied(moment, KNOWS)),
        LIKES: _pairs(lambda moment: _tied(moment, LIKES)),
        DISLIKES: _pairs(lambda moment: _tied(moment, DISLIKES)),
    },
    TOWN: {
        "people": _town(lambda moment: len(set(moment.of.people) & moment.frame.keys())),
        "people who talk now": _town(lambda moment: sum(_talks_now(moment, name) or 0 for name in moment.of.people)),
        "memories": _town(lambda moment: sum(moment.memories(name) for name in moment.of.people)),
        "conversations": _town(lambda moment: moment.talks.total()),
        "pairs who talked": _town(lambda moment: len(moment.talks)),
        "pairs who know each other": _town(lambda moment: len(_acquainted(moment))),
        "density": _town(lambda moment: density(moment.of.run, _acquainted(moment))),
        "likes": _town(lambda moment: len(moment.ties(LIKES))),
        "dislikes": _town(lambda moment: len(moment.ties(DISLIKES))),
        **{name: _news(topic)[TOWN] for name, topic in PARTY_NEWS.items()},
    },
}
"""Known measures, by table, in the order of docs/studies.md."""
