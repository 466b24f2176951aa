"""A persona in a conversation: its own mind, and what it sees of the other."""

from dataclasses import dataclass

from ville.persona.cognitive_modules.conversing.manner import way_of_speaking
from ville.persona.cognitive_modules.mind import Mind, Moment

ROUNDS = 8
"""At most, in a talk; in each round both speak once."""
MOST_UTTERANCES = 2 * ROUNDS


@dataclass(frozen=True)
class Speaker:
    """One of the two personas in a conversation. It uses its own mind and what can be seen of the other."""

    mind: Mind
    moment: Moment
    other: str
    situation: str
    """Activities of both when they met."""
    most: int = MOST_UTTERANCES
    """Utterances of the talk, by which it ends."""

    @property
    def manner(self) -> str | None:
        """How the persona speaks; None if questions are asked as in the paper."""
        return way_of_speaking(self.mind.scratch.identity) if self.mind.settings.questions == "situated" else None

    @property
    def place(self) -> str:
        """Where the persona is."""
        return place_of(self.mind.name, self.moment)


def place_of(name: str, moment: Moment) -> str:
    """Return where a persona is, as quoted in prompts: `cafe in Hobbs Cafe`."""
    place = moment.view.maze.place(moment.view.people[name].tile)
    return " in ".join(name for name in (place.arena, place.sector) if name) or f"a street of {place.world}"


def doing(name: str, moment: Moment) -> str:
    """Return what a persona is doing; users who talk to personas are just here."""
    seen = moment.view.people.get(name)
    return (seen and seen.doing) or "here"


def doing_or_on_the_way(mind: Mind, name: str, moment: Moment) -> str:
    """Return the same in situated questions with the way: who walks to the cafe does not have breakfast there yet."""
    seen = moment.view.people.get(name)
    on_the_way = mind.settings.questions == "situated" and seen and seen.doing and seen.walking
    return f"on the way to {doing(name, moment)}" if on_the_way else doing(name, moment)
