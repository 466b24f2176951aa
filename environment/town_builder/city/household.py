"""Households of a city: who lives together, how old they are, and who sleeps in which bedroom."""

from dataclasses import dataclass, field
from random import Random

from town_builder.city.naming import Namer

YOUNGEST, GROWN, RETIRED = 6, 18, 67
"""Ages in years: of the youngest people of a city, of adults, of those who no longer work."""
GENERATION = 20
"""Years between the younger parent and the eldest child, at least."""
KINDS = {"alone": 29, "couple": 28, "family": 25, "one parent": 7, "flat": 7, "three generations": 4}
"""Kinds of households and their shares in percent. Near the United States in 2022, where 29 % of the households are of
one person and 47 % of married couples (Census Bureau, America's Families and Living Arrangements)."""


@dataclass(eq=False)
class Citizen:
    """One person of a city."""

    name: str
    woman: bool
    age: int
    role: str
    """`adult`, `child` or `grandparent`, in the household."""

    @property
    def last_name(self) -> str:
        return self.name.split()[-1]


@dataclass(eq=False)
class Household:
    """People of one home. Each group of `bedrooms` shares a bedroom: a couple, one or two children, or one adult."""

    kind: str
    bedrooms: list[list[Citizen]] = field(default_factory=list)

    @property
    def people(self) -> list[Citizen]:
        return [one for group in self.bedrooms for one in group]

    @property
    def home_name(self) -> str:
        """Name of the home, which opens it to those who live there and to nobody else."""
        people = self.people
        last = people[0].last_name
        if self.kind == "flat":
            owners = " and ".join(one.name for one in people)
        elif len(people) > len(("one", "two")):
            owners = f"{last} family"
        else:
            owners = " and ".join(one.name.split()[0] for one in people) + f" {last}"
        return f"{owners}'s house"


def make_households(people: int, names: Namer, chance: Random) -> list[Household]:
    """Return households of so many people together."""
    found: list[Household] = []
    left = people
    while left:
        household = _household(chance.choices(list(KINDS), list(KINDS.values()))[0], names, chance)
        if len(household.people) <= left:
            found.append(household)
            left -= len(household.people)
    return found


def _household(kind: str, names: Namer, chance: Random) -> Household:
    family = names.family()

    def born(age: int, role: str = "adult") -> Citizen:
        woman = chance.choice((True, False))
        return Citizen(family.person(woman=woman), woman, age, role)

    if kind == "alone":
        return Household(kind, [[born(chance.randint(22, 88))]])
    if kind == "flat":
        flat = [[born(chance.randint(19, 35))]]
        for _ in range(chance.choice((1, 1, 2))):
            family = names.family()
            flat.append([born(chance.randint(19, 35))])
        return Household(kind, flat)
    if kind == "couple":
        age = chance.randint(24, 84)
        return Household(kind, [[born(age), born(max(GROWN + 2, age + chance.randint(-5, 5)))]])
    age = chance.randint(YOUNGEST + GENERATION + 2, 54)
    parents = [born(age)] if kind == "one parent" else [born(age), born(age + chance.randint(0, 6))]
    oldest = min(GROWN - 1, age - GENERATION)
    count = chance.choice((1, 2)) if kind != "family" else chance.choice((1, 1, 2, 2, 2, 3, 4))
    ages = sorted(chance.sample(range(YOUNGEST, oldest + 1), min(count, oldest + 1 - YOUNGEST)), reverse=True)
    children = [born(one, "child") for one in ages]
    bedrooms = [parents, *(children[at : at + 2] for at in range(0, len(children), 2))]
    if kind == "three generations":
        bedrooms.append([born(min(92, max(60, parents[-1].age + chance.randint(GENERATION, 34))), "grandparent")])
    return Household(kind, bedrooms)
