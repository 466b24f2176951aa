"""Answer the questions of conversing: the relationship of the two, the next utterance, and what remains of a talk."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from random import Random

from ville.offline.answers.knowledge import Knowledge
from ville.offline.grammar import first_of, sentences
from ville.offline.profile import Profile, profile_of
from ville.offline.rule_types import Answer, Fields, Shelf, Turn
from ville.offline.talks.afterwards import SOME_DAY, afterthoughts, gist
from ville.offline.talks.dialogue import Dialogue, earlier_talk, utterances
from ville.offline.talks.news import PLANNING, record_of, talked
from ville.offline.talks.ties import feeling_in_short, impression
from ville.offline.talks.turns import turn


def relationship(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    texts = (*(memory.text for memory in fields["memories"]), who.currently, who.learned, fields["known"])
    name, other = fields["name"], fields["other"]
    return {"relationship": impression(name, other, texts, rng), "feeling": feeling_in_short(name, other, texts)}


def next_utterance(fields: Fields, rng: Random) -> Answer:
    """Greet, answer, bring something up; after enough utterances, take leave."""
    me = profile_of(fields["identity"], fields["name"])
    talk = Dialogue(
        Knowledge(me, fields["memories"], fields["now"], fields["relationship"]), fields["other"],
        utterances(fields["transcript"]), rng,
        place=fields["place"], situation=fields["situation"], last_talk=fields["last_talk"],
        earlier=earlier_talk(fields["earlier"]),
    )  # fmt: skip
    said, ends = turn(talk)
    return {"utterance": " ".join(said.split()), "ends": ends}


def conversation_gist(fields: Fields, rng: Random) -> Answer:
    return {"about": gist(fields["transcript"], rng)}


def after_conversation(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    return afterthoughts(who, fields["other"], fields["now"], fields["transcript"], day=fields["day"], rng=rng)


def _impression(who: Profile, other: str, texts: tuple[str, ...], *, summary: str, rng: Random) -> Answer:
    """Return relationship, feeling and summary."""
    told = (*texts, who.currently, who.learned)
    return {
        "relationship": impression(who.name, other, told, rng),
        "feeling": feeling_in_short(who.name, other, told),
        "summary": summary,
    }


def impression_of_other(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    remembered = [memory.text for memory in fields["memories"]]
    _, before = relationship_in(fields["known"])
    summary = summary_of(fields["other"], [before, *remembered])
    return _impression(who, fields["other"], (*remembered, fields["known"]), summary=summary, rng=rng)


def utterance_by_impression(fields: Fields, rng: Random) -> Answer:
    me = profile_of(fields["identity"], fields["name"])
    relationship, summary = relationship_in(fields["impression"])
    memories = (*memories_in(summary, fields["now"]), *fields["memories"])
    talk = Dialogue(
        Knowledge(me, memories, fields["now"], relationship), fields["other"],
        utterances(fields["transcript"]), rng,
        place=fields["place"], situation=fields["situation"], earlier=earlier_talk(fields["earlier"]),
    )  # fmt: skip
    said, ends = turn(talk)
    return {"utterance": " ".join(said.split()), "ends": ends}


def after_impression(fields: Fields, rng: Random) -> Answer:
    who = profile_of(fields["identity"], fields["name"])
    talk = Finished(fields["other"], fields["now"], fields["transcript"], fields["day"])
    return kept_of_talk(who, talk, known=fields["known"], rng=rng)


@dataclass(frozen=True)
class Finished:
    """A talk that is over, as one of the two has had it."""

    other: str
    now: datetime
    remarks: Sequence[Turn]
    day: Sequence[str]
    """The rest of the plan for today, in a line each."""


def kept_of_talk(who: Profile, talk: Finished, *, known: str, rng: Random) -> Answer:
    """Return afterthoughts, and the impression of the other after a talk."""
    other = talk.other
    thoughts = afterthoughts(who, other, talk.now, talk.remarks, day=talk.day, rng=rng)
    kept = {part: {"text": thoughts[part]["text"], "poignancy": thoughts[part]["poignancy"]}
            for part in ("for_planning", "memo")}  # fmt: skip
    told = [part["text"] for part in kept.values() if part["text"]]
    summary = summary_of(other, [relationship_in(known)[1], *told])
    texts = (known, *told, f"{who.name} and {other} have talked")
    return {**kept, "today": thoughts["today"], **_impression(who, other, texts, summary=summary, rng=rng)}


@dataclass(frozen=True)
class Remark:
    """A line of a talk that the rules write at once."""

    speaker: str
    said: str


def whole_talk(fields: Fields, rng: Random) -> Answer:
    """Let both speak in turn, each from its own memories."""
    lines: list[Remark] = []
    for number in range(fields["most"]):
        side, other = ("first", "second")[:: -1 if number % 2 else 1]
        said, ends = turn(_dialogue(fields, side, other, lines=lines, rng=rng))
        lines += [Remark(fields[side], text)] if (text := " ".join(said.split())) else []
        if ends or not text:
            break
    kept = [_kept_by(fields, *sides, lines=lines, rng=rng) for sides in (("first", "second"), ("second", "first"))]
    return {"lines": [asdict(line) for line in lines], "about": gist(lines, rng), "kept": kept}


def _dialogue(fields: Fields, side: str, other: str, *, lines: Sequence[Turn], rng: Random) -> Dialogue:
    """Return the talk as one of the two sees it."""
    relationship, summary = relationship_in(fields[f"{side}_impression"])
    memories = (*memories_in(summary, fields["now"]), *fields[f"{side}_memories"])
    me = profile_of(fields[f"{side}_identity"], fields[side])
    return Dialogue(
        Knowledge(me, memories, fields["now"], relationship), fields[other],
        utterances(lines), rng, place=fields["place"], situation=fields["situation"],
        earlier=earlier_talk(fields[f"{side}_earlier"]),
    )  # fmt: skip


def _kept_by(fields: Fields, side: str, other: str, *, lines: Sequence[Turn], rng: Random) -> Answer:
    who, known = profile_of(fields[f"{side}_identity"], fields[side]), fields[f"{side}_impression"]
    talk = Finished(fields[other], fields["now"], lines, fields[f"{side}_day"])
    return {"whose": who.name, **kept_of_talk(who, talk, known=known, rng=rng)}


RULES: Shelf = {
    "converse/relationship": relationship,
    "converse/next_utterance": next_utterance,
    "converse/impression": impression_of_other,
    "converse/utterance_by_impression": utterance_by_impression,
    "converse/after_impression": after_impression,
    "converse/whole_talk": whole_talk,
    "converse/conversation_gist": conversation_gist,
    "converse/after_conversation": after_conversation,
    "converse/after_small_talk": after_conversation,
}


MOST, LONGEST = 5, 450
"""Sentences of a summary, and its characters."""


@dataclass(frozen=True)
class SummedUp:
    """A sentence of a summary, as a memory of the rules."""

    text: str
    when: datetime
    kind: str = "thought"
    poignancy: int = 5


def memories_in(summary: str, now: datetime) -> tuple[SummedUp, ...]:
    """Return what a summary says as memories."""
    return tuple(SummedUp(text, now) for text in sentences(summary.replace("\n", ". ")))


def relationship_in(known: str) -> tuple[str, str]:
    """Return the relationship and the summary of an impression as it is quoted."""
    relationship, _, summary = known.partition("\n")
    return relationship, summary


def summary_of(other: str, texts: Iterable[str]) -> str:
    """Return the sentences that say most about another, in their order: news first, mere talks last."""
    parts = (part for text in texts for part in sentences(PLANNING.sub("", text)))
    told = list(dict.fromkeys(part for part in parts if first_of(other) in part))
    chosen: list[str] = []
    for text in sorted(told, key=lambda text: (_rank(text), -told.index(text)))[:MOST]:
        if sum(map(len, chosen)) + len(text) <= LONGEST:
            chosen.append(text)
    return " ".join(f"{text}." for text in told if text in chosen)


def _rank(text: str) -> int:
    record = record_of(text, SOME_DAY)
    if record is None:
        return 1
    return 2 if record.kind in talked() else 0 if record.news else 1
