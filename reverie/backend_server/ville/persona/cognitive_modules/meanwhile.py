"""The end of thoughts for which a persona did not wait.

What came of one counts in the step in which it is due, or earlier where it is needed: thoughts about a talk in the next
talk, so that news spread as fast as if one waited for them, and all in the plan of a day.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from ville.persona.cognitive_modules.conversing.afterthoughts import begin_talk_again, finish_talk
from ville.persona.cognitive_modules.importance import begin_sights_again, finish_sights
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.musing import MusingKind, reading
from ville.persona.cognitive_modules.reflect import begin_reflection_again, finish_reflection


class _Way(NamedTuple):
    """How musings of a kind end."""

    finish: Callable[[Mind, Moment, Mapping[str, Any], Mapping[str, Any]], Awaitable[None]]
    """Changes the mind by what was found about a subject."""
    begin_again: Callable[[Mind, Moment, Mapping[str, Any]], None]


WAYS: Mapping[MusingKind, _Way] = {
    "sights": _Way(finish_sights, begin_sights_again),
    "memories": _Way(finish_reflection, begin_reflection_again),
    "talk": _Way(finish_talk, begin_talk_again),
}


async def conclude(mind: Mind, moment: Moment, *kinds: MusingKind) -> None:
    """Change the mind by the musings that are due, and by all of some kinds, each once its answers are there.

    Raise the ModelError that ended one, which then begins anew, or one of remembering, after which it stays due; and
    CorruptFile.
    """
    for musing in [each for each in mind.musings if each.kind in kinds or each.due <= moment.now]:
        way, result = WAYS[musing.kind], await musing.concluded()
        if result.fault:
            mind.musings.remove(musing)
            with reading(mind.name, musing):
                way.begin_again(mind, moment, musing.about)
            raise result.fault
        with reading(mind.name, musing):
            await way.finish(mind, moment, musing.about, result.found)
        mind.musings.remove(musing)
        moment.caller.tally.add(result.tally)
