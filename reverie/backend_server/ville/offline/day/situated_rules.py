"""Answer the questions of situated planning: where an activity is usually done, and in which steps."""

from random import Random

from ville.offline.day.place_rules import look_of
from ville.offline.day.subtask_rules import steps_of
from ville.offline.day.whims import whims_of, with_a_whim
from ville.offline.profile import profile_of
from ville.offline.rule_types import Answer, Fields, Shelf


def where_usually(fields: Fields, rng: Random) -> Answer:
    """Return what the table of looks says of an activity."""
    del rng
    look = look_of(fields["doing"])
    return {"place": look.where, "thing": ", ".join(look.objects[:3]), "emoji": look.emoji}


def step_by_step(fields: Fields, rng: Random) -> Answer:
    person = profile_of(fields["identity"])
    steps = steps_of(fields["activity"], max(1, fields["minutes"]), person, rng)
    steps = with_a_whim(steps, whims_of(fields.get("by_chance"), person), rng)
    return {"steps": [{"what": what, "minutes": minutes} for what, minutes in steps]}


RULES: Shelf = {
    "plan/where_usually": where_usually,
    "plan/step_by_step": step_by_step,
    "plan/step_by_step_briefly": step_by_step,
}
