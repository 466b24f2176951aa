"""Gardens and parks of a city."""

from random import Random

from town_builder.city.data_file import read_data
from town_builder.city.ground_plan import GroundPlan, Line
from town_builder.city.lot import Dwelling
from town_builder.city.street import Street

BEDS = (
    ["sunflowers", "flower bed", "strawberries"],
    ["corn", "tomatoes", "pumpkins"],
    ["tomatoes", "cabbages", "lettuce"],
    [{"stamp": "flower bed", "colour": "white"}, "lavender", {"stamp": "flower bed", "colour": "purple"}],
    ["cabbages", "strawberries", {"stamp": "flower bed", "colour": "yellow"}],
)
"""Plants of gardens, a kind for each row."""
DEPTH = 7
"""Rows of a garden."""


def lay_garden(plan: GroundPlan, home: Dwelling, box: tuple[int, int, int], chance: Random) -> None:
    """Lay a garden behind a house: beds, a fence that is open beside the house, and what stands in a garden."""
    left, top, width = box
    half = (width - 4) // 2
    rows = [top + 3, 3]
    beds = [[left + 1, rows[0], half, rows[1]], [left + width - 1 - half, rows[0], half, rows[1]]]
    plots = {y: [[x, wide] for x, _, wide, _ in beds] for y in range(rows[0], rows[0] + rows[1])}
    garden = Line(rows=plots, ground="soil", plants=chance.choice(BEDS), in_rows=True)
    corners = [chance.choice(("washing line", "picnic table", "parasol table", "well")), "bench"]
    chance.shuffle(corners)
    places = ([1, 0], [width - 4, 0])
    things = [Line(stamp=stamp, at=list(at)) for stamp, at in zip(corners, places, strict=True)]
    area = {"sector": home.household.home_name, "arena": "garden", "rect": [left, top, width, DEPTH]}
    plan.areas.append({**area, "objects": {"house garden": garden}, "things": things})
    fence = chance.choice(("picket fence", "fence", "hedge"))
    end, bottom = left + width - 1, top + DEPTH - 1
    plan.draw(fence, (left, top + 2), (left, bottom), (end, bottom), (end, top + 2))


def lay_park(plan: GroundPlan, name: str, box: tuple[int, int, int, int], street: Street, *, chance: Random) -> None:
    """Lay a park south of a street: a walk all round, flowers by the gate, and a pond, a square or an orchard."""
    left, top, width, height = box
    x, y = left + width // 2, top + height // 2 + 1
    plan.lay(kind="path", line=[[x, street.middle(x)], [x, top + 3]], width=2)
    walk = [[left + 3, top + 4], [left + width - 5, top + 3], [left + width - 4, top + height - 4],
            [left + 4, top + height - 3], [left + 3, top + 4]]  # fmt: skip
    plan.lay(kind="path", line=walk, width=2)
    flowers = {row: [[x - 7, 4], [x + 3, 4]] for row in (top + 1, top + 2)}
    beds = [
        {"stamp": "flower bed", "colour": colour} for colour in chance.sample(("white", "purple", "yellow", "red"), 2)
    ]
    garden = Line(rows=flowers, ground="soil", plants=beds, in_rows=True)
    things = [
        Line(stamp="bench", at=[[6, 2], [width - 8, 2], [8, height - 2], [width - 10, height - 2]]),
        Line(stamp="street lamp", at=[[width // 2 - 2, 0], [width // 2 + 2, 0], [1, height - 3], [width - 2, 8]]),
        Line(stamp="oak", at=[[-1, 6], [width - 2, 12]], colour=chance.choice(("blossom", "autumn", "grass"))),
    ]
    kinds = read_data("parks")
    middle = kinds[chance.choice(sorted(kinds))]
    plan.lay(**{**middle["ground"], "blob": [x, y, *middle["ground"]["blob"]]}, seed=chance.randrange(1000))
    if wide := middle.get("path"):
        plan.lay(kind="path", line=[[x, top + 3], [x, y]], width=wide)
    across, down = x - left, y - top
    things += (
        Line(thing, at=[[across + right, down + below] for right, below in thing["at"]]) for thing in middle["things"]
    )
    area = {"sector": name, "arena": "park", "rect": [left, top, width, height]}
    plan.areas.append({**area, "objects": {"park garden": garden}, "things": things})
