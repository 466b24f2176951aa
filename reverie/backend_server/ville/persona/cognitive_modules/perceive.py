"""Perception: new events in sight become memories, nearest first, up to the attention bandwidth (paper §4.1)."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from ville.persona.cognitive_modules.mind import Mind, Moment, remember
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import (
    ConceptNode,
    Experience,
    Triple,
    embedding_text,
    observation,
    talk,
)
from ville.persona.prompt_template.ask import ask_model
from ville.persona.prompt_template.blanks import NumberedTexts
from ville.persona.prompt_template.perceive_questions import MUNDANE, NOTABLE, HowImportant, HowImportantBriefly
from ville.world.address import Address, Tile
from ville.world.occurrences import IS_NOW, IS_SCENE_OF, LastingState, Occurrence
from ville.world.tile_event import Event

IDLE = ("is", "idle")
NEW_AGAIN = timedelta(hours=1)
"""Time after which the same activity of the same persona is news again."""


@dataclass(frozen=True)
class Percept:
    """A perceived event, before its importance is known."""

    triple: Triple
    text: str
    conversation: Conversation | None = None
    """The persona's own conversation, if it is not in the memory stream yet."""

    @property
    def idle(self) -> bool:
        return " ".join(IDLE) in embedding_text(self.text)

    @property
    def is_occurrence(self) -> bool:
        """Whether it is a lasting state of an object or an event at a place."""
        return self.triple[1] in {IS_NOW, IS_SCENE_OF}

    @property
    def activity(self) -> str:
        """The text without the subtask in parentheses."""
        return self.text.partition(" (")[0]

    @property
    def keywords(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((_last_part(self.triple[0]), _last_part(self.triple[2]))))


async def perceive(mind: Mind, moment: Moment) -> list[ConceptNode]:
    """Perceive, rate and remember what is new. Return the new observations."""
    percepts = find_percepts(mind, moment.view)
    if not percepts:
        return []
    importances = await _importances(mind, moment, percepts)
    nodes = await remember(mind, moment, _experiences(mind, moment, percepts, importances))
    seen = [node for node in nodes if node.kind == "event"]
    _note_sights(mind, moment, percepts, seen)
    mind.scratch.importance_trigger_curr -= sum(node.poignancy for node in seen)
    mind.scratch.importance_ele_n += len(seen)
    return seen


def find_percepts(mind: Mind, view: TownView) -> list[Percept]:
    """Return new percepts, and add the places in sight to the spatial memory."""
    here = view.people[mind.name].tile
    _learn_places(mind, view, here)
    glance = (here, view.maze.changes(here))
    if glance == mind.last_empty_glance:
        return []
    percepts = _new_percepts(mind, view, _nearest_events(mind, view, here))
    mind.last_empty_glance = None if percepts else glance
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


def _nearest_events(mind: Mind, view: TownView, here: Tile) -> list[Event]:
    """Return the nearest distinct events, up to the attention bandwidth; ties in the order of `Maze.nearby`.

    Occurrences draw attention first, however far away in sight they are.
    """
    tuning = mind.scratch.tuning
    in_sight = view.maze.events_near(here, tuning.vision_r)
    in_sight.sort(key=lambda seen: (seen[0].x - here.x) ** 2 + (seen[0].y - here.y) ** 2)
    if view.occurrences:
        in_sight.sort(key=lambda seen: view.occurrences.behind(seen[1][:3]) is None)
    return list(dict.fromkeys(event for _, event in in_sight))[: tuning.att_bandwidth]


def _new_percepts(mind: Mind, view: TownView, events: list[Event]) -> list[Percept]:
    """Return the events that are not among the latest observations, after the own conversation if that is new.

    The number of latest observations is `retention` plus `att_bandwidth`. With fewer, a new event would push one that
    is still in sight out of the list, that one would be perceived again, and so on. An occurrence is new once.
    """
    retention = mind.scratch.tuning.retention + mind.scratch.tuning.att_bandwidth
    known = deque((node.triple for node in reversed(mind.stream.newest("event", retention))), maxlen=retention)
    percepts = [_own_conversation(mind)] if _has_new_conversation(mind) else []
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


