"""Finds by rule what becomes of appointments: whether the persona was there, with whom, or did what was agreed on."""

from datetime import datetime, timedelta

from ville.persona.cognitive_modules.mind import Mind
from ville.persona.cognitive_modules.view import TownView, VisiblePersona
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.facts.fact_words import are_alike
from ville.world.maze import Place

EARLY = timedelta(minutes=10)
"""Before an appointment, at which one may be there already."""


def settle(mind: Mind, view: TownView) -> None:
    """Note which appointments are kept at this step, and which were not kept in time."""
    commitments = mind.facts.commitments
    for each in commitments.due(view.now + EARLY):
        if is_kept(mind, view, each):
            commitments.close(each, "kept", view.now)
        elif each.end is not None and each.end <= view.now:
            commitments.close(each, "broken", view.now)


def settles_at(mind: Mind) -> datetime:
    """Return until when `settle` has nothing to note, unless another appointment is made."""
    return mind.facts.commitments.next_due - EARLY


def is_kept(mind: Mind, view: TownView, commitment: Commitment) -> bool:
    """Return whether a persona is now, awake, where it has an appointment; without an hour, only in company.

    Without a place, it is with one of those with whom it was made, or does what was agreed on.
    """
    me = view.people[mind.name]
    if me.asleep or me.walking:
        return False
    others = [view.people[name] for name in commitment.people if name in view.people]
    together = any(_are_together(view, me, other) for other in others)
    does_it = are_alike(commitment.what, me.doing or "")
    if commitment.place and (commitment.at is not None or together):
        return is_at(commitment.place, view.maze.place(me.tile))
    return does_it or (together and not commitment.place)


def is_at(place: str, here: Place) -> bool:
    """Return whether a tile belongs to a sector or arena of this name."""
    return place.casefold() in {here.sector.casefold(), here.arena.casefold()}


def _are_together(view: TownView, me: VisiblePersona, other: VisiblePersona) -> bool:
    if other.name == me.chatting_with:
        return True
    same = view.maze.place(me.tile).path("arena") == view.maze.place(other.tile).path("arena")
    return same and not other.asleep and bool(view.maze.place(me.tile).arena)
