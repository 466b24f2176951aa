"""The story of a run: what weighed most on each day, by rules, as chapters that lead to their moments.

The rules look for interventions, arrivals, quarrels, invitations, first meetings, changed feelings, reflections,
appointments that were kept, broken or called off, and memories of high poignancy. `WEIGHTS` has what a kind weighs, on
the scale of poignancy; a memory that weighs more counts with its own. The same run always gives the same story.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from itertools import groupby, pairwise

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.memory_streams import OwnTalk, talks_of
from ville.analysis.comparison.set_up import who
from ville.analysis.impressions import DISLIKES, LIKES, KeptImpression, impressions
from ville.analysis.measures import NodeData, namings
from ville.analysis.meetings import PLAN, invitation, sharp_words
from ville.json_types import JsonObject
from ville.storage.dates import parse_node_time
from ville.storage.shapes import CommitmentShape

INTERVENTION, QUARREL, INVITATION, MEETING = "intervention", "quarrel", "invitation", "meeting"
KEPT, BROKEN, CALLED_OFF = "kept", "broken", "called off"
WARMER, COLDER = "warmer", "colder"
REFLECTION, WEIGHTY = "reflection", "weighty"
ARRIVAL, DEPARTURE = "arrival", "departure"
POIGNANT = 8
"""Poignancy from which a memory of no other kind is worth telling."""
WEIGHTS: Mapping[str, int] = {
    INTERVENTION: 9, QUARREL: 9, BROKEN: 8, COLDER: 8, INVITATION: 7, CALLED_OFF: 7, ARRIVAL: 7, DEPARTURE: 7, KEPT: 6,
    WARMER: 6, MEETING: 5, REFLECTION: 4, WEIGHTY: POIGNANT,
}  # fmt: skip
"""Least weight of each kind, from 1 to 10."""
MOST_CHAPTERS, MOST_OF_KIND, MOST_OF_PERSON = 12, 4, 2
"""Chapters of a day; those of them that may begin with the same kind of moment, and with the same kind and persona."""
NEAR = timedelta(hours=1)
"""Time in which moments of a kind that begin with the same persona are one."""
AFTER_TALK = "chat with"
"""Predicate of a thought that only says what was said in a talk."""
COMINGS: Mapping[str, str] = {
    "resident_in": ARRIVAL, "visitor_in": ARRIVAL, "resident_out": DEPARTURE, "visitor_out": DEPARTURE,
}  # fmt: skip
"""Kinds of interventions after which somebody is in the town, or is not."""
UNTOLD = {"history", "visitor_walk", "visitor_say"}
"""Kinds of interventions that tell of the time before the run, or that are parts of a visit."""
ABOUT = "conversing about "
TITLES: Mapping[str, str] = {
    INTERVENTION: "%(what)s (from outside): %(names)s",
    QUARREL: "Sharp words between %(names)s.",
    INVITATION: "%(first)s invites %(others)s to the %(about)s.",
    MEETING: "%(names)s meet for the first time.",
    KEPT: "%(names)s: the appointment is kept.",
    BROKEN: "%(names)s: the appointment is broken.",
    CALLED_OFF: "%(names)s: the appointment is called off.",
    WARMER: "%(first)s begins to like %(others)s.",
    COLDER: "%(first)s is no longer at ease with %(others)s.",
    ARRIVAL: "%(names)s comes to town.",
    DEPARTURE: "%(names)s leaves the town.",
    REFLECTION: "%(first)s thinks things over.",
    WEIGHTY: "%(first)s takes something to heart.",
}
"""Sentence of each kind, in English; pages translate it. `%(first)s` is the first of the people."""


@dataclass(frozen=True)
class StoryMoment:
    """Something that weighed."""

    kind: str
    step: int
    names: tuple[str, ...]
    """Those concerned; who acts comes first."""
    weight: int
    words: str = ""
    """Words that were said, thought or agreed on."""
    about: str = ""
    """To what somebody invites, or the subject of a conversation; of an intervention its kind."""
    number: int = 0
    """Of an intervention, its number in the log."""
    nodes: tuple[str, ...] = ()
    """Memories of the first persona that say so, for example `node_12`."""

    @property
    def title(self) -> str:
        """Return it as an English sentence."""
        others = ", ".join(self.names[1:])
        values = {"names": ", ".join(self.names), "first": (*self.names, "")[0], "others": others}
        return TITLES[self.kind] % {**values, "about": self.about, "what": self.about}


@dataclass(frozen=True)
class StoryChapter:
    """A part of a day, which its weightiest moment begins."""

    lead: StoryMoment
    more: tuple[StoryMoment, ...] = ()
    """Lesser moments up to the next chapter; before the first one too, if there are any."""


@dataclass(frozen=True)
class StoryDay:
    """A day in chapters."""

    date: str
    """Year, month and day."""
    chapters: tuple[StoryChapter, ...]


@dataclass(frozen=True)
class Story:
    """Days of a run, with what weighed most."""

    name: str
    days: tuple[StoryDay, ...]

    def as_json(self) -> JsonObject:
        """Return all of it as JSON."""
        return asdict(self)


def story(run: ComparedRun) -> Story:
    """Return the story of a run."""
    found = told_moments(run)
    by_day = groupby(found, key=lambda moment: run.meta.time_of(moment.step).date())
    return Story(run.name, tuple(_day(day, list(moments)) for day, moments in by_day))


def told_moments(run: ComparedRun) -> list[StoryMoment]:
    """Return all moments that the rules find, in order of time, each at a step that is recorded."""
    found = [*_interventions(run), *_talks(run), *_felt(impressions(run)), *_appointments(run), *_memories(run)]
    last = max(run.first, run.steps - 1)
    shown = (replace(each, step=min(max(each.step, run.first), last)) for each in found)
    return list(_joined(run, sorted(shown, key=_order)))


def _order(moment: StoryMoment) -> tuple[int, bool, int, int, str, tuple[str, ...]]:
    """Return the place of a moment in time. What comes from outside comes before a step, in its own order."""
    return moment.step, not moment.number, moment.number, -moment.weight, moment.kind, moment.names


def _interventions(run: ComparedRun) -> Iterator[StoryMoment]:
    for row in run.rows:
        if row["kind"] not in UNTOLD:
            kind = COMINGS.get(row["kind"], INTERVENTION)
            names = tuple(name for name in who(row).split(", ") if name)
            yield StoryMoment(kind, row["step"], names, WEIGHTS[kind], about=row["kind"], number=row["n"])


def _talks(run: ComparedRun) -> Iterator[StoryMoment]:
    """Yield the conversations that are quarrels, invitations or first meetings, or that are of high poignancy."""
    known: dict[tuple[str, ...], int] = {pair: run.step_of(node) for pair, node in namings(run).items()}
    poignancy: Counter[tuple[tuple[str, ...], int]] = Counter()
    for name in run.people:
        for node in (node for node in run.memories[name] if node["type"] == "chat"):
            key = (tuple(sorted((name, str(node["object"])))), run.step_of(node))
            poignancy[key] = max(poignancy[key], node["poignancy"])
    for talk in talks_of(run):
        strangers = all(known.get(pair, -1) == talk.step for pair in (talk.names, talk.names[::-1]))
        if told := _told(talk, poignancy[talk.names, talk.step], strangers=strangers):
            yield told


def _told(talk: OwnTalk, poignancy: int, *, strangers: bool) -> StoryMoment | None:
    """Return a conversation as the first kind of moment that it is; None if it is not worth telling."""
    about = talk.about.removeprefix(ABOUT)
    if sharp := sharp_words(talk.lines):
        return StoryMoment(QUARREL, talk.step, talk.names, max(WEIGHTS[QUARREL], poignancy), sharp)
    if invited := invitation(talk.names, about, talk.lines):
        guests = [name for name in talk.names if name != invited.host]
        weight = max(WEIGHTS[INVITATION], poignancy)
        return StoryMoment(INVITATION, talk.step, (invited.host, *guests), weight, about=invited.to)
    kind = MEETING if strangers else WEIGHTY
    if strangers or poignancy >= POIGNANT:
        return StoryMoment(kind, talk.step, talk.names, max(WEIGHTS[kind], poignancy), about=about)
    return None


def _felt(noted: Iterable[KeptImpression]) -> Iterator[StoryMoment]:
    """Yield when the liking of an impression changes from that of the one before."""
    before: dict[tuple[str, str], str] = {}
    order = (DISLIKES, "", LIKES)
    for each in noted:
        pair = (each.who, each.other)
        change = order.index(each.liking) - order.index(before.get(pair, each.liking))
        before[pair] = each.liking
        if change:
            kind = WARMER if change > 0 else COLDER
            yield StoryMoment(kind, each.step, pair, WEIGHTS[kind], each.relationship)


def _appointments(run: ComparedRun) -> Iterator[StoryMoment]:
    """Yield what became of appointments, each once for all who made it."""
    told = set()
    for name, made in run.commitments.items():
        for each in made:
            key = (each.outcome, each.day, each.at, frozenset((name, *each.people)))
            if each.ended and each.outcome in {KEPT, BROKEN, CALLED_OFF} and key not in told:
                told.add(key)
                yield _appointment(run, name, each)


def _appointment(run: ComparedRun, name: str, made: CommitmentShape) -> StoryMoment:
    others = (other for other in made.people if other != name)
    step = run.step_at(parse_node_time(made.ended))
    return StoryMoment(made.outcome, step, (name, *others), WEIGHTS[made.outcome], made.what)


def _memories(run: ComparedRun) -> Iterator[StoryMoment]:
    """Yield reflections, and events of high poignancy."""
    for name in run.people:
        for node in run.memories[name]:
            kind = _kind(node)
            if kind:
                weight = max(WEIGHTS[kind], node["poignancy"])
                number = f"node_{node['node_count']}"
                yield StoryMoment(kind, run.step_of(node), (name,), weight, node["description"], nodes=(number,))


def _kind(node: NodeData) -> str:
    """Return the kind of a thought that rests on other memories, or of a weighty event; empty for others."""
    if node["type"] == "thought":
        return REFLECTION if node["filling"] and node["predicate"] not in {PLAN, AFTER_TALK} else ""
    return WEIGHTY if node["type"] == "event" and node["poignancy"] >= POIGNANT else ""


def _joined(run: ComparedRun, moments: Iterable[StoryMoment]) -> Iterator[StoryMoment]:
    """Yield the moments; those that are alike and near each other are one, with the words of the weightiest."""
    near = NEAR // timedelta(seconds=run.meta.sec_per_step)
    alike: dict[object, list[StoryMoment]] = defaultdict(list)
    groups: list[list[StoryMoment]] = []
    for moment in moments:
        likeness = _likeness(moment)
        group = alike[likeness]
        if not group or moment.step - group[0].step > near:
            group = alike[likeness] = []
            groups.append(group)
        group.append(moment)
    for group in groups:
        lead = max(group, key=lambda each: each.weight)
        names = tuple(dict.fromkeys(name for each in group for name in each.names))
        nodes = tuple(node for each in group if each.names[:1] == lead.names[:1] for node in each.nodes)
        yield replace(lead, step=group[0].step, names=names, nodes=nodes)


def _likeness(moment: StoryMoment) -> object:
    """Return the same value for moments that are one if they are near each other."""
    own: Mapping[str, object] = {
        INVITATION: (moment.names[:1], moment.about),
        REFLECTION: moment.names[:1],
        WEIGHTY: moment.words,
    }
    return moment.kind, own.get(moment.kind, (moment.names, moment.step, moment.about, moment.words))


def _day(day: date, moments: Sequence[StoryMoment]) -> StoryDay:
    """Return a day whose weightiest moments begin its chapters."""
    leads = _leads(moments)
    begins = [0, *(place for place in leads if place > leads[0]), len(moments)]
    parts = (moments[begin:end] for begin, end in pairwise(begins))
    chapters = (
        StoryChapter(moments[lead], tuple(each for each in part if each is not moments[lead]))
        for lead, part in zip(leads, parts, strict=True)
    )
    return StoryDay(day.isoformat(), tuple(chapters))


def _leads(moments: Sequence[StoryMoment]) -> list[int]:
    """Return the places of the moments that begin chapters: the weightiest, of different kinds and people."""
    taken: Counter[object] = Counter()
    found: list[int] = []
    for place in sorted(range(len(moments)), key=lambda place: (-moments[place].weight, place)):
        kind, first = moments[place].kind, moments[place].names[:1]
        if len(found) < MOST_CHAPTERS and taken[kind] < MOST_OF_KIND and taken[kind, first] < MOST_OF_PERSON:
            taken.update([kind, (kind, first)])
            found.append(place)
    return sorted(found)
