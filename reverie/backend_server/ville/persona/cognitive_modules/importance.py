"""Importance of what is perceived (paper §4.1): at once of what happens, of what others do for a quarter of an hour."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from ville.json_types import JsonObject
from ville.persona.cognitive_modules.brakes import may_reflect
from ville.persona.cognitive_modules.mind import Mind, Moment, muse, remember
from ville.persona.cognitive_modules.percept import Percept, doing_in
from ville.persona.cognitive_modules.view import Everyone
from ville.persona.memory_structures.scratch import USUAL_RATING
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Experience, observation
from ville.persona.prompt_template.answers.poignancy import MUNDANE, NOTABLE
from ville.persona.prompt_template.ask import ask_model
from ville.persona.prompt_template.blanks import NumberedTexts
from ville.persona.prompt_template.perceive_questions import HowImportant, HowImportantBriefly
from ville.world.certainty import certain

ORDINARY, OWN, A_TALK = 2, 2, 4
"""Importance of what others do as long as it is not rated, of what a persona does itself, and of its talks: how much
these matter is said in the answer afterwards.
"""
QUARTER = 15
"""Minutes of an hour after which what was seen is rated."""
MOST_AT_ONCE = 12
"""Most sights in a question."""
NEW_RATING = 0.1
"""Weight of a new rating in the usual rating of a persona."""
SEEN = 12
"""Most memories with the same keyword among which an activity is looked for."""


async def importances(mind: Mind, moment: Moment, percepts: list[Percept]) -> dict[str, int]:
    """Return the poignancy of each text, rated in one call.

    Idle things and things in use are not rated: what matters about the latter is what their user does, unless something
    has happened to them. An activity that was seen earlier today keeps its rating, whatever its subtask is now. Unless
    questions are those of the paper, nothing is rated at once but what happens: see `rate_sights`.
    """
    notable = await certain(lambda: _notable(percepts, moment.view.people))
    before = {percept.text: last_news(mind, percept) for percept in notable}
    known = {text: node.poignancy for text, node in before.items() if node}
    talks = [about(mind) for percept in percepts if percept.conversation]
    if mind.settings.questions == "situated":
        known = _rated_by_rule(mind, notable) | known
    unknown = {percept.text: percept for percept in notable if percept.text not in known}
    more = [text for text in talks if text not in known]
    return known | await _rated(mind, moment, unknown, more) if unknown or more else known


def _notable(percepts: Sequence[Percept], people: Everyone) -> list[Percept]:
    """Return what is no idle thing, nor one in use."""

    def in_use(subject: str) -> bool:
        return subject not in people and people.uses(subject)

    return [each for each in percepts if not each.idle and (each.is_occurrence or not in_use(each.triple[0]))]


def _rated_by_rule(mind: Mind, percepts: Sequence[Percept]) -> dict[str, int]:
    """Return the importance of what no model is asked about at once."""
    own = {each.text: A_TALK if each.conversation else OWN for each in percepts if each.triple[0] == mind.name}
    others = {each.text: ORDINARY for each in percepts if not each.is_occurrence}
    return others | own | ({about(mind): A_TALK} if A_TALK in own.values() else {})


async def _rated(
    mind: Mind, moment: Moment, unknown: Mapping[str, Percept], more: Sequence[str] = ()
) -> dict[str, int]:
    """Return the importance of what was perceived, by its texts, and of more texts: as before, or from a model."""
    known = _rated_before(mind, unknown)
    happenings = list(dict.fromkeys([*(text for text in unknown if text not in known), *more]))
    ratings = await _ratings(mind, moment, happenings)
    _keep_ratings(mind, unknown, ratings)
    return {**known, **ratings.by_text}


@dataclass(frozen=True)
class _Ratings:
    """Importance of texts, as a model says it, or as its fallback does."""

    by_text: Mapping[str, int]
    by_model: bool


async def _ratings(mind: Mind, moment: Moment, happenings: list[str]) -> _Ratings:
    """Return the importance of texts; none are asked about if there are none."""
    if not happenings:
        return _Ratings({}, by_model=False)
    question = _question(mind, happenings)
    answer = await ask_model(moment.caller, question)
    rated = dict(zip(happenings, (answer or question.fallback()).scores, strict=True))
    return _Ratings(rated, by_model=answer is not None)


def _keep_ratings(mind: Mind, unknown: Mapping[str, Percept], ratings: _Ratings) -> None:
    """Keep what a model has said of what was perceived, with a lifestyle policy."""
    if mind.settings.policy and ratings.by_model:
        for text in ratings.by_text.keys() & unknown.keys():
            mind.policy.ratings.note(_rated_as(unknown[text], ratings.by_text[text]), ratings.by_text[text])


async def rate_sights(mind: Mind, moment: Moment) -> None:
    """Rate what was new in the quarter of an hour that is over, in one call; what is notable is remembered as such.

    Until then it counts as ordinary, since nothing depends on it at once.
    """
    nodes = fresh_sights(mind, moment.now)
    if nodes:
        await _note_ratings(mind, moment, nodes, await _rated(mind, moment, _as_percepts(nodes)))


def muse_on_sights(mind: Mind, moment: Moment, nodes: Sequence[ConceptNode]) -> None:
    """Begin to rate sights."""
    if not nodes:
        return
    sights = _as_percepts(nodes)
    known = _rated_before(mind, sights)
    unknown = [text for text in sights if text not in known]
    past, _ = mind.past()

    async def rate(later: Moment) -> JsonObject:
        ratings = await _ratings(past, later, unknown)
        return {"ratings": ratings.by_text, "by_model": ratings.by_model}

    muse(mind, moment, "sights", about={"nodes": [node.number for node in nodes], "known": known}, thought=rate)


async def finish_sights(mind: Mind, moment: Moment, about: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Remember of sights that were rated what is notable."""
    nodes = [mind.stream[number] for number in about["nodes"]]
    ratings = _Ratings(found["ratings"], found["by_model"])
    await _note_ratings(mind, moment, nodes, {**about["known"], **ratings.by_text})
    _keep_ratings(mind, _as_percepts(nodes), ratings)


