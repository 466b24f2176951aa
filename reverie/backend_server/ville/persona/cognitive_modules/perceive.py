"""Perception: new events in sight become memories, nearest first, up to the attention bandwidth (paper §4.1)."""

from collections import deque
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache

from ville.persona.cognitive_modules.importance import (
    about,
    count_importance,
    fresh_sights,
    importances,
    last_news,
    muse_on_sights,
    rate_sights,
)
from ville.persona.cognitive_modules.mind import Mind, Moment, remember
from ville.persona.cognitive_modules.percept import IDLE, Percept, last_part
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.stream.concept_node import (
    ConceptNode,
    Experience,
    observation,
    talk,
)
from ville.persona.prompt_template.answers.poignancy import MUNDANE
from ville.world.address import Address, Tile
from ville.world.occurrences import IS_SCENE_OF, LastingState, Occurrence
from ville.world.tile_event import Event

NEW_AGAIN = timedelta(hours=1)
"""Time after which the same activity of the same persona is news again."""


async def perceive(mind: Mind, moment: Moment) -> list[ConceptNode]:
    """Perceive, rate and remember what is new. Return the new observations."""
    if mind.settings.questions == "situated":
        if mind.settings.muses:
            muse_on_sights(mind, moment, fresh_sights(mind, moment.now))
        else:
            await rate_sights(mind, moment)
    return await _remembered(mind, moment, find_percepts(mind, moment.view))


async def _remembered(mind: Mind, moment: Moment, percepts: list[Percept]) -> list[ConceptNode]:
    """Return the memories of what was perceived, which count towards the next reflection."""
    if not percepts:
        return []
    poignancies = await importances(mind, moment, percepts)
    nodes = await remember(mind, moment, _experiences(mind, moment, percepts, poignancies))
    seen = [node for node in nodes if node.kind == "event"]
    _note_sights(mind, moment, percepts, seen)
    count_importance(mind, moment, sum(node.poignancy for node in seen))
    mind.scratch.importance_ele_n += len(seen)
    return seen


def find_percepts(mind: Mind, view: TownView) -> list[Percept]:
    """Return new percepts, and add the places in sight to the spatial memory."""
    here = view.people[mind.name].tile
    _learn_places(mind, view, here)
    glance = (here, view.maze.changes(here, mind.scratch.tuning.vision_r), len(mind.stream))
    conversation, last = mind.scratch.conversation, mind.last_look
    if last and last[0] == glance and (not last[2] or (last[1] is conversation and not view.occurrences)):
        return last[2]
    percepts = _new_percepts(mind, view, _events_in_sight(mind, view, *glance[:2]))
    mind.last_look = glance, conversation, percepts
    return percepts


def _learn_places(mind: Mind, view: TownView, here: Tile) -> None:
    """Add the places in sight to the spatial memory and, at the first look, all places of the home."""
    if not mind.scanned_tiles:
        for room in view.maze.places_in(Address.parse(mind.scratch.identity.living_area).sector_address):
            mind.places.add(*room)
    if here not in mind.scanned_tiles:
        mind.scanned_tiles.add(here)
        for place in view.maze.places_near(here, mind.scratch.tuning.vision_r):
            mind.places.add(*place)


def _events_in_sight(mind: Mind, view: TownView, here: Tile, changes: int) -> Sequence[Event]:
    """Return the nearest distinct events, up to the attention bandwidth, given how often those in sight have changed.

    Occurrences draw attention first, however far away in sight they are.
    """
    if not view.occurrences and mind.last_sight[:2] == (here, changes):
        return mind.last_sight[2]
    tuning = mind.scratch.tuning
    events = [event for _, event in view.maze.events_near(here, tuning.vision_r)]
    if view.occurrences:
        events.sort(key=lambda event: view.occurrences.behind(event[:3]) is None)
    nearest = list(dict.fromkeys(events))[: tuning.att_bandwidth]
    mind.last_sight = (None, 0, ()) if view.occurrences else (here, changes, nearest)
    return nearest


