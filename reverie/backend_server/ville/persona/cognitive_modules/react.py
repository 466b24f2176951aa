"""Reaction to an observation (paper §4.3.1): respond to what happens, talk to a persona or wait for it, or carry on."""

from collections.abc import Mapping, Sequence

from ville.persona.cognitive_modules.brakes import may_talk
from ville.persona.cognitive_modules.conversing.encounter import MINUTE, Encounter, allowed_choices, describe_last_talk
from ville.persona.cognitive_modules.conversing.social_memory import PLAN, known_impression
from ville.persona.cognitive_modules.conversing.wish_to_talk import may_depend_on_news, talks, waits
from ville.persona.cognitive_modules.meanwhile import conclude
from ville.persona.cognitive_modules.mind import Mind, Moment, next_full_minute, quote_memories, retrieve_memories
from ville.persona.cognitive_modules.perceive import is_news
from ville.persona.cognitive_modules.planning.reschedule import reschedule
from ville.persona.cognitive_modules.respond import respond
from ville.persona.cognitive_modules.retrieve import RelatedMemories
from ville.persona.cognitive_modules.view import CarryOn, Reaction, Talk, WaitUntil
from ville.persona.memory_structures.action import Action
from ville.persona.memory_structures.schedule import Activity
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.prompt_template.answers.poignancy import NOTABLE
from ville.persona.prompt_template.ask import ask_model
from ville.persona.prompt_template.blanks import QuotedMemory
from ville.persona.prompt_template.react_questions import Choice, HowToReact, HowToReactBriefly
from ville.world.address import AtTile

RECALLED_MEMORIES = 2
"""Number of memories of each kind that share a keyword with the observation."""
RETRIEVED_MEMORIES, FEWER_MEMORIES = 10, 3
"""Number of memories retrieved per focal point; the second with social memory, or if prompts are to be brief."""
HOURGLASS = "⌛"


async def react(mind: Mind, moment: Moment, recalled: Mapping[str, RelatedMemories]) -> Reaction:
    """Return the reaction to what was just observed: to what happens first, and else to one of the personas.

    Whether an encounter becomes a talk is drawn; with the questions of the paper a model is asked, if there is a
    choice. A persona who is putting something right does not react to others.
    """
    if response := await respond(mind, moment, recalled):
        return response
    if mind.scratch.action and mind.scratch.action.mends:
        return CarryOn()
    focus = _other_in_focus(mind, moment, recalled)
    if focus is None:
        return CarryOn()
    view, other = moment.view, focus.event.subject
    encounter = Encounter(mind.scratch, view.people[other], view.now, view.may_talk(mind.name, other))
    choices = allowed_choices(encounter)
    if choices == ("carry on",) or ("wait" not in choices and not is_news(mind, focus.event)):
        return CarryOn()
    if mind.settings.questions == "situated":
        choice = await _drawn(mind, moment, encounter, is_new=is_news(mind, focus.event))
    else:
        choice = await _choice(mind, moment, encounter, await _memories(mind, moment, encounter, focus))
    if choice == "wait":
        return await _wait(mind, moment, encounter)
    return Talk(encounter.other.name) if choice == "talk" else CarryOn()


async def _drawn(mind: Mind, moment: Moment, encounter: Encounter, *, is_new: bool) -> Choice:
    """Return what the persona does: a talk is drawn where the other is new to it, waiting is for things for one.

    If it would go up to the other only with something to tell, it first comes to the end of thinking about its last
    talk.
    """
    choices = allowed_choices(encounter)
    if is_new and "talk" in choices and mind.muses_on("talk") and may_depend_on_news(mind, moment, encounter):
        await conclude(mind, moment, "talk")
    if is_new and "talk" in choices and talks(mind, moment, encounter):
        if may_talk(mind, moment.now):
            return "talk"
        moment.caller.tally.braked.append("talk")
    return "wait" if "wait" in choices and waits(encounter) else "carry on"


async def _choice(mind: Mind, moment: Moment, encounter: Encounter, memories: Sequence[ConceptNode]) -> Choice:
    """Return what the persona decides, with these memories. With a lifestyle policy, it may carry on as before."""
    situation = _situation(encounter)
    if mind.settings.policy and _goes_on_as_before(mind, encounter, situation, memories):
        return "carry on"
    question = _question(mind, moment, encounter, memories)
    answer = await ask_model(moment.caller, question)
    if mind.settings.policy and answer and answer.choice == "carry on":
        mind.policy.encounters.note(situation, len(mind.stream))
    return (answer or question.fallback()).choice


