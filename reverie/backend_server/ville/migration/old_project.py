"""Finds in a folder what can be brought from an older project: by what files hold, wherever they lie."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ville.errors import BadArgument
from ville.migration.map_folder import MATRIX, SIGN, VISUALS, MapFolder
from ville.migration.recorded import Recorded
from ville.storage.compressed.compression import MASTER
from ville.storage.exchange.public_pool import ACTIONS, EMBEDDINGS, OWN, SUBTASKS
from ville.storage.records.memory_files import PERSONAS
from ville.storage.records.meta import META
from ville.storage.steps.step_store import STEP_FOLDERS
from ville.storage.studies.study_folder import JOBS, STUDY

MOST_FOLDERS = 20_000
"""Folders that are looked into: a project has some hundred, beside what is in its simulations."""
NOT_SEARCHED = frozenset({"node_modules", "site-packages", "__pycache__", "venv", "env"})
SETTINGS = "utils.py"
BESIDE_SETTINGS = ("reverie.py", "reverie_offline.py", "persona", "global_methods.py")
"""Files beside the settings of an engine. Other folders may have a utils.py, too."""
NAME_IT = "Name the folder of the old project: the one with environment and reverie."
POOLS = (SUBTASKS, ACTIONS, OWN, EMBEDDINGS)


@dataclass(frozen=True)
class NotBrought:
    """Something that was found and cannot be brought, or is not searched."""

    path: Path
    reason: str
    lost: bool = True
    """Whether a user would miss it."""

    def __str__(self) -> str:
        return self.reason if self.reason.startswith(str(self.path)) else f"{self.path} {self.reason}."


@dataclass
class OldProject:
    """Everything that was found, in the order of paths."""

    root: Path
    recorded: list[Recorded] = field(default_factory=list)
    maps: list[MapFolder] = field(default_factory=list)
    pools: list[Path] = field(default_factory=list)
    settings: list[Path] = field(default_factory=list)
    """A .env first: it is stronger than utils.py."""
    left: list[NotBrought] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that a user could want here."""
        lost = [each for each in self.left if each.lost]
        return not (self.recorded or self.maps or self.pools or self.settings or lost)


def find_old_project(root: Path, ours: Collection[Path]) -> OldProject:
    """Return what lies below a folder. Links are not followed, and folders of this project are left out: `ours`.

    Raises BadArgument if it is no folder, a whole disk or home, is one of ours, has far too many folders, or holds
    nothing to be brought.
    """
    if not root.is_dir():
        wrong = "is a file, not a folder" if root.exists() else "does not exist"
        raise BadArgument(f"{root} {wrong}. {NAME_IT}")
    project = OldProject(Path(os.path.realpath(root)))
    home = Path(os.path.realpath(Path("~").expanduser()))
    if project.root in {home, *home.parents, Path(project.root.anchor)}:
        raise BadArgument(f"{root} holds much more than a project, and is not searched. {NAME_IT}")
    if project.root in ours:
        raise BadArgument(f"{root} belongs to this project itself. {NAME_IT}")
    _search(project, ours)
    if project.is_empty:
        raise BadArgument(f"{root} holds no simulation, replay, map or settings of an older project. {NAME_IT}")
    return project


def _search(project: OldProject, ours: Collection[Path]) -> None:
    """Look into folders, in the order of their paths."""
    waiting, seen = [project.root], 0
    while waiting:
        folder = waiting.pop()
        seen += 1
        if seen > MOST_FOLDERS:
            raise BadArgument(f"{project.root} has more than {MOST_FOLDERS:,} folders. {NAME_IT}")
        below = _look_into(project, folder)
        waiting += [path for path in reversed(below) if path not in ours]


def _look_into(project: OldProject, folder: Path) -> list[Path]:
    """Note what a folder is, or what it holds. Return the folders in which to go on."""
    try:
        with os.scandir(folder) as entries:
            found = {entry.name: entry for entry in sorted(entries, key=lambda entry: entry.name)}
        searched = [entry for name, entry in found.items() if not name.startswith(".") and name not in NOT_SEARCHED]
        links = [entry for entry in searched if entry.is_symlink() and entry.is_dir()]
        folders = [entry.name for entry in searched if entry.is_dir(follow_symlinks=False)]
    except OSError as fault:
        project.left.append(NotBrought(folder, f"cannot be read ({fault.strerror}). Grant permission"))
        return []
    if _is_recorded(project, folder, found):
        return []
    if folder.name == "public" and any(name in found for name in POOLS):
        project.pools.append(folder)
        return []
    if (folder / SIGN).is_file():
        project.maps.append(MapFolder(folder))
    project.left += [_not_followed(project.root, Path(entry.path)) for entry in links]
    project.settings += [folder / name for name in _settings_in(project.root, folder, found)]
    inside = {MATRIX, VISUALS} if (folder / SIGN).is_file() else set[str]()
    return [folder / name for name in folders if name not in inside]


def _not_followed(root: Path, link: Path) -> NotBrought:
    """Return the note of a link to a folder. One that leads out of the project may hold what a user wants."""
    reason = "is a link, which is not followed. Name the folder that it leads to, in a call of its own"
    return NotBrought(link, reason, lost=not Path(os.path.realpath(link)).is_relative_to(root))


def _is_recorded(project: OldProject, folder: Path, found: Collection[str]) -> bool:
    """Note a saved or compressed simulation, what is left of one, or a study. Return whether it is one of these."""
    if MASTER in found or (folder / META).is_file():
        project.recorded.append(Recorded(folder))
        return True
    if {STUDY, JOBS} <= set(found):
        reason = "is a study, which is not brought: its tables can be read there, and its simulations are brought"
        project.left.append(NotBrought(folder, reason, lost=False))
        return True
    if PERSONAS in found and any(name in found for name in STEP_FOLDERS):
        project.left.append(NotBrought(folder, f"has no {META}. Restore it from a copy"))
        return True
    return False


def _settings_in(root: Path, folder: Path, found: Collection[str]) -> Iterator[str]:
    if folder == root and ".env" in found:
        yield ".env"
    if SETTINGS in found and any(name in found for name in BESIDE_SETTINGS):
        yield SETTINGS
