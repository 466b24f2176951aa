"""Lots of a city: a house, a workplace or a park on its piece of a street."""

from dataclasses import dataclass
from random import Random

from town_builder.city.household import Citizen, Household
from town_builder.city.pattern import Pattern, PlanLook, home_patterns, schemes, ville_patterns, work_patterns
from town_builder.city.work import Workplace

SINGLES_ROLE = "child"
"""Who sleeps in a single bed."""
PARK_SIZE = (32, 22)
"""Width and height of a park, in tiles."""


@dataclass(eq=False)
class Dwelling:
    """Where a household lives."""

    household: Household
    pattern: Pattern
    look: PlanLook
    at: tuple[int, int] = (0, 0)
    garden: bool = False
    """Whether it has a garden of its own."""

    def beds(self) -> list[tuple[Citizen, str, tuple[int, int]]]:
        """Return everybody with the room and the tile of the map on which they wake up."""
        found = []
        groups = sorted(self.household.bedrooms, key=lambda group: group[0].role == SINGLES_ROLE)
        for group, (arena, tiles) in zip(groups, self.pattern.sleeping(self.look), strict=False):
            for one, (x, y) in zip(group, tiles, strict=False):
                found.append((one, arena, (self.at[0] + x, self.at[1] + y)))
        return found


@dataclass(eq=False)
class Lot:
    """A piece of a street, as wide as what stands on it."""

    door: str
    """Side of the street it lies on: `south` for a lot north of its street."""
    width: int
    height: int
    home: Dwelling | None = None
    work: Workplace | None = None
    pattern: Pattern | None = None
    """Floor plan of the workplace."""
    left: int = 0
    facade: str = ""


def work_lot(work: Workplace, chance: Random) -> Lot:
    """Return the lot of a workplace, with the home above it."""
    pattern = work_patterns()[work.kind]
    above = ville_patterns()[work.entry["above"]] if "above" in work.entry else None
    height = pattern.height + (above.height if above else 0)
    return Lot("south", pattern.width, height, work=work, pattern=pattern, facade=chance.choice(work.entry["facades"]))


def home_lot(household: Household, facades: list[str], doors: dict[str, int], chance: Random) -> Lot:
    """Return the lot of a household; `doors` counts the tiles used by lots of either side, to balance them."""
    rooms = len(household.bedrooms)
    fitting = [one for one in home_patterns() if len(one.beds) == max(rooms, 1)]
    wanted = min(doors, key=lambda side: doors[side])
    pattern = chance.choice([one for one in fitting if one.door in (wanted, "both")] or fitting)
    door = wanted if pattern.door == "both" else pattern.door
    home = Dwelling(household, pattern, _look(household, pattern, chance))
    doors[door] += pattern.width + 3
    return Lot(door, pattern.width, pattern.height, home=home, facade=chance.choice(facades))


def _look(household: Household, pattern: Pattern, chance: Random) -> PlanLook:
    groups = sorted(household.bedrooms, key=lambda group: group[0].role == SINGLES_ROLE)
    singles = tuple(at for at, group in enumerate(groups) if group[0].role == SINGLES_ROLE and len(pattern.beds) > 1)
    return PlanLook(chance.choice((True, False)), chance.randrange(len(schemes()["schemes"])), singles)


def park_lot() -> Lot:
    return Lot("north", *PARK_SIZE)
