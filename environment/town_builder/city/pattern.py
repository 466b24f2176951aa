"""Floor plans of a city: those of the Ville and of the data files, mirrored and in other colours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from town_builder.city.data_file import read_data
from town_builder.city.ground_plan import Line
from town_builder.stamps import Stamp, load_stamps

VILLE = Path(__file__).parents[1] / "towns/the_ville.yaml"
BEDROOMS = ("front bedroom", "back bedroom", "small bedroom")
"""Names of the rooms that the Ville names after people, in the order of its floor plan."""
BEDROOM = ("'s room", "bedroom")
"""Ends of the names of bedrooms."""
DOORWAY, DOUBLE = "+", "double bed"
Tile = tuple[int, int]
Part = dict[str, Any]


@dataclass(frozen=True)
class PlanLook:
    """How a floor plan is used: mirrored or not, the colours of its rooms, and the bedrooms with two single beds."""

    mirrored: bool = False
    scheme: int | None = None
    """Row of the schemes of `rooms.yaml`; None for the colours of the plan."""
    singles: tuple[int, ...] = ()
    """Numbers of bedrooms."""


@dataclass(eq=False)
class Pattern:
    """A floor plan with its furniture, as in a town file."""

    rooms: Mapping[str, Part]
    rows: tuple[str, ...]
    things: list[Part]
    door: str = "south"
    """`north`, `south` or `both`."""
    _made: dict[PlanLook, Part] = field(default_factory=dict)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def beds(self) -> list[Part]:
        return [thing for thing in self.things if thing.get("spawn")]

    def sleeping(self, look: PlanLook) -> list[tuple[str, list[Tile]]]:
        """Return for each bedroom its arena and the tiles of the plan on which its people wake up."""
        found = []
        for bed in self.beds:
            (x, y), wide = bed["at"], len(stamps()[bed["stamp"]].use)
            tiles = [(x + right, y + 1) for right in range(wide)]
            arena = self.rooms[self.rows[y + 1][x]]["arena"]
            found.append((arena, [(self.width - 1 - i, j) for i, j in tiles] if look.mirrored else tiles))
        return found

    def doors(self, side: str, look: PlanLook) -> list[int]:
        """Return the columns of the front door of a side."""
        row = self.rows[0] if side == "north" else self.rows[-1]
        columns = [column for column, mark in enumerate(row) if mark == DOORWAY]
        return [self.width - 1 - column for column in columns] if look.mirrored else columns

    def objects(self) -> dict[str, list[str]]:
        """Return the objects of each arena."""
        found: dict[str, list[str]] = {room["arena"]: [] for room in self.rooms.values()}
        for thing in self.things:
            names = [thing["obj"]] if "obj" in thing else list(thing.get("objects", ()))
            (x, y) = thing["at"][0] if isinstance(thing["at"][0], list) else thing["at"]
            for name in names:
                right, down = (stamps()[thing["stamp"]].use if "obj" in thing else thing["objects"][name])[0]
                arena = self.rooms[self.rows[y + down][x + right]]["arena"]
                if name not in found[arena]:
                    found[arena].append(name)
        return found

    def parts(self, look: PlanLook) -> Part:
        """Return `rooms`, `plan` and `things` of a building; the same objects for the same look."""
        if look not in self._made:
            rows = tuple(row[::-1] for row in self.rows) if look.mirrored else self.rows
            self._made[look] = {
                "rooms": _coloured_rooms(self.rooms, look.scheme),
                "plan": self._plan(look.mirrored, rows),
                "things": Furniture(_thing(one, self.width, look) for one in self._furniture(look)),
            }
            self._shared(look)
        return self._made[look]

    def _plan(self, mirrored: bool, rows: tuple[str, ...]) -> "Drawing":  # noqa: FBT001 - one of two drawings
        made = next((parts for look, parts in self._made.items() if look.mirrored == mirrored), None)
        return made["plan"] if made else Drawing("\n".join(rows) + "\n")

    def _shared(self, look: PlanLook) -> None:
        """Use the rooms of an earlier look with the same colours."""
        for other, parts in self._made.items():
            if other.scheme == look.scheme:
                self._made[look]["rooms"] = parts["rooms"]
                return

    def _furniture(self, look: PlanLook) -> list[Part]:
        found = []
        for thing in self.things:
            if thing.get("spawn") and thing["stamp"] == DOUBLE and self.beds.index(thing) in look.singles:
                x, y = thing["at"]
                found.append({**thing, "stamp": "bed", "at": [[x, y], [x + 1, y]]})
            else:
                found.append(thing)
        return found


class Drawing(str):
    """A floor plan, written as a block of text, once for all buildings that have it."""

    __slots__ = ()


class Rooms(dict[str, Any]):
    """Rooms of a floor plan, written once for all buildings that have them."""


class Furniture(list[Part]):
    """Things of a floor plan, written once for all buildings that have them."""


@cache
def stamps() -> Mapping[str, Stamp]:
    return load_stamps()


@cache
def schemes() -> Part:
    return dict(read_data("rooms"))


def _coloured_rooms(rooms: Mapping[str, Part], number: int | None) -> Rooms:
    if number is None:
        return Rooms(rooms)
    scheme, keep = schemes()["schemes"][number], schemes()["keep"]
    found, living = Rooms(), 0
    for letter, room in rooms.items():
        if room["wall"] in keep:
            found[letter] = room
            continue
        floor, wall = (scheme[key][living % len(scheme[key])] for key in ("floors", "walls"))
        found[letter] = {"arena": room["arena"], "floor": floor, "wall": wall}
        living += 1
    return found


def _thing(thing: Part, width: int, look: PlanLook) -> Line:
    """Return a thing with the colour of the scheme, mirrored if the look is."""
    made = Line(thing)
    if look.scheme is not None and thing.get("stamp") in schemes()["cloth"]:
        made["colour"] = schemes()["schemes"][look.scheme]["cloth"]
    if look.mirrored:
        wide = stamps()[thing["stamp"]].width
        places = made["at"] if isinstance(made["at"][0], list) else [made["at"]]
        turned = [[width - x - wide, y] for x, y in places]
        made["at"] = turned if len(turned) > 1 else turned[0]
        if "objects" in made:
            made["objects"] = {name: [[wide - 1 - x, y] for x, y in tiles] for name, tiles in made["objects"].items()}
    return made


@cache
def ville_patterns() -> dict[str, Pattern]:
    """Return the buildings of the Ville by sector."""
    buildings = yaml.safe_load(VILLE.read_text(encoding="utf-8"))["buildings"]
    return {one["sector"]: _pattern(one) for one in buildings}


def _pattern(building: Part) -> Pattern:
    names = iter(BEDROOMS)
    rooms = {
        letter: {**room, "arena": next(names, room["arena"]) if room["arena"].endswith(BEDROOM) else room["arena"]}
        for letter, room in building["rooms"].items()
    }
    return Pattern(rooms, tuple(building["plan"].rstrip("\n").split("\n")), building["things"])


def _read(entry: Part) -> Pattern:
    found = ville_patterns()[entry["of"]] if "of" in entry else _pattern(entry)
    found.door = entry.get("door", "south")
    return found


@cache
def home_patterns() -> tuple[Pattern, ...]:
    return tuple(map(_read, read_data("homes")))


@cache
def work_patterns() -> dict[str, Pattern]:
    """Return the floor plans of workplaces by kind."""
    return {kind: _read(entry) for kind, entry in read_data("works").items()}
