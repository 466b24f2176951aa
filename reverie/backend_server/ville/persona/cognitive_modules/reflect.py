"""Reflection (paper §4.2): insights when enough has happened, and thoughts after a conversation."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from ville.json_types import JsonObject
from ville.offline.third_person import triple
from ville.persona.cognitive_modules.brakes import may_reflect
from ville.persona.cognitive_modules.conversing.afterthoughts import muse_on_talk, reflect_on_talk
from ville.persona.cognitive_modules.mind import (
    Mind,
    Moment,
    gather_all,
    in_order,
    muse,
    quote_memories,
    remember,
    retrieve_memories,
)
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.facts.fact_words import are_alike
from ville.persona.memory_structures.scratch import Conversation, Scratch
from ville.persona.memory_structures.stream.concept_node import ConceptNode, Experience, Triple, evidence_of, thought
from ville.persona.prompt_template.ask import answered_by_rules, ask
from ville.persona.prompt_template.blanks import NumberedMemories
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
    if mind.settings.muses:
        if due:
            _muse_on_memories(mind, moment, mind.scratch.importance_ele_n)
            _begin_count(mind.scratch)
        if ending:
            muse_on_talk(mind, moment, ending)
        return
    if due:
        await _reflect_on_memories(mind, moment)
    if ending:
        await reflect_on_talk(mind, moment, ending)


def begin_afterthoughts(mind: Mind, moment: Moment) -> None:
    """Begin to think about the conversation that has just been written, where a persona goes on meanwhile."""
    conversation, frozen = mind.scratch.conversation, moment.frozen(mind.name)
    if mind.settings.muses and conversation and not frozen and not mind.modules.reflect:
        muse_on_talk(mind, moment, conversation)


def reflection_due(mind: Mind, now: datetime) -> bool:
    """Return whether the poignancy observed since the last reflection has reached `importance_trigger_max`, not too
    little time has passed, and no reflection has begun that does not count yet.
    """
    due = mind.scratch.importance_trigger_curr <= 0 and len(mind.stream) > 0
    return due and not mind.muses_on("memories") and may_reflect(mind, now)


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
    insights = await _conclusions(mind, moment, mind.scratch.importance_ele_n)
    await _remember_insights(mind, moment, insights, by_model=not answered_by_rules(moment.caller))
    _begin_count(mind.scratch)


def _muse_on_memories(mind: Mind, moment: Moment, count: int) -> None:
    """Begin to reflect on the latest memories."""
    past, stream = mind.past()

    async def think_of_them(later: Moment) -> JsonObject:
        insights = await _conclusions(past, later, count)
        await later.embed([each.description for each in insights])  # so that they are remembered without a call
        return {
            "insights": list(map(_written, insights)),
            "by_model": not answered_by_rules(later.caller),
            "accessed": list(stream.came_to_mind),
        }

    muse(mind, moment, "memories", about={"count": count}, thought=think_of_them)


async def finish_reflection(mind: Mind, moment: Moment, about: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Remember the insights of a musing; what came to mind for it counts as accessed now."""
    del about
    insights = [_insight(moment.now, each) for each in found["insights"]]
    await _remember_insights(mind, moment, insights, by_model=found["by_model"])
    mind.stream.mark_accessed([mind.stream[number] for number in found["accessed"]], moment.now)


def begin_reflection_again(mind: Mind, moment: Moment, about: Mapping[str, Any]) -> None:
    """Begin a reflection in which a call has failed."""
    _muse_on_memories(mind, moment, about["count"])


def _written(insight: Experience) -> JsonObject:
    """Return an insight as it is saved; its keywords are the parts of its triple."""
    parts: JsonObject = {"triple": insight.triple, "text": insight.description, "poignancy": insight.poignancy}
    return {**parts, "evidence": evidence_of(insight)}


def _insight(now: datetime, values: Mapping[str, Any]) -> Experience:
    """Return the memory of an insight, given as it is saved."""
    subject, predicate, obj = values["triple"]
    told = {name: values[name] for name in ("text", "poignancy", "evidence")}
    return _thought_of(now, (subject, predicate, obj), **told)


def _thought_of(now: datetime, core: Triple, *, text: str, poignancy: int, evidence: Iterable[str]) -> Experience:
    keywords = tuple(dict.fromkeys(core))
    return thought(now, core, text, poignancy=poignancy, keywords=keywords, evidence=tuple(evidence))


async def _conclusions(mind: Mind, moment: Moment, count: int) -> list[Experience]:
    """Return what follows from so many of the latest memories, without changing the mind but for times of access."""
    direct = mind.settings.reflections == "direct"
    return await (_direct_insights if direct else _insights_on_focal_points)(mind, moment, max(1, count))


async def _remember_insights(
    mind: Mind, moment: Moment, found: Sequence[Experience], *, by_model: bool
) -> None:  # fmt: skip
    """Remember insights, each once; of those of a model only what is new."""
    if mind.settings.questions == "situated" and by_model:
        found = _new_to(mind, found)
    insights = {insight.description: insight for insight in found}
    await remember(mind, moment, list(insights.values()))


async def _insights_on_focal_points(mind: Mind, moment: Moment, count: int) -> list[Experience]:
    """Choose focal points, retrieve evidence, and return the insights that follow."""
    situated = mind.settings.questions == "situated"
    questions = await _focal_points(mind, moment, min(count, LATEST if situated else LATEST_IN_PAPER))
    evidence = await retrieve_memories(mind, moment, questions, EVIDENCE if situated else EVIDENCE_IN_PAPER)
    known = [(about, in_order(nodes)) for about, nodes in zip(questions, evidence, strict=True) if nodes]
    found = await gather_all(_insights(mind, moment, about, nodes) for about, nodes in known)
    return [insight for some in found for insight in some]


async def _direct_insights(mind: Mind, moment: Moment, count: int) -> list[Experience]:
    """Return what follows from the memories since the last reflection, in one question."""
    nodes = in_order(_latest(mind, min(LATEST_DIRECT, count)))
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


async def _focal_points(mind: Mind, moment: Moment, number: int) -> list[str]:
    """Return questions that the memories since the last reflection raise."""
    question = FocalPoints(
        identity=mind.identity_text(moment.now),
        name=mind.name,
        memories=quote_memories(_latest(mind, number), moment.now),
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
                _thought_of(moment.now, core, text=insight.text, poignancy=insight.poignancy, evidence=evidence)
            )
    return insights


def _core(mind: Mind, insight: Insight) -> Triple:
    """Return subject, predicate and object: those of the sentence where situated questions do not ask for them."""
    core = (insight.subject, insight.predicate, insight.object)
    missing = core == tuple(triple_of(insight.model_copy(update={"subject": ""}), mind.name).values())
    return triple(insight.text, mind.name) if missing and mind.settings.questions == "situated" else core
