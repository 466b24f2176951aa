"""An intervention: what comes from outside the town, as a frozen value with checked fields, and who sent it.

The field names are those of `reverie/interventions.jsonl`.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ville.errors import BadIntervention
from ville.json_types import Json
from ville.simulation.interventions.fields import TextLine
from ville.storage.flaws import complaint
from ville.storage.shapes import LONGEST_NAME

Checked = TypeVar("Checked")
Door = Literal["prompt", "page", "file", "api"]
LONGEST_ID = 64


class Fields(BaseModel):
    """Base of what is checked strictly: fields of other names are refused."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", populate_by_name=True, use_attribute_docstrings=True
    )

    def as_json(self) -> dict[str, Json]:
        """Return the fields as in the log."""
        return self.model_dump(mode="json", by_alias=True)


class Intervention(Fields):
    """Base of all kinds, each of which gives `kind` its name as the only value."""

    kind: str


class Source(Fields):
    """Who sent an intervention, and how."""

    door: Door
    by: Annotated[str, TextLine(LONGEST_NAME, 0)] = ""
    """Name of the user, if known."""
    id: Annotated[str, TextLine(LONGEST_ID, 0)] = ""
    """Identifier of the request, so that one sent twice is applied once; empty: a new one is made."""


API = Source(door="api")
"""A Python program that has the simulation open."""


def parse_source(values: Mapping[str, object]) -> Source:
    """Return the source of a request. Raises BadIntervention."""
    return checked(Source, values)


def checked(shape: type[Checked], values: Mapping[str, object], kind: str = "") -> Checked:
    """Return the values as a shape. Raises BadIntervention, which names the kind."""
    try:
        return TypeAdapter(shape).validate_python(dict(values))
    except ValidationError as fault:
        said = complaint(fault, values)
        raise BadIntervention(f"{kind}: {said}" if kind else said) from None
