"""Response to what happens (paper §4.3.1): carry on, or do something else now and plan the rest of the day again.

A persona decides once about each occurrence, when it perceives it, and about a pressing whisper, when it hears it. The
response may end a conversation; the partner's then ends, too.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from ville.persona.cognitive_modules.conversing.open_talk import break_off
from ville.persona.cognitive_modules.emoji import shown
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    clean_phrase,
    minute_of_day,
    quote_memories,
    retrieve_memories,
)
from ville.persona.cognitive_modules.planning.place_choice import place_options
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.cognitive_modules.retrieve import RelatedMemories, recall
from ville.persona.cognitive_modules.view import ChangeActivity, TownView, VisiblePersona
from ville.persona.memory_structures.action import Action, ActionPlace
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.memory_structures.stream.concept_node import PLANS, REMEMBERS, ConceptNode
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import PlaceOptions, place_text
from ville.persona.prompt_template.react_questions import HowToRespond, Response
from ville.world.address import RANDOM, Address
from ville.world.certainty import certain
from ville.world.occurrences import LastingState, Occurrence, PlaceEvent

RELATED_MEMORIES = 2
"""Number of memories of each kind that share a keyword with the occurrence."""
MEMORIES = 10
"""Number of memories retrieved for the occurrence."""
PRESSING = 8
"""Poignancy from which a whisper may change what the persona does at once."""
LATEST_THOUGHTS = 10
"""Number of thoughts among which what was just whispered is looked for."""
SECONDS_PER_MINUTE = 60


async def respond(mind: Mind, moment: Moment, recalled: Mapping[str, RelatedMemories]) -> ChangeActivity | None:
    """Begin what the persona does about one of the occurrences just observed, or about what was just whispered to it;
    return None if it carries on.

    States of objects come before events, since something can be done about them.
    """
    recalled = {**recalled, **recall(mind.stream, pressing_whispers(mind, moment.now))}
    observed = [(_occurrence(mind, moment, each.event), each) for each in recalled.values()]
    occurrences = [(occurrence, related) for occurrence, related in observed if occurrence]
    for occurrence, related in sorted(occurrences, key=lambda pair: not isinstance(pair[0], LastingState)):
        response = await ask(moment.caller, await _question(mind, moment, occurrence, related))
        if response.choice == "change":
            await _begin(mind, moment, occurrence, response)
            return ChangeActivity(response.activity)
    return None


def pressing_whispers(mind: Mind, now: datetime) -> list[ConceptNode]:
    """Return the last thought that was whispered before this step, if it presses; none before the first step, when
    histories are told.
    """
    if mind.stream.latest["thought"] < now:
        return []
    latest = [node for node in mind.stream.newest("thought", LATEST_THOUGHTS) if node.created == now]
    pressing = (node for node in latest if node.poignancy >= PRESSING and not mind.stream.is_hidden(node))
    whispered = (node for node in pressing if not node.evidence and node.predicate not in {PLANS, REMEMBERS})
    return list(whispered)[:1] if mind.scratch.curr_time else []


def _occurrence(mind: Mind, moment: Moment, noticed: ConceptNode) -> Occurrence | None:
    """Return what an observation shows, if it still lasts. A whisper is about the place where the persona is."""
    if noticed.kind != "thought":
        return moment.view.occurrences.behind(noticed.triple)
    place = moment.view.maze.place(moment.view.people[mind.name].tile)
    where = str(Address(place.world, place.sector, place.arena))
    return PlaceEvent(where=where, words=noticed.description, since=moment.view.step)


async def _question(mind: Mind, moment: Moment, occurrence: Occurrence, related: RelatedMemories) -> HowToRespond:
    scratch, home = mind.scratch, Address.parse(mind.scratch.identity.living_area)
    place = Address.parse(occurrence.where)
    own_doing = scratch.action.description if scratch.action else "doing nothing in particular"
    (retrieved,) = await retrieve_memories(mind, moment, [occurrence.text], MEMORIES)
    memories = [*related.thoughts[:RELATED_MEMORIES], *related.events[:RELATED_MEMORIES], *retrieved]
    return HowToRespond(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        now=moment.now,
        noticed=occurrence.text,
        where=place_text(place.sector, place.arena) or place.world,
        thing=place.object,
        own_doing=f"on the way to {own_doing}" if scratch.planned_path else own_doing,
        home=place_text(home.sector, home.arena),
        others=await certain(lambda: _others(mind, moment)),
        memories=quote_memories(memories, moment.now),
        options=_options(mind, moment, place),
    )


def _others(mind: Mind, moment: Moment) -> tuple[str, ...]:
    """Return who else is in the persona's arena, each with its activity."""
    view = moment.view
    present = view.in_arena_of(view.people[mind.name].tile)
    return tuple(f"{each.name}: {_doing(each)}" for each in present if each.name != mind.name)


