"""An event at a place."""

from typing import Annotated, Literal

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.mind import clean_phrase
from ville.persona.prompt_template import caps
from ville.simulation.interventions.addresses import find_place, readable
from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.fields import Place, Steps, TextLine
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind, Told
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.town import Town
from ville.world.address import Address
from ville.world.occurrences import PlaceEvent


class Happening(Intervention):
    """Something that everyone at a place perceives."""

    kind: Literal["event"] = "event"
    where: Place
    """Arena, sector or world."""
    words: Annotated[str, TextLine(caps.STATE)]
    """The sight or sound, such as: the fire alarm rings."""
    steps: Steps = 1
    """How long it lasts."""


async def prepare(target: Target, event: Happening) -> Effect:
    """Find the place. Raises BadIntervention."""
    town, words = target.town, event_words(event.words)
    place = find_place(town.maze, event.where)
    logged = event.model_copy(update={"where": str(place), "words": words})
    return Effect(logged, lambda: happen(town, place, words, steps=event.steps))


def happen(town: Town, place: Address, words: str, *, steps: int) -> str:
    """Let everyone at a place perceive an event for some steps, and return what was done."""
    where, until = str(place), town.clock.step + steps
    before = town.occurrences.behind(PlaceEvent(where=where, words=words, since=0).event[:3])
    since = before.since if before else town.clock.step
    town.occurrences = town.occurrences.with_event(PlaceEvent(where=where, words=words, since=since, until=until))
    return f"{readable(place)}: {words}, until step {until:,}."


def check(around: Circumstances, event: Happening, _step: int) -> None:
    """Find the place, and check the words."""
    with in_field("where"):
        find_place(around.maze, event.where)
    event_words(event.words)


def event_words(text: str) -> str:
    """Return what happens, as a sentence. Raises BadIntervention if nothing is left."""
    if not (words := clean_phrase(text)):
        raise BadIntervention("words: write what happens, for example: the fire alarm rings")
    return words


KIND = Kind(
    Happening,
    prepare,
    effect="everyone in the arena, the sector or the world perceives it",
    check=check,
    told=Told(about="%(words)s"),
)
