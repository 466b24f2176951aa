"""Notes what is certain of a persona, once: answers about oneself must not change from day to day."""

from collections.abc import Iterator

from ville.persona.cognitive_modules.committing.appointment_reading import SENTENCE
from ville.persona.cognitive_modules.mind import Mind
from ville.world.address import Address


def note_own_facts(mind: Mind) -> None:
    """Note what identity and histories say of a persona, unless that was done before."""
    mind.facts.own = own_facts(mind)


def own_facts(mind: Mind) -> tuple[str, ...]:
    """Return what is certain of a persona; nothing of minds that keep no facts."""
    if mind.facts.own or not mind.keeps_facts:
        return mind.facts.own
    return tuple(dict.fromkeys(text.rstrip(".") for text in _sentences(mind)))


def _sentences(mind: Mind) -> Iterator[str]:
    """Yield sentences in the third person, the most certain first."""
    identity = mind.scratch.identity
    home = Address.parse(identity.living_area)
    yield f"{identity.name} is {identity.age} years old"
    yield f"{identity.name} is {identity.innate}"
    yield f"{identity.name} lives in {home.sector or home.world}"
    for text in (identity.learned, identity.lifestyle, identity.daily_plan_req or "", identity.currently):
        yield from (sentence for sentence in SENTENCE.split(text) if sentence)
    yield from _histories(mind)


def _histories(mind: Mind) -> Iterator[str]:
    """Yield what the persona knew before its first day, the oldest first."""
    for node in reversed(mind.stream.newest("thought")):
        if node.created != mind.stream[1].created:
            break
        if node.sort == "observations":
            yield node.description
