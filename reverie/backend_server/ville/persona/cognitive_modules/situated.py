"""The situated self: when, where, doing what until when, what comes next, feelings and promises, in one place.

Questions to a persona carry it in their field `at_hand`, unless they are asked as in the paper.
"""

from collections.abc import Iterator

from ville.persona.cognitive_modules.committing.at_hand import promised, told_already
from ville.persona.cognitive_modules.mind import Mind, Moment, minute_of_day
from ville.persona.cognitive_modules.planning.subtasks import at_minute
from ville.persona.memory_structures.schedule import Slot
from ville.persona.memory_structures.social_impression import UNKNOWN
from ville.persona.prompt_template.blanks import AheadToday, SituatedSelf
from ville.world.address import Address, AnywhereIn, AtPlace, parse_destination

AHEAD = 3
"""Entries of the plan that are told."""
OUTSIDE = "the street"
HOME = "home"
CONVERSING = "conversing about"


def situated_self(mind: Mind, moment: Moment, *, facing: str = "") -> SituatedSelf | None:
    """Return what is true of a persona now, towards whom it faces; None if questions are asked as in the paper."""
    if mind.settings.questions != "situated":
        return None
    scratch, view = mind.scratch, moment.view
    action, conversation = scratch.action, scratch.conversation
    tile = view.maze.place(view.people[mind.name].tile)
    place = Address(tile.world, tile.sector, tile.arena)
    ends = (conversation.until if conversation else None) or (action.ends if action else None)
    return SituatedSelf(
        now=moment.now,
        first_name=scratch.identity.first_name,
        here=f"{'at' if place.sector else 'in'} {named_place(mind, place)}",
        doing=_doing(mind),
        until=ends if ends and ends > moment.now else None,
        heading=_heading(mind),
        ahead=tuple(_ahead(mind, moment)),
        facing=facing,
        feeling=_feeling(mind, facing),
        promises=promised(mind, moment.now, facing),
        told=told_already(mind, facing),
    )


def named_place(mind: Mind, place: Address) -> str:
    """Return a place as its persona would name it: `home (kitchen)`, `Hobbs Cafe (cafe)`."""
    home = Address.parse(mind.scratch.identity.living_area).sector_address
    sector = HOME if place.sector_address == home else place.sector
    if not sector:
        return OUTSIDE
    return f"{sector} ({place.arena})" if place.arena else sector


def _doing(mind: Mind) -> str:
    """Return what a persona does, and of a talk with whom."""
    action, conversation = mind.scratch.action, mind.scratch.conversation
    doing = action.description if action else ""
    return doing.replace(CONVERSING, f"talking with {conversation.partner} about", 1) if conversation else doing


def _heading(mind: Mind) -> str:
    """Return where a persona is walking to; empty if it has arrived, or is still to find its way."""
    action = mind.scratch.action
    if action is None or not mind.scratch.planned_path:
        return ""
    match parse_destination(action.address):
        case AtPlace(address):
            return named_place(mind, address)
        case AnywhereIn(arena):
            return named_place(mind, arena)
        case _:
            return ""


def _ahead(mind: Mind, moment: Moment) -> Iterator[AheadToday]:
    """Yield the next entries of the plan for today; none before the day is planned."""
    scratch, now = mind.scratch, moment.now
    if scratch.curr_time is None or scratch.curr_time.date() != now.date() or "plans" in mind.settings.masked_memories:
        return
    for slot in _later(list(scratch.hourly_schedule.slots()), minute_of_day(now))[:AHEAD]:
        known = scratch.action_places.get(slot.activity.text)
        world = Address.parse(scratch.identity.living_area).world
        where = named_place(mind, Address(world, known.sector)) if known else ""
        said = where.casefold() in slot.activity.what.casefold()
        yield AheadToday(at_minute(now, slot.start), slot.activity.what, "" if said else where)


def _later(slots: list[Slot], minute: int) -> list[Slot]:
    """Return the entries that begin later, without those that go on with the one before."""
    before = [None, *(slot.activity.what for slot in slots)]
    return [
        slot for slot, what in zip(slots, before, strict=False) if slot.start > minute and slot.activity.what != what
    ]


def _feeling(mind: Mind, facing: str) -> str:
    known = mind.scratch.impression_of(facing).feeling if facing and mind.settings.impressions else UNKNOWN
    return "" if known == UNKNOWN else known
