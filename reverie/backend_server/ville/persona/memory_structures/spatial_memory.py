"""The places a persona knows: world, sector, arena, objects. Only there it can choose to go."""

from collections.abc import Mapping
from typing import Any

from ville.errors import CorruptFile
from ville.world.address import Address

Tree = dict[str, dict[str, dict[str, list[str]]]]


class SpatialMemory:
    """A tree that only grows, in the order in which places were first seen."""

    def __init__(self, tree: Tree | None = None) -> None:
        self.tree: Tree = tree or {}

    @classmethod
    def load(cls, owner: str, tree: Mapping[str, Any]) -> "SpatialMemory":
        """From spatial_memory.json. Raises CorruptFile naming the first place that is none."""
        for world, sectors in tree.items():
            for sector, arenas in _branches(owner, world, sectors):
                for arena, objects in _branches(owner, f"{world}:{sector}", arenas):
                    if not isinstance(objects, list):
                        raise CorruptFile(_fault(owner, f"{world}:{sector}:{arena}", "a list of objects"))
        return cls(
            {world: {sector: dict(arenas) for sector, arenas in sectors.items()} for world, sectors in tree.items()}
        )

    def add(self, world: str, sector: str = "", arena: str = "", game_object: str = "") -> bool:
        """See a place, as far as its parts are named; whether it was new."""
        if not world:
            return False
        before = world in self.tree
        sectors = self.tree.setdefault(world, {})
        if not sector:
            return not before
        before = sector in sectors
        arenas = sectors.setdefault(sector, {})
        if not arena:
            return not before
        before = arena in arenas
        objects = arenas.setdefault(arena, [])
        if not game_object:
            return not before
        if game_object in objects:
            return False
        objects.append(game_object)
        return True

    def sectors(self, world: str) -> list[str]:
        return list(self.tree.get(world, {}))

    def arenas(self, world: str, sector: str) -> list[str]:
        return list(self.tree.get(world, {}).get(sector, {}))

    def objects(self, arena: Address) -> list[str]:
        """What is known to stand in an arena; nothing if it is unknown."""
        return list(self.tree.get(arena.world, {}).get(arena.sector, {}).get(arena.arena, []))

    def knows(self, place: Address) -> bool:
        """Whether every named part of an address is in the tree."""
        branch: Any = self.tree
        for part in place:
            if not part:
                return True
            if part not in branch:
                return False
            branch = branch[part] if isinstance(branch, dict) else {}
        return True


def _branches(owner: str, place: str, branch: Any) -> list[tuple[str, Any]]:
    if not isinstance(branch, dict):
        raise CorruptFile(_fault(owner, place, "an object of places"))
    return list(branch.items())


def _fault(owner: str, place: str, wanted: str) -> str:
    return f"{owner}: spatial_memory.json: '{place}' should be {wanted}: mend it there."
