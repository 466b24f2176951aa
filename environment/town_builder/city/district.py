"""A district of a city: two streets with lots on both sides, lanes between them, gardens behind the houses."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from town_builder.city.front import lay_front
from town_builder.city.green import lay_garden, lay_park
from town_builder.city.ground_plan import GroundPlan
from town_builder.city.household import Household
from town_builder.city.lot import Dwelling, Lot, home_lot, park_lot, work_lot
from town_builder.city.pattern import PlanLook, schemes, ville_patterns
from town_builder.city.street import Street, pave_lane
from town_builder.city.work import Workplace

STREETS = (31, 87)
"""Rows of the two streets, from the north edge of a district."""
HEIGHT = 119
TALL = 18
"""Highest house of the row between the streets; taller ones stand at the northern street."""
LANE = 6
"""Tiles kept free for a lane."""
GAP = 2
"""Tiles between two lots, at least."""
WIDE, GARDENS = 12, 0.3
"""Houses wider than this have a garden, and of the others this share."""
LAMPS = 0.7
"""Share of the lots with a street lamp beside them."""
PLAIN = PlanLook()
"""Workplaces look as they are drawn."""


@dataclass(eq=False)
class District:
    """People, workplaces and lots of a part of a city."""

    name: str
    kind: dict[str, Any]
    """Its entry in `districts.yaml`."""
    households: list[Household]
    places: list[Workplace]
    park: str
    rows: list[list[list[Lot]]] = field(default_factory=list)
    """The lots of the four rows from north to south, each west and east of the middle lane."""
    homes: list[Dwelling] = field(default_factory=list)

    @property
    def public(self) -> list[str]:
        """Places that everybody in the district knows."""
        return [*(place.name for place in self.places), self.park]


def width_of(rows: list[list[list[Lot]]]) -> int:
    """Return the width of a district with these rows."""
    half = max(sum(lot.width + GAP for lot in lots) + GAP for row in rows for lots in row)
    return 2 * (half + LANE // 2 + 1) + LANE


def deal_lots(district: District, chance: Random) -> None:
    """Give every household and workplace a lot, and every lot a row."""
    above = {place.keeper for place in district.places}
    lots = [work_lot(place, chance) for place in district.places]
    doors = {"south": sum(lot.width + GAP for lot in lots), "north": park_lot().width}
    lots += [
        home_lot(household, district.kind["facades"], doors, chance)
        for household in sorted(district.households, key=lambda one: -len(one.bedrooms))
        if above.isdisjoint(household.people)
    ]
    chance.shuffle(lots)
    lots.sort(key=lambda lot: (lot.height <= TALL, -lot.width))
    halves: dict[str, list[list[Lot]]] = {"south": [[], [], [], []], "north": [[park_lot()], [], [], []]}
    for lot in lots:
        open_to = halves[lot.door][:2] if lot.height > TALL and lot.door == "south" else halves[lot.door]
        min(open_to, key=lambda half: sum(one.width + GAP for one in half)).append(lot)
    for half in (*halves["south"], *halves["north"]):
        chance.shuffle(half)
    south, north = halves["south"], halves["north"]
    district.rows = [south[:2], north[:2], south[2:], north[2:]]


def lay_out(district: District, plan: GroundPlan, at: tuple[int, int], width: int, *, chance: Random) -> None:
    """Lay a district out with its north west corner on a tile of the map."""
    left, top = at
    streets = [Street(left, left + width - 1, top + row, chance) for row in STREETS]
    middle = left + width // 2
    for x in (left + LANE // 2, middle):
        pave_lane(plan, district.kind["lane"], x, (streets[0].middle(x), streets[1].middle(x)), chance=chance)
    for number, (west, east) in enumerate(district.rows):
        street = streets[number // 2]
        _spread(west, left + LANE, middle - LANE // 2, chance)
        _spread(east, middle + LANE // 2 + 1, left + width, chance)
        for lot in (*west, *east):
            _build(district, lot, plan, street, chance=chance)
    for street in streets:
        street.pave(plan, district.kind["street"])
    _furnish(district, plan, streets, (left, top, width), chance=chance)


def _spread(lots: list[Lot], left: int, right: int, chance: Random) -> None:
    """Spread lots over a piece of a street, with the spare tiles anywhere between them."""
    spare = right - left - sum(lot.width + GAP for lot in lots)
    cuts = sorted(chance.randint(0, max(spare, 0)) for _ in lots)
    x = left + 1
    for cut, before, lot in zip(cuts, [0, *cuts], lots, strict=False):
        x += cut - before
        lot.left = x
        x += lot.width + GAP


def _build(district: District, lot: Lot, plan: GroundPlan, street: Street, *, chance: Random) -> None:
    if lot.door == "south":
        bottom = street.north(lot.left, lot.width) - chance.randint(0, 1)
        _stand(district, lot, plan, bottom - lot.height + 1, chance=chance)
        lay_front(plan, lot, street, bottom + 1, kind=district.kind, chance=chance)
        return
    top = street.south(lot.left, lot.width) + chance.randint(1, 2)
    if not lot.home:
        lay_park(plan, district.park, (lot.left, top, lot.width, lot.height), street, chance=chance)
        return
    _stand(district, lot, plan, top, chance=chance)
    lay_front(plan, lot, street, top - 1, kind=district.kind, chance=chance)
    if lot.width > WIDE or chance.random() < GARDENS:
        lot.home.garden = True
        lay_garden(plan, lot.home, (lot.left, top + lot.height, lot.width), chance)


def _stand(district: District, lot: Lot, plan: GroundPlan, top: int, *, chance: Random) -> None:
    """Put the buildings of a lot on the map."""
    if lot.home:
        _put_home(district, lot.home, plan, (lot.left, top), facade=lot.facade)
    elif lot.work and lot.pattern:
        if keeper := lot.work.keeper:
            household = next(one for one in district.households if keeper in one.people)
            above = ville_patterns()[lot.work.entry["above"]]
            look = PlanLook(scheme=chance.randrange(len(schemes()["schemes"])))
            _put_home(district, Dwelling(household, above, look), plan, (lot.left, top), facade=lot.facade)
        top += lot.height - lot.pattern.height
        building = {"sector": lot.work.name, "at": [lot.left, top], "facade": lot.facade}
        plan.buildings.append({**building, **lot.pattern.parts(PLAIN)})


def _put_home(district: District, home: Dwelling, plan: GroundPlan, at: tuple[int, int], *, facade: str) -> None:
    home.at = at
    district.homes.append(home)
    building = {"sector": home.household.home_name, "at": list(at), "facade": facade}
    plan.buildings.append({**building, **home.pattern.parts(home.look)})


def _furnish(
    district: District, plan: GroundPlan, streets: list[Street], box: tuple[int, int, int], *, chance: Random
) -> None:
    """Light the streets and plant trees and flowers."""
    left, top, width = box
    for number, (west, east) in enumerate(district.rows):
        street = streets[number // 2]
        for lot in (*west, *east):
            x = lot.left + lot.width
            if number % 2 == 0 and chance.random() < LAMPS:
                plan.put("street lamp", x, street.north(x, 1))
    seed = chance.randrange(10**6)
    area = [left, top, width, HEIGHT]
    plan.sow(district.kind["trees"], area, 0.07, seed)
    bushes = ["bush", "berry bush", "bush"]
    plan.sow(bushes, area, 0.012, seed + 1)
    plan.sow(district.kind["flowers"], area, 0.06, seed + 2)
