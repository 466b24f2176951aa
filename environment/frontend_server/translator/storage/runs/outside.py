"""Changes that users made in a run, and which of them have ended: two files to which the engine appends."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from translator.feed.feed import FeedEntry, changed_from_outside
from ville.storage.files import Stamp, read_valid_rows, stamp_of
from ville.storage.flaws import Flaw
from ville.storage.records.ended_states import ENDED, read_ended
from ville.storage.records.intervention_log import LOG
from ville.storage.shapes import InterventionShape


def read_outside(folder: Path, root: Path) -> tuple[Sequence[FeedEntry], Sequence[Flaw]]:
    """Return the entries of the two files in a folder of a simulation, by step, and the flaws of their rows.

    Raises CorruptFile for links.
    """
    return _read(folder, root, (stamp_of(folder / LOG), stamp_of(folder / ENDED)))


@lru_cache(maxsize=32)
def _read(folder: Path, root: Path, _stamps: tuple[Stamp, Stamp]) -> tuple[Sequence[FeedEntry], Sequence[Flaw]]:
    """Read the files, again if one of them has changed."""
    rows, found = read_valid_rows(folder / LOG, root, InterventionShape)
    ended, wrong = read_ended(folder / ENDED, root)
    return changed_from_outside(rows, ended), [*found, *wrong]
