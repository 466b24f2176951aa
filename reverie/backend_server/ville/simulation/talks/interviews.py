"""Interviews with the personas of a town, running, waiting or saved. Nothing in the simulation changes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from ville.llm.gateway import Models
from ville.persona.cognitive_modules.conversing.interview import (
    INTERVIEWER,
    Boundary,
    InterviewReply,
    answer,
    is_anthropomorphising,
)
from ville.persona.cognitive_modules.mind import Moment
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.prompt_template.ask import Tally
from ville.reply_form import ReplyForm
from ville.simulation.services import RunServices
from ville.simulation.stepping.step import moment_of
from ville.simulation.town import Town
from ville.simulation.user_texts import checked_line, checked_role

DISCLAIMER = (
    "This is a computational agent, without feelings or a life outside this simulation. "
    "Please do not speak to it as to a human being."
)


@dataclass(frozen=True)
class Interviews:
    """Asks personas. Minds are read between two steps, and models are asked while the run goes on.

    Calls are recorded in a ledger of their own, numbered apart from those of the run, and not judged by the breaker.
    """

    town: Town
    services: RunServices
    models: Callable[[], Models]
    between_steps: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a step is computed."""

    def boundary(self, name: str) -> Boundary:
        """Return a context between two steps with the moment of a persona, for calls of an interview."""

        @asynccontextmanager
        async def context() -> AsyncIterator[Moment]:
            await asyncio.sleep(0)  # rules answer at once: let the run go on before the next question
            async with self.between_steps:
                yield self._moment(name)

        return context

    def _moment(self, name: str) -> Moment:
        persona, attempts = self.town.personas[name], self.services.breaker.attempts
        return moment_of(persona, self.town.view(), Tally(), models=self.models(), attempts=attempts)

    async def ask(
        self, name: str, line: str, *, role: str = "", history: Transcript = (), form: ReplyForm | None = None
    ) -> InterviewReply:
        """Return the answer to a line of a user who speaks in a role, or as an interviewer without one.

        `form`: in which to answer; None: in words.

        Raises BadArgument for a line or role that cannot be used, and ModelError.
        """
        asker = checked_role(role, name, self.town.personas) if role else INTERVIEWER
        interview = (*history, (asker, checked_line(line)))
        mind = self.town.personas[name].mind
        return await answer(mind, self.models().embedder, interview, boundary=self.boundary(name), form=form)

    async def treats_as_human(self, name: str, line: str) -> bool:
        """Return whether a line speaks to the persona as to a human being."""
        return await is_anthropomorphising(self._moment(name).caller, line)
