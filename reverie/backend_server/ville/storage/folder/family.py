"""Descent of all simulations in `storage/`: their origins, and what is their own."""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ville.errors import CorruptFile
from ville.storage.files import Stamp, read_object_if_whole, stamp_of
from ville.storage.folder.branches import BRANCH, read_branch
from ville.storage.records.intervention_log import LOG, RUN_FILE, read_rows
from ville.storage.records.meta import META, Meta, read_meta
from ville.storage.records.own_files import TITLE
from ville.storage.records.title import read_title

FILES = (META, *(f"reverie/{name}" for name in (BRANCH, LOG, RUN_FILE, TITLE)))
"""Files that say it, relative to a simulation."""
MOST_KNOWN = 2000
"""Simulations that are kept in memory."""
MOST_ROWS = 20
"""Interventions of its own that are listed of each simulation."""


def family(storage: Path) -> list[dict[str, object]]:
    """Return all simulations whose files can be read, sorted by name."""
    found = []
    for meta in sorted(storage.glob(f"[!.]*/{META}")):
        with suppress(CorruptFile):
            found.append(_member_as_of(meta.parents[1], tuple(stamp_of(meta.parents[1] / file) for file in FILES)))
    return found


@lru_cache(maxsize=MOST_KNOWN)
def _member_as_of(simulation: Path, _stamps: tuple[Stamp, ...]) -> dict[str, object]:
    """Return where a simulation comes from, and what is its own, again once one of its files has changed. Raises
    CorruptFile.
    """
    meta, branch = read_meta(simulation / META), read_branch(simulation)
    reverie = simulation / "reverie"
    rows = read_rows(reverie / LOG)[branch.rows if branch else 0 :]
    return {
        "sim_code": simulation.name,
        "title": read_title(simulation),
        "from": branch.origin if branch else _origin(meta, simulation.name),
        "begins": branch.step if branch else None,
        "moment": meta.time_of(branch.step).isoformat() if branch else None,
        "steps": meta.step,
        "seed": (read_object_if_whole(reverie / RUN_FILE) or {}).get("seed", 0),
        "settings": branch.settings if branch else {},
        "answers": branch.answers if branch else "",
        "interventions": [{"step": row["step"], "kind": row["kind"]} for row in rows[:MOST_ROWS]],
    }


def _origin(meta: Meta, name: str) -> str | None:
    """Return what a simulation without a branch.json was forked from; None for base simulations."""
    return None if meta.fork_sim_code in {name, ""} else meta.fork_sim_code
