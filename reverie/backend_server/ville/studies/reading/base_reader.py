"""Reads from where the runs of a study begin, and how far they go."""

from collections.abc import Mapping
from datetime import date, datetime
from hashlib import blake2b
from pathlib import Path

from ville.assembly.new_vectors import check_vectors
from ville.assembly.provenance import map_digest
from ville.errors import ReverieError
from ville.plain_text import nearest
from ville.settings import Settings
from ville.simulation.clock import Clock, UntilMoment
from ville.simulation.interventions.circumstances import Circumstances
from ville.simulation.pacing.spans import read_span
from ville.simulation.simulation import TOWN_FILE
from ville.simulation.town import VISITORS
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find, simulations
from ville.storage.past.checkpoints import Stem, digest_at
from ville.storage.past.moments import END, NamedMoment, find_moment, find_route, split_moment
from ville.storage.records.looks import ready_looks
from ville.storage.records.memory_files import PERSONAS, SCRATCH
from ville.storage.records.people_files import PeopleFiles
from ville.studies.study import StudyBase
from ville.world.maze_files import load_maze
from ville.yaml_lines import YamlValue

BASES = ("base", "bases", "moments")
MOST_STEPS = 10_000_000


def read_bases(study: YamlValue, fields: Mapping[str, YamlValue], settings: Settings) -> tuple[StudyBase, ...]:
    """Return the bases that a study names. What is wrong is added to its faults."""
    given = [fields[key] for key in BASES if key in fields]
    if not given:
        study.fault("the study has no base", "add, for example, `base: base_the_ville_n25`")
    for each in given[1:]:
        each.fault(f"'{given[0].name}' and '{each.name}' mean the same", "keep one of them, with all bases")
    span = _span(study, fields)
    found: dict[str, StudyBase] = {}
    for entry in given[0].one_or_more() if given else ():
        name = entry.text()
        if name in found:
            entry.fault(f"the base '{name}' is given twice", "keep one of the two")
        elif name and (base := _base(entry, name, settings, span=span)):
            found[name] = base
    if not found:
        _until(span, ANY_CLOCK, is_known=False)
    return tuple(found.values())


def _span(study: YamlValue, fields: Mapping[str, YamlValue]) -> YamlValue | None:
    """Return the entry that says how far runs go."""
    steps, until = fields.get("steps"), fields.get("until")
    if steps is None and until is None:
        study.fault("the study does not say how far to run", "add `steps: 8640` (a day), or `until: ...`")
    elif steps is not None and until is not None:
        until.fault("'steps' and 'until' are both given", "keep one of the two")
    return steps or until


def _base(entry: YamlValue, name: str, settings: Settings, *, span: YamlValue | None) -> StudyBase | None:
    named, storage = split_moment(name), settings.fs_storage
    if named.name not in simulations(storage):
        entry.fault(f"there is no simulation '{named.name}'", nearest(named.name, simulations(storage)))
        return None
    try:
        folder = find(storage, named.name)
        folder.check_cast()
        moment = find_moment(folder.root, named.at or END)
        find_route(folder.root, moment)
        around = _circumstances(folder, settings)
        check_vectors(settings, folder)
    except ReverieError as fault:
        entry.fault(str(fault))
        return None
    meta = folder.meta
    clock = Clock(meta.start_date, meta.time_of(moment.step), moment.step, meta.sec_per_step)
    until = _until(span, clock)
    return StudyBase(
        name=name,
        origin=NamedMoment(named.name, str(moment)),
        clock=clock,
        around=around,
        until_step=clock.step if until is None else until,
        digest=_digest(folder.root, moment),
        map_digest=map_digest(settings.assets / meta.maze_name / "matrix"),
    )


def _circumstances(folder: SimulationFolder, settings: Settings) -> Circumstances:
    """Return what interventions meet with, as last saved. Raises a ReverieError."""
    meta = folder.meta
    scratches = {name: folder.people.memory(name, SCRATCH) for name in meta.persona_names}
    visitors = (folder.read_side_file(TOWN_FILE) or {}).get(VISITORS) or {}
    return Circumstances(
        maze=load_maze(settings.assets / meta.maze_name / "matrix", meta.maze_name),
        homes={name: str(scratch.get("living_area", "")) for name, scratch in scratches.items()},
        looks=ready_looks(settings.assets),
        visitors=frozenset(visitors.get("known", ())),
        former=frozenset(folder.former),
        storage=settings.fs_storage,
    )


ANY_CLOCK = Clock(date(2023, 2, 13), datetime(2023, 2, 13), 0, 10)  # noqa: DTZ001 - game time has no zone
"""Stands for that of a base which is not there, so that what does not depend on it is checked all the same."""


def _until(span: YamlValue | None, clock: Clock, *, is_known: bool = True) -> int | None:
    """Return the step at which a run ends."""
    if span is None:
        return None
    if span.name == "steps":
        steps = span.whole(1, MOST_STEPS)
        return None if steps is None else clock.step + steps
    try:
        end = read_span(f"until {span.node.value}")
    except ReverieError as fault:
        span.fault(str(fault))
        return None
    if is_known and isinstance(end, UntilMoment) and end.moment <= clock.now:
        span.fault(f"{span.node.value} is not after {clock.now}, when runs begin", "name a later time")
        return None
    return clock.step + clock.steps_in(end)


def _digest(simulation: Path, moment: Stem) -> str:
    """Return a digest of what a run takes over: that of the checkpoint, else that of all files of the personas."""
    if known := digest_at(simulation, moment):
        return known
    state = blake2b(str(moment).encode(), digest_size=16)
    people = PeopleFiles(simulation)
    for name in people.below(PERSONAS):
        state.update(name.encode())
        state.update(people.content(name))
    return state.hexdigest()
