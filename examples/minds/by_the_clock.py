"""A planner without language: everybody lives by the same clock, goes out to places drawn by lot, and asks no model."""

import argparse
from pathlib import Path

import ville
from ville.persona.cognitive_modules.mind import Mind, Moment, minute_of_day
from ville.persona.cognitive_modules.planning.place_choice import place_options
from ville.persona.cognitive_modules.planning.plan import DayChange
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import Activity, Schedule
from ville.world.address import RANDOM, Address

HOME, OUT = True, False
DAY = (
    (7, "sleeping", "💤", HOME), (1, "having breakfast", "🍳", HOME), (4, "working", "🔧", OUT),
    (1, "having lunch", "🥪", OUT), (3, "working", "🔧", OUT), (2, "taking a walk", "🚶", OUT),
    (1, "having dinner", "🍲", HOME), (3, "reading", "📖", HOME), (2, "sleeping", "💤", HOME),
)  # fmt: skip
"""Hours, activity, emoji, and whether that is at home."""


class ByTheClock:
    """Plans the day (paper §4.3) by the table above."""

    async def plan(self, mind: Mind, moment: Moment, day: DayChange) -> None:
        """Write the schedule of a new day, and begin what is due if the action before is over."""
        scratch = mind.scratch
        if day is not DayChange.SAME or not scratch.schedule:
            today = Schedule.whole_day(Activity(what, 60 * hours) for hours, what, _, _ in DAY)
            scratch.schedule = scratch.hourly_schedule = today
        if scratch.action_finished(moment.now):
            scratch.begin(self._due(mind, moment))

    def _due(self, mind: Mind, moment: Moment) -> Action:
        minute = minute_of_day(moment.now)
        slot = next(slot for slot in mind.scratch.schedule.slots() if slot.end > minute)
        what, home = slot.activity.text, Address.parse(mind.scratch.identity.living_area)
        emoji, stays = next(((sign, place) for _, each, sign, place in DAY if each == what), ("🙂", HOME))
        known = place_options(mind.places, mind.scratch.identity, home.world).places
        arenas = [Address(home.world, sector, arena) for sector in known for arena in known[sector]]
        place = home if stays else moment.randomness(f"{mind.name} goes out").choice(arenas)
        begins = {"start": moment.now, "minutes": slot.end - minute, "event": (mind.name, "is", what)}
        address = str(place) if what == "sleeping" else f"{place}:{RANDOM}"
        return Action(address=address, description=what, emoji=emoji, **begins)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--until", default="13:00", help="time until which it runs")
    until, folder = parser.parse_args().until, Path(__file__).resolve().parent
    minds, origin = {"plan": "by_the_clock:ByTheClock"}, "base_the_ville_isabella_maria_klaus"
    with ville.fork(origin, "by_the_clock", replace=True, minds=minds, minds_folder=folder) as town:
        town.run(until=until)
        print(*(f"{name}: {each.activity}" for name, each in town.personas.items()), sep="\n")


if __name__ == "__main__":
    main()
