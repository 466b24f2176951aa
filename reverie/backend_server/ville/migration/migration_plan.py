"""Plans a migration: what is brought, under which name, and what is not. Nothing is written here."""

import filecmp
import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Literal

from ville.errors import ReverieError
from ville.migration.brought_note import brought_before, key_of
from ville.migration.map_folder import VISUALS, MapFolder, same_layout
from ville.migration.old_project import NotBrought, OldProject
from ville.migration.old_settings import OldSettings, read_old_settings
from ville.migration.pool_files import pool_files, read_pool
from ville.migration.reading import reading
from ville.migration.recorded import Recorded
from ville.settings import Settings
from ville.storage.exchange.public_pool import PUBLIC
from ville.storage.files import check_plain
from ville.storage.folder.storage import LONGEST_NAME, RESERVED
from ville.storage.history_file import read_history
from ville.world.maze import Maze

Kind = Literal["simulation", "replay", "map", "history", "pools"]
OLD = "_old"
ROOM = 10
"""Characters that are left for the end of a name."""


@dataclass(frozen=True)
class Transfer:
    """One thing that is brought."""

    kind: Kind
    source: Path
    target: Path
    size: int
    """In bytes."""
    is_there: bool = False
    """Whether it was brought before, or is the same here."""
    maze: str = ""
    """Map that a simulation or replay plays on here."""
    key: str = ""
    """Of a simulation or replay: what tells its save from others."""


@dataclass
class MigrationPlan:
    """All that was found, in the order in which it is brought."""

    project: OldProject
    transfers: list[Transfer] = field(default_factory=list)
    settings: OldSettings = field(default_factory=OldSettings)
    left: list[NotBrought] = field(default_factory=list)

    @property
    def to_bring(self) -> list[Transfer]:
        return [each for each in self.transfers if not each.is_there]

    @property
    def size(self) -> int:
        """Bytes to copy."""
        return sum(each.size for each in self.to_bring)

    def of(self, *kinds: Kind) -> list[Transfer]:
        return [each for each in self.transfers if each.kind in kinds]


@dataclass(frozen=True)
class PlannedMap:
    """A map of the old project, and the name that it has here."""

    source: MapFolder
    maze: Maze
    name: str


def plan_migration(project: OldProject, settings: Settings) -> MigrationPlan:
    """Return the plan for a project. Raises BadSetting for what is wrong in our own settings."""
    plan = MigrationPlan(project, settings=read_old_settings(project.settings), left=[*project.left])
    maps = _plan_maps(plan, settings.assets)
    _plan_recorded(plan, maps, settings)
    for pools in project.pools:
        plan.transfers.append(Transfer("pools", pools, settings.fs_storage / PUBLIC, size_of(pools)))
        torn = [path for path in pool_files(pools) if read_pool(path) is None]
        plan.left += [NotBrought(path, "is no whole JSON file. Restore it from a copy") for path in torn]
    return plan


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    if path.is_file():
        return path.stat().st_size
    files = (Path(folder) / name for folder, _, names in os.walk(path) for name in names)
    return sum(file.lstat().st_size for file in files)


def is_same(source: Path, target: Path) -> bool:
    """Return whether two files, or all files in two folders, have the same content."""
    if source.is_file():
        return target.is_file() and filecmp.cmp(source, target, shallow=False)
    files = _sizes(source)
    return files == _sizes(target) and all(filecmp.cmp(source / file, target / file, shallow=False) for file in files)


def _sizes(folder: Path) -> dict[Path, int]:
    """Return the files of a folder that are not hidden, with their sizes."""
    below = (path for top in folder.glob("[!.]*") for path in (top, *top.rglob("*")))
    return {path.relative_to(folder): path.stat().st_size for path in below if path.is_file()}


def _plan_maps(plan: MigrationPlan, assets: Path) -> list[PlannedMap]:
    """Plan the maps and the histories beside them. Return the maps that can be read."""
    found: list[PlannedMap] = []
    for source in plan.project.maps:
        try:
            source.check()
            maze = source.maze()
        except ReverieError as fault:
            plan.left.append(NotBrought(source.root, str(fault)))
            continue
        name, is_there = _map_name(source, maze, assets, found)
        if name not in {each.name for each in found}:
            size = sum((source.root / file).stat().st_size for file in source.files())
            plan.transfers.append(Transfer("map", source.root, assets / name, size, is_there))
            if not source.is_seen:
                reason = "is missing, so pages cannot draw this map. Put its Tiled file and pictures there"
                plan.left.append(NotBrought(assets / name / VISUALS, reason, lost=False))
        found.append(PlannedMap(source, maze, name))
        if is_there:
            _plan_histories(plan, source, assets / name)
    return found


def _map_name(source: MapFolder, maze: Maze, assets: Path, found: Sequence[PlannedMap]) -> tuple[str, bool]:
    """Return the name of a map here, and whether it is there already: its own, else with `old_`."""
    plain = re.sub(r"[^a-z0-9_]+", "_", source.root.name.lower()).strip("_") or "town"
    old = f"old_{plain.removeprefix('old_')}"
    planned = {each.name: each.maze for each in found}
    for name in chain([plain], _numbered(old)):
        target = assets / name
        if target.exists() and _has_layout(target, maze):
            return name, True
        if name in planned and same_layout(planned[name], maze):
            return name, False
        if not target.exists() and name not in planned:
            return name, False
    raise AssertionError


def _has_layout(target: Path, maze: Maze) -> bool:
    try:
        return same_layout(MapFolder(target).maze(), maze)
    except ReverieError:
        return False


