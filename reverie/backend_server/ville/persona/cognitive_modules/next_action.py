"""The next action: what the schedule says, where it takes place, and how it is displayed (paper §4.3)."""

from ville.persona.cognitive_modules.emoji import shown
from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase, gather_pair, minute_of_day
from ville.persona.cognitive_modules.subtasks import decompose, slot_at, slots_to_split
from ville.persona.memory_structures.action import NOTHING, SLEEP_WORD, Action, Parts
from ville.persona.memory_structures.identity import Identity
from ville.persona.memory_structures.schedule import Schedule, Slot
from ville.persona.memory_structures.spatial_memory import SpatialMemory
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import PlaceOptions, place_text
from ville.persona.prompt_template.plan import Whereabouts, WhereAndHow
from ville.world.address import RANDOM, Address
from ville.world.privacy import may_use

OUTDOORS = "the street"
"""Where a persona is that is in no sector."""


async def begin_next_action(mind: Mind, moment: Moment) -> None:
    """Begin the scheduled activity, decomposed if it is long, and decompose the one that is due in an hour.

    Nothing changes if a call to a model fails.
    """
    schedule = Schedule.whole_day(mind.scratch.schedule.activities)
    now, later = slots_to_split(schedule, minute_of_day(moment.now))
    (schedule, action), steps = await gather_pair(
        _next_action(mind, moment, schedule, now), decompose(mind, moment, later)
    )
    if later:
        schedule = schedule.decomposed(schedule.index(later.start), steps)
    mind.scratch.schedule = schedule
    mind.scratch.begin(action)


async def _next_action(mind: Mind, moment: Moment, schedule: Schedule, split: Slot | None) -> tuple[Schedule, Action]:
    """Return the schedule with the current activity decomposed, and the action to begin."""
    if split:
        steps = await decompose(mind, moment, split)
        schedule = schedule.decomposed(schedule.index(split.start), steps)
    minute = minute_of_day(moment.now)
    slot = slot_at(schedule, minute)
    whereabouts = await _where_and_how(mind, moment, slot)
    return schedule, _action(mind, moment, slot, whereabouts)


async def _where_and_how(mind: Mind, moment: Moment, slot: Slot) -> Whereabouts:
    place = moment.view.maze.place(moment.view.people[mind.name].tile)
    identity = mind.scratch.identity
    home = Address.parse(identity.living_area)
    question = WhereAndHow(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        action=slot.activity.what,
        activity=slot.activity.of or slot.activity.what,
        now=moment.now,
        here=place_text(place.sector, place.arena) or OUTDOORS,
        home=place_text(home.sector, home.arena),
        options=place_options(mind.places, identity, place.world),
    )
    return await ask(moment.caller, question)


def place_options(places: SpatialMemory, identity: Identity, world: str) -> PlaceOptions:
    """Return the known places of a world without private places of others. Home is always included."""
    home = Address.parse(identity.living_area)
    known: dict[str, dict[str, tuple[str, ...]]] = {}
    for sector in places.sectors(world):
        arenas = {
            arena: tuple(places.objects(Address(world, sector, arena)))
            for arena in places.arenas(world, sector)
            if _may_enter(Address(world, sector, arena), identity.name, home)
        }
        if arenas:
            known[sector] = arenas
    known.setdefault(home.sector, {}).setdefault(home.arena, ())
    return PlaceOptions(known)


def _may_enter(place: Address, name: str, home: Address) -> bool:
    """Return whether an arena is home, or neither it nor its sector belongs to others."""
    sector = place.sector == home.sector or may_use(place.sector, name)
    return sector and (place == home or may_use(place.arena, name))


def _action(mind: Mind, moment: Moment, slot: Slot, answer: Whereabouts) -> Action:
    world = moment.view.maze.place(moment.view.people[mind.name].tile).world
    objects = mind.places.objects(Address(world, answer.sector, answer.arena))
    used = answer.game_object if answer.game_object in objects else ""
    state = _state(answer.object_state, used)
    return Action(
        address=_address(Address(world, answer.sector, answer.arena, used), slot.activity.text),
        start=moment.now,
        minutes=slot.end - minute_of_day(moment.now),
        description=slot.activity.text,
        emoji=shown(answer.emoji),
        event=_triple(mind.name, answer, slot.activity.what),
        object_description=state or None,
        object_event=(used, "is", state) if state else NOTHING,
    )


def _address(place: Address, doing: str) -> str:
    """Return the destination: an object, or the arena, in which a persona wanders unless it sleeps."""
    return str(place) if place.object or SLEEP_WORD in doing else f"{place}:{RANDOM}"


def _triple(name: str, answer: Whereabouts, what: str) -> Parts:
    """Return subject, predicate and object of an action; without a usable answer, `<name> is <activity>`."""
    predicate, whom = clean_phrase(answer.predicate), clean_phrase(answer.object)
    return (name, predicate, whom) if predicate and whom else (name, "is", what)


def _state(text: str, used: str) -> str:
    """Return the state of the used object without its name and `is`; empty if no object is used."""
    state = clean_phrase(text)
    for beginning in (f"the {used} ", f"{used} ", "is ", "are "):
        if state.lower().startswith(beginning):
            state = state[len(beginning) :]
    return state if used else ""
