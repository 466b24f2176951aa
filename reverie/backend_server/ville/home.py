"""Where the files of the project lie: those that come with it, and those that are made.

A clone holds both, as it always did. The installed package holds what comes with it; what is made lies in a folder of
the user, the home: VILLE_HOME, or else the present folder, or the nearest one above it that has been made a home.
"""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ville.errors import BadSetting

PACKAGE = Path(__file__).resolve().parent
SOURCES = PACKAGE.parent
"""Folder from which the package is imported."""
MARK = ".ville"
"""Folder of what programs keep for themselves. It marks a home."""
_ABOVE = SOURCES.parent.parent
IN_CLONE = (_ABOVE / "environment" / "frontend_server").is_dir()
SHIPPED = _ABOVE if IN_CLONE else PACKAGE / "shipped"
"""Folder of what comes with the project, laid out as in a clone."""
PAGES = SHIPPED / "environment" / "frontend_server"
"""The environment server, with maps, bases and recordings."""
OUR_ASSETS = PAGES / "static_dirs" / "assets"


@dataclass(frozen=True)
class Home:
    """The folders of what is made: one of the user, or a clone."""

    root: Path
    is_clone: bool

    @property
    def env_file(self) -> Path:
        return self.root / ".env"

    @property
    def prices(self) -> Path:
        """Prices of models that the user adds to those of the package; the file may be missing."""
        return self.root / "prices.toml"

    @property
    def settings_folder(self) -> Path:
        """Where utils.py lies, and from where relative paths count."""
        return self.root / "reverie" / "backend_server" if self.is_clone else self.root

    @property
    def made(self) -> Path:
        """Where storage, compressed_storage and studies lie."""
        return self.root / "environment" / "frontend_server" if self.is_clone else self.root

    @property
    def hidden(self) -> Path:
        """Where programs keep what is of no use to others."""
        return self.made if self.is_clone else self.root / MARK

    @property
    def logs(self) -> Path:
        return self.root / "artefacts" if self.is_clone else self.hidden

    @property
    def assets(self) -> Path:
        return self.made / "static_dirs" / "assets" if self.is_clone else self.root / "assets"

    @property
    def towns(self) -> Path:
        """Where town files lie, which pages draw while they are edited."""
        return self.root / "environment" / "town_builder" / "towns" if self.is_clone else self.root / "towns"

    @property
    def is_there(self) -> bool:
        return self.is_clone or (self.root / MARK).is_dir()

    def check(self) -> None:
        """Raise BadSetting if it has not been made."""
        if not self.is_there:
            raise BadSetting(
                f"There is no town in {self.root} yet. Type there: ville init. Or set VILLE_HOME to a folder with one."
            )


def found_home(environment: Mapping[str, str], here: Path) -> Home:
    """Return the home of a user who is in the folder `here`. It may not have been made yet."""
    if named := environment.get("VILLE_HOME"):
        return Home(Path(os.path.realpath(here / os.path.expanduser(named))), is_clone=False)  # noqa: PTH111 - as in folder_path
    if IN_CLONE:
        return Home(SHIPPED, is_clone=True)
    return Home(next(filter(_is_marked, (here, *here.parents)), here), is_clone=False)


def _is_marked(folder: Path) -> bool:
    """Return whether the user has made a folder a home. That of somebody else is not found from below: its settings
    would say where texts go, and its modules would be run.
    """
    try:
        mark = (folder / MARK).lstat()
    except OSError:
        return False
    return stat.S_ISDIR(mark.st_mode) and (os.name == "nt" or mark.st_uid == os.geteuid())


def _here() -> Path:
    """Return the present folder; that of the package if it has been deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return PACKAGE


HOME = found_home(os.environ, _here())
"""Found once, when the package is imported: to change the folder later does not change it."""
