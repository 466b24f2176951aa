"""The definition of the town bench: town_bench.yaml, or a file of one's own with the same keys."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from ville.errors import BadStudy, Fault
from ville.json_types import Json
from ville.storage.files import read_text

FILE = Path(__file__).with_name("town_bench.yaml")
LARGEST = 1_000_000
"""Bytes of a definition."""
PLACE = "{resident}"
"""Stands in measures for the name of the single resident."""
CLOSED = ConfigDict(extra="forbid", str_strip_whitespace=True)
Count = Annotated[int, Field(ge=1)]
BenchArm = Literal["town", "resident"]
REFERENCE = "reference"
"""Name of the arm with which both others are compared."""


@checked_dataclass(frozen=True, config=CLOSED)
class BenchTown:
    """A town in which models are tried."""

    base: str
    resident: str
    """The single resident, unless another one is named."""
    until: str
    history: str = ""
    """Whispered before the first step; a file in the assets."""


@checked_dataclass(frozen=True, config=CLOSED)
class BenchMeasure:
    """A measure, and what it is for."""

    measure: str | dict[str, str]
    """As in a study file."""
    why: str


@checked_dataclass(frozen=True, config=CLOSED)
class BenchDefinition:
    """A definition of the town bench; town_bench.yaml says what each key means."""

    version: Count
    seeds: Count
    noon: str
    towns: Annotated[Mapping[int, BenchTown], Field(min_length=1)]
    settings: Mapping[str, Any]
    measures: Annotated[Sequence[BenchMeasure], Field(min_length=1)]
    primary: Annotated[Mapping[BenchArm, str], Field(min_length=2)]


def read_definition(path: Path = FILE) -> BenchDefinition:
    """Return the definition in a file. Raises BadStudy."""
    try:
        values = yaml.safe_load(read_text(path, most=LARGEST))
        return TypeAdapter(BenchDefinition).validate_python(values)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadStudy(Fault(f"{where}: {first['msg']}", f"see {FILE.name}", path.name)) from None
    except (OSError, ValueError, yaml.YAMLError) as fault:
        said = f"{path} cannot be read ({' '.join(str(fault).split())})"
        raise BadStudy(Fault(said, f"name a definition, with the keys of {FILE.name}")) from None


def named_for(resident: str, measure: str | Mapping[str, str]) -> Json:
    """Return a measure with the name of the single resident in its place."""
    if isinstance(measure, str):
        return measure.replace(PLACE, resident)
    return {key: value.replace(PLACE, resident) for key, value in measure.items()}
