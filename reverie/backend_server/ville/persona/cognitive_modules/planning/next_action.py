"""The next action: what the schedule says, where it takes place, and how it is displayed (paper §4.3)."""

from collections.abc import Mapping
from dataclasses import dataclass

from ville.persona.cognitive_modules.emoji import shown
from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase, gather_pair, minute_of_day
from ville.persona.cognitive_modules.planning.place_by_words import place_by_words
from ville.persona.cognitive_modules.planning.place_choice import Surroundings, action_place, is_free, surroundings
from ville.persona.cognitive_modules.planning.reuse import Note, look_up
from ville.persona.cognitive_modules.planning.subtasks import Decomposition, decompose, slots_to_split
from ville.persona.memory_structures.action import NOTHING, SLEEP_WORD, Action, ActionPlace, Parts
from ville.persona.memory_structures.schedule import Activity, Schedule, Slot
from ville.persona.prompt_template.ask import ask, ask_model
from ville.persona.prompt_template.plan_questions import WhereAndHow
from ville.world.address import RANDOM, Address
from ville.world.certainty import certain

GERUND = "ing"


@dataclass(frozen=True)
class PlacedSchedule:
    """The schedule of a day, with the places of its actions as far as they are known."""

    schedule: Schedule
    places: Mapping[str, ActionPlace]
    """By the text of the action."""
    notes: tuple[Note, ...] = ()
    """Notes for the lifestyle policy, made when the schedule is put into force."""

    def decomposed(self, slot: Slot, decomposition: Decomposition) -> "PlacedSchedule":
        """Return the schedule with an activity split into subtasks."""
        index, subtasks = self.schedule.index(slot.start), decomposition.subtasks
        schedule = self.schedule.decomposed(index, [(subtask.what, subtask.minutes) for subtask in subtasks])
        placed = {
            Activity(subtask.what, subtask.minutes, of=slot.activity.text).text: action_place(subtask)
            for subtask in subtasks
            if subtask.sector
        }
        return PlacedSchedule(schedule, {**self.places, **placed}, (*self.notes, *decomposition.notes))

    def placed(self, activity: Activity, place: ActionPlace, notes: tuple[Note, ...]) -> "PlacedSchedule":
        """Return the schedule with the place of an action."""
        return PlacedSchedule(self.schedule, {**self.places, activity.text: place}, (*self.notes, *notes))


async def begin_next_action(mind: Mind, moment: Moment) -> None:
    """Begin the scheduled activity, decomposed if it is long, and decompose the one that is due in an hour.

    Nothing changes if a call to a model fails.
    """
    scratch = mind.scratch
    planned = PlacedSchedule(scratch.schedule.whole(), scratch.action_places)
    by_rule = mind.settings.questions == "situated"
    now, later = slots_to_split(planned.schedule, minute_of_day(moment.now), by_rule=by_rule)
    begun = _next_action(mind, moment, planned, now)
    if later:
        (planned, action), decomposition = await gather_pair(begun, decompose(mind, moment, later))
        planned = planned.decomposed(later, decomposition)
    else:
        planned, action = await begun
    for note in planned.notes:
        note()
    scratch.schedule, scratch.action_places = planned.schedule, dict(planned.places)
    scratch.begin(action)


async def _next_action(
    mind: Mind, moment: Moment, planned: PlacedSchedule, split: Slot | None
) -> tuple[PlacedSchedule, Action]:  # fmt: skip
    """Return the schedule with the current activity decomposed, and the action to begin."""
    if split:
        planned = planned.decomposed(split, await decompose(mind, moment, split))
    slot = planned.schedule.slot_at(minute_of_day(moment.now))
    if mind.settings.questions == "situated":
        places, notes = await place_by_words(mind, moment, slot.activity, planned.places)
        planned = PlacedSchedule(planned.schedule, {**planned.places, **places}, (*planned.notes, *notes))
        return planned, _action(mind, moment, slot, places[slot.activity.text])
    place, notes = await _place(mind, moment, slot.activity, planned.places.get(slot.activity.text))
    return planned.placed(slot.activity, place, notes), _action(mind, moment, slot, place)


async def _place(
    mind: Mind, moment: Moment, activity: Activity, known: ActionPlace | None
) -> tuple[ActionPlace, tuple[Note, ...]]:  # fmt: skip
    """Return the place that is known of an action, if it is still an option, or the answer of a model.

    Where an action was done on an earlier day is known from the lifestyle policy, with what that notes about it.
    """
    around, policy = surroundings(mind, moment), mind.settings.policy
    if known and around.offer(known) and not (policy and not await _is_free(mind, moment, known)):
        return known, ()
    question = _question(mind, moment, activity, around)
    if not policy:
        return action_place(await ask(moment.caller, question)), ()
    before = await look_up(mind, moment, mind.policy.places, activity.text)
    if before.answer and around.offer(before.answer) and await _is_free(mind, moment, before.answer):
        return before.answer, (before.reused(),)
    answer = await ask_model(moment.caller, question)
    place = action_place(answer or question.fallback())
    return place, (before.answered(place),) if answer else ()


async def _is_free(mind: Mind, moment: Moment, place: ActionPlace) -> bool:
    return await certain(lambda: is_free(mind, moment, place))


def _question(mind: Mind, moment: Moment, activity: Activity, around: Surroundings) -> WhereAndHow:
    return WhereAndHow(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        action=activity.what,
        activity=activity.of or activity.what,
        now=moment.now,
        here=around.here,
        home=around.home,
        options=around.options,
    )


def _action(mind: Mind, moment: Moment, slot: Slot, place: ActionPlace) -> Action:
    world = moment.view.maze.place(moment.view.people[mind.name].tile).world
    objects = mind.places.objects(Address(world, place.sector, place.arena))
    used = place.game_object if place.game_object in objects else ""
    state = _state(place.object_state, used)
    return Action(
        address=_address(Address(world, place.sector, place.arena, used), slot.activity.text),
        start=moment.now,
        minutes=slot.end - minute_of_day(moment.now),
        description=slot.activity.text,
        emoji=shown(place.emoji),
        event=_triple(mind.name, slot.activity.what),
        object_description=state or None,
        object_event=(used, "is", state) if state else NOTHING,
    )


def _address(place: Address, doing: str) -> str:
    """Return the destination: an object, or the arena, in which a persona wanders unless it sleeps."""
    return str(place) if place.object or SLEEP_WORD in doing else f"{place}:{RANDOM}"


def _triple(name: str, what: str) -> Parts:
    """Return subject, predicate and object of an action: `is baking`, `bread`; or `is` and all of its words."""
    verb, _, rest = what.partition(" ")
    return (name, f"is {verb}", rest) if verb.endswith(GERUND) and rest else (name, "is", what)


def _state(text: str, used: str) -> str:
    """Return the state of the used object without its name and `is`; empty if no object is used."""
    state = clean_phrase(text)
    for beginning in (f"the {used} ", f"{used} ", "is ", "are "):
        if state.lower().startswith(beginning):
            state = state[len(beginning) :]
    return state if used else ""
