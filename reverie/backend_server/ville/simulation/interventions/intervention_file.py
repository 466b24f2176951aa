"""Reads a file of planned interventions: JSON lines as in `interventions.jsonl`, or YAML, a list of the same objects.

Each has a `step`, or a `time` as after `run until`. What else the log keeps with an intervention may be missing.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from ville.errors import BadArgument, BadIntervention, BadYaml, CorruptFile
from ville.simulation.clock import Clock, UntilMoment
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import Door, parse_source
from ville.simulation.interventions.planned import ENVELOPE, Planned
from ville.simulation.pacing.spans import read_span
from ville.storage.files import read_text
from ville.yaml_lines import read_yaml

LARGEST = 50_000_000
"""Bytes of a file of interventions."""
MOST_VALUES = 1_000_000
"""Values in one that is YAML."""
LONGEST_TIME = 60
"""Characters of a time, as in `February 14, 2023, 18:00:00`."""
MINUTES_PER_DAY = 1440


def read_interventions(path: Path, clock: Clock) -> list[Planned]:
    """Return the interventions of a file. Times count from the clock. Raises CorruptFile or BadIntervention."""
    return planned_rows(read_objects(path), clock, path.name)


def planned_rows(rows: Iterable[object], clock: Clock, where: str, *, door: Door = "file") -> list[Planned]:
    """Return interventions from JSON objects; `where` begins messages. Raises BadIntervention."""
    planned = []
    for number, row in enumerate(rows, 1):
        try:
            planned.append(planned_row(row, clock, number, door=door))
        except BadArgument as fault:
            raise BadIntervention(f"{where}, intervention {number}: {fault}") from None
    return planned


def planned_row(row: object, clock: Clock, number: int = 1, *, door: Door = "file") -> Planned:
    """Return an intervention from a JSON object, which is one of several. Raises BadArgument."""
    if not isinstance(row, Mapping):
        raise BadIntervention(f"{str(row)[:40]!r} is not an object with a kind and its fields.")
    values = {key: value for key, value in row.items() if key not in {*ENVELOPE, "time"}}
    by_content = uuid5(NAMESPACE_OID, f"{number} {json.dumps(row, sort_keys=True, default=str)}").hex
    source = {"door": door, "by": row.get("by", ""), "id": row.get("id") or by_content}
    return Planned(_step(row, clock), parse_intervention(values), parse_source(source).as_json())


def _step(row: Mapping[str, object], clock: Clock) -> int:
    step, time = row.get("step"), row.get("time")
    if (step is None) == (time is None):
        raise BadIntervention("give either a step or a time.")
    if step is None:
        span = read_span(f"until {_time_text(time)}")
        if isinstance(span, UntilMoment) and span.moment < clock.now:
            raise BadIntervention(f"{time} is in the past.")
        return clock.step + clock.steps_in(span)
    if isinstance(step, bool) or not isinstance(step, int) or step < 0:
        raise BadIntervention(f"step {step!r:.60} is not a whole number, 0 or more.")
    return step


def _time_text(time: object) -> str:
    """Return a time as text: YAML reads 18:00 without quotes as the number of minutes or seconds."""
    if not isinstance(time, int) or isinstance(time, bool):
        return str(time)[:LONGEST_TIME]
    if time < MINUTES_PER_DAY:
        return f"{time // 60}:{time % 60:02}"
    return f"{time // 3600}:{time // 60 % 60:02}:{time % 60:02}"


def read_objects(path: Path) -> list[object]:
    """Return the objects of a file. Raises CorruptFile."""
    try:
        text = read_text(path, most=LARGEST)
        return _from_lines(text) if text.lstrip().startswith("{") else _from_yaml(text, path)
    except FileNotFoundError:
        raise CorruptFile("%(file)s is missing. Name a file of interventions.", file=path) from None
    except json.JSONDecodeError as fault:
        template = "%(file)s: '%(line)s' is not JSON (%(reason)s). Correct that line."
        raise CorruptFile(template, file=path, line=fault.doc[:40], reason=fault.msg) from None
    except BadYaml as error:
        raise CorruptFile("%(fault)s", fault=error.fault) from None
    except (OSError, ValueError, RecursionError) as fault:
        raise CorruptFile("%(file)s cannot be read (%(reason)s).", file=path, reason=fault) from None


def _from_lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _from_yaml(text: str, path: Path) -> list[object]:
    root = read_yaml(text, str(path), most=MOST_VALUES, name="the file")
    values = root.value if root else None
    if root and root.faults.all:
        raise CorruptFile("%(fault)s", fault=root.faults.all[0])
    if values is None:
        return []
    if not isinstance(values, list):
        raise CorruptFile("%(file)s is not a list of interventions. Begin each with '- kind:'.", file=path)
    return values
