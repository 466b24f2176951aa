"""Decomposition of long activities into subtasks (paper §4.3), when they begin or an hour before."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from ville.offline.day.subtask_rules import steps_of
from ville.offline.day.whims import whims_of, with_a_whim
from ville.offline.profile import profile_of
from ville.persona.cognitive_modules.mind import Mind, Moment, clean_phrase
from ville.persona.cognitive_modules.planning.place_choice import Surroundings, action_place, surroundings
from ville.persona.cognitive_modules.planning.reuse import Note, look_up
from ville.persona.cognitive_modules.planning.wander import FOR_AN_ACTIVITY, chance_memories
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.lifestyle_policy import PlannedStep
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity, Schedule, Slot
from ville.persona.prompt_template.answers.minutes import scaled
from ville.persona.prompt_template.ask import ask_model
from ville.persona.prompt_template.blanks import ScheduleEntry, clock
from ville.persona.prompt_template.day_questions import StepByStep, StepByStepBriefly
from ville.persona.prompt_template.likely_place import NAP
from ville.persona.prompt_template.plan_questions import Breakdown, Subtask, Subtasks, SubtasksBriefly

LONG = 60
"""Minutes from which an activity is decomposed by a model, as in the paper."""
LONG_BY_RULE = 30
"""Minutes from which an activity is decomposed into its usual steps, which takes no question."""
AHEAD = 60
"""Minutes before its start at which an activity is decomposed."""
NO_PLACE = ActionPlace("", "")
SEVERAL = re.compile(r"(?:[,;]| and| then| и| затем| потом) (?:then |потом )?[^\W_]+(?:ing|[аеия]ть)\b")
"""Words of an activity that name several things to do."""
NEVER_SPLIT = ("sleeping", "asleep", "in bed")
SPLIT_UP_TO_AN_HOUR = ("sleep", "bed")
"""Words of activities that are hardly decomposed, as in the released code: getting ready for bed is, a night is not."""


def slots_to_split(schedule: Schedule, minute: int, *, by_rule: bool) -> tuple[Slot | None, Slot | None]:
    """Return the current activity and the one in an hour, each only if it still has to be decomposed.

    `by_rule`: usual steps are known, so that shorter activities are decomposed, too.
    """
    least = LONG_BY_RULE if by_rule else LONG
    current = schedule.slot_at(minute)
    later = schedule.slot_at(minute + AHEAD) if minute + AHEAD < MINUTES_PER_DAY else current
    return (
        current if needs_subtasks(current.activity, least) else None,
        later if later != current and needs_subtasks(later.activity, least) else None,
    )


def needs_subtasks(activity: Activity, least: int = LONG) -> bool:
    """Return whether an activity takes at least so many minutes, is not a subtask itself, and not sleep."""
    if activity.of is not None or activity.minutes < least or any(word in activity.what for word in NEVER_SPLIT):
        return False
    return activity.minutes <= LONG or not any(word in activity.what for word in SPLIT_UP_TO_AN_HOUR)


@dataclass(frozen=True)
class Decomposition:
    """The subtasks of an activity."""

    subtasks: Sequence[Subtask] = ()
    notes: tuple[Note, ...] = ()
    """Notes about them for the lifestyle policy."""


async def decompose(mind: Mind, moment: Moment, slot: Slot | None) -> Decomposition:
    """Return the subtasks of an activity, which together take as long; empty without an activity."""
    if slot is None:
        return Decomposition()
    around = surroundings(mind, moment)
    question = _question(mind, moment, slot, around)
    known = _known_steps(mind, moment, slot, question) if mind.settings.questions == "situated" else None
    if known is not None:
        return Decomposition(known)
    if not mind.settings.policy:
        return Decomposition(_clean(await _asked(mind, moment, slot, question) or question.fallback(), slot))
    before = await look_up(mind, moment, mind.policy.subtasks, slot.activity.what)
    if before.answer:
        return Decomposition(_again(before.answer, slot.activity.minutes, around), (before.reused(),))
    answer = await _asked(mind, moment, slot, question)
    if answer is None:
        return Decomposition(_clean(question.fallback(), slot))
    subtasks = _clean(answer, slot)
    return Decomposition(subtasks, (before.answered(tuple(_planned(each) for each in subtasks)),))


async def _asked(mind: Mind, moment: Moment, slot: Slot, question: Subtasks) -> Breakdown | None:
    """Return the answer of a model; without places where they are not asked for."""
    if mind.settings.questions == "paper":
        return await ask_model(moment.caller, question)
    answer = await ask_model(moment.caller, _steps_question(mind, moment, slot, question))
    subtasks = [Subtask.model_construct(what=step, minutes=1) for step in answer.steps] if answer else []
    return Breakdown.model_construct(subtasks=scaled(subtasks, slot.activity.minutes)) if subtasks else None


def _known_steps(mind: Mind, moment: Moment, slot: Slot, question: Subtasks) -> list[Subtask] | None:
    """Return the usual steps of an activity, none if it is one thing, or None if a model is asked.

    Asked is only about what is long and names several things. Memories that come to mind by chance may change one of
    the steps.
    """
    activity = slot.activity
    if NAP.search(activity.what):
        return []
    randomness = moment.randomness(f"{mind.name} goes about {activity.what} at {slot.start}")
    person = profile_of(mind.identity_text(moment.now))
    steps = steps_of(activity.what, activity.minutes, person, randomness)
    steps = with_a_whim(steps, whims_of(question.by_chance, person), randomness)
    if len(steps) > 1:
        return [Subtask.model_construct(what=what, minutes=minutes) for what, minutes in steps]
    return None if activity.minutes >= LONG and SEVERAL.search(activity.what) else []


def _question(mind: Mind, moment: Moment, slot: Slot, around: Surroundings) -> Subtasks:
    brief = mind.settings.prompts == "brief"
    kind = SubtasksBriefly if brief else Subtasks
    return kind(
        identity=mind.scratch.identity.character if brief else mind.identity_text(moment.now),
        first_name=mind.scratch.identity.first_name,
        options=around.options,
        here=around.here,
        home=around.home,
        day=_lines_around(mind, moment, slot) if brief else day_lines(mind.scratch.hourly_schedule, moment.now),
        activity=slot.activity.what,
        start=at_minute(moment.now, slot.start),
        minutes=slot.activity.minutes,
        by_chance=chance_memories(mind, moment, FOR_AN_ACTIVITY),
    )


def _steps_question(mind: Mind, moment: Moment, slot: Slot, placed: Subtasks) -> StepByStep:
    """Return the question without places for that with places."""
    kind = StepByStepBriefly if mind.settings.prompts == "brief" else StepByStep
    return kind(
        identity=mind.scratch.identity.character,
        first_name=placed.first_name,
        day=_lines_around(mind, moment, slot),
        activity=placed.activity,
        start=placed.start,
        minutes=placed.minutes,
        by_chance=placed.by_chance,
    )


def _lines_around(mind: Mind, moment: Moment, slot: Slot) -> tuple[str, ...]:
    """Return the plan for today from the activity before to the one after."""
    hourly = mind.scratch.hourly_schedule
    number = hourly.index(slot.start)
    return day_lines(hourly, moment.now)[max(number - 1, 0) : number + 2]


def _clean(answer: Breakdown, slot: Slot) -> list[Subtask]:
    return [
        subtask.model_copy(update={"what": clean_phrase(subtask.what) or slot.activity.what})
        for subtask in answer.subtasks
    ]


def _planned(subtask: Subtask) -> PlannedStep:
    return PlannedStep(subtask.what, subtask.minutes, action_place(subtask))


def _again(steps: Sequence[PlannedStep], minutes: int, around: Surroundings) -> list[Subtask]:
    """Return subtasks of an earlier time, in the minutes at hand; places that are no option now are left open."""
    places = [step.place if around.offer(step.place) else NO_PLACE for step in steps]
    return scaled(
        [
            Subtask.model_construct(what=step.what, minutes=step.minutes, **asdict(place))
            for step, place in zip(steps, places, strict=True)
        ],
        minutes,
    )


def day_lines(hourly: Schedule, today: datetime) -> tuple[str, ...]:
    """Return the plan for today as quoted in prompts: `7:00 AM: having breakfast`."""
    return tuple(f"{clock(at_minute(today, slot.start))}: {slot.activity.what}" for slot in hourly.slots())


def schedule_entries(slots: Sequence[Slot], today: datetime) -> tuple[ScheduleEntry, ...]:
    """Return a part of a schedule as quoted in prompts."""
    return tuple(
        ScheduleEntry(at_minute(today, slot.start), slot.activity.minutes, slot.activity.text) for slot in slots
    )


def at_minute(today: datetime, minute: int) -> datetime:
    """Return the time of a minute of the day."""
    return today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=minute)
