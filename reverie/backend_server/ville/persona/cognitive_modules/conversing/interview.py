"""Interviews (paper §6.1): questions that a persona answers from memory and does not remember."""

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from ville.llm.gateway import Embedder
from ville.persona.cognitive_modules.committing.own_facts import own_facts
from ville.persona.cognitive_modules.conversing.speaker import place_of
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    embed_texts,
    named_people,
    peek_memories,
    quote_memories,
)
from ville.persona.cognitive_modules.planning.subtasks import schedule_entries
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.persona.cognitive_modules.situated import situated_self
from ville.persona.memory_structures.schedule import SLEEPING
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.memory_structures.stream.vectors import Vector
from ville.persona.prompt_template.ask import Caller, answered_by_rules, ask
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, TalkOfToday, Today
from ville.persona.prompt_template.talk_questions import Anthropomorphising, Interview, TypedInterview, words_in
from ville.reply_form import ReplyForm
from ville.storage.dates import DAYS, MONTHS

INTERVIEWER = "Interviewer"
"""Role of the user, unless another is given."""
INTERVIEW_MEMORIES = 30
"""Number of memories retrieved for an answer."""
ON_THE_WAY = "on the way to "
FURTHER = 200
"""Memories in which the rules look further, at most."""
NAME = re.compile(r"(?<=[^\W_] )(?:[^\W\d_a-z\u0430-\u0451][^\W\d_]{3,}(?: (?=[^\W\d_a-z\u0430-\u0451]))?)+(?<! )")
"""Matches a name: words with capitals, but not at the beginning of a sentence."""
STEM = re.compile(r"\b[^\W\d_]{4}")
"""Letters by which words of names are compared, whatever their case."""
FORM_ATTEMPTS = 2
"""Answers to a question with a form: the first one, and one correction."""
ANTHROPOMORPHISM_LIMIT = 8
"""Score from which a line is refused because it treats the agent as a human being."""
Boundary = Callable[[], AbstractAsyncContextManager[Moment]]
"""Returns a context between two steps, in which the mind does not change. Models are asked outside of it."""


@dataclass(frozen=True)
class InterviewReply:
    """The answer of a persona to an interview question."""

    text: str
    """Empty if the persona says nothing."""
    memories: tuple[RetrievedMemory, ...] = ()
    """Memories retrieved for the answer: at most 30, best first; before them those with a reserved place."""
    transcript: Transcript = ()
    """The interview so far: speaker and words of each turn. Give it as `history` with the next question."""
    by_rules: bool = False
    """Whether the offline rules answered, and no model."""


async def answer(
    mind: Mind, embedder: Embedder, interview: Transcript, *, boundary: Boundary, form: ReplyForm | None = None
) -> InterviewReply:
    """Return the answer to the last line of an interview, in a form if one is given. The mind does not change.

    An answer that is not in the form is sent back once; after that it is returned as it is. Raise a ModelError.
    """
    _, line = interview[-1]
    vectors = await embed_texts(embedder, [line]) if len(mind.stream) else {}
    async with boundary() as moment:
        memories = _memories(mind, moment, interview, focus=vectors.get(line))
        question = _question(mind, moment, interview, memories)
        caller = moment.caller
    text = await _in_form(caller, question, form) if form else (await ask(caller, question)).utterance
    said = ((mind.name, text),) if text else ()
    return InterviewReply(text, tuple(memories), (*interview, *said), by_rules=answered_by_rules(caller))


async def _in_form(caller: Caller, question: Interview, form: ReplyForm) -> str:
    """Return what is answered when a form is asked for."""
    typed = TypedInterview(**question.blanks(), form=form)  # type: ignore[arg-type]
    twice = replace(caller, attempts=lambda model: min(FORM_ATTEMPTS, caller.attempts(model)))
    return (await ask(twice, typed)).answer


def _memories(mind: Mind, moment: Moment, interview: Transcript, *, focus: Vector | None) -> list[RetrievedMemory]:
    """Return the top memories for the last line, also about whom it names, and about who asks."""
    if focus is None:
        return []
    return peek_memories(mind, moment, focus, count=INTERVIEW_MEMORIES, about=_concerned(mind, moment, interview))


def _concerned(mind: Mind, moment: Moment, interview: Transcript) -> list[str]:
    """Return whom the last line names, and who asks."""
    asker, line = interview[-1]
    about = [*named_people(mind, moment.view, line), *([asker] if asker != INTERVIEWER else [])]
    return list(dict.fromkeys(about))


