"""Interventions in the world: states of objects, and events at places."""

import re

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.mind import clean_phrase
from ville.simulation.interventions.addresses import find_object, find_place, readable
from ville.simulation.interventions.kinds import Happening, ObjectState
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.town import Town
from ville.world.address import Address
from ville.world.occurrences import LastingState, PlaceEvent

IDLE = {"idle", "normal"}
"""States that end another one."""


async def prepare_object(target: Target, change: ObjectState) -> Effect:
    """Find the object. Raises BadIntervention."""
    town = target.town
    address = find_object(town.maze, change.where)
    words = state_words(change.state, address.object)
    check_end(change.until, town.clock.step)
    logged = change.model_copy(update={"where": str(address), "state": words})
    return Effect(logged, lambda: set_object(town, address, words, until=change.until))


async def prepare_event(target: Target, event: Happening) -> Effect:
    """Find the place. Raises BadIntervention."""
    town, words = target.town, event_words(event.words)
    place = find_place(town.maze, event.where)
    logged = event.model_copy(update={"where": str(place), "words": words})
    return Effect(logged, lambda: happen(town, place, words, steps=event.steps))


def set_object(town: Town, address: Address, words: str, *, until: int | None = None) -> str:
    """Set the lasting state of an object, or end it, and return what was done. What it is already, it remains."""
    where, name = str(address), f"{address.object} in {readable(address.arena_address)}"
    if words in IDLE:
        town.occurrences = town.occurrences.without_objects([where])
        return f"{name} is idle."
    before = town.occurrences.state_of(where)
    since = before.since if before and before.words == words else town.clock.step
    town.occurrences = town.occurrences.with_object(LastingState(where=where, words=words, since=since, until=until))
    return f"{name} is {words}."


def happen(town: Town, place: Address, words: str, *, steps: int) -> str:
    """Let everyone at a place perceive an event for some steps, and return what was done."""
    where, until = str(place), town.clock.step + steps
    before = town.occurrences.behind(PlaceEvent(where=where, words=words, since=0).event[:3])
    since = before.since if before else town.clock.step
    town.occurrences = town.occurrences.with_event(PlaceEvent(where=where, words=words, since=since, until=until))
    return f"{readable(place)}: {words}, until step {until:,}."


def check_end(until: int | None, step: int) -> None:
    """Raise BadIntervention if what begins before a step would end before it."""
    if until is not None and until <= step:
        raise BadIntervention(f"until: step {until:,} is over. Choose one after step {step:,}.")


def event_words(text: str) -> str:
    """Return what happens, as a sentence. Raises BadIntervention if nothing is left."""
    if not (words := clean_phrase(text)):
        raise BadIntervention("words: write what happens, for example: the fire alarm rings")
    return words


def state_words(text: str, name: str) -> str:
    """Return a state without `the stove is` before it. Raises BadIntervention if nothing is left."""
    words = clean_phrase(text)
    words = re.sub(rf"^(?:(?:the )?{re.escape(name)} )?(?:is|are) (?:now )?", "", words, flags=re.IGNORECASE)
    if not words:
        raise BadIntervention("state: write what the object is, for example: burning")
    return words.lower() if words.lower() in IDLE else words
