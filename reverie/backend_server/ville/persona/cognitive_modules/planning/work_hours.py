"""Duties of a day that have hours: where they are done, and where one eats meanwhile."""

import re

from ville.offline.day.duties import duties_of, meal_place
from ville.offline.day.place_rules import Places, place_in
from ville.offline.grammar import gerund
from ville.offline.profile import Profile
from ville.persona.cognitive_modules.planning.day_frame import WorkSpan

EATING = re.compile(r"\b(?:cafe|pub|park|restaurant|diner|inn|bakery|кафе|бар|парк|столовая)\b", re.IGNORECASE)  # noqa: RUF001
"""Names of places where one can eat."""


def work_of(person: Profile, options: Places) -> list[WorkSpan]:
    """Return the duties with hours of the daily requirement, each in the known place that its words mean, if any.

    One eats where one works if there is food, else where one is said to eat.
    """
    usual = meal_place(person)
    found = []
    for duty in duties_of(person):
        if duty.start is not None and duty.end is not None and duty.start < duty.end:
            where = place_in(duty.what, ["", *options])
            eats = where if EATING.search(where) else usual if usual in options else ""
            found.append(WorkSpan(duty.start, duty.end, gerund(duty.what), where, eats=eats))
    return found
