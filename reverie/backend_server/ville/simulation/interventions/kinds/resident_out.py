"""A resident who moves away."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Literal

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.mind import clean_phrase, minute_of_day
from ville.persona.memory_structures.schedule import Schedule
from ville.persona.memory_structures.scratch import Scratch
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.interventions.fields import PersonaName
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.town import Town


class ResidentOut(Intervention):
    """A resident moves away."""

    kind: Literal["resident_out"] = "resident_out"
    who: PersonaName
    """Full name of the persona."""


async def prepare(target: Target, resident: ResidentOut) -> Effect:
    """Check the name. Raises UnknownPersona or BadIntervention."""
    town, name = target.town, resident.who
    target.mind(name)
    check_others(name, town.personas)

    def apply() -> str:
        town.move_away(name)
        target.folder.expected = tuple(each for each in target.folder.expected if each != name)
        for persona in town.personas.values():
            _end_conversation(town, persona.scratch, name)
        return f"{name} moves away."

    return Effect(resident, apply)


def check(around: Circumstances, resident: ResidentOut, _step: int) -> None:
    """Check that a resident is left."""
    check_others(resident.who, around.homes)


def after(around: Circumstances, resident: ResidentOut) -> Circumstances:
    """Return who lives in the town."""
    gone = around.person(resident.who)
    homes = {name: home for name, home in around.homes.items() if name != gone}
    return replace(around, homes=homes, former=around.former | {gone})


def check_others(name: str, residents: Collection[str]) -> None:
    """Raise BadIntervention if no one would be left."""
    if len(residents) == 1:
        raise BadIntervention(f"{name} is the only resident, so {name} cannot move away. Let someone move in first.")


def _end_conversation(town: Town, scratch: Scratch, partner: str) -> None:
    """Let a conversation with a resident end in the coming step, and do what comes next in the schedule earlier."""
    conversation, action = scratch.conversation, scratch.action
    ends = town.clock.now + timedelta(seconds=town.clock.seconds_per_step)
    if conversation is None or action is None or conversation.partner != partner:
        return
    if conversation.until is None or conversation.until > ends:
        scratch.end_conversation(ends)
    scratch.schedule = _without(scratch.schedule, clean_phrase(action.description), minute_of_day(ends))


def _without(schedule: Schedule, what: str, minute: int) -> Schedule:
    """Return a schedule in which the next activity takes the place of one that goes on at a minute."""
    slot = next((slot for slot in schedule.slots() if slot.start <= minute < slot.end), None)
    if slot is None or slot.activity.what != what:
        return schedule
    return schedule.with_window(minute, slot.end, [schedule.at(slot.end)])


KIND = Kind(
    ResidentOut,
    prepare,
    effect="a resident moves away",
    check=check,
    after=after,
    alone=True,
)
