"""The study that repeats a comparison of two runs: both begin where they came apart, with what each of them has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ville.analysis.comparison.compared_run import RUN_KEYS, ComparedRun
from ville.analysis.comparison.outcomes import compare_outcomes
from ville.assembly.models import BEFORE, COMPUTING
from ville.errors import BadArgument
from ville.json_types import Json, JsonObject
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import shortened
from ville.settings import FIELDS
from ville.simulation.interventions.planned import ENVELOPE
from ville.storage.folder.branches import ancestors, read_branch
from ville.storage.folder.storage import simulations
from ville.storage.past.moments import NamedMoment
from ville.storage.records.intervention_log import Row
from ville.storage.records.meta import META, read_meta
from ville.storage.records.title import title_or_name
from ville.studies.reading.study_file import LONGEST_TITLE

SEEDS = 10
"""With fewer than six pairs, no difference can be told from chance."""
LONGEST_ARM = 40
ARMS = ("a", "b")
"""Names of the arms, where those of the runs cannot be."""
CHAT, EMBEDDER, MINDS = "chat", "embedder", "minds"
OWN = {CHAT: "the models", EMBEDDER: "the embedder", MINDS: "minds of their own"}
"""Names of what only a study file, or the settings of this machine, can set."""


class PartingMoment(NamedTuple):
    """A moment of a simulation that a run has come from."""

    name: str
    at: str
    """As in `two_days@8000`."""
    step: int
    rows: int
    """Interventions before it."""


def repeated(a: ComparedRun, b: ComparedRun, storage: Path, chat: str) -> dict[str, Json]:
    """Return the content of the study file. `chat` is what answers now: provider and models, or `offline`.

    Raises BadArgument if the runs have no beginning in common, nothing but chance makes them differ, or other models
    answered them, and CorruptFile.
    """
    _check_same(a, b)
    _check_models(a, b, chat)
    origin = _common_origin(a, b, storage)
    steps = min(a.steps, b.steps) - origin.step
    if steps <= 0:
        raise BadArgument(f"{a.name} and {b.name} have no steps after {origin.name}@{origin.at}. Run them further.")
    common, (own_a, own_b) = _rows(a, b, origin)
    settings = _settings(a), _settings(b)
    shared = {name: value for name, value in settings[0].items() if settings[1].get(name) == value}
    arms = [
        _part(settings={name: value for name, value in each.items() if name not in shared}, interventions=rows)
        for each, rows in zip(settings, (own_a, own_b), strict=True)
    ]
    if arms[0] == arms[1]:
        line = f"Nothing but chance makes {a.name} and {b.name} differ. Branch one of them, and change something there."
        raise BadArgument(line)
    return {
        "title": shortened(" – ".join(title_or_name(run.folder.root) for run in (a, b)), LONGEST_TITLE),
        "base": _base(origin, storage),
        "steps": steps,
        "seeds": SEEDS,
        **_part(settings=shared, interventions=common),
        "arms": dict(zip(_names(a, b), arms, strict=True)),
        "measures": [each.what for each in compare_outcomes(a, b, ()).measures if None not in {each.a, each.b}],
    }


def _part(**values: Mapping[str, Json] | Sequence[Json]) -> dict[str, Json]:
    """Return the keys that have a value."""
    return {key: value for key, value in values.items() if value}


def _base(origin: PartingMoment, storage: Path) -> str:
    """Return a base as in a study file: by its name alone if it was never run."""
    is_start = read_meta(storage / origin.name / META).step == 0
    return origin.name if is_start else str(NamedMoment(origin.name, origin.at))


def _common_origin(a: ComparedRun, b: ComparedRun, storage: Path) -> PartingMoment:
    """Return the moment at which two runs came apart, of the nearest simulation that both have come from."""
    of_a, of_b = _origins(a), _origins(b)
    there = simulations(storage)
    for name in of_a:
        if name in of_b and name in there:
            return min(of_a[name], of_b[name], key=lambda each: (each.step, each.rows))
    line = f"{a.name} and {b.name} have no beginning in common that is still there, so they cannot be repeated from it."
    raise BadArgument(line)


def _origins(run: ComparedRun) -> dict[str, PartingMoment]:
    """Return a run itself and what it has come from, the nearest first, each with the moment of parting."""
    found: dict[str, PartingMoment] = {}
    for origin in _lineage(run):
        found.setdefault(origin.name, origin)
    return found


def _lineage(run: ComparedRun) -> Iterator[PartingMoment]:
    root = run.folder.root
    if not run.compressed:
        yield PartingMoment(run.folder.name, str(run.steps), run.steps, len(run.rows))
        for root, branch in ancestors(run.folder.root):
            yield PartingMoment(root.name, str(branch.moment), branch.step, branch.rows)
    if branch_of_last := read_branch(root):
        yield PartingMoment(branch_of_last.origin, str(branch_of_last.moment), branch_of_last.step, branch_of_last.rows)
    elif root == run.folder.root:
        before = sum(row["step"] < run.first for row in run.rows)
        yield PartingMoment(run.meta.fork_sim_code, str(run.first), run.first, before)


def _check_same(a: ComparedRun, b: ComparedRun) -> None:
    """Raise BadArgument if the runs differ in what a page cannot set."""
    values = [{CHAT: _noted(run).get(CHAT) if run.ledger else None, **run.run_file} for run in (a, b)]
    asked = None not in {values[0][CHAT], values[1][CHAT]}
    for key in (EMBEDDER, MINDS, *([CHAT] if asked else [])):
        if values[0].get(key) != values[1].get(key):
            raise BadArgument(
                f"{a.name} and {b.name} differ in {OWN[key]}, which a page cannot set. Write a study file."
            )


def _check_models(a: ComparedRun, b: ComparedRun, chat: str) -> None:
    """Raise BadArgument if a run that asked a model would be repeated with another one, or with the rules."""
    for run in (a, b):
        asked = _noted(run).get(CHAT) if run.ledger else None
        if asked not in (None, "", OFFLINE, chat):
            now = f"{run.name} was answered by {asked}, and {chat} would answer now."
            raise BadArgument(f"{now} Choose that model first, or write a study file.")


def _rows(a: ComparedRun, b: ComparedRun, origin: PartingMoment) -> tuple[list[Json], list[list[Json]]]:
    """Return the interventions that both runs have after a moment, and those of each that the other has not."""
    sides = [[_fields(row) for row in run.rows[origin.rows :]] for run in (a, b)]
    common = [row for row in sides[0] if row in sides[1]]
    return list(common), [[row for row in side if row not in common] for side in sides]


def _fields(row: Row) -> JsonObject:
    """Return an intervention as a study file has it."""
    return {"step": row["step"], **{key: value for key, value in row.items() if key not in ENVELOPE}}


def _settings(run: ComparedRun) -> dict[str, Json]:
    """Return the settings of a run that decide what is computed, where they are not the defaults."""
    noted = _noted(run)
    found = {name: noted.get(name, BEFORE.get(name, FIELDS[name].default)) for name in COMPUTING}
    found |= {key: run.run_file.get(key, RUN_KEYS[key]) for key in ("questions", "thinking", "language")}
    own = {name: value for name, value in found.items() if value != FIELDS[name].default}
    return {**own, "provider": OFFLINE} if run.ledger is None else own


def _noted(run: ComparedRun) -> Mapping[str, Any]:
    """Return how a run was computed, as its branch tells; empty if it does not say."""
    branch = read_branch(run.folder.root)
    return branch.settings if branch else {}


def _names(a: ComparedRun, b: ComparedRun) -> tuple[str, str]:
    """Return the names of the arms: those of the runs, if they can be."""
    names = a.folder.name, b.folder.name
    fits = names[0] != names[1] and all(re.fullmatch(rf"[\w-]{{1,{LONGEST_ARM}}}", name) for name in names)
    return names if fits else ARMS