def _summaries(mind: Mind, moment: Moment, interview: Transcript) -> tuple[QuotedMemory, ...]:
    """Return the impressions of those concerned as memories; only with social memory, and if reflections, which they
    are, are not masked.
    """
    if not mind.settings.social_memory or "reflections" in mind.settings.masked_memories:
        return ()
    texts = (mind.scratch.impression_of(name).whole_text for name in _concerned(mind, moment, interview))
    return tuple(QuotedMemory(moment.now, text.replace("\n", " "), "thought") for text in texts if text)


def _own(mind: Mind) -> tuple[str, ...]:
    """Return what is certain of a persona, without histories that are masked."""
    hidden = {node.description.rstrip(".") for node in mind.stream if mind.stream.is_hidden(node)}
    return tuple(fact for fact in own_facts(mind) if fact not in hidden)


def _today(mind: Mind, moment: Moment) -> Today:
    """Return what the persona knows of its day without remembering it, as far as such memories are not masked."""
    now, scratch, stream = moment.now, mind.scratch, mind.stream
    planned = () if "plans" in mind.settings.masked_memories else scratch.hourly_schedule.slots()
    talks = (node for node in stream.newest("chat") if node.created.date() == now.date())
    known = [node for node in talks if node.number not in stream.dropped and not stream.is_hidden(node)]
    return Today(
        now=now,
        place=place_of(mind.name, moment),
        doing=_doing(mind),
        planned=schedule_entries([slot for slot in planned if slot.activity.what != SLEEPING], now),
        talks=tuple(TalkOfToday(node.created, node.object, node.description) for node in reversed(known)),
    )


def _doing(mind: Mind) -> str:
    scratch = mind.scratch
    doing = scratch.action.description if scratch.action else "doing nothing in particular"
    walks = mind.settings.questions == "situated" and scratch.action and scratch.planned_path
    return f"{ON_THE_WAY}{doing}" if walks else doing


def _further(mind: Mind, moment: Moment, line: str, memories: Sequence[RetrievedMemory]) -> tuple[QuotedMemory, ...]:
    """Return the latest memories not retrieved that share a word with a question, or tell of one's own day."""
    asked, found = words_in(line), {memory.node.number for memory in memories}
    apart = mind.stream.dropped | found
    nodes = [
        node
        for node in mind.stream
        if node.number not in apart
        and not mind.stream.is_hidden(node)
        and (asked & words_in(node.description) or _is_own_day(node, mind.name, moment))
    ]
    return quote_memories(nodes[-FURTHER:], moment.now)


def _is_own_day(node: ConceptNode, name: str, moment: Moment) -> bool:
    return node.kind == "event" and node.subject == name and node.created.date() == moment.now.date()


def _question(mind: Mind, moment: Moment, interview: Transcript, memories: list[RetrievedMemory]) -> Interview:
    asker, line = interview[-1]
    question = Interview(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        memories=quote_memories([each.node for each in memories], moment.now) + _summaries(mind, moment, interview),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in interview),
        today=_today(mind, moment),
        further=_further(mind, moment, interview[-1][1], memories),
        own=_own(mind) or None,
        at_hand=situated_self(mind, moment, facing="" if asker == INTERVIEWER else asker),
        unheard=unheard_names(mind, moment, line, asker),
    )
    return question if asker == INTERVIEWER else question.by(asker)


def unheard_names(mind: Mind, moment: Moment, line: str, asker: str) -> tuple[str, ...]:
    """Return the names in a question that stand nowhere in the mind of a persona. Small models invent a meeting with
    whoever is named.
    """
    named = [name for name in NAME.findall(line) if name not in {*DAYS, *MONTHS}]
    if not named:
        return ()
    known = _stems(f"{mind.identity_text(moment.now)} {asker} {' '.join(_places(mind, moment))}")
    for node in mind.stream:
        if node.number not in mind.stream.dropped and not mind.stream.is_hidden(node):
            known |= _stems(node.description)
    return tuple(name for name in dict.fromkeys(named) if known.isdisjoint(_stems(name)))


def _stems(text: str) -> set[str]:
    return set(STEM.findall(text.casefold()))


def _places(mind: Mind, moment: Moment) -> list[str]:
    world = moment.view.maze.world
    sectors = mind.places.sectors(world)
    return [world, *sectors, *(arena for sector in sectors for arena in mind.places.arenas(world, sector))]


async def is_anthropomorphising(caller: Caller, comment: str) -> bool:
    """Return whether a line treats the agent as a human being."""
    return (await ask(caller, Anthropomorphising(comment=comment))).score >= ANTHROPOMORPHISM_LIMIT
