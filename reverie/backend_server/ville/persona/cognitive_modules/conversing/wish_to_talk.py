"""The wish to talk: how likely an encounter becomes a conversation, from what there is to say, how the two stand and
what they do.

Such a choice has a rate, about one encounter in ten, of which models know nothing: it is drawn, not asked.
"""

import re
from datetime import datetime, timedelta

from ville.persona.cognitive_modules.conversing.encounter import Encounter
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.memory_structures.stream.concept_node import PLANS, ConceptNode

PASSING = 0.09
"""Probability of a talk between acquaintances who have nothing to say."""
NEWS = {6: 0.08, 7: 0.28, 8: 0.3, 9: 0.32, 10: 0.32}
"""Increase with the weightiest thing of late that the other cannot have heard, by its poignancy."""
OF_LATE = timedelta(days=2)
LATEST_THOUGHTS = 60
"""Thoughts among which such a thing is looked for."""
ERRAND, ERRAND_WITHIN = 0.25, timedelta(hours=3)
"""Increase with something promised to the other, or due together soon, and what is soon."""
CLOSE, STRANGER = 0.06, -0.02
"""Increase for those of whom there are several thoughts, and change for those of whom there is none."""
SEVERAL = 3
GREETING = 0.6
"""Increase for a visitor with whom one has not talked for as long: it has come to meet people."""
MISSED, MISSED_SINCE = 0.06, timedelta(hours=20)
"""Increase for somebody known with whom one has not talked for a while."""
SOON, AGAIN_SOON = timedelta(hours=4), 0.25
"""A recent talk, and the factor after it."""
ON_THE_WAY, ODD_HOUR = 0.6, 0.5
"""Factors where one of the two is walking, and early and late."""
USUAL_HOURS = range(7, 22)
SELDOM = 0.01
PRIVATE = re.compile(r"\b(?:bath\w*|shower|toilet|bed)\b", re.IGNORECASE)
"""Names of rooms and things at which people are left alone."""
FOR_ONE = re.compile(
    r"\b(?:shower|toilet|sink|bath\w*|stove|cooking area|toaster|piano|harp|microphone|computer|game console)\b",
    re.IGNORECASE,
)
"""Names of things that only one can use at a time."""
LONGEST_WAIT = timedelta(minutes=30)


def talks(mind: Mind, moment: Moment, encounter: Encounter) -> bool:
    """Return whether the persona goes up to the other: drawn by seed, persona, other and step alone."""
    return _drawn(mind, moment, encounter) < wish_to_talk(mind, moment, encounter)


def may_depend_on_news(mind: Mind, moment: Moment, encounter: Encounter) -> bool:
    """Return whether the persona goes up to the other only if it has something to tell that it has not thought of."""
    most = wish_to_talk(mind, moment, encounter, news=max(NEWS.values()))
    return wish_to_talk(mind, moment, encounter) <= _drawn(mind, moment, encounter) < most


def _drawn(mind: Mind, moment: Moment, encounter: Encounter) -> float:
    return moment.randomness(mind.name, encounter.other.name, "talk").random()


def wish_to_talk(mind: Mind, moment: Moment, encounter: Encounter, news: float = 0.0) -> float:
    """Return the probability that the persona starts a conversation, with at least this increase by news."""
    other, now = encounter.other, encounter.now
    if any(PRIVATE.search(place) for place in (encounter.action.address, other.address or "")):
        return 0.0
    last = mind.stream.last_chat_with(other.name)
    wish = PASSING + _standing(mind, moment, other.name)
    weightiest = max((node.poignancy for node in untold(mind, other.name, now)), default=0)
    wish += max(news, NEWS.get(weightiest, 0.0))
    if has_errand(mind, encounter):
        wish += ERRAND
    if other.name in moment.view.visitors and (last is None or now - last.created >= MISSED_SINCE):
        wish += GREETING
    elif last and now - last.created >= MISSED_SINCE:
        wish += MISSED
    if last and now - last.created < SOON:
        wish *= AGAIN_SOON
    if encounter.own.planned_path or other.walking:
        wish *= ON_THE_WAY
    if now.hour not in USUAL_HOURS:
        wish *= ODD_HOUR
    return max(SELDOM, wish)


def untold(mind: Mind, other: str, now: datetime) -> list[ConceptNode]:
    """Return what the persona learnt or thought of late, after its last talk with the other: there has been no
    occasion to tell it.
    """
    last = mind.stream.last_chat_with(other)
    since = last.number if last else 0
    return [
        node
        for node in mind.stream.newest("thought", LATEST_THOUGHTS)
        if node.number > since and now - node.created <= OF_LATE and node.predicate != PLANS
        and node.number not in mind.stream.dropped and not mind.stream.is_hidden(node)
        and not mind.facts.told.knows(node.description, other)
    ]  # fmt: skip


def has_errand(mind: Mind, encounter: Encounter) -> bool:
    """Return whether something that concerns the other was promised since the last talk, or begins soon."""
    now, last = encounter.now, mind.stream.last_chat_with(encounter.other.name)
    return any(
        each.begins - now <= ERRAND_WITHIN if each.day else last is None or each.made > last.created
        for each in mind.facts.commitments.with_person(encounter.other.name)
        if now - each.made <= OF_LATE
    )


def waits(encounter: Encounter) -> bool:
    """Return whether the persona waits until the other has finished with a thing that only one can use."""
    thing = encounter.action.address.rpartition(":")[2]
    return bool(FOR_ONE.search(thing)) and encounter.wait_ends - encounter.now <= LONGEST_WAIT


def _standing(mind: Mind, moment: Moment, other: str) -> float:
    """Return the change of the wish by how well the persona knows the other."""
    thoughts = len(mind.stream.thoughts_naming(mind.stream.known_as(other, moment.view.names)))
    if thoughts == 0:
        return STRANGER
    return CLOSE if thoughts >= SEVERAL else 0.0
