"""A visitor who speaks."""

from datetime import datetime
from typing import Literal

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.conversing.open_talk import OpenTalk, begin_talk, show_talk, within_earshot
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.prompt_template.caps import INTERVIEW_LINE
from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.fields import Name, PersonaName, Words
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.interventions.visitor_checks import check_is_visitor, place_text, visitor_of
from ville.simulation.town import Town
from ville.simulation.visitors import Visitor


class VisitorSay(Intervention):
    """A visitor speaks to a persona nearby."""

    kind: Literal["visitor_say"] = "visitor_say"
    name: Name
    """Name of the visitor."""
    to: PersonaName
    """Name of a persona nearby."""
    words: Words
    """Text, at most 500 characters."""


async def prepare(target: Target, said: VisitorSay) -> Effect:
    """Check that the persona hears it and has time. Raises UnknownPersona or BadIntervention."""
    town, clock = target.town, target.town.clock
    visitor, scratch = visitor_of(town, said.name), target.mind(said.to).scratch
    target.check_may_talk(said.to, said.name)
    _check_near(town, visitor, scratch)
    _check_free(town, scratch, said)

    def apply() -> str:
        if said.name in town.visitors.present:
            talk = _heard(town, scratch, said, clock.now)
            town.visitors.note_talk(talk, clock.step)
            show_talk(scratch, talk, clock.seconds_per_step)
        return f"{said.name} to {said.to}: {said.words}"

    return Effect(said, apply)


def check(around: Circumstances, said: VisitorSay, _step: int) -> None:
    """Check who speaks."""
    with in_field("name"):
        check_is_visitor(said.name, around.visitors)


def _heard(town: Town, scratch: Scratch, said: VisitorSay, now: datetime) -> OpenTalk:
    """Return the conversation that words begin or continue."""
    talk = town.visitors.talks.get(said.to)
    if talk is None or talk.state == "ending" or talk.visitor != said.name:
        talk = begin_talk(scratch, said.name, town.visitors.known[said.name], now, approached=True)
    return talk.heard(said.words, now)


def _check_near(town: Town, visitor: Visitor, scratch: Scratch) -> None:
    """Raise BadIntervention unless a persona can hear a visitor."""
    tile = town.tiles[scratch.name]
    if not within_earshot(town.maze, tile, visitor.tile, scratch.tuning.vision_r):
        raise BadIntervention(
            f"{scratch.name} is not near {visitor.name}, but at {place_text(town, tile)}. Walk there first."
        )


def _check_free(town: Town, scratch: Scratch, said: VisitorSay) -> None:
    """Raise BadIntervention unless a persona is awake, and in no conversation but an open one with this visitor."""
    name, conversation = scratch.name, scratch.conversation
    if scratch.action is None:
        raise BadIntervention(f"{name} has not begun the day. Run a step first.")
    if scratch.action.asleep:
        raise BadIntervention(f"{name} is asleep.")
    if scratch.action.mends:
        raise BadIntervention(f"{name} is {scratch.action.description}, and has no time now. Wait until that is done.")
    if conversation and conversation.partner != said.name:
        raise BadIntervention(f"{name} is talking with {conversation.partner}. Wait until they have finished.")
    talk = town.visitors.talks.get(name)
    if conversation and (not conversation.is_open or talk is None or talk.state == "ending"):
        raise BadIntervention(f"{name} has ended the conversation with {said.name}.")
    if talk and len(talk.pending) + len(said.words) >= INTERVIEW_LINE:
        raise BadIntervention(f"{name} has not answered yet what {said.name} said before. Wait for an answer.")


KIND = Kind(VisitorSay, prepare, effect="a visitor speaks to a persona nearby", check=check, persona="to")
