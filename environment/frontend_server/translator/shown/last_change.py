"""The last intervention of a simulation, as pages offer to undo it."""

from translator.feed.feed import changed_from_outside
from translator.shown.feed_text import FeedWriter
from translator.storage.runs.stored_simulation import StoredSimulation
from ville.json_types import JsonObject
from ville.storage.files import read_valid_rows
from ville.storage.folder.branches import read_branch
from ville.storage.records.intervention_log import LOG
from ville.storage.shapes import InterventionShape


def last_change(simulation: StoredSimulation) -> JsonObject | None:
    """Return number, step, time and words of the last intervention that is the simulation's own; None without one.

    For those who may act. Raises CorruptFile.
    """
    rows, _flaws = read_valid_rows(simulation.root / "reverie" / LOG, simulation.root, InterventionShape)
    branch = read_branch(simulation.root)
    if len(rows) <= (branch.rows if branch else 0):
        return None
    row, meta = rows[-1], simulation.meta
    writer = FeedWriter(meta.persona_names, simulation.cast, may_act=True)
    told = [writer.entry(entry)["text"] for entry in changed_from_outside([row], [])]
    time = meta.time_of(row["step"]).isoformat()
    return {"number": row["n"], "step": row["step"], "time": time, "words": (told or [row["kind"]])[0]}