def _new_percepts(mind: Mind, view: TownView, events: Sequence[Event]) -> list[Percept]:
    """Return the events that are not among the latest observations, after the own conversation if that is new.

    The number of latest observations is `retention` plus `att_bandwidth`. With fewer, a new event would push one that
    is still in sight out of the list, that one would be perceived again, and so on. An occurrence is new once.
    """
    retention = mind.scratch.tuning.retention + mind.scratch.tuning.att_bandwidth
    has_talked, lasting = _has_new_conversation(mind), bool(view.occurrences)
    *looked_at, seen_before = mind.known_events
    if looked_at != [len(mind.stream), retention]:
        seen_before = frozenset()
    if not has_talked and not lasting and seen_before.issuperset(events):
        return []
    latest = [node.triple for node in mind.stream.newest("event", retention)]
    if not has_talked and not lasting and set(latest).issuperset([_percept(event).triple for event in events]):
        mind.known_events = len(mind.stream), retention, seen_before.union(events)
        return []
    known = deque(reversed(latest), maxlen=retention)
    percepts = [_own_conversation(mind)] if has_talked else []
    known.extend(percept.triple for percept in percepts)
    for event in events:
        percept, occurrence = _percept(event), view.occurrences.behind(event[:3])
        seen = _has_noticed(mind, view, occurrence) if occurrence else percept.triple in known
        if not seen:
            known.append(percept.triple)
            percepts.append(percept)
    return percepts


def _has_noticed(mind: Mind, view: TownView, occurrence: Occurrence) -> bool:
    """Return whether an occurrence has been perceived since it began.

    Who has just put an object right sees anew what else is to be done.
    """
    if isinstance(occurrence, LastingState) and mind.scratch.mended(view.now):
        return False
    began = view.now - timedelta(seconds=(view.step - occurrence.since) * view.seconds_per_step)
    alike = mind.stream.with_keyword("event", occurrence.where)
    return any(node.created >= began and node.triple == occurrence.event[:3] for node in alike)


def _has_new_conversation(mind: Mind) -> bool:
    """Return whether the current conversation is complete, and newer than the last remembered one with its partner.

    A talk with a user begins between two steps, and is remembered in the very step in which it begins.
    """
    conversation, action = mind.scratch.conversation, mind.scratch.action
    if conversation is None or conversation.is_open or action is None:
        return False
    last = mind.stream.last_chat_with(conversation.partner)
    if last is None or last.created < action.start:
        return True
    return last.created == action.start and last.transcript != conversation.transcript


def _own_conversation(mind: Mind) -> Percept:
    seen = _percept(mind.scratch.visible_event())
    return Percept(seen.triple, seen.text, mind.scratch.conversation)


@lru_cache(maxsize=4096)
def _percept(event: Event) -> Percept:
    if not event.predicate:
        return Percept((event.subject, *IDLE), f"{last_part(event.subject)} {' '.join(IDLE)}")
    text = f"{last_part(event.subject)} is {event.description or event.object or IDLE[1]}"
    if event.predicate == IS_SCENE_OF:
        text = event.object or ""
    return Percept((event.subject, event.predicate, event.object or ""), text)


def _note_sights(mind: Mind, moment: Moment, percepts: list[Percept], seen: list[ConceptNode]) -> None:
    """Note observations of activities that are new, or new again after a while."""
    for percept, node in zip(percepts, seen, strict=True):
        before = last_news(mind, percept)
        if not percept.idle and (before is None or moment.now - before.created >= NEW_AGAIN):
            mind.scratch.sights[percept.activity] = node.number


def is_news(mind: Mind, event: ConceptNode) -> bool:
    """Return whether an observation shows an activity that was not noticed within the hour before."""
    return event.number in mind.scratch.sights.values()


def _experiences(mind: Mind, moment: Moment, percepts: list[Percept], importances: dict[str, int]) -> list[Experience]:
    """Return the experiences to remember. That of a conversation refers to another with the transcript."""
    experiences: list[Experience] = []
    for percept in percepts:
        chat = None
        if percept.conversation:
            chat = f"node_{len(mind.stream) + len(experiences) + 1}"
            experiences.append(_chat(mind, moment, percept, importances))
        poignancy = importances.get(percept.text, MUNDANE)
        experiences.append(
            observation(
                moment.now, percept.triple, percept.text, poignancy=poignancy, keywords=percept.keywords, chat=chat
            )
        )  # fmt: skip
    return experiences


def _chat(mind: Mind, moment: Moment, percept: Percept, importances: dict[str, int]) -> Experience:
    topic = about(mind)
    return talk(
        moment.now,
        percept.triple,
        topic,
        poignancy=importances.get(topic, MUNDANE),
        keywords=percept.keywords,
        transcript=percept.conversation.transcript if percept.conversation else (),
    )
