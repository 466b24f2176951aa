"""The description that lies beside tables in files: what they are of, what is not in them, what columns mean."""

from collections.abc import Mapping, Sequence

from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.json_types import Json, JsonObject
from ville.plain_text import quantity
from ville.version import VERSION


def description(tables: RunTables, chosen: Sequence[RunTable], counts: Mapping[str, int]) -> JsonObject:
    """Return what is written to tables.json."""
    run = tables.run
    return {
        "run": run.name,
        "from": run.time(run.first),
        "until": run.time(run.steps),
        "seconds_per_step": run.meta.sec_per_step,
        "seed": run.run_file.get("seed"),
        "memories": run.digest,
        "version": VERSION,
        "private": tables.private,
        "left_out": left_out(tables),
        "tables": {table.name: _table(table, counts) for table in chosen},
    }


def _table(table: RunTable, counts: Mapping[str, int]) -> Json:
    columns: list[Json] = [
        {"name": column.name, "type": column.type.value, "unit": column.unit, "meaning": column.meaning}
        for column in table.columns
    ]
    return {"rows": counts[table.name], "meaning": table.meaning, "columns": columns}


def left_out(tables: RunTables) -> str:
    """Return in a sentence what is private and not in the tables; empty if all is in them."""
    if tables.private:
        return ""
    counts = tables.left_out
    talks = quantity(counts["conversations"], "conversation with users", "conversations with users")
    memories = quantity(counts["memories"], "memory of them", "memories of them")
    told = [each for each, count in ((talks, counts["conversations"]), (memories, counts["memories"])) if count]
    return f"Not in it: {', '.join([*told, 'interviews', 'prompts and answers of calls'])}."
