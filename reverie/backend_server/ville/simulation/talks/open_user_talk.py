"""A conversation of a user with a persona, while it goes on. The simulation changes when it ends."""

from typing import TYPE_CHECKING

from ville.errors import BadArgument
from ville.persona.cognitive_modules.conversing.user_talk import relate, reply
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.fields import MOST_LINES
from ville.simulation.interventions.intervention import Source
from ville.simulation.interventions.kinds.talk import check_free
from ville.simulation.simulation import Simulation
from ville.simulation.user_texts import VISITOR, checked_line, checked_role

if TYPE_CHECKING:
    from ville.persona.cognitive_modules.conversing.impression import FormedImpression
    from ville.persona.cognitive_modules.retrieve import RetrievedMemory
    from ville.persona.memory_structures.scratch import Transcript


class UserTalk:
    """Collects the lines of a user and the answers of a persona; `end` makes them an intervention."""

    def __init__(
        self, simulation: Simulation, name: str, role: str = VISITOR, *, transcript: "Transcript" = ()
    ) -> None:
        """Raises BadArgument if the role cannot be used, or the persona cannot talk now."""
        self._simulation, self.name = simulation, name
        self.role = checked_role(role, name, simulation.town.personas)
        for each in (name, self.role):
            if each in simulation.town.personas:
                check_free(simulation.persona(each).scratch)
        self.transcript = transcript
        """Speaker and words of each turn, from the first."""
        self.memories: tuple[RetrievedMemory, ...] = ()
        """Memories retrieved for the last answer."""
        self.by_rules = False
        """Whether the offline rules gave the last answer, and no model."""
        self.over = len(transcript) >= MOST_LINES
        """Whether the persona has ended the conversation, or there have been as many turns as there may be."""
        self._formed: FormedImpression | None = None

    async def say(self, text: str) -> str:
        """Return what the persona answers; empty if it leaves. Raises BadArgument or ModelError: nothing is said."""
        line = (self.role, checked_line(text))
        if self.over:
            raise BadArgument(f"{self.name} has ended the conversation. End it too, and begin another one.")
        interviews = self._simulation.interviews
        mind, embedder = self._simulation.persona(self.name).mind, interviews.models().embedder
        boundary = interviews.boundary(self.name)
        if self._formed is None:
            self._formed = await relate(mind, embedder, self.role, boundary=boundary)
        transcript = (*self.transcript, line)
        replied = await reply(mind, embedder, self._formed, transcript, boundary=boundary)
        spoken, self.memories, self.by_rules = replied.spoken, replied.memories, replied.by_rules
        said = ((self.name, spoken.utterance),) if spoken.utterance else ()
        self.transcript = (*transcript, *said)
        self.over = spoken.ends or not said or len(self.transcript) >= MOST_LINES
        return spoken.utterance

    async def end(self, source: Source) -> str:
        """Make the conversation part of the simulation; return what was done, or nothing if there was none.

        Raises BadIntervention if the persona can no longer talk, or ModelError; the simulation has not changed then.
        """
        self.over = True
        if not self.transcript:
            return ""
        talk = {"kind": "talk", "who": self.name, "as": self.role, "lines": self.transcript}
        told = await self._simulation.intervene(parse_intervention(talk), source=source)
        self.transcript = ()
        return "\n".join(told)
