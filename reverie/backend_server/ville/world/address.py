"""Addresses of places, and destinations of actions, as read from and written to `act_address`."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from ville.errors import CorruptFile

PERSONA = "<persona> "
WAITING = "<waiting> "
RANDOM = "<random>"
ADDRESS_PARTS = 4


class Tile(NamedTuple):
    """A square of the map: column from the west and row from the north, both from 0."""

    x: int
    y: int


class Address(NamedTuple):
    """A place as `world:sector:arena:object`; trailing parts may be empty."""

    world: str
    sector: str = ""
    arena: str = ""
    object: str = ""

    def __str__(self) -> str:
        return ":".join(self).rstrip(":")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the address in a text. Raise CorruptFile if it has no world or too many parts."""
        parts = text.split(":")
        if not parts[0] or len(parts) > ADDRESS_PARTS:
            raise CorruptFile(f"'{text}' is not an address. Write it as world:sector:arena:object.")
        return cls(*parts)

    @property
    def sector_address(self) -> "Address":
        """Address of the sector, without arena and object."""
        return Address(self.world, self.sector)

    @property
    def arena_address(self) -> "Address":
        """Address of the arena, without the object."""
        return Address(self.world, self.sector, self.arena)


@dataclass(frozen=True, slots=True)
class AtPlace:
    """object tile of a place is the destination."""

    address: Address

    def __str__(self) -> str:
        return str(self.address)


@dataclass(frozen=True, slots=True)
class NearPersona:
    """The destination is next to a persona, wherever it is."""

    name: str

    def __str__(self) -> str:
        return f"{PERSONA}{self.name}"


@dataclass(frozen=True, slots=True)
class AtTile:
    """The destination is one tile, to wait there."""

    tile: Tile

    def __str__(self) -> str:
        return f"{WAITING}{self.tile.x} {self.tile.y}"


@dataclass(frozen=True, slots=True)
class AnywhereIn:
    """The destination is a random tile of an arena, again and again."""

    arena: Address

    def __str__(self) -> str:
        return f"{self.arena}:{RANDOM}"


Destination = AtPlace | NearPersona | AtTile | AnywhereIn


def parse_destination(text: str) -> Destination:
    """Return the destination that an `act_address` describes; `str()` is the inverse. Raise CorruptFile."""
    if text.startswith(PERSONA):
        return NearPersona(text.removeprefix(PERSONA))
    if text.startswith(WAITING):
        return AtTile(_tile(text))
    if text.endswith(f":{RANDOM}"):
        return AnywhereIn(Address.parse(text.removesuffix(f":{RANDOM}")))
    return AtPlace(Address.parse(text))


def _tile(text: str) -> Tile:
    try:
        x, y = (int(word) for word in text.removeprefix(WAITING).split())
    except ValueError:
        raise CorruptFile(f"'{text}' is not a tile to wait on. Write it as {WAITING}x y.") from None
    return Tile(x, y)
