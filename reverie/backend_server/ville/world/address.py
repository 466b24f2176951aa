"""Places by name, and where somebody may be heading: here alone the classic address texts are read and written."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from ville.errors import CorruptFile

PERSONA = "<persona> "
WAITING = "<waiting> "
RANDOM = "<random>"
ADDRESS_PARTS = 4


class Tile(NamedTuple):
    """A square of the map: columns from the west, rows from the north, both from 0."""

    x: int
    y: int


class Address(NamedTuple):
    """`world:sector:arena:object`, of which the last parts may be empty."""

    world: str
    sector: str = ""
    arena: str = ""
    object: str = ""

    def __str__(self) -> str:
        return ":".join(self).rstrip(":")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises CorruptFile if the text names no place."""
        parts = text.split(":")
        if not parts[0] or len(parts) > ADDRESS_PARTS:
            raise CorruptFile(f"'{text}' is no address: write it as world:sector:arena:object.")
        return cls(*parts)

    @property
    def arena_address(self) -> "Address":
        """The arena this address lies in (itself, if it names no object)."""
        return Address(self.world, self.sector, self.arena)


@dataclass(frozen=True, slots=True)
class AtPlace:
    """Any tile of a place."""

    address: Address

    def __str__(self) -> str:
        return str(self.address)


@dataclass(frozen=True, slots=True)
class NearPersona:
    """Beside somebody, wherever they are."""

    name: str

    def __str__(self) -> str:
        return f"{PERSONA}{self.name}"


@dataclass(frozen=True, slots=True)
class AtTile:
    """Exactly there; how one waits."""

    tile: Tile

    def __str__(self) -> str:
        return f"{WAITING}{self.tile.x} {self.tile.y}"


@dataclass(frozen=True, slots=True)
class AnywhereIn:
    """Wandering about an arena."""

    arena: Address

    def __str__(self) -> str:
        return f"{self.arena}:{RANDOM}"


Destination = AtPlace | NearPersona | AtTile | AnywhereIn


def parse_destination(text: str) -> Destination:
    """The destination behind `act_address`; `str()` is the way back. Raises CorruptFile on a text of no known form."""
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
        raise CorruptFile(f"'{text}' is no place to wait at: write it as {WAITING}x y.") from None
    return Tile(x, y)