def _doing(other: VisiblePersona) -> str:
    doing = other.doing or "doing nothing in particular"
    return f"on the way to {doing}" if other.walking else doing


def _options(mind: Mind, moment: Moment, place: Address) -> PlaceOptions:
    """Return the places that the persona may use, and the arena of what it noticed, even if it belongs to others."""
    known = place_options(mind.places, mind.scratch.identity, place.world).places
    if not place.arena:
        return PlaceOptions(known)
    arena = place.arena_address
    objects = tuple(each.object for each in moment.view.maze.places_in(arena))
    return PlaceOptions({**known, place.sector: {**known.get(place.sector, {}), place.arena: objects}})


async def _begin(mind: Mind, moment: Moment, occurrence: Occurrence, response: Response) -> None:
    """Begin the activity now, with a schedule that makes room for it. Ends a conversation, if any."""
    mends = occurrence.where if response.ends_it and isinstance(occurrence, LastingState) else None
    minutes = response.minutes + (_walking_minutes(moment, mind.name, mends) if mends else 0)
    doing = clean_phrase(response.activity)
    schedule = await reschedule(mind, moment, doing, minutes, alarming=True)
    await break_off(mind, moment)
    world = Address.parse(occurrence.where).world
    place = Address(world, response.sector, response.arena, response.game_object)
    mind.scratch.schedule = schedule
    resumed = ActionPlace(response.sector, response.arena, response.game_object, shown(response.emoji))
    mind.scratch.action_places[schedule.at(minute_of_day(moment.now)).text] = resumed
    mind.scratch.begin(
        Action(
            address=str(place) if place.object else f"{place}:{RANDOM}",
            start=moment.now,
            minutes=minutes,
            description=doing,
            emoji=shown(response.emoji),
            event=(mind.name, "is", doing),
            mends=mends,
        )
    )


def _walking_minutes(moment: Moment, name: str, address: str) -> int:
    """Return how long the way to an object takes, so that there is time left when the persona arrives."""
    view = moment.view
    ways = [view.paths.distance(view.people[name].tile, tile) for tile in view.maze.address_tiles.get(address, ())]
    steps = min((way for way in ways if way is not None), default=0)
    return math.ceil(steps * view.seconds_per_step / SECONDS_PER_MINUTE)


def is_left_alone(scratch: Scratch, view: TownView) -> bool:
    """Return whether the conversation partner has left because of something that happens."""
    conversation = scratch.conversation
    if not view.occurrences or conversation is None or conversation.partner not in view.people:
        return False
    lasts = conversation.until is None or conversation.until > view.now + _step(view)
    return lasts and view.people[conversation.partner].chatting_with != scratch.name


def end_conversation(scratch: Scratch, view: TownView) -> None:
    """Let the conversation end with this step."""
    if scratch.conversation:
        scratch.conversation = replace(scratch.conversation, until=view.now + _step(view))


def _step(view: TownView) -> timedelta:
    return timedelta(seconds=view.seconds_per_step)
