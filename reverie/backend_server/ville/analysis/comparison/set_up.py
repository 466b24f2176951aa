"""Compares the set-up of two runs: origin, seed, models, people, and changes from outside."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ville.analysis.comparison.compared_run import RUN_KEYS, ComparedRun
from ville.storage.records.intervention_log import Row

NOT_COMPARED = ("v", "n", "door", "by", "id", "at")
"""Who sent an intervention, and when: this does not change the run."""


@dataclass(frozen=True)
class SetUpDifference:
    """One property that two runs do not share."""

    what: str
    a: str
    b: str


@dataclass(frozen=True)
class ForeignChange:
    """An intervention that only one run has."""

    step: int
    time: str
    kind: str
    who: str
    """Those it concerns; empty for objects and events at places."""
    words: str


@dataclass(frozen=True)
class SetUpComparison:
    """Differences in the set-up."""

    differences: tuple[SetUpDifference, ...]
    only_a: tuple[ForeignChange, ...]
    only_b: tuple[ForeignChange, ...]

    @property
    def count(self) -> int:
        """Number of things that differ; an intervention that was changed counts once."""
        return len(self.differences) + max(len(self.only_a), len(self.only_b))


def compare_set_ups(a: ComparedRun, b: ComparedRun) -> SetUpComparison:
    """Return what differs in the set-up of two runs."""
    kept = {_key(row) for row in a.rows} & {_key(row) for row in b.rows}
    only_a, only_b = (
        tuple(foreign_change(run, row) for row in run.rows if _key(row) not in kept) for run in (a, b)
    )  # fmt: skip
    return SetUpComparison(tuple(_differences(a, b)), only_a, only_b)


def _differences(a: ComparedRun, b: ComparedRun) -> Iterator[SetUpDifference]:
    for what, of_a, of_b in zip(_PROPERTIES, _properties(a, b), _properties(b, a), strict=True):
        if of_a != of_b and (what != ANSWERS or (of_a and of_b)):
            yield SetUpDifference(what, of_a, of_b)


ANSWERS = "answers from"
_PROPERTIES = ("origin", "map", "seconds per step", "begins", "people", *RUN_KEYS, ANSWERS)


def _properties(run: ComparedRun, other: ComparedRun) -> Sequence[str]:
    """Return the properties of a run, in the order of _PROPERTIES.

    Both runs have the same origin if one came from the other, or both from a third one, perhaps by beginnings with the
    same set-up.
    """
    meta = run.meta
    shared = min({*run.lineage} & {*other.lineage}, default=meta.fork_sim_code)
    begins = run.time(0)
    people = ", ".join(sorted(set(run.frame(run.first)) or set(meta.persona_names)))
    own = [_text_of(run.run_file.get(key, none)) for key, none in RUN_KEYS.items()]
    return (shared, meta.maze_name, str(meta.sec_per_step), begins, people, *own, _answers(run))


def _text_of(value: object) -> str:
    """Return a value in words; of minds, each part with its class and the digest of its code."""
    if not isinstance(value, Mapping):
        return str(value)
    parts = sorted((kind, entry) for kind, entry in value.items() if isinstance(entry, Mapping))
    return ", ".join(f"{kind} {entry.get('class')} ({entry.get('code') or 'no file'})" for kind, entry in parts)


def _answers(run: ComparedRun) -> str:
    """Return what answered; empty if that is not known, as of compressed runs."""
    return "" if run.compressed else "a model" if run.ledger else "the offline rules"


def foreign_change(run: ComparedRun, row: Row) -> ForeignChange:
    """Return the description of a row of the log, whose other fields may be missing."""
    return ForeignChange(row["step"], run.time(row["step"]), row["kind"], who(row), _words(row))


def who(row: Row) -> str:
    """Return those whom an intervention concerns; empty if it names no persona."""
    pairs = row.get("rows")
    names = [str(pair[0]) for pair in pairs if isinstance(pair, list) and pair] if isinstance(pairs, list) else []
    return ", ".join(dict.fromkeys(filter(None, [_text(row, "who"), _text(row, "name"), *names])))


def _words(row: Row) -> str:
    """Return what an intervention says, or its other fields."""
    if words := _text(row, "words") or _text(row, "now"):
        return words
    own = {key: value for key, value in row.items() if key not in {*NOT_COMPARED, "step", "kind", "who", "name"}}
    return ", ".join(f"{key}: {value}" for key, value in own.items())


def _text(row: Row, key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""


def _key(row: Row) -> str:
    return repr(sorted((key, value) for key, value in row.items() if key not in NOT_COMPARED))
