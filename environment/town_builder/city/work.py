"""Work of a city: its workplaces, who works where, and who learns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from town_builder.city.data_file import read_data
from town_builder.city.household import GROWN, RETIRED, Citizen, Household

AT_HOME = 0.25
"""Share of the adults who work at their own desk."""


@dataclass(eq=False)
class Workplace:
    """A place of a district where people work or learn."""

    kind: str
    name: str
    entry: dict[str, Any]
    """Its entry in `works.yaml`."""
    staff: list[tuple[Citizen, dict[str, Any]]] = field(default_factory=list)
    """Who works there, each with a job."""
    pupils: list[Citizen] = field(default_factory=list)

    @property
    def vacancies(self) -> list[dict[str, Any]]:
        """Jobs that can take another person, those with the fewest people first."""
        taken = [job["trade"] for _, job in self.staff]
        open_jobs = [job for job in self.entry["jobs"] if taken.count(job["trade"]) < job["most"]]
        return sorted(open_jobs, key=lambda job: taken.count(job["trade"]))

    @property
    def keeper(self) -> Citizen | None:
        """Who lives over it."""
        return self.staff[0][0] if self.staff and "above" in self.entry else None


def workers(people: Iterable[Citizen]) -> list[Citizen]:
    return [one for one in people if GROWN <= one.age < RETIRED]


def employ(district: str, households: Sequence[Household], chance: Random) -> list[Workplace]:
    """Return the workplaces of a district with the people who work and learn there."""
    people = [one for household in households for one in household.people]
    free = [one for one in workers(people) if chance.random() > AT_HOME]
    keepers = [one for house in households if len(house.bedrooms) == 1 for one in house.people if one in free]
    found: list[Workplace] = []
    for kind, entry in _in_turn(chance):
        seats = sum(job["most"] for place in found for job in place.entry["jobs"])
        if not entry.get("always") and (seats >= len(free) or ("above" in entry and not keepers)):
            continue
        found.append(Workplace(kind, entry["names"][0].format(name=district), entry))
    for place in found:
        if "above" in place.entry and keepers:
            keeper = keepers.pop(chance.randrange(len(keepers)))
            keepers = [one for one in keepers if not _together(one, keeper, households)]
            free.remove(keeper)
            place.staff.append((keeper, place.entry["jobs"][0]))
    _fill(found, free, chance)
    school = next(place for place in found if place.entry.get("learns"))
    school.pupils += [one for one in people if one.age < GROWN]
    return found


def _in_turn(chance: Random) -> list[tuple[str, dict[str, Any]]]:
    """Return all kinds of workplaces: those of every district first, then the others in any order."""
    kinds = list(read_data("works").items())
    others = [one for one in kinds if not one[1].get("always")]
    chance.shuffle(others)
    return [*(one for one in kinds if one[1].get("always")), *others]


def _together(one: Citizen, other: Citizen, households: Sequence[Household]) -> bool:
    return any(one in house.people and other in house.people for house in households)


def _fill(places: Sequence[Workplace], free: list[Citizen], chance: Random) -> None:
    """Give a job to one after the other, each in the place with the smallest staff for its size."""
    chance.shuffle(free)
    for one in free:
        vacant = [place for place in places if place.vacancies]
        if not vacant:
            return
        place = min(vacant, key=lambda each: len(each.staff) / sum(job["most"] for job in each.entry["jobs"]))
        place.staff.append((one, place.vacancies[0]))
