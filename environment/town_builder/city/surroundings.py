"""What lies round the districts of a city: woods, rivers with bridges, lanes from district to district."""

from random import Random

from town_builder.city.district import HEIGHT, LANE, STREETS
from town_builder.city.ground_plan import GroundPlan
from town_builder.city.street import pave_lane

BORDER, RIVER = 9, 10
"""Tiles of wood round a city, and between two rows of districts."""
WOOD = ["oak", {"stamp": "oak", "colour": "grass"}, "pine", {"stamp": "oak", "colour": "pine"}, "pine", "slim tree"]
DENSE = 0.42


def lay_surroundings(
    plan: GroundPlan,
    size: tuple[int, int],
    grid: tuple[int, int, int],
    empty: list[tuple[int, int]],
    chance: Random,
) -> None:
    """Lay woods on the border, rivers and long lanes. `grid` is columns, lines and the width of districts."""
    columns, lines, width = grid
    for line in range(1, lines):
        _river(plan, size[0], BORDER + line * (HEIGHT + RIVER) - RIVER // 2, chance)
    first, last = BORDER + STREETS[0], size[1] - BORDER - (HEIGHT - STREETS[1])
    for x in (BORDER + column * width + offset for column in range(columns) for offset in (LANE // 2, width // 2)):
        for line in range(1, lines):
            middle = BORDER + line * (HEIGHT + RIVER) - RIVER // 2
            rows = middle - RIVER // 2 - (HEIGHT - STREETS[1]), middle + RIVER // 2 + STREETS[0]
            pave_lane(plan, "path", x, rows, chance)
            plan.pave("deck", x - 1, middle - 4, 2, 9)
    pave_lane(plan, "path", size[0] - BORDER - 4, (first, last), chance)
    for line in range(1, lines):
        plan.pave("deck", size[0] - BORDER - 6, BORDER + line * (HEIGHT + RIVER) - RIVER // 2 - 4, 4, 9)
    _woods(plan, size, chance)
    for x, y in empty:
        rect = [x + LANE + 2, y + 4, width - LANE - 8, HEIGHT - 8]
        middle = [x + width // 2, y + HEIGHT // 2]
        plan.lay(kind="meadow", blob=[*middle, width // 3, HEIGHT // 4], seed=chance.randrange(999))
        plan.lay(kind="water", solid=True, blob=[*middle, 12, 6], seed=chance.randrange(999))
        plan.sow(WOOD, rect, 0.2, chance.randrange(999))


def _river(plan: GroundPlan, width: int, y: int, chance: Random) -> None:
    knots = [[0, y]]
    while knots[-1][0] < width:
        knots.append([knots[-1][0] + chance.randint(10, 22), y + chance.randint(-2, 2)])
    plan.lay(kind="water", solid=True, line=knots, width=4)


def _woods(plan: GroundPlan, size: tuple[int, int], chance: Random) -> None:
    width, height = size
    sides = ([0, 0, width, BORDER - 1], [0, height - BORDER + 1, width, BORDER - 1],
             [0, 0, BORDER - 2, height], [width - BORDER + 3, 0, BORDER - 3, height])  # fmt: skip
    for rect in sides:
        plan.sow(WOOD, rect, DENSE, chance.randrange(999), clear=0, solid=True)
