"""The user's words to a persona: whispers, which become thoughts, and interviews, which leave no trace."""

from collections.abc import Sequence

from ville.persona.cognitive_modules.mind import (
    Embedded,
    Mind,
    Moment,
    embed_experiences,
    gather_all,
    peek_memories,
    quote_memories,
)
from ville.persona.memory_structures.concept_node import Experience, thought
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.prompt_template.ask import Caller, ask
from ville.persona.prompt_template.blanks import DialogueTurn
from ville.persona.prompt_template.talk import Anthropomorphising, Interview, Whispered
from ville.plain_text import one_line

INTERVIEW_MEMORIES = 30
"""Number of memories retrieved for an answer."""
ANTHROPOMORPHISM_LIMIT = 8
"""Score from which a line is refused because it treats the agent as a human being."""


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


async def answer(mind: Mind, moment: Moment, interview: Transcript) -> str:
    """Return the answer to the last line of an interview. The mind does not change."""
    _, last_line = interview[-1]
    memories = await peek_memories(mind, moment, last_line, INTERVIEW_MEMORIES)
    question = Interview(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        memories=quote_memories(memories, moment.now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in interview),
    )
    return (await ask(moment.caller, question)).utterance


async def is_anthropomorphising(caller: Caller, comment: str) -> bool:
    """Return whether a line treats the agent as a human being."""
    return (await ask(caller, Anthropomorphising(comment=comment))).score >= ANTHROPOMORPHISM_LIMIT
