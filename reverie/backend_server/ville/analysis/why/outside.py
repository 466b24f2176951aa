"""Interventions behind memories: which one made a memory, or what it shows."""

from collections.abc import Iterable

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.storage.records.intervention_log import Row
from ville.world.occurrences import IS_NOW, IS_SCENE_OF

TOLD = ("whisper", "memory_add", "talk", "history")
"""Kinds that become memories of the persona that they name."""


def occurrence_row(run: ComparedRun, node: NodeData) -> Row | None:
    """Return what set off the state of an object or the event that an observation shows."""
    if node["type"] != "event" or node["predicate"] not in {IS_NOW, IS_SCENE_OF}:
        return None
    kind = "object" if node["predicate"] == IS_NOW else "event"
    rows = (row for row in _until(run, node) if row["kind"] == kind and row.get("where") == node["subject"])
    return next(rows, None)


def row_of_memory(run: ComparedRun, who: str, node: NodeData) -> Row | None:
    """Return the intervention that a thought or a conversation came from at once; None if it did not."""
    step = run.step_of(node)
    if node["type"] == "event" or (node["type"] == "thought" and node["filling"]):
        return None
    visitor = str(node["object"] if node["type"] == "chat" else node["subject"])
    for row in _until(run, node):
        if row["kind"] == "visitor_in" and row.get("name") == visitor and who != visitor:
            return row
        if row["step"] == step and _concerns(row, who, node) and node["predicate"] != "plan":
            return row
    return None


def _concerns(row: Row, who: str, node: NodeData) -> bool:
    if row["kind"] == "resident_in":
        return row.get("name") == who
    if row["kind"] not in TOLD or (node["type"] == "chat") != (row["kind"] == "talk"):
        return False
    return row.get("who") == who or any(pair[0] == who for pair in row.get("rows", ()))


def history_row(row: Row) -> bool:
    """Return whether an intervention told a history, which is an end of its own kind."""
    return bool(row["kind"] == "history")


def trait_row(run: ComparedRun, who: str, field: str, step: int) -> Row | None:
    """Return the last intervention that wrote a line of a character before a step."""
    for row in reversed(run.rows):
        if row["step"] <= step and (
            (row["kind"] == "trait" and row.get("who") == who and row.get("field") == field)
            or (row["kind"] == "resident_in" and row.get("name") == who)
        ):
            return row
    return None


def words_of_row(row: Row) -> str:
    """Return an intervention in words."""
    place = str(row.get("where") or "").rpartition(":")[2]
    said = next((str(row[key]) for key in ("words", "state", "now", "about", "node", "rule") if row.get(key)), "")
    whom = str(row.get("who") or row.get("name") or place)
    return f"{row['kind']}{f' to {whom}' if whom else ''}{f': {said}' if said else ''}"


def _until(run: ComparedRun, node: NodeData) -> Iterable[Row]:
    """Yield the interventions up to a memory, the newest first."""
    step = run.step_of(node)
    return (row for row in reversed(run.rows) if row["step"] <= step)