def _percept(event: Event) -> Percept:
    if not event.predicate:
        return Percept((event.subject, *IDLE), f"{_last_part(event.subject)} {' '.join(IDLE)}")
    text = f"{_last_part(event.subject)} is {event.description or event.object or IDLE[1]}"
    if event.predicate == IS_SCENE_OF:
        text = event.object or ""
    return Percept((event.subject, event.predicate, event.object or ""), text)


def _last_part(address: str) -> str:
    return address.rsplit(":", 1)[-1]


async def _importances(mind: Mind, moment: Moment, percepts: list[Percept]) -> dict[str, int]:
    """Return the poignancy of each text, rated in one call.

    Idle things and things in use are not rated: what matters about the latter is what their user does, unless something
    has happened to them. An activity that was seen earlier today keeps its rating, whatever its subtask is now.
    """
    in_use = {person.address for person in moment.view.people.values()}
    notable = [each for each in percepts if not each.idle and (each.is_occurrence or each.triple[0] not in in_use)]
    before = {percept.text: _last_news(mind, percept) for percept in notable}
    known = {text: node.poignancy for text, node in before.items() if node}
    unknown = {percept.text: percept for percept in notable if percept.text not in known}
    if mind.settings.policy:
        known |= _rated_before(mind, unknown)
    happenings = [text for text in unknown if text not in known]
    happenings += [_about(mind) for percept in percepts if percept.conversation]
    happenings = list(dict.fromkeys(happenings))
    if not happenings:
        return known
    question = _question(mind, happenings)
    answer = await ask_model(moment.caller, question)
    rated = dict(zip(happenings, (answer or question.fallback()).scores, strict=True))
    if mind.settings.policy and answer:
        for text in rated.keys() & unknown.keys():
            mind.policy.ratings.note(_rated_as(unknown[text], rated[text]), rated[text])
    return known | rated


def _question(mind: Mind, happenings: list[str]) -> HowImportant:
    identity, texts = mind.scratch.identity, NumberedTexts(tuple(happenings))
    if mind.settings.prompts == "brief":
        return HowImportantBriefly(identity=identity.concerns, first_name=identity.first_name, happenings=texts)
    return HowImportant(identity=identity.character, first_name=identity.first_name, happenings=texts)


def _rated_before(mind: Mind, unknown: Mapping[str, Percept]) -> dict[str, int]:
    """Return the importance of those texts, given with what was perceived, that was the same before."""
    ratings, found = mind.policy.ratings, dict[str, int]()
    for text, percept in unknown.items():
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


def _last_news(mind: Mind, percept: Percept) -> ConceptNode | None:
    """Return the memory of when the same activity was last news today, if it was."""
    number = mind.scratch.sights.get(percept.activity, 0)
    return mind.stream[number] if 0 < number <= len(mind.stream) else None


def _note_sights(mind: Mind, moment: Moment, percepts: list[Percept], seen: list[ConceptNode]) -> None:
    """Note observations of activities that are new, or new again after a while."""
    for percept, node in zip(percepts, seen, strict=True):
        before = _last_news(mind, percept)
        if not percept.idle and (before is None or moment.now - before.created >= NEW_AGAIN):
            mind.scratch.sights[percept.activity] = node.number


def is_news(mind: Mind, event: ConceptNode) -> bool:
    """Return whether an observation shows an activity that was not noticed within the hour before."""
    return event.number in mind.scratch.sights.values()


def _about(mind: Mind) -> str:
    """Return what the current conversation is about."""
    return mind.scratch.action.description if mind.scratch.action else ""


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
    about = _about(mind)
    return talk(
        moment.now,
        percept.triple,
        about,
        poignancy=importances.get(about, MUNDANE),
        keywords=percept.keywords,
        transcript=percept.conversation.transcript if percept.conversation else (),
    )
