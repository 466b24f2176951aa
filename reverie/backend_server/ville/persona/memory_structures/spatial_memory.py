"""Spatial memory: the places a persona knows and can choose to go to (paper §5.1)."""

from collections.abc import Collection, Mapping

from ville.errors import CorruptFile
from ville.world.address import Address

Tree = dict[str, dict[str, dict[str, list[str]]]]


class SpatialMemory:
    """Tree of world, sector, arena and objects. It only grows, in the order in which places were first seen."""

    def __init__(self, tree: Tree | None = None) -> None:
        self.tree: Tree = tree or {}
        self.learned = 0
        """How many places were added."""

    @classmethod
    def load(cls, owner: str, tree: Mapping[str, object]) -> "SpatialMemory":
        """Return the memory in spatial_memory.json. Raise CorruptFile for the first malformed place."""
        found: Tree = {}
        for world, sectors in tree.items():
            known = found[world] = {}
            for sector, arenas in _branches(owner, world, sectors):
                known[sector] = {}
                for arena, objects in _branches(owner, f"{world}:{sector}", arenas):
                    if not isinstance(objects, list):
                        raise CorruptFile(_fault(owner, f"{world}:{sector}:{arena}", "a list of objects"))
                    known[sector][arena] = objects
        return cls(found)

    def add(self, world: str, sector: str = "", arena: str = "", game_object: str = "") -> bool:
        """Add a place, down to its last named part. Return whether it was new."""
        is_new = self._add(world, sector, arena, game_object)
        self.learned += is_new
        return is_new

    def _add(self, world: str, sector: str, arena: str, game_object: str) -> bool:
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
        """Return the known objects of an arena."""
        return list(self.tree.get(arena.world, {}).get(arena.sector, {}).get(arena.arena, []))

    def knows(self, place: Address) -> bool:
        """Return whether a place is known."""
        branch: Collection[object] = self.tree
        for part in place:
            if not part:
                return True
            if part not in branch:
                return False
            branch = branch[part] if isinstance(branch, dict) else {}
        return True


def _branches(owner: str, place: str, branch: object) -> list[tuple[str, object]]:
    if not isinstance(branch, dict):
        raise CorruptFile(_fault(owner, place, "an object of places"))
    return list(branch.items())


def _fault(owner: str, place: str, wanted: str) -> str:
    return f"{owner}: spatial_memory.json: '{place}' should be {wanted}. Correct it there."
