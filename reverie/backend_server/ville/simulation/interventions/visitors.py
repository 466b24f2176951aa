"""Visitors: their arrival, walks, words and departure."""

import unicodedata
from collections.abc import Collection, Iterable
from datetime import datetime

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.conversing.open_talk import OpenTalk, begin_talk, show_talk, within_earshot
from ville.persona.cognitive_modules.mind import clean_phrase
from ville.persona.memory_structures.scratch import Scratch
from ville.persona.prompt_template.caps import INTERVIEW_LINE
from ville.simulation.interventions.addresses import find_spot
from ville.simulation.interventions.kinds import VisitorIn, VisitorOut, VisitorSay, VisitorWalk
from ville.simulation.interventions.rules import check_may_talk
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.progress import quantity
from ville.simulation.town import Town
from ville.simulation.visitors import Visitor
from ville.storage.records.looks import find_look
from ville.world.address import Tile

MOST_VISITORS = 20
IN_NAMES = " .'’-"
"""Characters of a name beside letters and their marks."""


async def prepare_visitor_in(target: Target, visitor: VisitorIn) -> Effect:
    """Check name, look and tile. Raises BadIntervention."""
    town, step = target.town, target.town.clock.step
    check_visitor_name(visitor.name, town.view().people, {*target.folder.former, *town.departed})
    look = find_look(visitor.look, target.services.looks)
    if len(town.visitors.present) >= MOST_VISITORS:
        raise BadIntervention(f"There are {MOST_VISITORS} visitors already. Let one of them leave first.")
    tile = find_spot(town.maze, visitor.tile)
    about = _about(visitor)

    def apply() -> str:
        town.visitors.enter(Visitor(visitor.name, look, about, entrance=tile, tile=tile, seen_in=step))
        return f"{visitor.name} arrives at {_place(town, tile)}."

    return Effect(visitor.model_copy(update={"look": look, "tile": (tile.x, tile.y)}), apply)


def check_visitor_name(name: str, people: Iterable[str], before: Collection[str]) -> None:
    """Raise BadIntervention unless a visitor can have this name, which is not that of `people` in town, or of those who
    lived here before.
    """
    kinds = [unicodedata.category(character)[0] for character in name]
    lettered = all(kind in "LM" or character in IN_NAMES for kind, character in zip(kinds, name, strict=True))
    if kinds[0] != "L" or not lettered:
        raise BadIntervention(f"'{name}' is not a name. Use letters, blanks, hyphens and apostrophes.")
    for other in (*people, *sorted(before)):
        if other.casefold() == name.casefold():
            reason = "has lived here before" if other in before else "is in the town already"
            raise BadIntervention(f"{other} {reason}. Choose another name.")


def _about(visitor: VisitorIn) -> str:
    """Return the sentence about a visitor without its name: `a painter` for `Ada is a painter.`"""
    about = clean_phrase(visitor.about)
    for beginning in (f"{visitor.name} is ", "I am ", "I'm ", "I’m "):
        about = about.removeprefix(beginning)
    return about or visitor.name


def _place(town: Town, tile: Tile) -> str:
    """Return where a tile is: `Hobbs Cafe (58, 21)`."""
    place = town.maze.place(tile)
    return f"{place.sector or place.world} ({tile.x}, {tile.y})"


def _visitor(town: Town, name: str) -> Visitor:
    """Return a visitor who is in the town. Raises BadIntervention."""
    check_is_visitor(name, town.visitors.present)
    return town.visitors.present[name]


def check_is_visitor(name: str, visitors: Collection[str]) -> None:
    """Raise BadIntervention unless a visitor has this name."""
    if name not in visitors:
        there = f"Visitors: {', '.join(sorted(visitors))}." if visitors else "Let one arrive first."
        raise BadIntervention(f"No visitor is called '{name}'. {there}")


async def prepare_visitor_walk(target: Target, walk: VisitorWalk) -> Effect:
    """Check that there is a way. Raises BadIntervention."""
    town, step = target.town, target.town.clock.step
    visitor = _visitor(town, walk.name)
    tile = find_spot(town.maze, walk.to, visitor.tile)
    path = town.paths.path(visitor.tile, tile)
    if path is None:
        raise BadIntervention(f"{walk.name} cannot get to {tile.x}, {tile.y}. Choose another tile.")

    def apply() -> str:
        if walk.name in town.visitors.present:
            town.visitors.set_out(walk.name, path[1:], step)
        return f"{walk.name} sets out for {_place(town, tile)}: {quantity(len(path) - 1, 'step', 'steps')}."

    return Effect(walk.model_copy(update={"to": (tile.x, tile.y)}), apply)


async def prepare_visitor_say(target: Target, said: VisitorSay) -> Effect:
    """Check that the persona hears it and has time. Raises UnknownPersona or BadIntervention."""
    town, clock = target.town, target.town.clock
    visitor, scratch = _visitor(town, said.name), target.mind(said.to).scratch
    check_may_talk(target, said.to, said.name)
    _check_near(town, visitor, scratch)
    _check_free(town, scratch, said)

    def apply() -> str:
        if said.name in town.visitors.present:
            talk = _heard(town, scratch, said, clock.now)
            town.visitors.note_talk(talk, clock.step)
            show_talk(scratch, talk, clock.seconds_per_step)
        return f"{said.name} to {said.to}: {said.words}"

    return Effect(said, apply)


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
            f"{scratch.name} is not near {visitor.name}, but at {_place(town, tile)}. Walk there first."
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


async def prepare_visitor_out(target: Target, out: VisitorOut) -> Effect:
    """Check that the visitor is there. Raises BadIntervention."""
    town = target.town
    _visitor(town, out.name)

    def apply() -> str:
        town.visitors.leave(out.name)
        return f"{out.name} leaves the town."

    return Effect(out, apply)
