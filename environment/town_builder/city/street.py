"""Streets of a city, which bend a little, and the lanes between them."""

from bisect import bisect_right
from random import Random

from town_builder.city.ground_plan import GroundPlan

BEND, REACH = 2, 18
"""Tiles by which a street bends to either side, and between two bends."""
SWAY = 1
"""Tiles by which a lane does."""
HALF = 1
"""Tiles of a street on either side of its middle."""


class Street:
    """A street from west to east."""

    def __init__(self, left: int, right: int, y: int, chance: Random) -> None:
        self.knots = [(left, y)]
        while right - self.knots[-1][0] > REACH:
            x = self.knots[-1][0] + chance.randint(REACH // 2, REACH)
            self.knots.append((x, y + chance.randint(-BEND, BEND)))
        self.knots.append((right, y))

    def middle(self, x: int) -> int:
        """Return the row of its middle in a column."""
        at = max(1, min(len(self.knots) - 1, bisect_right(self.knots, (x, 10**6))))
        (x0, y0), (x1, y1) = self.knots[at - 1 : at + 1]
        return y0 + (y1 - y0) * (min(max(x, x0), x1) - x0) // max(1, x1 - x0)

    def north(self, left: int, width: int) -> int:
        """Return the last row north of it that is free in all columns of a lot."""
        return min(self.middle(x) for x in range(left - 1, left + width + 1)) - HALF - 2

    def south(self, left: int, width: int) -> int:
        """Return the first row south of it that is free in all columns of a lot."""
        return max(self.middle(x) for x in range(left - 1, left + width + 1)) + HALF + 2

    def pave(self, plan: GroundPlan, kind: str) -> None:
        plan.lay(kind=kind, line=[list(knot) for knot in self.knots], width=2 * HALF + 1)


def pave_lane(plan: GroundPlan, kind: str, x: int, rows: tuple[int, int], *, chance: Random) -> None:
    """Pave a winding lane from north to south, two tiles wide and at most one tile from its middle."""
    top, bottom = rows
    knots = [[x, top]]
    while bottom - knots[-1][1] > REACH:
        knots.append([x + chance.randint(-SWAY, SWAY), knots[-1][1] + chance.randint(REACH // 2, REACH)])
    plan.lay(kind=kind, line=[*knots, [x, bottom]], width=2)
