"""Surroundings of the districts of a city: woods, rivers with bridges, lanes from district to district."""

from random import Random

from town_builder.city.district import HEIGHT, LANE, STREETS
from town_builder.city.ground_plan import GroundPlan, Line
from town_builder.city.street import pave_lane

BORDER, RIVER = 10, 10
"""Tiles of wood round a city, and between two rows of districts."""
MEADOWS = 0.55
"""Share of the spots that have a patch of high grass."""
WOOD = ["oak", {"stamp": "oak", "colour": "grass"}, "pine", {"stamp": "oak", "colour": "pine"}, "pine", "slim tree"]
DENSE = 0.42
BANK = 4
"""Tiles from the middle of a river to the end of a bridge."""


def corners(grid: tuple[int, int, int]) -> list[tuple[int, int]]:
    """Return the north west corners of all districts."""
    columns, lines, width = grid
    return [
        (BORDER + column * width, BORDER + line * (HEIGHT + RIVER))
        for line in range(lines)
        for column in range(columns)
    ]


def lay_surroundings(
    plan: GroundPlan,
    size: tuple[int, int],
    grid: tuple[int, int, int],
    districts: int,
    *,
    chance: Random,
) -> None:
    """Lay woods, meadows, rivers and long lanes. `grid` is the columns, the lines and the width of districts."""
    columns, lines, width = grid
    for at, corner in enumerate(corners(grid)):
        (_meadows if at < districts else _wild)(plan, corner, width, chance)
    rivers = [BORDER + line * (HEIGHT + RIVER) - RIVER // 2 for line in range(1, lines)]
    for y in rivers:
        _river(plan, size[0], y, chance)
    last = size[0] - BORDER - 4
    pave_lane(plan, "path", last, (BORDER + STREETS[0], size[1] - BORDER - (HEIGHT - STREETS[1])), chance=chance)
    for line, y in enumerate(rivers, 1):
        _bridge(plan, last, y)
        for x, _ in corners(grid)[line * columns : districts][:columns]:
            for lane in (x + LANE // 2, x + width // 2):
                rows = y - RIVER // 2 - (HEIGHT - STREETS[1]), y + RIVER // 2 + STREETS[0]
                pave_lane(plan, "path", lane, rows, chance=chance)
                _bridge(plan, lane, y)
    _woods(plan, size, chance)


def _meadows(plan: GroundPlan, corner: tuple[int, int], width: int, chance: Random) -> None:
    """Lay patches of high grass, on which more flowers grow."""
    left, top = corner
    for x in range(left + 8, left + width - 8, 14):
        for y in range(top + 8, top + HEIGHT - 4, 26):
            if chance.random() < MEADOWS:
                at = [x + chance.randint(-6, 6), y + chance.randint(-10, 10)]
                size = [chance.randint(3, 9), chance.randint(1, 4)]
                plan.lay(kind="meadow", blob=[*at, *size], seed=chance.randrange(999))


def _wild(plan: GroundPlan, corner: tuple[int, int], width: int, chance: Random) -> None:
    """Lay a wood with a meadow and a pond in the place of a district."""
    x, y = corner
    middle = [x + width // 2, y + HEIGHT // 2]
    plan.lay(kind="meadow", blob=[*middle, width // 3, HEIGHT // 4], seed=chance.randrange(999))
    plan.lay(kind="water", solid=True, blob=[middle[0] + 20, middle[1], 12, 6], seed=chance.randrange(999))
    plan.sow(WOOD, [x + LANE + 2, y + 4, width - LANE - 8, HEIGHT - 8], 0.2, chance.randrange(999))


def _bridge(plan: GroundPlan, x: int, y: int) -> None:
    plan.lay(kind="deck", rect=[x - 2, y - BANK, 4, 2 * BANK + 1])


def _river(plan: GroundPlan, width: int, y: int, chance: Random) -> None:
    knots = [[0, y]]
    while knots[-1][0] < width:
        knots.append([knots[-1][0] + chance.randint(10, 22), y + chance.randint(-2, 2)])
    plan.lay(kind="water", solid=True, line=knots, width=4)


def _woods(plan: GroundPlan, size: tuple[int, int], chance: Random) -> None:
    width, height = size
    deep = BORDER - 4
    sides = (
        [0, 0, width, deep],
        [0, height - deep, width, deep],
        [0, 0, deep, height],
        [width - deep, 0, deep, height],
    )
    for rect in sides:
        plan.sow(WOOD, rect, DENSE, chance.randrange(999), clear=0, solid=True)
    edge = BORDER // 2
    spots = [(x, y) for x in range(6, width, 11) for y in (edge, height - edge)]
    spots += [(x, y) for y in range(6, height, 11) for x in (edge, width - edge)]
    for x, y in spots:
        upright = x in (edge, width - edge)
        reach = [edge - 2, chance.randint(4, 8)] if upright else [chance.randint(4, 8), edge - 2]
        blob = [x + chance.randint(-3, 3) * (not upright), y + chance.randint(-3, 3) * upright, *reach]
        plan.scatter.append(
            Line(stamps=WOOD, blob=blob, density=DENSE, seed=chance.randrange(999), clear=0, solid=True)
        )
