"""Types of JSON that is written or sent. JSON that is read is checked by a shape, which has types of its own."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "str | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""A value that JSON can hold; whole numbers count as floats for the type checker."""
JsonObject: TypeAlias = Mapping[str, Json]
"""An object that JSON can hold; `dict[str, Json]` if it is filled."""
