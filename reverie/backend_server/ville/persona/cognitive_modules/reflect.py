"""Reflection (paper §4.2): insights when enough has happened, and thoughts after a conversation."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
from pydantic import ValidationError

from ville.offline.third_person import triple
from ville.persona.cognitive_modules.brakes import may_reflect
from ville.persona.cognitive_modules.committing.commit import FOR_PLANNING, agreed_today, commit_by_talk
from ville.persona.cognitive_modules.committing.telling import news_heard, note_talk
from ville.persona.cognitive_modules.conversing import social_memory
from ville.persona.cognitive_modules.conversing.agreed import may_agree, was_agreed
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    gather_all,
    in_order,
    quote_memories,
    remember,
    retrieve_memories,
)
from ville.persona.cognitive_modules.planning.appointments import keep_appointment
from ville.persona.cognitive_modules.planning.subtasks import day_lines
from ville.persona.cognitive_modules.situated import situated_self
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.facts.fact_words import are_alike
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.memory_structures.stream.concept_node import CHATS_WITH, ConceptNode, Experience, Triple, thought
from ville.persona.prompt_template.ask import answered_by_rules, ask
from ville.persona.prompt_template.blanks import DialogueTurn, NumberedMemories
from ville.persona.prompt_template.conversation_answers import Afterthought, Afterthoughts, Appointment, KeptOfTalk
from ville.persona.prompt_template.converse_questions import AfterConversation, AfterImpression, AfterSmallTalk
from ville.persona.prompt_template.reflect_questions import DirectInsights, FocalPoints, Insight, Insights
from ville.persona.prompt_template.triples import triple_of

FOCAL_POINTS = 3
INSIGHTS = 5
"""At most, per focal point."""
EVIDENCE, EVIDENCE_IN_PAPER = 15, 25
"""Number of memories retrieved per focal point; the second with the questions of the paper."""
LATEST, LATEST_IN_PAPER = 40, 75
"""Most memories from which focal points are chosen; the second likewise, although the paper itself takes 100."""
LATEST_DIRECT = 50
"""Most memories from which insights follow directly."""
KNOWN = 60
"""Thoughts that an insight is not to say again."""


async def reflect(mind: Mind, moment: Moment, ending: Conversation | None) -> None:
    """Reflect on recent memories if that is due, and on the conversation that is ending, if any; a frozen mind does
    neither.
    """
    due = reflection_due(mind, moment.now)
    if moment.frozen(mind.name):
        if due:
            _begin_count(mind.scratch)
        return
    if due:
        await _reflect_on_memories(mind, moment)
    if ending:
        await _reflect_on_conversation(mind, moment, ending)


def reflection_due(mind: Mind, now: datetime) -> bool:
    """Return whether the poignancy observed since the last reflection has reached `importance_trigger_max`, and not
    too little time has passed.
    """
    return mind.scratch.importance_trigger_curr <= 0 and len(mind.stream) > 0 and may_reflect(mind, now)


def ending_conversation(scratch: Scratch, view: TownView) -> Conversation | None:
    """Return the conversation in the step in which it ends, once."""
    conversation, step = scratch.conversation, timedelta(seconds=view.seconds_per_step)
    if conversation is None or conversation.is_open or conversation.until is None or scratch.action is None:
        return None
    last_step = conversation.until - step
    thought_before = scratch.curr_time is not None and scratch.curr_time > scratch.action.start
    seen_before = thought_before and scratch.curr_time is not None and scratch.curr_time >= last_step
    return conversation if view.now >= last_step and not seen_before else None


async def _reflect_on_memories(mind: Mind, moment: Moment) -> None:
    """Remember insights, and reset the trigger."""
    direct = mind.settings.reflections == "direct"
    found = await (_direct_insights(mind, moment) if direct else _insights_on_focal_points(mind, moment))
    if mind.settings.questions == "situated" and not answered_by_rules(moment.caller):
        found = _new_to(mind, found)
    insights = {insight.description: insight for insight in found}
    await remember(mind, moment, list(insights.values()))
    _begin_count(mind.scratch)


async def _insights_on_focal_points(mind: Mind, moment: Moment) -> list[Experience]:
    """Choose focal points, retrieve evidence, and return the insights that follow."""
    situated = mind.settings.questions == "situated"
    questions = await _focal_points(mind, moment, most=LATEST if situated else LATEST_IN_PAPER)
    evidence = await retrieve_memories(mind, moment, questions, EVIDENCE if situated else EVIDENCE_IN_PAPER)
    known = [(about, in_order(nodes)) for about, nodes in zip(questions, evidence, strict=True) if nodes]
    found = await gather_all(_insights(mind, moment, about, nodes) for about, nodes in known)
    return [insight for some in found for insight in some]


async def _direct_insights(mind: Mind, moment: Moment) -> list[Experience]:
    """Return what follows from the memories since the last reflection, in one question."""
    nodes = in_order(_latest(mind, min(LATEST_DIRECT, max(1, mind.scratch.importance_ele_n))))
    question = DirectInsights(
        identity=mind.scratch.identity.character,
        name=mind.name,
        statements=NumberedMemories(quote_memories(nodes, moment.now)),
        count=INSIGHTS,
    )
    return _thoughts_of(mind, moment, (await ask(moment.caller, question)).insights, nodes)


def _new_to(mind: Mind, found: Sequence[Experience]) -> list[Experience]:
    """Return insights that were not thought before: small models conclude again and again what is told to them."""
    known = [node.description for node in mind.stream.newest("thought", KNOWN)]
    kept: list[Experience] = []
    for insight in found:
        if not any(are_alike(insight.description, text) for text in (*known, *(each.description for each in kept))):
            kept.append(insight)
    return kept


def _begin_count(scratch: Scratch) -> None:
    """Count from nothing the importance that leads to the next reflection."""
    scratch.importance_trigger_curr = scratch.tuning.importance_trigger_max
    scratch.importance_ele_n = 0


async def _focal_points(mind: Mind, moment: Moment, *, most: int) -> list[str]:
    """Return questions that the memories since the last reflection raise."""
    question = FocalPoints(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        memories=quote_memories(_latest(mind, min(most, max(1, mind.scratch.importance_ele_n))), moment.now),
        count=FOCAL_POINTS,
    )
    asked = (await ask(moment.caller, question)).questions
    return list(dict.fromkeys(text for text in asked if text))[:FOCAL_POINTS]


def _latest(mind: Mind, count: int) -> list[ConceptNode]:
    """Return the last accessed observations and thoughts without idle ones, latest last."""
    stream = mind.stream
    numbers = np.sort(np.concatenate([stream.retrievable("event"), stream.retrievable("thought")]))
    order = np.argsort(stream.accessed(numbers), kind="stable")[-count:]
    return [stream[number] for number in numbers[order].tolist()]


async def _insights(mind: Mind, moment: Moment, about: str, nodes: list[ConceptNode]) -> list[Experience]:
    """Return the insights about a focal point that cite evidence."""
    question = Insights(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        about=about,
        statements=NumberedMemories(quote_memories(nodes, moment.now)),
        count=INSIGHTS,
    )
    return _thoughts_of(mind, moment, (await ask(moment.caller, question)).insights, nodes)


def _thoughts_of(
    mind: Mind, moment: Moment, found: Sequence[Insight], nodes: list[ConceptNode]
) -> list[Experience]:  # fmt: skip
    """Return insights as thoughts, at most five that cite evidence."""
    insights: list[Experience] = []
    for insight in found[:INSIGHTS]:
        numbers = [number for number in dict.fromkeys(insight.because_of) if 0 <= number < len(nodes)]
        core = _core(mind, insight)
        evidence = tuple(nodes[number].node_id for number in numbers)
        if evidence:
            insights.append(
                thought(
                    moment.now,
                    core,
                    insight.text,
                    poignancy=insight.poignancy,
                    keywords=tuple(dict.fromkeys(core)),
                    evidence=evidence,
                )
            )
    return insights


def _core(mind: Mind, insight: Insight) -> Triple:
    """Return subject, predicate and object: those of the sentence where situated questions do not ask for them."""
    core = (insight.subject, insight.predicate, insight.object)
    missing = core == tuple(triple_of(insight.model_copy(update={"subject": ""}), mind.name).values())
    return triple(insight.text, mind.name) if missing and mind.settings.questions == "situated" else core


async def _reflect_on_conversation(mind: Mind, moment: Moment, conversation: Conversation) -> None:
    """Remember what matters for planning and what was remarkable, with the conversation as evidence."""
    chat = mind.stream.last_chat_with(conversation.partner)
    if chat is None:
        return
    kept = _kept_before(conversation)
    if kept is None and mind.settings.social_memory:
        kept = await _kept_of_talk(mind, moment, conversation)
    answer = kept.afterthoughts if kept else await _afterthoughts(mind, moment, conversation)
    for_planning, memo = answer.for_planning, answer.memo
    by_model = mind.settings.questions == "situated" and not answered_by_rules(moment.caller)
    if by_model and (news := news_heard(mind, conversation)):
        memo = _heard(mind, conversation, *news)
    if by_model and not was_agreed(for_planning.text, conversation):
        for_planning = Afterthought(text="")
    today = answer.today
    if by_model and not was_agreed(f"{today.what} at {today.hour}:00", conversation):
        today = Appointment()
    prefix = FOR_PLANNING.format(name=mind.name)
    found = [
        _afterthought(mind, moment, text, answer=afterthought, chat=chat)
        for text, afterthought in ((prefix + for_planning.text, for_planning), (memo.text, memo))
        if afterthought.text
    ]
    note_talk(mind, moment.now, conversation)
    commit_by_talk(mind, moment.view, conversation, await remember(mind, moment, found))
    if agreed_today(mind, moment, conversation, today):
        keep_appointment(mind, moment.now, today)
    if kept:
        social_memory.note_kept(mind, moment.view, conversation.partner, kept)


def _heard(mind: Mind, conversation: Conversation, sentence: str, poignancy: int) -> Afterthought:
    """Return what one remembers of news: who told it, and the words."""
    text = f"{conversation.partner} told {mind.name}: {sentence}"
    return Afterthought.model_construct(text=text, predicate="told", object=sentence, poignancy=poignancy)


def _kept_before(conversation: Conversation) -> KeptOfTalk | None:
    """Return what was answered with the conversation; None if nothing usable was."""
    try:
        return KeptOfTalk.model_validate(conversation.kept) if conversation.kept else None
    except ValidationError:
        return None


async def _afterthoughts(mind: Mind, moment: Moment, conversation: Conversation) -> Afterthoughts:
    situated = mind.settings.questions == "situated"
    small = situated and not may_agree(conversation, mind.places.sectors(moment.view.maze.world))
    kind = AfterSmallTalk if small else AfterConversation
    question = kind(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        other=conversation.partner,
        now=moment.now,
        day=day_lines(mind.scratch.hourly_schedule, moment.now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in conversation.transcript),
        at_hand=situated_self(mind, moment),
    )
    return await ask(moment.caller, question)


async def _kept_of_talk(mind: Mind, moment: Moment, conversation: Conversation) -> KeptOfTalk:
    """Return the afterthoughts and the impression of the other: one question for both."""
    question = AfterImpression(
        identity=mind.scratch.identity.character,
        name=mind.name,
        other=conversation.partner,
        known=social_memory.known_impression(mind, conversation.partner).whole_text,
        now=moment.now,
        day=social_memory.rest_of_day(mind, moment.now),
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in conversation.transcript),
        at_hand=situated_self(mind, moment),
    )
    return await ask(moment.caller, question)


def _afterthought(mind: Mind, moment: Moment, text: str, *, answer: Afterthought, chat: ConceptNode) -> Experience:
    core = (mind.name, answer.predicate or CHATS_WITH, answer.object or chat.object)
    return thought(
        moment.now,
        core,
        text,
        poignancy=answer.poignancy,
        keywords=tuple(dict.fromkeys(core)),
        evidence=(chat.node_id,),
    )