def begin_sights_again(mind: Mind, moment: Moment, about: Mapping[str, Any]) -> None:
    """Begin to rate sights about which a call has failed."""
    muse_on_sights(mind, moment, [mind.stream[number] for number in about["nodes"]])


def _as_percepts(nodes: Sequence[ConceptNode]) -> dict[str, Percept]:
    return {node.description: Percept(node.triple, node.description) for node in nodes}


async def _note_ratings(
    mind: Mind, moment: Moment, nodes: Sequence[ConceptNode], rated: Mapping[str, int]
) -> None:  # fmt: skip
    """Remember what is notable of the sights that were rated.

    Ratings count by how far they lie above what is usual of the persona's: one whose model rates everything high does
    not reflect all day long.
    """
    usual = mind.scratch.usual_rating
    notable: list[Experience] = []
    for node in nodes:
        rating = rated[node.description]
        weight = max(MUNDANE, rating - round(max(0.0, usual - USUAL_RATING)))
        usual += (rating - usual) * NEW_RATING
        if weight >= NOTABLE:
            notable.append(
                observation(moment.now, node.triple, node.description, poignancy=weight, keywords=node.keywords)
            )
    seen = await remember(mind, moment, notable)
    mind.scratch.usual_rating = round(usual, 3)
    for node in seen:
        mind.scratch.sights[Percept(node.triple, node.description).activity] = node.number
    count_importance(mind, moment, sum(node.poignancy - ORDINARY for node in seen))


def count_importance(mind: Mind, moment: Moment, poignancy: int) -> None:
    """Count poignancy towards the next reflection; it is noted if that would be due now, but has to wait."""
    left = mind.scratch.importance_trigger_curr
    mind.scratch.importance_trigger_curr -= poignancy
    if left > 0 >= mind.scratch.importance_trigger_curr and not may_reflect(mind, moment.now):
        moment.caller.tally.braked.append("reflection")


def fresh_sights(mind: Mind, now: datetime) -> list[ConceptNode]:
    """Return what others were first seen doing in the quarter of an hour that ended since the last step, oldest first:
    nothing like which this persona has seen of anybody, and nothing that it is rating.
    """
    before = mind.scratch.curr_time
    if before is None or quarter_of(before) == quarter_of(now):
        return []
    since = quarter_of(before)
    latest = itertools.takewhile(lambda node: node.created >= since, mind.stream.newest("event"))
    rating = {number for each in mind.musings if each.kind == "sights" for number in _numbers(each.about)}
    news = set(mind.scratch.sights.values()) - rating
    sights = [
        node for node in latest if node.number in news and node.poignancy == ORDINARY and node.subject != mind.name
    ]
    fresh = [node for node in reversed(sights) if not _seen_before(mind, node, since)]
    return list({doing_in(node.description): node for node in reversed(fresh)}.values())[::-1][:MOST_AT_ONCE]


def _numbers(about: Mapping[str, Any]) -> Sequence[int]:
    """Return the numbers of the memories that a musing on sights is about."""
    return cast("Sequence[int]", about["nodes"])


@lru_cache(maxsize=8)
def quarter_of(time: datetime) -> datetime:
    """Return the beginning of the quarter of an hour."""
    return time.replace(minute=time.minute // QUARTER * QUARTER, second=0, microsecond=0)


def _seen_before(mind: Mind, sight: ConceptNode, since: datetime) -> bool:
    """Return whether the same activity or state was seen before a time, of whatever person or thing."""
    doing = doing_in(sight.description)
    alike = mind.stream.with_keyword("event", sight.object, SEEN)
    return any(node.created < since and doing_in(node.description) == doing for node in alike)


def _question(mind: Mind, happenings: list[str]) -> HowImportant:
    identity, texts = mind.scratch.identity, NumberedTexts(tuple(happenings))
    if mind.settings.prompts == "brief":
        return HowImportantBriefly(identity=identity.concerns, first_name=identity.first_name, happenings=texts)
    return HowImportant(identity=identity.character, first_name=identity.first_name, happenings=texts)


def _rated_before(mind: Mind, unknown: Mapping[str, Percept]) -> dict[str, int]:
    """Return the importance of those texts, given with what was perceived, that was the same before; of none without a
    lifestyle policy.
    """
    ratings, found = mind.policy.ratings, dict[str, int]()
    for text, percept in unknown.items() if mind.settings.policy else ():
        for rated_as in dict.fromkeys((percept.activity, _rated_as(percept, MUNDANE))):
            rating = ratings.again(rated_as, mind.settings.policy_repeats)
            if rating is not None and text not in found:
                ratings.count_use(rated_as)
                found[text] = rating
    return found


def _rated_as(percept: Percept, rating: int) -> str:
    """Return the text under which a rating is kept: what is ordinary of one person is ordinary of all."""
    who, _, doing = percept.activity.partition(" is ")
    return doing if rating < NOTABLE and who == percept.triple[0] else percept.activity


def last_news(mind: Mind, percept: Percept) -> ConceptNode | None:
    """Return the memory of when the same activity was last news today, if it was."""
    number = mind.scratch.sights.get(percept.activity, 0)
    return mind.stream[number] if 0 < number <= len(mind.stream) else None


def about(mind: Mind) -> str:
    """Return what the current conversation is about."""
    return mind.scratch.action.description if mind.scratch.action else ""
