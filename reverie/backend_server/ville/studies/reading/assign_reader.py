"""Reads how people are assigned to groups within a town: `assign: {told: 0.5}`, or how many: `assign: {told: 5}`."""

import re
from collections.abc import Mapping, Sequence

from ville.analysis.run import REST
from ville.errors import BadArgument
from ville.studies.assignment import drawn_groups
from ville.studies.study import StudyBase
from ville.yaml_lines import YamlValue

ASSIGN = "assign"
RESERVED = (REST, "everyone")
NAME = re.compile(r"[\w-]{1,40}")
EXAMPLE = "write how many people, or a share below 1, for example `{told: 5}` or `{told: 0.5}`"


def read_assign(found: YamlValue, bases: Sequence[StudyBase]) -> Mapping[str, float]:
    """Return the groups that are drawn, with how many people or which share of them. What is wrong is added to the
    faults.
    """
    given = found.fields()
    if not given and found.is_mapping:
        found.fault("`assign` has no groups", EXAMPLE)
    people = [name for base in bases for name in base.people]
    for name, entry in given.items():
        _check_name(name, entry, people)
    sizes = {name: _size(entry) for name, entry in given.items()}
    known = {name: size for name, size in sizes.items() if size is not None}
    for base in bases if len(known) == len(sizes) else ():
        try:
            drawn_groups(base.people, known, 0)
        except BadArgument as fault:
            found.fault(str(fault))
    return known


def _check_name(name: str, entry: YamlValue, people: Sequence[str]) -> None:
    if not NAME.fullmatch(name):
        entry.fault(f"'{name}' cannot be the name of a group", "use letters, digits, - and _, at most 40")
    elif name in RESERVED:
        entry.fault(f"'{name}' cannot be the name of a group: it has a meaning of its own", "choose another one")
    elif who := next((each for each in people if name.casefold() in each.casefold()), ""):
        entry.fault(f"the group '{name}' could be taken for {who}", "choose another name")


def _size(entry: YamlValue) -> float | None:
    value = entry.value if not (entry.is_list or entry.is_mapping) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        if 0 < value < 1 or (value >= 1 and float(value).is_integer()):
            return float(value)
        entry.fault(f"{entry.name} is {value:g}", EXAMPLE)
        return None
    entry.fault(f"{entry.name} is not a number", EXAMPLE)
    return None
