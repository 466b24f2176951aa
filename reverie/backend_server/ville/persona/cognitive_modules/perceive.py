"""Noticing: what is new in sight becomes a memory, the nearest first, as much as attention can hold."""

from collections import deque
from dataclasses import dataclass

from ville.persona.cognitive_modules.mind import Mind, Moment, remember
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.concept_node import (
    ConceptNode,
    Experience,
    Triple,
    embedding_text,
    observation,
    talk,
)
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.perceive import MUNDANE, HowImportant
from ville.world.address import Tile
from ville.world.event import Event

CHATS_WITH = "chat with"
IDLE = ("is", "idle")


@dataclass(frozen=True)
class Percept:
    """Something noticed, before anybody knows how much it matters."""

    triple: Triple
    text: str
    conversation: Conversation | None = None
    """The talk this persona sees itself in, if it has not been remembered yet."""

    @property
    def idle(self) -> bool:
        return " ".join(IDLE) in embedding_text(self.text)

    @property
    def keywords(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((_last_part(self.triple[0]), _last_part(self.triple[2]))))


async def perceive(mind: Mind, moment: Moment) -> list[ConceptNode]:
    """See what there is, judge how much it matters, remember it. Returns the new observations."""
    sights = find_percepts(mind, moment.view)
    if not sights:
        return []
    importances = await _importances(mind, moment, sights)
    nodes = await remember(mind, moment, _experiences(mind, moment, sights, importances))
    seen = [node for node in nodes if node.kind == "event"]
    mind.scratch.importance_trigger_curr -= sum(node.poignancy for node in seen)
    mind.scratch.importance_ele_n += len(seen)
    return seen


def find_percepts(mind: Mind, view: TownView) -> list[Percept]:
    """The places in sight are known from now on; what happens here is returned, if it is new."""
    here = view.people[mind.name].tile
    _learn_places(mind, view, here)
    glance = (here, view.maze.changes(here))
    if glance == mind.last_empty_glance:
        return []
    sights = _new_sights(mind, _nearest_events(mind, view, here))
    mind.last_empty_glance = None if sights else glance
    return sights


def _learn_places(mind: Mind, view: TownView, here: Tile) -> None:
    if here not in mind.scanned_tiles:
        mind.scanned_tiles.add(here)
        for place in view.maze.places_near(here, mind.scratch.tuning.vision_r):
            mind.places.add(*place)


def _nearest_events(mind: Mind, view: TownView, here: Tile) -> list[Event]:
    """As many different events as attention can hold; equally near ones in the order of `Maze.nearby`."""
    tuning = mind.scratch.tuning
    in_sight = view.maze.events_near(here, tuning.vision_r)
    in_sight.sort(key=lambda seen: (seen[0].x - here.x) ** 2 + (seen[0].y - here.y) ** 2)
    return list(dict.fromkeys(event for _, event in in_sight))[: tuning.att_bandwidth]


def _new_sights(mind: Mind, events: list[Event]) -> list[Percept]:
    """Those among the events that the last few observations do not know; an unremembered talk comes first, always.

    As many more are known as can be in sight at once: else one newcomer would push out of mind what one is looking at,
    that would be noticed again, push out the next, and so on.
    """
    retention = mind.scratch.tuning.retention + mind.scratch.tuning.att_bandwidth
    known = deque((node.triple for node in reversed(mind.stream.newest("event", retention))), maxlen=retention)
    sights = [_sight_of_talk(mind)] if _talk_to_remember(mind) else []
    known.extend(sight.triple for sight in sights)
    for event in events:
        sight = _sight(event)
        if sight.triple not in known:
            known.append(sight.triple)
            sights.append(sight)
    return sights


def _talk_to_remember(mind: Mind) -> bool:
    """Whether this persona is in a talk that began after the last one with the same partner was remembered."""
    conversation, action = mind.scratch.conversation, mind.scratch.action
    if conversation is None or action is None:
        return False
    last = mind.stream.last_chat_with(conversation.partner)
    return last is None or last.created <= action.start


def _sight_of_talk(mind: Mind) -> Percept:
    seen = _sight(mind.scratch.visible_event())
    return Percept(seen.triple, seen.text, mind.scratch.conversation)


def _sight(event: Event) -> Percept:
    """What is nothing in particular is idle."""
    if not event.predicate:
        return Percept((event.subject, *IDLE), f"{_last_part(event.subject)} {' '.join(IDLE)}")
    text = f"{_last_part(event.subject)} is {event.description or event.object or IDLE[1]}"
    return Percept((event.subject, event.predicate, event.object or ""), text)


def _last_part(address: str) -> str:
    return address.rsplit(":", 1)[-1]


async def _importances(mind: Mind, moment: Moment, sights: list[Percept]) -> dict[str, int]:
    """How much each happening matters, by its text; what is idle does not, and nobody needs to be asked."""
    happenings = [sight.text for sight in sights if not sight.idle]
    happenings += [_about(mind) for sight in sights if sight.conversation]
    happenings = list(dict.fromkeys(happenings))
    if not happenings:
        return {}
    identity = mind.scratch.identity
    question = HowImportant(
        identity=mind.identity_text(moment.now), first_name=identity.first_name, happenings=tuple(happenings)
    )
    return dict(zip(happenings, (await ask(moment.caller, question)).scores, strict=True))


def _about(mind: Mind) -> str:
    """What the present talk is about."""
    return mind.scratch.action.description if mind.scratch.action else ""


def _experiences(mind: Mind, moment: Moment, sights: list[Percept], importances: dict[str, int]) -> list[Experience]:
    """A talk is remembered word for word, and the sight of it refers to that."""
    experiences: list[Experience] = []
    for sight in sights:
        chat = None
        if sight.conversation:
            chat = f"node_{len(mind.stream) + len(experiences) + 1}"
            experiences.append(_remembered_talk(mind, moment, sight, importances))
        poignancy = importances.get(sight.text, MUNDANE)
        experiences.append(
            observation(
                moment.now, sight.triple, sight.text, poignancy=poignancy, keywords=sight.keywords, chat=chat
            )
        )  # fmt: skip
    return experiences


def _remembered_talk(mind: Mind, moment: Moment, sight: Percept, importances: dict[str, int]) -> Experience:
    about = _about(mind)
    return talk(
        moment.now,
        sight.triple,
        about,
        poignancy=importances.get(about, MUNDANE),
        keywords=sight.keywords,
        transcript=sight.conversation.transcript if sight.conversation else (),
    )
