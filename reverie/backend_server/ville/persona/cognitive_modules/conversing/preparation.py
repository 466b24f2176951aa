"""Preparation for a talk: each speaker brings its impression of the other up to date.

Where people go on meanwhile, only one's own first words wait for it, and only where one has thoughts about the other,
but no impression yet; else the new one counts from one's second words on, with what came of one's last talk.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ville.persona.cognitive_modules.conversing.impression import ImpressionDraft, answered, drafted, keep_impression
from ville.persona.cognitive_modules.conversing.speaker import Speaker
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.mind import gather_pair

SECOND_WORDS = 2
"""Number of the turn from which on speakers speak for the second time; the first is 0."""


class Preparation:
    """Preparation of one speaker for a talk."""

    def __init__(self, side: Speaker, draft: ImpressionDraft) -> None:
        self._side, self._relationship = side, draft.standing
        settings, stream = side.mind.settings, side.mind.stream
        thoughts = len(stream.thoughts_naming(stream.known_as(side.other, side.moment.view.names)))
        self._can_begin = settings.muses and settings.impressions and (draft.known.known or thoughts == 0)
        self._is_kept = False
        self.forming = asyncio.ensure_future(answered(draft, side.moment.caller))

    async def relationship(self, turn: int) -> str:
        """Return the relationship to use in a turn. What is waited for is kept then. Raise a ModelError."""
        side = self._side
        if turn >= SECOND_WORDS:
            await conclude(side.mind, side.moment, "talk")
        if not self._is_kept and (turn >= SECOND_WORDS or not self._can_begin):
            self._relationship, self._is_kept = keep_impression(side, await self.forming), True
        return self._relationship


@asynccontextmanager
async def prepared(first: Speaker, second: Speaker) -> AsyncIterator[tuple[Preparation, Preparation]]:
    """Begin what both prepare. At the end of the context, what was not waited for is given up.

    Raise a ModelError. Where people think at once, nothing has changed then for either.
    """
    drafts = await gather_pair(drafted(first), drafted(second))
    both = Preparation(first, drafts[0]), Preparation(second, drafts[1])
    try:
        if not first.mind.settings.muses:
            await asyncio.gather(*(each.forming for each in both))
        yield both
    finally:
        for each in both:
            each.forming.cancel()
        await asyncio.gather(*(each.forming for each in both), return_exceptions=True)
