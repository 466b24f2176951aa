"""Fronts of houses: paths, signs, hedges, flowers, mailboxes."""

from dataclasses import dataclass
from random import Random
from typing import Any

from town_builder.city.ground_plan import GroundPlan
from town_builder.city.lot import Lot
from town_builder.city.pattern import PlanLook
from town_builder.city.street import Street

SIGNS = ("red", "teal", "blue", "leaf")
FLOWERS = ("red", "pink", "yellow", "purple")
BEDS = (None, "purple", "yellow", "red", "orange", "white")
"""Colours."""


@dataclass(frozen=True)
class Front:
    """The row of tiles before a house, and the first and the last column of its door."""

    row: int
    left: int
    right: int
    first: int
    last: int


def lay_front(plan: GroundPlan, lot: Lot, street: Street, row: int, *, kind: dict[str, Any], chance: Random) -> None:
    """Lead a path from the street to the door of a lot, and dress its front. `row` is the one before the house."""
    pattern = lot.home.pattern if lot.home else lot.pattern
    if not pattern:
        return
    doors = [lot.left + column for column in pattern.doors(lot.door, lot.home.look if lot.home else PlanLook())]
    front = Front(row, lot.left, lot.left + lot.width - 1, min(doors), max(doors))
    to = street.middle(front.first)
    ground = "plaza" if lot.work else kind["lane"]
    plan.lay(kind=ground, rect=[front.first, min(row, to), front.last - front.first + 1, abs(to - row) + 1])
    if lot.work:
        _dress_shop(plan, front, lot.work.entry["sign"], chance)
    elif lot.door == "north":
        _plant_hedge(plan, front, kind["hedge"], chance)
    else:
        _set_pots(plan, front, chance)


def _dress_shop(plan: GroundPlan, front: Front, sign: str, chance: Random) -> None:
    """Hang out the sign, and put something to sit on or to sell on either side of the door."""
    plan.put("shop sign", front.last + 1, front.row - 1, colour=chance.choice(SIGNS), variant=sign)
    for x in (front.first - 3, front.last + 3):
        stamp = chance.choice(("bench", "crates", "flower box", "barrels", "bicycle"))
        if front.left <= x < front.right:
            plan.put(stamp, x, front.row)


def _set_pots(plan: GroundPlan, front: Front, chance: Random) -> None:
    """Put flowers and a mailbox beside a door."""
    if front.last + 1 <= front.right:
        plan.put("mailbox", front.last + 1, front.row)
    if front.first - 3 >= front.left:
        plan.put("flower box", front.first - 3, front.row, colour=chance.choice(FLOWERS))
    if front.last + 4 <= front.right:
        plan.put(chance.choice(("flower box", "bicycle", "bench")), front.last + 3, front.row)


def _plant_hedge(plan: GroundPlan, front: Front, hedge: str, chance: Random) -> None:
    """Plant a bed of flowers before the house, with a hedge or a fence before it and the mailbox at the gate."""
    colour = chance.choice(BEDS)
    gate = front.last + 1
    if front.first - 1 > front.left:
        plan.draw("flower bed", (front.left, front.row), (front.first - 1, front.row), colour=colour)
        plan.draw(hedge, (front.left, front.row - 1), (front.first - 1, front.row - 1))
    if front.right > gate:
        plan.draw("flower bed", (gate, front.row), (front.right, front.row), colour=colour)
        plan.put("mailbox", gate, front.row - 1)
    if front.right > gate + 1:
        plan.draw(hedge, (gate + 1, front.row - 1), (front.right, front.row - 1))
