"""Whispers: words of the user that become thoughts of a persona."""

from collections.abc import Sequence

from ville.persona.cognitive_modules.mind import (
    Embedded,
    Mind,
    Moment,
    embed_experiences,
    gather_all,
)
from ville.persona.memory_structures.concept_node import Experience, thought
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.talk import Whispered
from ville.plain_text import one_line


async def thoughts_from_whispers(mind: Mind, moment: Moment, whispers: Sequence[str]) -> list[Embedded]:
    """Return the thoughts that whispers become, in order. They are not added to the stream yet."""
    said = [text for whisper in whispers if (text := one_line(whisper).strip())]
    return await embed_experiences(mind, moment, await gather_all(_inner_thought(mind, moment, text) for text in said))


async def _inner_thought(mind: Mind, moment: Moment, text: str) -> Experience:
    question = Whispered(identity=mind.identity_text(moment.now), name=mind.name, whisper=text)
    answer = await ask(moment.caller, question)
    triple = (answer.subject, answer.predicate, answer.object)
    keywords = tuple(dict.fromkeys(triple))
    return thought(moment.now, triple, answer.text, poignancy=answer.poignancy, keywords=keywords)
