"""A persona in a conversation: its own mind, and what it sees of the other."""

from dataclasses import dataclass

from ville.persona.cognitive_modules.mind import Mind, Moment


@dataclass(frozen=True)
class Speaker:
    """One of the two personas in a conversation. It uses its own mind and what can be seen of the other."""

    mind: Mind
    moment: Moment
    other: str
    situation: str
    """Activities of both when they met."""

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
