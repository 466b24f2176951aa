"""Reflecting: when enough has happened, what lies behind it; when a talk is over, what to take along from it."""

from datetime import timedelta

import numpy as np

from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    clean_phrase,
    gather_all,
    minute_of_day,
    quote_memories,
    remember,
    retrieve_memories,
)
from ville.persona.cognitive_modules.perceive import CHATS_WITH
from ville.persona.cognitive_modules.reschedule import HOUR
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.concept_node import ConceptNode, Experience, thought
from ville.persona.memory_structures.schedule import MINUTES_PER_DAY, Activity
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.prompt_template.ask import ask
from ville.persona.prompt_template.blanks import DialogueTurn, NumberedMemories
from ville.persona.prompt_template.converse import AfterConversation, Afterthought, Appointment
from ville.persona.prompt_template.reflect import FocalPoints, Insights

FOCAL_POINTS = 3
INSIGHTS = 5
"""At most, for each focal point."""
EVIDENCE = 30
"""Memories looked at for each focal point."""
FOR_PLANNING = "For {name}'s planning: "


async def reflect(mind: Mind, moment: Moment, ending: Conversation | None) -> None:
    """Think back, if it is time to: on what has happened, and on the talk that is ending."""
    if reflection_due(mind):
        await _reflect_on_what_happened(mind, moment)
    if ending:
        await _reflect_on_talk(mind, moment, ending)


def reflection_due(mind: Mind) -> bool:
    """Whether what came to notice since the last time has used up what one can take."""
    return mind.scratch.importance_trigger_curr <= 0 and len(mind.stream) > 0


def ending_conversation(scratch: Scratch, view: TownView) -> Conversation | None:
    """The talk that will be over after this step, at the first step that sees it coming."""
    conversation, step = scratch.conversation, timedelta(seconds=view.seconds_per_step)
    if conversation is None or conversation.until is None or scratch.action is None:
        return None
    last_step = conversation.until - step
    thought_before = scratch.curr_time is not None and scratch.curr_time > scratch.action.start
    seen_before = thought_before and scratch.curr_time is not None and scratch.curr_time >= last_step
    return conversation if view.now >= last_step and not seen_before else None


async def _reflect_on_what_happened(mind: Mind, moment: Moment) -> None:
    """Find questions, gather evidence, conclude; then attention begins anew."""
    questions = await _focal_points(mind, moment)
    evidence = await retrieve_memories(mind, moment, questions, EVIDENCE)
    known = [(about, nodes) for about, nodes in zip(questions, evidence, strict=True) if nodes]
    found = await gather_all(_insights(mind, moment, about, nodes) for about, nodes in known)
    insights = {insight.description: insight for some in found for insight in some}
    await remember(mind, moment, list(insights.values()))
    mind.scratch.importance_trigger_curr = mind.scratch.tuning.importance_trigger_max
    mind.scratch.importance_ele_n = 0


async def _focal_points(mind: Mind, moment: Moment) -> list[str]:
    """What is worth thinking over, given what was on one's mind since the last time."""
    question = FocalPoints(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        memories=quote_memories(_latest(mind, max(1, mind.scratch.importance_ele_n))),
        count=FOCAL_POINTS,
    )
    asked = (await ask(moment.caller, question)).questions
    return list(dict.fromkeys(text for text in asked if text))[:FOCAL_POINTS]


def _latest(mind: Mind, count: int) -> list[ConceptNode]:
    """The observations and thoughts that were last on one's mind, the latest at the end; none that is merely idle."""
    stream = mind.stream
    numbers = np.sort(np.concatenate([stream.retrievable("event"), stream.retrievable("thought")]))
    order = np.argsort(stream.accessed(numbers), kind="stable")[-count:]
    return [stream[number] for number in numbers[order].tolist()]


async def _insights(mind: Mind, moment: Moment, about: str, nodes: list[ConceptNode]) -> list[Experience]:
    """What follows about one focal point; what rests on nothing is dropped."""
    question = Insights(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        about=about,
        statements=NumberedMemories(quote_memories(nodes)),
        count=INSIGHTS,
    )
    insights: list[Experience] = []
    for insight in (await ask(moment.caller, question)).insights[:INSIGHTS]:
        numbers = [number for number in dict.fromkeys(insight.because_of) if 0 <= number < len(nodes)]
        triple = (insight.subject, insight.predicate, insight.object)
        evidence = tuple(nodes[number].node_id for number in numbers)
        if evidence:
            insights.append(
                thought(
                    moment.now,
                    triple,
                    insight.text,
                    poignancy=insight.poignancy,
                    keywords=tuple(dict.fromkeys(triple)),
                    evidence=evidence,
                )
            )
    return insights


async def _reflect_on_talk(mind: Mind, moment: Moment, conversation: Conversation) -> None:
    """What has to be planned because of it, and what was remarkable about it; both rest on the talk as remembered."""
    chat = mind.stream.last_chat_with(conversation.partner)
    if chat is None:
        return
    question = AfterConversation(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        other=conversation.partner,
        now=moment.now,
        transcript=tuple(DialogueTurn(speaker, said) for speaker, said in conversation.transcript),
    )
    answer = await ask(moment.caller, question)
    for_planning, memo = answer.for_planning, answer.memo
    prefix = FOR_PLANNING.format(name=mind.name)
    found = [
        _afterthought(mind, moment, text, answer=afterthought, chat=chat)
        for text, afterthought in ((prefix + for_planning.text, for_planning), (memo.text, memo))
        if afterthought.text
    ]
    await remember(mind, moment, found)
    _keep_free(mind, moment, answer.today)


def _keep_free(mind: Mind, moment: Moment, appointment: Appointment) -> None:
    """What was agreed on for later today takes the place of what was planned for its time."""
    start = appointment.hour * HOUR
    end = min(start + appointment.minutes, MINUTES_PER_DAY)
    if appointment.what and minute_of_day(moment.now) < start < end:
        row = Activity(clean_phrase(appointment.what), end - start)
        mind.scratch.schedule = mind.scratch.schedule.with_window(start, end, [row])
        mind.scratch.hourly_schedule = mind.scratch.hourly_schedule.with_window(start, end, [row])


def _afterthought(mind: Mind, moment: Moment, text: str, *, answer: Afterthought, chat: ConceptNode) -> Experience:
    triple = (mind.name, answer.predicate or CHATS_WITH, answer.object or chat.object)
    return thought(
        moment.now,
        triple,
        text,
        poignancy=answer.poignancy,
        keywords=tuple(dict.fromkeys(triple)),
        evidence=(chat.node_id,),
    )
