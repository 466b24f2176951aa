"""A visitor who arrives."""

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Literal

from ville.errors import BadIntervention
from ville.persona.cognitive_modules.mind import clean_phrase
from ville.simulation.interventions.addresses import find_spot
from ville.simulation.interventions.circumstances import Circumstances, in_field
from ville.simulation.interventions.fields import Look, Name, Spot, Words
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import Kind
from ville.simulation.interventions.target import Effect, Target
from ville.simulation.interventions.visitor_checks import place_text
from ville.simulation.visitors import Visitor
from ville.storage.records.looks import find_look

MOST_VISITORS = 20
IN_NAMES = " .'’-"
"""Characters of a name beside letters and their marks."""


class VisitorIn(Intervention):
    """A visitor arrives: a person without a mind, moved by a user."""

    kind: Literal["visitor_in"] = "visitor_in"
    name: Name
    """A name that no one in the town has."""
    look: Look
    """Name of a sprite."""
    about: Words
    """A sentence about the visitor, as others know it."""
    tile: Spot
    """Column and row, such as 58, 21; or a place, such as hobbs cafe."""


async def prepare(target: Target, visitor: VisitorIn) -> Effect:
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
        return f"{visitor.name} arrives at {place_text(town, tile)}."

    return Effect(visitor.model_copy(update={"look": look, "tile": (tile.x, tile.y)}), apply)


def check(around: Circumstances, visitor: VisitorIn, _step: int) -> None:
    """Check name, look and tile."""
    with in_field("name"):
        check_visitor_name(visitor.name, around.homes, around.former)
    with in_field("look"):
        find_look(visitor.look, around.looks)
    with in_field("tile"):
        find_spot(around.maze, visitor.tile)


def after(around: Circumstances, visitor: VisitorIn) -> Circumstances:
    """Return who visits."""
    return replace(around, visitors=around.visitors | {visitor.name})


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


KIND = Kind(
    VisitorIn, prepare, effect="a visitor arrives at a tile (column and row) or a place", check=check, after=after
)
