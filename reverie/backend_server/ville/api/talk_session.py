"""A conversation with a persona as used from Python."""

from types import TracebackType
from typing import Self

from ville.api.persona_view import check_text
from ville.api.session_loop import SessionLoop
from ville.persona.memory_structures.scratch import Transcript
from ville.simulation.interventions.intervention import API
from ville.simulation.talks.open_user_talk import UserTalk


class TalkSession:
    """A conversation with a persona. End it, or use it in a `with` statement: then the persona remembers it."""

    def __init__(self, conversation: UserTalk, loop: SessionLoop) -> None:
        self._conversation, self._loop = conversation, loop

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _fault: BaseException | None, _: TracebackType | None) -> None:
        """End the conversation; after an exception, drop it."""
        if kind is None:
            self.end()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _fault: BaseException | None, _: TracebackType | None
    ) -> None:
        if kind is None:
            await self.aend()

    @property
    def transcript(self) -> Transcript:
        """Speaker and words of each turn; empty once it has ended."""
        return self._conversation.transcript

    @property
    def text(self) -> str:
        """The last answer; empty if the persona says nothing."""
        turns = self.transcript
        return turns[-1][1] if turns and turns[-1][0] == self._conversation.name else ""

    @property
    def over(self) -> bool:
        """Whether the persona has ended it, or there have been sixteen lines of yours."""
        return self._conversation.over

    def say(self, line: str) -> str:
        """Say something and return the answer; empty if the persona leaves. Raises BadArgument or ModelError."""
        return self._loop.wait(self._say(line))

    async def asay(self, line: str) -> str:
        """Awaitable twin of `say`."""
        return await self._loop.awaited(self._say(line))

    def end(self) -> str:
        """End the conversation and return what it was about. Both remember it, and it takes game time.

        Raises BadIntervention if the persona can no longer talk, or ModelError; the simulation has not changed then.
        """
        return self._loop.wait(self._conversation.end(API))

    async def aend(self) -> str:
        """Awaitable twin of `end`."""
        return await self._loop.awaited(self._conversation.end(API))

    async def _say(self, line: str) -> str:
        return await self._conversation.say(check_text("line", line))
