"""Results of the town bench, read from bundles and set side by side, if they are of the same bench."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from ville.errors import BadArgument, BadBundle
from ville.json_types import JsonObject
from ville.plain_text import shortened
from ville.studies.bundle.bundle_archive import BundleArchive
from ville.studies.town_bench.bench_study import RULES, BenchConditions, BenchTerms, study_content
from ville.studies.town_bench.definition import REFERENCE

PROGRAM = ("prompts", "map", "cast")
"""Provenance of the reference that has to be the same, beside the version."""
FREE = ("title", "seeds", "budget", "bench")
"""Keys of the study file of a bench that may be otherwise."""
BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, yaml.YAMLError)
LONGEST = 60
"""Characters of a value in a message."""


@dataclass(frozen=True)
class BundledResult:
    """The result of a bench, as its bundle has it."""

    file: str
    digest: str
    """SHA-256 of the bundle."""
    model: str
    conditions: BenchConditions
    effects: tuple[Mapping[str, str], ...]
    """Rows of statistics.csv that compare with the reference."""
    reference: Mapping[str, Mapping[str, str]]
    """Rows of runs.csv of the reference, by seed."""
    program: Mapping[str, str]
    """Version, and digests of PROGRAM."""


def read_result(path: Path) -> BundledResult:
    """Return the result in a bundle. Raises BadBundle for one that was changed or is not of a bench."""
    archive = BundleArchive(path)
    try:
        if fault := next(archive.faults(), ""):
            raise BadBundle(f"{fault}. Check it: study.py verify {path.name}")
        return _result(archive, path)
    except BROKEN as fault:
        said = shortened(" ".join(str(fault).split()), LONGEST)
        raise BadBundle(f"{path.name} is not the bundle of a town bench ({said}). Name one of 'ville bench'.") from None
    finally:
        archive.close()


def _result(archive: BundleArchive, path: Path) -> BundledResult:
    file = path.name
    study: dict[str, Any] = yaml.safe_load(archive.read("study/study.yaml"))
    bench = study["bench"]
    try:
        conditions = TypeAdapter(BenchConditions).validate_python(bench["conditions"])
    except ValidationError as fault:
        raise ValueError(fault.errors()[0]["msg"]) from None
    terms = BenchTerms(str(bench["model"]), arms=[arm for arm in study["arms"] if arm != REFERENCE])
    expected = json.loads(json.dumps(study_content(conditions, terms, provider=str(bench["provider"]), seeds=1)))
    for key in sorted((expected.keys() | study.keys()) - {*FREE}):
        if expected.get(key) != study.get(key):
            raise BadBundle(f"{file}: its study is not the bench that it says it is: '{key}' was changed.")
    runs = [row for row in _rows(archive, "tables/runs.csv") if row["arm"] == REFERENCE]
    told = json.loads(archive.read(f"study/jobs/{runs[0]['run']}.json"))["provenance"]
    return BundledResult(
        file=file,
        digest=sha256(path.read_bytes()).hexdigest(),
        model=terms.model,
        conditions=conditions,
        effects=tuple(row for row in _rows(archive, "tables/statistics.csv") if row["difference"]),
        reference={row["seed"]: row for row in runs},
        program={"version": str(told["version"]).partition("+")[0], **{name: str(told[name]) for name in PROGRAM}},
    )


def _rows(archive: BundleArchive, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(name).decode(), newline="")))


def check_comparable(results: Sequence[BundledResult]) -> None:
    """Raise BadArgument, naming what differs, unless all results are of the same bench, each of another bundle."""
    for one, other in combinations(results, 2):
        if one.digest == other.digest:
            named = one.file if one.file == other.file else f"{one.file} and {other.file}"
            raise BadArgument(f"{named}: this is the same bundle twice. Name each bundle once.")
    for other in results[1:]:
        if found := list(_unlike(results[0], other)):
            lines = "; ".join(found)
            raise BadArgument(f"{results[0].file} and {other.file} are not results of the same bench: {lines}.")


def _unlike(one: BundledResult, other: BundledResult) -> Iterator[str]:
    """Yield what differs between the benches of two results."""
    mine, theirs = _flat(one.conditions.as_json()), _flat(other.conditions.as_json())
    for name in dict.fromkeys([*mine, *theirs]):
        if mine.get(name) != theirs.get(name):
            yield f"{name} {_shown(mine.get(name))} and {_shown(theirs.get(name))}"
    for name, value in one.program.items():
        if value != other.program[name]:
            yield f"{name} {_shown(value)} and {_shown(other.program[name])}"
    if one.conditions == other.conditions and one.conditions.reference == RULES:
        yield from _unlike_reference(one, other)


def _unlike_reference(one: BundledResult, other: BundledResult) -> Iterator[str]:
    """Yield where the same seed of the rules gave other numbers: then something else differs that nothing names."""
    names = [str(each["name"]) if isinstance(each, Mapping) else str(each) for each in one.conditions.measures]
    for seed in one.reference.keys() & other.reference.keys():
        for name in names:
            mine, theirs = one.reference[seed].get(name), other.reference[seed].get(name)
            if mine != theirs:
                yield f"the reference of seed {seed}, '{name}', {_shown(mine)} and {_shown(theirs)}"
                return


def _flat(values: JsonObject) -> dict[str, object]:
    """Return conditions by name, settings each by itself."""
    found: dict[str, object] = {}
    for name, value in values.items():
        found |= {f"{name}.{key}": each for key, each in value.items()} if isinstance(value, Mapping) else {name: value}
    return found


def _shown(value: object) -> str:
    return "not given" if value is None else shortened(repr(value), LONGEST)


def side_by_side(results: Sequence[BundledResult]) -> Iterator[str]:
    """Yield the effects of several models, by arm and measure; results of one model are told apart by their bundles."""
    yield f"Town bench {results[0].conditions.label}, against {results[0].conditions.reference}"
    names = _names(results)
    width = max(map(len, names))
    cells = dict.fromkeys((row["arm"], row["measure"]) for each in results for row in each.effects)
    for arm, measure in cells:
        yield f"{arm}: {measure}"
        for name, each in zip(names, results, strict=True):
            row = next((row for row in each.effects if (row["arm"], row["measure"]) == (arm, measure)), None)
            told = "not measured" if row is None else f"n {row['pairs']}  {_effect(row)}"
            yield f"  {name:<{width}}  {told}"


def _names(results: Sequence[BundledResult]) -> list[str]:
    """Return the models, with bundle and digest as far as that takes to tell them apart."""
    models = Counter(each.model for each in results)
    files = Counter((each.model, each.file) for each in results)
    names = []
    for each in results:
        digest = f", {each.digest[:8]}" if files[each.model, each.file] > 1 else ""
        names.append(f"{each.model} ({each.file}{digest})" if models[each.model] > 1 else each.model)
    return names


def _effect(row: Mapping[str, str]) -> str:
    between = f" [{float(row['low']):+.4g}, {float(row['high']):+.4g}]" if row["low"] else " (all the same)"
    return f"{float(row['difference']):+.4g}{between}"
