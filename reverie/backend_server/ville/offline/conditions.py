"""The conditions and blanks that data/talk.yaml and data/sayings name, by these names."""

from collections.abc import Callable, Mapping

from ville.offline.answers.knowledge import part_of_day, shift_during, spoken_time
from ville.offline.day.work import of_another, to_listener
from ville.offline.grammar import first_of, lower_first
from ville.offline.profile import lot
from ville.offline.reflect_rules import thoughts_of_oneself
from ville.offline.table import shows
from ville.offline.talks.dialogue import PARENTS, Dialogue
from ville.offline.talks.news import CANCELLATION, NewsItem
from ville.offline.talks.sayings import templates

LUNCHTIME = range(11, 15)


def _going(talk: Dialogue) -> bool:
    """Return whether the speaker accepts the invitation: those in love follow, for the others temper decides."""
    decided = talk.mind.decision(talk.item)
    return decided if decided is not None else talk.liking > 1 or talk.mind.will_go(talk.item)


def _was_there(talk: Dialogue) -> bool:
    return talk.item.has_begun(talk.mind.now) and talk.mind.attends(talk.item)


def _looks_back(talk: Dialogue) -> bool:
    return _was_there(talk) and talk.item.is_over(talk.mind.now) and talk.has_room_for(talk.item.kind)


def _owes_an_excuse(talk: Dialogue) -> bool:
    """Return whether the speaker promised to come, stayed away, and has not told the other why."""
    told = any(record.kind == "excused" and record.other == talk.other for record in talk.mind.records)
    return not told and "excuse" not in talk.keys | talk.earlier_keys and talk.mind.broke_word(talk.item)


def _visits(talk: Dialogue) -> bool:
    """Return whether the speaker is at a public place that is not its own."""
    return bool(shows("public place", talk.sector)) and talk.sector not in f"{talk.me.requirement} {talk.me.learned}"


def _any_candidacy(*found: list[NewsItem] | tuple[NewsItem, ...]) -> bool:
    return any(item.kind == "candidacy" for items in found for item in items)


CONDITIONS: Mapping[str, Callable[[Dialogue], bool]] = {
    # The news that is spoken of.
    "occasion": lambda talk: talk.item.is_occasion,
    "candidacy": lambda talk: talk.item.kind == "candidacy",
    "cancelled": lambda talk: talk.item.kind == CANCELLATION,
    "mine": lambda talk: talk.item.is_of(talk.me.name),
    "theirs": lambda talk: talk.item.is_of(talk.other),
    "of my family": lambda talk: bool(talk.mind.kin(talk.item.who)),
    "known": lambda talk: any(talk.item.is_same(other) for other in talk.mind.known),
    "came up before": lambda talk: talk.mentioned(talk.item, before=len(talk.transcript) - 1),
    "begun": lambda talk: talk.item.has_begun(talk.mind.now),
    "going": _going,
    "at work then": lambda talk: shift_during(talk.item, talk.me) is not None,
    "liked": lambda talk: talk.mind.liking(talk.item.who) > 0,
    "disliked": lambda talk: talk.mind.liking(talk.item.who) < 0,
    "accepted": lambda talk: any(line.key == "accept" for line in talk.last),
    "was there": _was_there,
    "looks back": _looks_back,
    "owes an excuse": _owes_an_excuse,
    # The two speakers.
    "is family": lambda talk: bool(talk.kin),
    "is stranger": lambda talk: talk.is_stranger,
    "cool": lambda talk: talk.manner == "cool",
    "has a topic": lambda talk: bool(talk.topic),
    "told of work": lambda talk: bool(talk.work_told_by(talk.me.name)),
    "knows their topic": lambda talk: bool(talk.work_told_by(talk.other) or talk.mind.topic_of(talk.other)),
    "knew their topic": lambda talk: talk.mind.topic_of(talk.other) == of_another(talk.work_told_by(talk.other)),
    "their topic is worn": lambda talk: (
        not talk.has_room_for(f"{first_of(talk.other)} {talk.mind.topic_of(talk.other)}")
    ),
    "knows of it": lambda talk: any(
        each.what.lower() == talk.heard_blank("incident").lower() for each in talk.mind.incidents
    ),
    # Politics.
    "candidate": lambda talk: any(item.kind == "candidacy" and item.who == talk.me.name for item in talk.mind.known),
    "knows a candidate": lambda talk: _any_candidacy(talk.mind.known, *talk.told_news),
    "election came up": lambda talk: _any_candidacy(*talk.told_news),
    "avoids politics": lambda talk: talk.mind.politics < 0,
    "fond of politics": lambda talk: talk.mind.politics > 0 and talk.has_room_for("mayor", "election"),
    # Time and place.
    "morning": lambda talk: part_of_day(talk.mind.now) == "morning",
    "afternoon": lambda talk: part_of_day(talk.mind.now) == "afternoon",
    "evening": lambda talk: part_of_day(talk.mind.now) == "evening",
    "lunchtime": lambda talk: talk.mind.now.hour in LUNCHTIME and not shows("at table", talk.situation),
    "visits": _visits,
    "hosts": lambda talk: talk.party.is_of(talk.me.name),
    "host is here": lambda talk: talk.party.is_of(talk.other),
}


