"""The history file of a base: what its people know about each other before the first step."""

import csv
import io

from town_builder.cast.cast import BaseSimulation, Cast

HEADER = ("Name", "Whisper")
SEPARATOR = "; "


def history_file(base: BaseSimulation, cast: Cast) -> str:
    """Return the CSV with a row for each person: name, and statements separated by semicolons."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(HEADER)
    for person in base.people:
        writer.writerow((person.name, SEPARATOR.join(base.statements(person, cast.people))))
    return table.getvalue()
