"""Whispers: words of the user that become thoughts of a persona, and may change its day."""

from collections.abc import Sequence
from dataclasses import dataclass

from ville.persona.cognitive_modules.committing.commit import commit_by_memories
from ville.persona.cognitive_modules.conversing.social_memory import rest_of_day
from ville.persona.cognitive_modules.mind import (
    Embedded,
    Mind,
    Moment,
    add_to_stream,
    embed_experiences,
    gather_all,
)
from ville.persona.cognitive_modules.planning.appointments import keep_appointment
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Experience, thought
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.talk_questions import CalledOff, ChangedToday, Whispered
from ville.plain_text import one_line


@dataclass(frozen=True)
class Heard:
    """Thoughts and changes of plan that whispers become. Nothing of it is remembered or planned yet."""

    thoughts: tuple[Embedded, ...]
    """In the order of the whispers."""
    today: tuple[CalledOff, ...]
    """Changes of the plan for today."""


async def thoughts_from_whispers(mind: Mind, moment: Moment, whispers: Sequence[str]) -> Heard:
    """Return the thoughts that whispers become, in order, and what they change today.

    What has no word in common with the plan changes nothing; nor is there a plan when histories are told.
    """
    said = [text for whisper in whispers if (text := one_line(whisper).strip())]
    day = rest_of_day(mind, moment.now)
    if mind.settings.questions == "situated":
        day = tuple(map(in_24_hours, day))
    thoughts = await gather_all(_inner_thought(mind, moment, text) for text in said)
    changes = (ChangedToday(mind.name, text, moment.now, day) for text in said if day)
    asked = [question for question in changes if question.is_about_the_day]
    changed = await gather_all(ask(moment.caller, question) for question in asked)
    return Heard(tuple(await embed_experiences(mind, moment, thoughts)), tuple(changed))


def take_in(mind: Mind, moment: Moment, heard: Heard) -> list[ConceptNode]:
    """Remember what was whispered, and change the plan for today accordingly."""
    for change in heard.today:
        keep_appointment(mind, moment.now, change.today, instead_of=change.instead_of)
    nodes = add_to_stream(mind, heard.thoughts)
    commit_by_memories(mind, moment.view, nodes)
    return nodes


async def _inner_thought(mind: Mind, moment: Moment, text: str) -> Experience:
    question = Whispered(identity=mind.identity_text(moment.now), name=mind.name, whisper=text)
    answer = await ask(moment.caller, question)
    triple = (answer.subject, answer.predicate, answer.object)
    keywords = tuple(dict.fromkeys(triple))
    return thought(moment.now, triple, answer.text, poignancy=answer.poignancy, keywords=keywords)
