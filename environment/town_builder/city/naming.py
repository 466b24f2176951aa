"""Names of the people of a city: every family has a last name of its own."""

from random import Random
from typing import Any

from town_builder.city.data_file import read_data


class Family:
    """A last name, and the first names that go with it."""

    def __init__(self, last: str, own: dict[str, Any] | None, namer: "Namer") -> None:
        self.last, self._own, self._namer = last, own, namer
        self._taken: set[str] = set()

    def person(self, *, woman: bool) -> str:
        """Return a full name that nobody in the city has."""
        kind = "women" if woman else "men"
        while True:
            first = self._namer.first_name(kind, self._own)
            if first not in self._taken:
                self._taken.add(first)
                return f"{first} {self.last}"


class Namer:
    """Gives out names, each last name once."""

    def __init__(self, chance: Random) -> None:
        data = read_data("names")
        self._chance, self._share = chance, float(data["share"])
        self._peoples: list[dict[str, Any]] = data["peoples"]
        last: dict[str, dict[str, Any] | None] = {name: people for people in self._peoples for name in people["last"]}
        parts = data["compound"]
        compound = [f"{one}{two}" for one in parts["first"] for two in parts["second"]]
        named, made = list(last), [name for name in compound if name not in last]
        chance.shuffle(named)
        chance.shuffle(made)
        self._left = [*((name, last[name]) for name in named), *((name, None) for name in made)]
        self._left.reverse()

    def family(self) -> Family:
        last, people = self._left.pop()
        return Family(last, people, self)

    def first_name(self, kind: str, own: dict[str, Any] | None) -> str:
        people = own if own and self._chance.random() > self._share else self._chance.choice(self._peoples)
        return str(self._chance.choice(people[kind]))