def _reason(talk: Dialogue) -> str:
    """Return the excuse that the speaker gives to everyone."""
    reasons = templates("excuse reason")
    return lower_first(reasons[int(lot(talk.me.name, talk.item.kind, "reason") * len(reasons))].rstrip("."))


def _shift(talk: Dialogue) -> str:
    """Return the speaker's work behind a counter during the occasion."""
    duty = shift_during(talk.item, talk.me)
    return duty.what if duty else ""


def _teller(talk: Dialogue) -> str:
    """Return who told the speaker the news; empty if forgotten, or if it was one of the two."""
    teller = talk.mind.source(talk.item)
    return "" if teller in {talk.me.name, talk.other} else teller


def _news(talk: Dialogue) -> str:
    """Return the news that is spoken of as a sentence; in answers about the election, that of a candidate."""
    return talk.whole(talk.item) if talk.item.kind else ""


def _more(talk: Dialogue) -> str:
    """Return a second sentence about the work that was just told."""
    topic = talk.work_told_by(talk.me.name)
    return next((fact.told for fact in talk.new_facts if topic and fact.after == topic), "")


def _fact(talk: Dialogue) -> str:
    """Return something about the speaker besides its work; no conversation begins with it."""
    own = [fact.told for fact in talk.new_facts if not fact.after]
    return talk.rng.choice(own) if own and talk.transcript else ""


def _thought(talk: Dialogue) -> str:
    """Return a conclusion of the speaker about itself."""
    found = thoughts_of_oneself(talk.me.name, tuple(memory.text for memory in talk.mind.memories))
    fresh = [thought for thought in map(lower_first, found) if thought not in talk.everything_said]
    return talk.rng.choice(fresh) if fresh and talk.transcript else ""


def _doing(talk: Dialogue) -> str:
    doing = talk.sight.doing if talk.sight else ""
    return to_listener(doing) if talk.sight and talk.sight.who == talk.other else doing


BLANKS: Mapping[str, Callable[[Dialogue], str]] = {
    "name": lambda talk: talk.me.name,
    "other": lambda talk: PARENTS.get(talk.kin) or ("" if talk.other[:1].islower() else first_of(talk.other)),
    "news": _news,
    "teller": _teller,
    "what": lambda talk: talk.item.kind,
    "host": lambda talk: first_of(talk.party.who),
    "reason": _reason,
    "shift": _shift,
    "who": lambda talk: talk.person_spoken_of(),
    "topic": lambda talk: talk.topic,
    "their_topic": lambda talk: talk.their_topic,
    "more": _more,
    "fact": _fact,
    "thought": _thought,
    "doing": _doing,
    "when": lambda talk: spoken_time(talk.sight.when, talk.mind.now) if talk.sight else "",
    "incident": lambda talk: talk.incident.what if talk.incident else "",
    "since": lambda talk: spoken_time(talk.incident.when, talk.mind.now) if talk.incident else "",
    "their_doing": lambda talk: talk.doing_of(talk.other),
    "unfinished": lambda talk: talk.unfinished,
    "part": lambda talk: part_of_day(talk.mind.now),
    "daypart": lambda talk: f"Good {part_of_day(talk.mind.now)}",
    "weekday": lambda talk: f"{talk.mind.now:%A}",
    "place": lambda talk: talk.sector,
}
