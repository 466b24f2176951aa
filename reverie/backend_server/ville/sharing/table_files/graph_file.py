"""The social graph as GraphML: people with their traits, and an edge for what each has with another."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import networkx as nx

from ville.analysis.tables.column import Cell
from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.plain_text import CONTROL
from ville.sharing.table_files.text_tables import time_cell


def write_graph(tables: RunTables, path: Path) -> dict[str, int]:
    """Write a directed graph of the tables `people` and `ties`, and return the number of rows of each."""
    graph = nx.DiGraph(name=tables.run.name)
    people, ties = list(tables["people"].rows()), list(tables["ties"].rows())
    for name, *traits in people:
        graph.add_node(name, **_attributes(tables["people"], traits))
    for name, other, *values in ties:
        graph.add_edge(name, other, **_attributes(tables["ties"], values))
    nx.write_graphml(graph, path, infer_numeric_types=True)
    return {"people": len(people), "ties": len(ties)}


def _attributes(table: RunTable, cells: Iterable[Cell]) -> dict[str, Cell]:
    """Return the values of the last columns by name, without those that are missing: GraphML has nothing for them."""
    found = list(cells)
    names = [column.name for column in table.columns][-len(found) :]
    return {name: _value(cell) for name, cell in zip(names, found, strict=True) if cell is not None}


def _value(cell: Cell) -> Cell:
    """Return a value as XML can have it."""
    if isinstance(cell, datetime):
        return time_cell(cell)
    return CONTROL.sub("\ufffd", cell) if isinstance(cell, str) else cell