def _other_in_focus(mind: Mind, moment: Moment, recalled: Mapping[str, RelatedMemories]) -> RelatedMemories | None:
    """Return a random one of the personas just observed, if any. Objects cause no reaction."""
    others = [each for each in recalled.values() if each.event.subject in moment.view.people]
    others = [each for each in others if each.event.subject != mind.name]
    return moment.randomness(mind.name).choice(others) if others else None


def _situation(encounter: Encounter) -> str:
    """Return what the persona does, without subtasks, who is there, and whether it is a matter of waiting.

    What the other does is left out: others change their activity often, and hardly any situation would come again.
    """
    presence = "is first" if "wait" in allowed_choices(encounter) else "is there"
    return f"{encounter.descriptions[0].partition(' (')[0]} while {encounter.other.name} {presence}"


def _goes_on_as_before(mind: Mind, encounter: Encounter, situation: str, memories: Sequence[ConceptNode]) -> bool:
    """Return whether the persona carried on in the same situation, and has learnt nothing since that it would think of.

    That is a conversation with the other, or a thought or conversation of some poignancy among the memories that a
    model would be told. So news is told as if a model was asked each time.
    """
    encounters = mind.policy.encounters
    before = encounters.again(situation, mind.settings.policy_repeats)
    last_talk = mind.stream.last_chat_with(encounter.other.name)
    if before is None or (last_talk and last_talk.number > before):
        return False
    if any(node.number > before and node.kind != "event" and node.poignancy >= NOTABLE for node in memories):
        return False
    encounters.count_use(situation)
    return True


def _question(mind: Mind, moment: Moment, encounter: Encounter, memories: Sequence[ConceptNode]) -> HowToReact:
    other = encounter.other.name
    own_doing, other_doing = encounter.descriptions
    kind, identity = HowToReact, mind.identity_text(moment.now)
    if mind.settings.prompts == "brief":
        kind, identity = HowToReactBriefly, mind.scratch.identity.brief
    return kind(
        identity=identity,
        name=mind.name,
        now=moment.now,
        other=other,
        own_doing=f"on the way to {own_doing}" if mind.scratch.planned_path else own_doing,
        other_doing=f"on the way to {other_doing}" if encounter.other.walking else other_doing,
        last_talk=describe_last_talk(mind.stream, other, moment.now),
        memories=(*_impression(mind, moment, other), *quote_memories(memories, moment.now)),
        choices=allowed_choices(encounter),
    )


async def _memories(mind: Mind, moment: Moment, encounter: Encounter, focus: RelatedMemories) -> list[ConceptNode]:
    """Return memories related to the observation, about what the other does, and about what to tell it."""
    other = encounter.other
    thoughts_of = (f"{other.name} is {other.doing}", f"What {mind.name} wants to tell {other.name}")
    fewer = mind.settings.social_memory or mind.settings.prompts == "brief"
    count = FEWER_MEMORIES if fewer else RETRIEVED_MEMORIES
    retrieved = await retrieve_memories(mind, moment, thoughts_of, count, about=[other.name])
    if fewer:
        return [node for nodes in retrieved for node in nodes if node.predicate != PLAN]
    return [*focus.thoughts[:RECALLED_MEMORIES], *focus.events[:RECALLED_MEMORIES], *retrieved[0], *retrieved[1]]


def _impression(mind: Mind, moment: Moment, other: str) -> tuple[QuotedMemory, ...]:
    """Return the impression of the other as a thought; with social memory it stands for what is remembered of it."""
    known = mind.settings.social_memory and known_impression(mind, other).text
    return (QuotedMemory(moment.now, known, "thought"),) if known else ()


async def _wait(mind: Mind, moment: Moment, encounter: Encounter) -> WaitUntil:
    """Begin to wait here until the other has nearly finished, with a schedule that makes room for it."""
    what = Activity.parse(encounter.action.description, 0).what
    waiting = f"waiting to start {what}"
    minutes = max(1, (encounter.wait_ends - next_full_minute(moment.now)) // MINUTE + 1)
    schedule = await reschedule(mind, moment, waiting, minutes)
    here = moment.view.people[mind.name].tile
    mind.scratch.schedule = schedule
    mind.scratch.begin(
        Action(
            address=str(AtTile(here)),
            start=moment.now,
            minutes=minutes,
            description=waiting,
            emoji=HOURGLASS,
            event=(mind.name, "waiting to start", what),
        )
    )
    return WaitUntil(encounter.wait_ends)
