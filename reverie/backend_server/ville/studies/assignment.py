"""Random assignment: groups of people who are drawn within a town, and interventions that name a group."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from uuid import NAMESPACE_OID, uuid5

from ville.analysis.run import REST
from ville.errors import BadArgument
from ville.plain_text import quantity
from ville.storage.records.intervention_log import Row
from ville.studies.study import Study

WHO = "who"


def drawn_groups(people: Sequence[str], assign: Mapping[str, float], seed: int) -> dict[str, list[str]]:
    """Return who is drawn for each group, and the rest, each in the order of the town; empty without groups.

    All arms with the same seed draw in the same order, so that a larger group holds those of a smaller one. Raises
    BadArgument if there are not enough people.
    """
    if not assign:
        return {}
    town = quantity(len(people), "person", "people")
    sizes = {name: round(size * len(people)) if size < 1 else int(size) for name, size in assign.items()}
    if small := [name for name, size in sizes.items() if size < 1]:
        raise BadArgument(f"the group '{small[0]}' would have no one, for there are {town}; give it a larger share")
    if (taken := sum(sizes.values())) >= len(people):
        said = f"the groups take {taken:,} of {town}"
        raise BadArgument(f"{said}; leave at least one for the rest, with whom they are compared")
    order = Random(f"assign {seed}").sample(list(people), len(people))  # noqa: S311 - a draw that can be repeated
    found, first = dict[str, list[str]](), 0
    for name, size in sizes.items():
        chosen = set(order[first : first + size])
        found[name] = [who for who in people if who in chosen]
        first += size
    left = set(order[first:])
    return {**found, REST: [who for who in people if who in left]}


def groups_of(study: Study) -> tuple[str, ...]:
    """Return the names of all groups that arms of a study draw."""
    return tuple(dict.fromkeys(name for arm in study.arms for name in arm.assign))


def rows_for_groups(rows: Sequence[Row], groups: Mapping[str, Sequence[str]]) -> tuple[Row, ...]:
    """Return interventions with one for each person of a group that is named as `who`."""
    return tuple(each for row in rows for each in _of_row(row, groups))


def _of_row(row: Row, groups: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    people = groups.get(str(row.get(WHO, "")))
    if people is None:
        yield row
        return
    for who in people:
        own = {"id": uuid5(NAMESPACE_OID, f"{row['id']} {who}").hex} if "id" in row else {}
        yield {**row, WHO: who, **own}
