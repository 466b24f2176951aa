"""Reads what a study file collects of each run over time: which measures, and how often."""

import re
from datetime import timedelta

from ville.analysis.collect_plan import KEYS, CollectedMeasure, CollectPlan, collected_measure
from ville.errors import BadArgument
from ville.yaml_lines import YamlValue

EVERY = "every"
HOUR = timedelta(hours=1)
LONGEST_MEASURE = 100
"""Characters of the name of a measure."""
MOST_DIGITS = 4
UNITS = {"seconds": timedelta(seconds=1), "minutes": timedelta(minutes=1), "hours": HOUR, "days": timedelta(days=1)}
SHORT = {"s": "seconds", "m": "minutes", "min": "minutes", "h": "hours", "d": "days"}
FORM = re.compile(rf"(\d{{1,{MOST_DIGITS}}})\s*([a-z]+)")


def read_collect(found: YamlValue) -> CollectPlan | None:
    """Return what is collected; None, if nothing is. What is wrong is added to the faults of the file."""
    given = found.fields((EVERY, *KEYS))
    tables = {table: _measures(table, given[table]) for table in KEYS if table in given}
    every = _every(given[EVERY]) if EVERY in given else HOUR
    if not tables:
        found.fault("`collect` has no measures", "add, for example, `persona: [place, activity]`")
        return None
    return CollectPlan(every, tables)


def _every(found: YamlValue) -> timedelta:
    """Return a length of game time: `1h`, `30 minutes`."""
    parts = FORM.fullmatch(str(found.node.value).strip().lower()) if not (found.is_list or found.is_mapping) else None
    unit = SHORT.get(parts[2], parts[2] if parts[2].endswith("s") else f"{parts[2]}s") if parts else ""
    if parts is None or unit not in UNITS or not int(parts[1]):
        found.fault("`every` is not a length of game time", "write, for example, `1h`, `10 minutes` or `1 day`")
        return HOUR
    return int(parts[1]) * UNITS[unit]


def _measures(table: str, found: YamlValue) -> tuple[CollectedMeasure, ...]:
    measures: list[CollectedMeasure] = []
    for each in found.items():
        try:
            measure = collected_measure(table, each.value)
        except BadArgument as fault:
            each.fault(str(fault))
            continue
        if measure.name in {known.name for known in measures}:
            each.fault(f"'{measure.name}' is collected twice of a {table}", "keep one of the two")
        if len(measure.name) > LONGEST_MEASURE:
            said = f"the name of a measure has {len(measure.name):,} characters"
            each.fault(said, f"use at most {LONGEST_MEASURE}")
        measures.append(measure)
    if found.is_list and not found.items():
        found.fault(f"nothing is collected of a {table}", f"name a measure, or leave out `{table}`")
    return tuple(measures)
