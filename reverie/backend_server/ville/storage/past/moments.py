"""Moments of a simulation: `two_days@8000`, `two_days@18:00`, `two_days@February 13, 2023, 18:00:00`, `two_days@end`.

A moment is between two steps: at `two_days@8000`, neither step 8000 has been computed nor its interventions applied.
`@i17` is the moment before intervention 17, `@8000+2` that after two interventions before step 8000, and `@end` that of
the last save.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ville.errors import BadMoment, CorruptFile
from ville.storage.dates import parse_time, time_text
from ville.storage.past.checkpoints import Checkpoint, SetUp, Stem, parse_stem, read_checkpoint, stems
from ville.storage.records.intervention_log import LOG, Row, read_rows, rows_in_save
from ville.storage.records.kept_vectors import stores
from ville.storage.records.memory_files import NODES
from ville.storage.records.meta import META, Meta, read_meta
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.vector_rows import has_direction_of

AT = "@"
END = "end"
CLOCK = re.compile(r"(\d\d?):(\d\d)(?::(\d\d))?")
ROW = re.compile(r"i([1-9]\d{0,8})")
MOST_LISTED = 5


class NamedMoment(NamedTuple):
    """A simulation and a moment of it, as a user has written them."""

    name: str
    at: str | None
    """None: the simulation as last saved."""

    def __str__(self) -> str:
        return self.name if self.at is None else f"{self.name}{AT}{self.at}"


def split_moment(text: str) -> NamedMoment:
    """Return the simulation and the moment that a text names. Names contain no `@`."""
    name, at, moment = text.partition(AT)
    return NamedMoment(name.strip(), moment.strip() if at else None)


def find_moment(simulation: Path, at: str) -> Stem:
    """Return the moment in a text, as the number of the next step and of interventions applied before it.

    Raises BadMoment if there is no such moment, or several.
    """
    meta = read_meta(simulation / META)
    rows = _saved_rows(simulation)
    if at == END:
        return _stem(meta.step, rows)
    if row := ROW.fullmatch(at):
        return _before_row(simulation.name, int(row[1]), rows)
    moment = parse_stem(at) or Stem(step_at(simulation.name, meta, at))
    if moment.step > meta.step:
        template = "%(name)s has been saved at step %(last)s, before step %(step)s. Name an earlier moment, or run it."
        raise BadMoment(template, name=simulation.name, step=f"{moment.step:,}", last=f"{meta.step:,}")
    if moment.rows > (there := _stem(moment.step, rows).rows):
        template = "%(name)s has %(count)s interventions before step %(step)s, so there is no moment after %(number)s."
        raise BadMoment(template, name=simulation.name, count=there, step=f"{moment.step:,}", number=moment.rows)
    return moment


def _saved_rows(simulation: Path) -> Sequence[Row]:
    """Return the interventions that the last save contains."""
    reverie = simulation / "reverie"
    return read_rows(reverie / LOG)[: rows_in_save(reverie)]


def _stem(step: int, rows: Sequence[Row]) -> Stem:
    """Return the moment before a step when these interventions have been applied."""
    return Stem(step, sum(row["step"] == step for row in rows))


def _before_row(name: str, number: int, rows: Sequence[Row]) -> Stem:
    if number > len(rows):
        template = "%(name)s has %(count)s interventions, so there is no i%(number)s."
        raise BadMoment(template, name=name, count=len(rows), number=number)
    return _stem(rows[number - 1]["step"], rows[: number - 1])


def step_at(name: str, meta: Meta, at: str) -> int:
    """Return the first step at a time or later. Raises BadMoment."""
    wanted = _time(name, at)
    if isinstance(wanted, time):
        wanted = _only_one(name, meta, at, found=list(_days(meta, wanted)))
    elif not meta.start <= wanted <= meta.curr_time:
        raise _outside(name, meta, at)
    return -((meta.start - wanted) // timedelta(seconds=meta.sec_per_step))


def _time(name: str, at: str) -> time | datetime:
    match = CLOCK.fullmatch(at)
    try:
        if match:
            hour, minute, second = map(int, match.groups("0"))
            return time(hour, minute, second)
        return parse_time(at)
    except (ValueError, CorruptFile):
        template = (
            "'%(at)s' is not a moment of %(name)s. Write a step (8000), a time (18:00, or February 13, 2023, 18:00:00) "
            "or the word end."
        )
        raise BadMoment(template, name=name, at=at) from None


def _days(meta: Meta, clock: time) -> Iterator[datetime]:
    """Yield all moments of a run at which the clock shows a time."""
    moment = datetime.combine(meta.start, clock)
    while moment <= meta.curr_time:
        if moment >= meta.start:
            yield moment
        moment += timedelta(days=1)


def _only_one(name: str, meta: Meta, at: str, *, found: Sequence[datetime]) -> datetime:
    if not found:
        raise _outside(name, meta, at)
    if len(found) > 1:
        listed = [time_text(each) for each in found[:MOST_LISTED]]
        more = [f"and {len(found) - MOST_LISTED} more"] if len(found) > MOST_LISTED else []
        template = "%(at)s comes %(count)s times in %(name)s. Write one of them in full: %(listed)s."
        raise BadMoment(template, name=name, at=at, count=len(found), listed="; ".join([*listed, *more]))
    return found[0]


def _outside(name: str, meta: Meta, at: str) -> BadMoment:
    template = "%(at)s is not within %(name)s, which goes from %(first)s to %(last)s."
    return BadMoment(template, name=name, at=at, first=time_text(meta.start), last=time_text(meta.curr_time))


@dataclass(frozen=True)
class Route:
    """How a moment is reached from a save."""

    start: Stem | None
    """The checkpoint to begin with; None: the last save is the moment itself."""
    end: Stem
    set_ups: tuple[SetUp, ...] = ()
    """How the steps in between were computed, in order; each begins at its `step`."""
    engine: str = ""
    """Version that computed them."""

    @property
    def steps(self) -> int:
        """How many steps have to be computed again."""
        return self.end.step - self.start.step if self.start else 0

    @property
    def is_exact(self) -> bool:
        """Whether nothing has to be computed again."""
        return self.start in {None, self.end}


def find_route(simulation: Path, moment: Stem) -> Route:
    """Return how a moment is reached. Raises BadMoment, naming the nearest that can be reached."""
    there = stems(simulation)
    before = [stem for stem in there if stem <= moment]
    if moment in there:
        return Route(moment, moment)
    if moment == _stem(read_meta(simulation / META).step, _saved_rows(simulation)):
        return Route(None, moment)
    if not there:
        template = (
            "%(name)s has no checkpoints: it was run by an older version, or without them. It can be taken up at its "
            "last save only: the moment 'end'."
        )
        raise BadMoment(template, name=simulation.name)
    after = next((stem for stem in there if stem > moment), None)
    made = read_checkpoint(simulation, after) if after else None
    if not before or made is None or not _covers(made, before[-1]):
        raise unreachable(simulation, moment, "its steps have no checkpoint before them.")
    return Route(before[-1], moment, _in_force(made, before[-1]), made.engine)


def route_through(simulation: Path, step: int, end: Stem) -> Route:
    """Return how a step is computed again, from the last checkpoint before it to a later moment. Raises BadMoment."""
    there = stems(simulation)
    before = [stem for stem in there if stem.step <= step]
    after = next((stem for stem in there if stem.step > step), None)
    made = read_checkpoint(simulation, after) if after else None
    if not before or made is None or not _covers(made, before[-1]):
        raise unreachable(simulation, Stem(step), "its steps have no checkpoint before them.")
    return Route(before[-1], end, _in_force(made, before[-1]), made.engine)


def _covers(made: Checkpoint, start: Stem) -> bool:
    """Return whether a checkpoint tells how all steps since another one were computed."""
    since = parse_stem(made.after) if made.after else None
    return since is not None and since <= start and bool(made.made_by)


def _in_force(made: Checkpoint, start: Stem) -> tuple[SetUp, ...]:
    """Return the set-ups of the steps from a checkpoint on."""
    begun = [each for each in made.made_by if each.step <= start.step]
    return (*begun[-1:], *(each for each in made.made_by if each.step > start.step))


def check_memories(earlier: Path, later: Path) -> None:
    """Raise BadMoment unless what people remember in a simulation is the beginning of what they remember in another."""
    for name in read_meta(earlier / META).persona_names:
        before, now = (_nodes(PeopleFiles(each), name) for each in (earlier, later))
        if not (_vectors_begin_alike(earlier, later, name) and now.endswith(before[1:])):
            template = "What %(name)s remembers is now computed otherwise than it was."
            raise BadMoment(template, name=name)


def _nodes(people: PeopleFiles, name: str) -> bytes:
    return people.content(f"{people.folder(name)}/{NODES}").rstrip()


def _vectors_begin_alike(earlier: Path, later: Path, name: str) -> bool:
    """Return whether the vectors of a persona in a simulation are the first ones of those in another, which may have
    them in the older form.
    """
    begun = next(stores(earlier, name))
    return any(
        [*islice(store, len(begun))] == [*begun]
        and all(store[text] == row or has_direction_of(store[text], row) for text, row in begun.items())
        for store in stores(later, name)
    )


def unreachable(simulation: Path, moment: Stem, reason: str) -> BadMoment:
    """Return the error that a moment cannot be reached, which names the nearest ones that can."""
    there = stems(simulation)
    near = [*[stem for stem in there if stem < moment][-1:], *[stem for stem in there if stem > moment][:1]]
    named = " and ".join(f"step {stem.step}" for stem in near) or f"'{END}'"
    template = "Step %(step)s of %(name)s cannot be reached: %(reason)s Nearest: %(near)s."
    return BadMoment(template, name=simulation.name, step=f"{moment.step:,}", reason=reason, near=named)
