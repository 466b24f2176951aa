"""A district of a city: two streets with lots on both sides, lanes between them, gardens behind the houses."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from town_builder.city.green import lay_garden, lay_park
from town_builder.city.ground_plan import GroundPlan
from town_builder.city.household import Household
from town_builder.city.lot import Home, Lot, home_look, home_lot, park_lot, work_lot
from town_builder.city.pattern import Look, ville_patterns
from town_builder.city.street import Street, pave_lane
from town_builder.city.work import Workplace

STREETS = (29, 84)
"""Rows of the two streets, from the north edge of a district."""
HEIGHT = 113
TALL = 18
"""Highest house of the row between the streets; taller ones stand at the northern street."""
MEADOWS = 0.55
"""Share of the spots that have a patch of high grass."""
LANE = 6
"""Tiles kept free for a lane."""
PLAIN = Look()
GAP = 2
"""Tiles between two lots, at least."""


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
    homes: list[Home] = field(default_factory=list)

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
    above = {place.keeper: place for place in district.places if place.keeper}
    lots = [work_lot(place, chance) for place in district.places]
    doors = {"south": sum(lot.width + GAP for lot in lots), "north": park_lot().width}
    for household in sorted(district.households, key=lambda one: -len(one.bedrooms)):
        if not any(one in above for one in household.people):
            lots.append(home_lot(household, district.kind["facades"], doors, chance))
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


def lay_out(district: District, plan: GroundPlan, at: tuple[int, int], width: int, chance: Random) -> None:
    """Lay a district out with its north west corner on a tile of the map."""
    left, top = at
    streets = [Street(left, left + width - 1, top + row, chance) for row in STREETS]
    middle = left + width // 2
    for x in (left + LANE // 2, middle):
        pave_lane(plan, district.kind["lane"], x, (streets[0].middle(x), streets[1].middle(x)), chance)
    _meadows(plan, (left, top, width), chance)
    for number, (west, east) in enumerate(district.rows):
        street = streets[number // 2]
        _spread(west, left + LANE, middle - LANE // 2, chance)
        _spread(east, middle + LANE // 2 + 1, left + width, chance)
        for lot in (*west, *east):
            _build(district, lot, plan, street, chance)
    for street in streets:
        street.pave(plan, district.kind["street"])
    _furnish(district, plan, streets, (left, top, width), chance)


def _meadows(plan: GroundPlan, box: tuple[int, int, int], chance: Random) -> None:
    """Lay patches of high grass, on which more flowers grow."""
    left, top, width = box
    for x in range(left + 8, left + width - 8, 14):
        for y in range(top + 8, top + HEIGHT - 4, 26):
            if chance.random() < MEADOWS:
                at = [x + chance.randint(-6, 6), y + chance.randint(-10, 10)]
                size = [chance.randint(3, 9), chance.randint(1, 4)]
                plan.lay(kind="meadow", blob=[*at, *size], seed=chance.randrange(999))


def _spread(lots: list[Lot], left: int, right: int, chance: Random) -> None:
    """Spread lots over a piece of a street, with the spare tiles anywhere between them."""
    spare = right - left - sum(lot.width + GAP for lot in lots)
    cuts = sorted(chance.randint(0, max(spare, 0)) for _ in lots)
    x = left + 1
    for cut, before, lot in zip(cuts, [0, *cuts], lots, strict=False):
        x += cut - before
        lot.left = x
        x += lot.width + GAP


def _build(district: District, lot: Lot, plan: GroundPlan, street: Street, chance: Random) -> None:
    if lot.door == "south":
        bottom = street.north(lot.left, lot.width) - chance.randint(0, 1)
        _stand(district, lot, plan, bottom - lot.height + 1, chance)
        _front(district, lot, plan, street, bottom + 1, chance)
        return
    top = street.south(lot.left, lot.width) + chance.randint(1, 2)
    if not lot.home:
        lay_park(plan, district.park, (lot.left, top, lot.width, lot.height), street, chance)
        return
    _stand(district, lot, plan, top, chance)
    _front(district, lot, plan, street, top - 1, chance)
    if lot.width > 12 or chance.random() < 0.3:
        lot.home.garden = True
        lay_garden(plan, lot.home, (lot.left, top + lot.height, lot.width), chance)


def _stand(district: District, lot: Lot, plan: GroundPlan, top: int, chance: Random) -> None:
    """Put the buildings of a lot on the map."""
    if lot.home:
        _put_home(district, lot.home, plan, (lot.left, top), lot.facade)
    elif lot.work and lot.pattern:
        if keeper := lot.work.keeper:
            household = next(one for one in district.households if keeper in one.people)
            pattern = ville_patterns()[lot.work.entry["above"]]
            home = Home(household, pattern, home_look(household, pattern, chance))
            home.look = Look(scheme=home.look.scheme)
            _put_home(district, home, plan, (lot.left, top), lot.facade)
            top += pattern.height
        elif "above" in lot.work.entry:
            top += lot.height - lot.pattern.height
        building = {"sector": lot.work.name, "at": [lot.left, top], "facade": lot.facade}
        plan.buildings.append({**building, **lot.pattern.parts(PLAIN)})


def _put_home(district: District, home: Home, plan: GroundPlan, at: tuple[int, int], facade: str) -> None:
    home.at = at
    district.homes.append(home)
    building = {"sector": home.household.home_name, "at": list(at), "facade": facade}
    plan.buildings.append({**building, **home.pattern.parts(home.look)})


def _front(district: District, lot: Lot, plan: GroundPlan, street: Street, row: int, chance: Random) -> None:
    """Lead a path from the street to the door, and dress the front. `row` is the one before the house."""
    pattern = lot.home.pattern if lot.home else lot.pattern
    if not pattern:
        return
    mirrored = bool(lot.home and lot.home.look.mirrored)
    columns = pattern.doors(lot.door, lot.home.look if lot.home else PLAIN)
    doors = [lot.left + column for column in columns]
    if lot.door == "south" and mirrored:
        doors = [lot.left + column for column in columns]
    first, last = min(doors), max(doors)
    to = street.middle(first)
    ground = "plaza" if lot.work else district.kind["lane"]
    plan.pave(ground, first, min(row, to), last - first + 1, abs(to - row) + 1)
    if lot.work:
        _shop_front(lot, plan, (first, last), row, chance)
    elif lot.door == "north":
        _hedge(plan, lot, (first, last), row, district.kind["hedge"], chance)
    else:
        _pots(plan, lot, (first, last), row, chance)


def _shop_front(lot: Lot, plan: GroundPlan, doors: tuple[int, int], row: int, chance: Random) -> None:
    assert lot.work
    plan.put("shop sign", doors[1] + 1, row - 1, chance.choice(("red", "teal", "blue", "leaf")), lot.work.entry["sign"])
    for x in (doors[0] - 3, doors[1] + 3):
        stamp = chance.choice(("bench", "crates", "flower box", "barrels", "bicycle"))
        if lot.left <= x and x + 1 < lot.left + lot.width and abs(x - doors[1]) > 1:
            plan.put(stamp, x, row)


def _pots(plan: GroundPlan, lot: Lot, doors: tuple[int, int], row: int, chance: Random) -> None:
    end = lot.left + lot.width - 1
    if doors[1] + 1 <= end:
        plan.put("mailbox", doors[1] + 1, row)
    if doors[0] - 3 >= lot.left:
        plan.put("flower box", doors[0] - 3, row, chance.choice(("red", "pink", "yellow", "purple")))
    if doors[1] + 4 <= end:
        plan.put(chance.choice(("flower box", "bicycle", "bench")), doors[1] + 3, row)


def _hedge(
    plan: GroundPlan, lot: Lot, doors: tuple[int, int], row: int, hedge: str, chance: Random
) -> None:
    """Plant a bed of flowers before the house, with a hedge or a fence before it."""
    colour = chance.choice((None, "purple", "yellow", "red", "orange", "white"))
    for start, end in ((lot.left, doors[0] - 1), (doors[1] + 1, lot.left + lot.width - 1)):
        if end > start:
            plan.draw("flower bed", (start, row), (end, row), colour=colour)
            if start > doors[1]:
                plan.put("mailbox", start, row - 1)
                start += 1
            if end > start:
                plan.draw(hedge, (start, row - 1), (end, row - 1))


def _furnish(
    district: District, plan: GroundPlan, streets: list[Street], box: tuple[int, int, int], chance: Random
) -> None:
    """Light the streets and plant trees and flowers."""
    left, top, width = box
    for number, (west, east) in enumerate(district.rows):
        street = streets[number // 2]
        for lot in (*west, *east):
            x = lot.left + lot.width
            if number % 2 == 0 and chance.random() < 0.7:
                plan.put("street lamp", x, street.north(x, 1))
    seed = chance.randrange(10**6)
    area = [left, top, width, HEIGHT]
    plan.sow(district.kind["trees"], area, 0.07, seed)
    bushes = ["bush", "berry bush", "bush"]
    plan.sow(bushes, area, 0.012, seed + 1)
    plan.sow(district.kind["flowers"], area, 0.06, seed + 2)
