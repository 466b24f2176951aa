"""Whispers: words of the user that become thoughts of a persona, and may change its day."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ville.llm.language import may_be_english
from ville.offline.perceive_rules import weight_of_news
from ville.offline.profile import profile_of
from ville.offline.third_person import is_english, triple
from ville.offline.whisper_statement import statement
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
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Experience, Triple, thought
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import NumberedTexts
from ville.persona.prompt_template.talk_questions import CalledOff, ChangedToday, Whispered, WhispersMatter
from ville.plain_text import one_line

MOST_AT_ONCE = 12
"""Most whispers that are rated in one question."""


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
    thoughts = await _inner_thoughts(mind, moment, said)
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


async def _inner_thoughts(mind: Mind, moment: Moment, said: Sequence[str]) -> list[Experience]:
    """Return what each text makes the persona think. What grammar turns into a statement is only rated by a model."""
    statements = {text: told for text in said if (told := _by_grammar(mind, moment, text))}
    rated, asked = await asyncio.gather(
        _rated(mind, moment, list(dict.fromkeys(statements.values()))),
        gather_all(_in_words_of_a_model(mind, moment, text) for text in said if text not in statements),
    )
    others = iter(asked)
    return [
        _thought(moment, triple(told, mind.name), told, rated[told]) if (told := statements.get(text)) else next(others)
        for text in said
    ]


def _by_grammar(mind: Mind, moment: Moment, text: str) -> str | None:
    """Return the statement that a whisper becomes by rule; None if a model has to be asked."""
    language = moment.caller.language
    english = may_be_english(language) if language else is_english(text)
    if mind.settings.questions != "situated" or not english:
        return None
    return statement(text, mind.name, profile_of(mind.identity_text(moment.now)).pronoun)


async def _rated(mind: Mind, moment: Moment, texts: Sequence[str]) -> dict[str, int]:
    """Return how much each statement matters to the persona, several asked at once; news at least by its words."""
    identity = mind.scratch.identity
    questions = [
        WhispersMatter(identity.character, identity.first_name, NumberedTexts(tuple(texts[at : at + MOST_AT_ONCE])))
        for at in range(0, len(texts), MOST_AT_ONCE)
    ]
    answers = await gather_all(ask(moment.caller, question) for question in questions)
    scores = (score for answer in answers for score in answer.scores)
    return {text: max(score, weight_of_news(text)) for text, score in zip(texts, scores, strict=True)}


async def _in_words_of_a_model(mind: Mind, moment: Moment, text: str) -> Experience:
    question = Whispered(identity=mind.identity_text(moment.now), name=mind.name, whisper=text)
    answer = await ask(moment.caller, question)
    return _thought(moment, (answer.subject, answer.predicate, answer.object), answer.text, answer.poignancy)


def _thought(moment: Moment, core: Triple, text: str, poignancy: int) -> Experience:
    return thought(moment.now, core, text, poignancy=poignancy, keywords=tuple(dict.fromkeys(core)))
