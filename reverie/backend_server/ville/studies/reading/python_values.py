"""Values of Python in a study that is given as an object, as a study file can hold them."""

from collections.abc import Mapping
from datetime import date
from numbers import Integral, Real
from typing import Any

from ville.errors import BadStudy, Fault

FIX = "give texts, numbers, lists and dicts; a function is named as 'my_module:function'"


def plain_value(value: Any, name: str) -> Any:
    """Return a value with tuples and ranges as lists, and numbers of numpy as those of Python.

    `name` is that of its key. Raises BadStudy for what a file cannot hold.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str | date):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain_value(each, f"'{key}'") for key, each in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain_value(each, name) for each in value]
    raise BadStudy(Fault(f"{name} has an object of the type {type(value).__name__}", FIX))
