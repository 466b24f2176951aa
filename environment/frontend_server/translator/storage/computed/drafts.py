"""Town files, drawn while they are edited: by the map builder, in a process of its own."""

from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from translator.errors import NotFound
from translator.storage.computed.computations import VILLE, Computation, Computations
from ville.errors import CorruptFile
from ville.storage.files import Stamp, read_file, stamp_of

ENDING = ".yaml"
FORMAT = b"town/"
"""Beginning of the format of town files; others beside them are of people and looks."""
LARGEST = 2_000_000
"""Bytes of a town file."""
_drawn = Computations("--out")


class Draft(NamedTuple):
    """A town file as it is at the moment."""

    path: Path
    stamp: Stamp

    @property
    def mark(self) -> str:
        """Return a text that changes with the file."""
        return "-".join(map(str, self.stamp))


def drafts() -> list[str]:
    """Return the names of all town files, without their ending."""
    return sorted(path.stem for path in settings.TOWNS.glob(f"[!.]*{ENDING}") if _is_town(path))


def find(name: str) -> Draft:
    """Return a town file as it is at the moment. Raises NotFound."""
    path = settings.TOWNS / f"{name}{ENDING}"
    stamp = stamp_of(path)
    if not path.exists():
        raise NotFound(_("There is no town file %(name)s.") % {"name": path.name})
    if not _is_town(path):
        raise NotFound(_("%(name)s is no town file: it needs a line “format: town/1”.") % {"name": path.name})
    return Draft(path, stamp)


def drawn(draft: Draft) -> Computation:
    """Return the picture of a town file; begin to draw it unless that was begun before. Raises Unavailable."""
    return _drawn.begin((draft.path.name, draft.mark), [*VILLE, "town", "preview", str(draft.path)], [], may_act=True)


def _is_town(path: Path) -> bool:
    """Return whether a file says that it is one of a town."""
    try:
        lines = read_file(path, most=LARGEST).splitlines()
    except (OSError, CorruptFile):
        return False
    return any(line.startswith(b"format:") and FORMAT in line for line in lines)
