"""Subjects that a speaker comes to by itself in a talk, drawn by rule: what is on its own mind and new to the other,
what it does, what it will do, and what the other does.

Small models, left to choose, say again what was just said. News is among the subjects with the weight of its poignancy,
like anything else: nothing has to be passed on.
"""

from collections.abc import Iterator
from datetime import datetime

from ville.persona.cognitive_modules.committing.at_hand import called_off
from ville.persona.cognitive_modules.conversing.speaker import Speaker, doing
from ville.persona.cognitive_modules.conversing.wish_to_talk import untold
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.prompt_template.blanks import SituatedSelf
from ville.persona.prompt_template.talk_words import is_secret

WEIGHTY, NOTABLE, MOST_ON_MIND = 6, 4, 2
"""Poignancy from which something known before, and something of these days, is on one's mind in a talk, and how many
things are.
"""
EVERYDAY = 3
"""Weight of what one does, will do, or sees the other do; that of a thought is its poignancy."""
IN_TALK = ("conversing", "talking")
"""Beginnings of activities that are no subject: the talk itself."""


def on_the_mind(mind: Mind, other: str, now: datetime) -> list[ConceptNode]:
    """Return what is on the persona's own mind and new to the other, the weightiest first.

    What is known since before the first day has to weigh more; what is about the other, kept as a secret, or called off
    is not something to talk about.
    """
    first = other.partition(" ")[0]
    begun = mind.stream[1].created if len(mind.stream) else now
    nodes = [
        node
        for node in untold(mind, other, now)
        if node.poignancy >= (WEIGHTY if node.created == begun else NOTABLE)
        and first not in node.description and not is_secret(node.description)
        and not called_off(mind, node.description)
    ]  # fmt: skip
    return sorted(nodes, key=lambda node: -node.poignancy)[:MOST_ON_MIND]


def subject_of_turn(side: Speaker, transcript: Transcript, own: SituatedSelf | None) -> str:
    """Return what the persona comes to in this turn, as `tells …` or `asks …`; empty if there is nothing left.

    The order is drawn by seed, persona, other and step, and each subject comes up once in a talk. A question is
    answered instead, but not a second one in a row; and with visitors, who lead a talk themselves, only the first words
    have a subject.
    """
    *had, has = _turns_with_subject(side.mind.name, transcript)
    if not has or (had and side.other in side.moment.view.visitors):
        return ""
    turn = sum(had)
    subjects = dict(_subjects(side, own))
    chance = side.moment.randomness(side.mind.name, side.other, "subjects")
    drawn = sorted(subjects, key=lambda text: -(chance.random() ** (1 / subjects[text])))
    return drawn[turn] if turn < len(drawn) else ""


def _turns_with_subject(name: str, transcript: Transcript) -> list[bool]:
    """Return of each turn of a persona, and of the one that is due, whether it has room for a subject."""
    found: list[bool] = []
    for place in range(len(transcript) + 1):
        if place == len(transcript) or transcript[place][0] == name:
            asked = place > 0 and "?" in transcript[place - 1][1]
            found.append(not asked or found[-1:] == [False])
    return found


def _subjects(side: Speaker, own: SituatedSelf | None) -> Iterator[tuple[str, int]]:
    """Yield what could be said, with its weight."""
    mind, now = side.mind, side.moment.now
    for node in on_the_mind(mind, side.other, now):
        yield f"tells {side.other} that {node.description}", node.poignancy
    if own and _is_subject(own.doing):
        yield f"tells what {own.first_name} is doing: {_whole(own.doing)}", EVERYDAY
    if own and own.ahead:
        yield _next(own), EVERYDAY
    seen = doing(side.other, side.moment)
    if side.other in side.moment.view.people and _is_subject(seen):
        yield f"asks {side.other} about {_whole(seen)}", EVERYDAY


def _next(own: SituatedSelf) -> str:
    first = own.ahead[0]
    return f"tells about later today: {first.what} at {first.start:%H:%M}"


def _is_subject(activity: str) -> bool:
    return bool(activity) and not activity.startswith(IN_TALK)


def _whole(activity: str) -> str:
    """Return an activity without its present step: `reading (looking for the page)`."""
    return activity.partition(" (")[0]