def _numbered(name: str) -> Iterator[str]:
    """Yield a name, then with numbers from 2, without end."""
    yield name
    yield from (f"{name}{number}" for number in count(2))


def _plan_histories(plan: MigrationPlan, source: MapFolder, target: Path) -> None:
    """Plan the histories beside a map that is here already: they are brought one by one."""
    taken: set[Path] = set()
    for file in source.histories():
        try:
            read_history(file)
        except ReverieError as fault:
            plan.left.append(NotBrought(file, str(fault), lost=False))
            continue
        for stem in chain([file.stem], _numbered(f"{file.stem}{OLD}")):
            path = target / f"{stem}{file.suffix}"
            is_there = path.exists() and is_same(file, path)
            if is_there or not (path.exists() or path in taken):
                break
        taken.add(path)
        plan.transfers.append(Transfer("history", file, path, file.stat().st_size, is_there))


def _plan_recorded(plan: MigrationPlan, maps: Sequence[PlannedMap], settings: Settings) -> None:
    """Plan simulations and replays. A simulation and its replay have one name, here as there."""
    before = brought_before(settings.fs_storage) | brought_before(settings.replays)
    taken: set[str] = set()
    for group in _groups(plan.project.recorded):
        keys = {each: key for each, key in _readable(plan, group) if _is_new(plan, each, key)}
        there = {each: found for each, key in keys.items() if (found := _there(each, before.get(key), settings))}
        new = [each for each in keys if each not in there]
        wanted = next((path.name for path in there.values()), _simulation_name(group[0].root.name))
        names = chain([wanted], _numbered(f"{wanted}{OLD}"))
        name = next(name for name in names if _is_free(name, new, settings, taken))
        for each, key in keys.items():
            target = there.get(each) or _target(each, name, settings)
            taken.add(str(target).casefold())
            maze = _maze_of(each, maps, settings.assets)
            kind: Kind = "replay" if each.is_replay else "simulation"
            plan.transfers.append(Transfer(kind, each.root, target, size_of(each.root), each in there, maze, key))


def _target(each: Recorded, name: str, settings: Settings) -> Path:
    return (settings.replays if each.is_replay else settings.fs_storage) / name


def _groups(recorded: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return simulations and replays by name; of several copies, each with the one at its place in the order."""
    groups: dict[tuple[str, int], list[Recorded]] = {}
    for each in recorded:
        copy = 0
        while any(other.is_replay == each.is_replay for other in groups.get((each.root.name, copy), ())):
            copy += 1
        groups.setdefault((each.root.name, copy), []).append(each)
    return list(groups.values())


def _readable(plan: MigrationPlan, group: Sequence[Recorded]) -> Iterator[tuple[Recorded, str]]:
    """Yield those that can be copied, with their keys; note the others."""
    for each in group:
        try:
            with reading(each.root):
                check_plain(each.root)
                key = key_of(each)
        except ReverieError as fault:
            plan.left.append(NotBrought(each.root, str(fault)))
        else:
            yield each, key


def _is_new(plan: MigrationPlan, each: Recorded, key: str) -> bool:
    """Return whether no other copy of a save is planned; note one that is."""
    same = next((other for other in plan.transfers if other.key == key), None)
    if same:
        plan.left.append(NotBrought(each.root, f"is the same as {same.source}", lost=False))
    return same is None


def _there(each: Recorded, brought: Path | None, settings: Settings) -> Path | None:
    """Return where a simulation is here already: brought before, or the same by the same name."""
    same = _target(each, each.root.name, settings)
    return brought or (same if same.is_dir() and is_same(each.root, same) else None)


def _simulation_name(name: str) -> str:
    """Return a name that simulations can have here: without blanks, dots and what else pages and systems refuse."""
    plain = re.sub(r"[^\w-]+", "_", name).strip("_")[: LONGEST_NAME - ROOM] or "simulation"
    return f"{plain}{OLD}" if RESERVED.fullmatch(plain) else plain


def _is_free(name: str, new: Sequence[Recorded], settings: Settings, taken: Collection[str]) -> bool:
    targets = [_target(each, name, settings) for each in new]
    return not any(target.exists() or str(target).casefold() in taken for target in targets)


def _maze_of(each: Recorded, maps: Sequence[PlannedMap], assets: Path) -> str:
    """Return the map here on which a simulation was recorded: the first that fits it.

    Old maps of its name come first, the nearest before the others. Older engines ignore the name, so for them all old
    maps come before ours. If none fits, it keeps its name, and the proof says what is wrong.
    """
    own = each.meta.maze_name
    near = sorted(maps, key=lambda one: -shared_folders(one.source.root, each.root))
    named = [(one.name, one.maze) for one in near if one.source.root.name == own]
    others = [(one.name, one.maze) for one in near if one.source.root.name != own]
    ours = _ours(assets / own)
    order = [*named, *ours, *others] if each.is_named_rightly else [*named, *others, *ours]
    return next((name for name, maze in order if _fits(each, maze)), own)


def _ours(target: Path) -> list[tuple[str, Maze]]:
    """Return our map of a name, if it is there and can be read."""
    try:
        return [(target.name, MapFolder(target).maze())]
    except ReverieError:
        return []


def shared_folders(one: Path, other: Path) -> int:
    """Return how many folders two paths have in common, from the top."""
    return len(Path(os.path.commonpath([one, other])).parts)


def _fits(each: Recorded, maze: Maze) -> bool:
    try:
        return not any(each.misfits(maze, maze.name))
    except ReverieError:
        return True  # what is damaged in it says the proof
