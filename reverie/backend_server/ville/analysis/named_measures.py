"""Measures by name, as a study file writes them: those of `measure.py`, news, and functions of one's own."""

import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from pathlib import Path
from platform import node

from ville.analysis.measures import NewsTopic, SavedRun, hearings
from ville.analysis.paper_measures import MEASURES
from ville.errors import BadArgument
from ville.json_types import Json, JsonObject
from ville.plain_text import nearest, one_line, shortened

KNOWN = {measure.what.strip(): measure.of for measure in MEASURES}
NEWS_KEYS = ("news", "about", "name")
BY = "by"
"""Key of a measure of news: whose telling counts."""
LONGEST_FAULT = 300


@dataclass(frozen=True)
class NamedMeasure:
    """A number that is computed of each run."""

    name: str
    """Its column."""
    source: Json
    """As in the study file."""
    of: Callable[[SavedRun], float | None]


def is_code(source: object) -> bool:
    """Return whether an entry of a study file names a function of its own."""
    return not isinstance(source, Mapping) and ":" in str(source)


def named_measure(source: object, folder: Path) -> NamedMeasure:
    """Return the measure that an entry of a study file names; functions are found from its folder.

    Raises BadArgument.
    """
    if isinstance(source, Mapping):
        return _news(source)
    name = str(source).strip()
    if is_code(source):
        return NamedMeasure(name, name, _function(name, folder))
    if name not in KNOWN:
        raise BadArgument(f"there is no measure '{name}'; {nearest(name, KNOWN)}")
    return NamedMeasure(name, name, KNOWN[name])


def _news(source: JsonObject) -> NamedMeasure:
    """Return how many people know of some news; with `by`, how many of them first heard of it from that persona."""
    name, topic = named_news({key: value for key, value in source.items() if key != BY})
    if BY not in source:
        return NamedMeasure(name, dict(source), lambda run: len(hearings(run, topic)))
    teller = source[BY]
    if not isinstance(teller, str) or not teller:
        raise BadArgument("`by` is not a name; write, for example, `by: Isabella Rodriguez`")
    return NamedMeasure(name, dict(source), lambda run: sum(each.teller == teller for each in hearings(run, topic)))


def named_news(source: JsonObject) -> tuple[str, NewsTopic]:
    """Return the news that an entry of a study file follows, after its name as a measure. Raises BadArgument."""
    if wrong := [key for key in source if key not in NEWS_KEYS]:
        raise BadArgument(f"'{wrong[0]}' is not known in a measure; {nearest(str(wrong[0]), NEWS_KEYS)}")
    words = source.get("news")
    if not isinstance(words, str):
        raise BadArgument("a measure of news has no words; write, for example, `news: mayor|election`")
    topic = NewsTopic.matching(words)
    topic = NewsTopic(topic.name, topic.pattern, str(source.get("about", "")))
    return str(source.get("name") or f"know of {words}"), topic


def _function(path: str, folder: Path) -> Callable[[SavedRun], float | None]:
    """Return the function at an import path, `package.module:function`. Raises BadArgument."""
    module, _, name = path.partition(":")
    if str(folder) not in sys.path:
        sys.path.append(str(folder))  # at the end, so that it replaces no other module
    try:
        function = getattr(import_module(module), name, None)
    except Exception as fault:  # noqa: BLE001 - code of the user
        said = _told(fault)
        if not folder.is_dir():
            place = f"copy the folder {folder} to {node()}, or do not run there"
            raise BadArgument(f"the measure '{path}' is not on the machine of the worker ({said}); {place}") from None
        raise BadArgument(f"the measure '{path}' cannot be imported ({said}); write package.module:function") from None
    if not callable(function):
        raise BadArgument(f"{module} has no function '{name}'; define it, with one argument: a SavedRun")
    return lambda run: _called(path, function, run)


def _called(path: str, function: Callable[[SavedRun], float | None], run: SavedRun) -> float | None:
    """Return what a function of the user computes: a finite number, or none. Raises BadArgument.

    It gets a run of its own, so that what it changes there changes no other measure.
    """
    try:
        value = function(run.read_again())
        number = None if value is None else float(value)
    except Exception as fault:  # noqa: BLE001 - code of the user
        place = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        raise BadArgument(f"the measure '{path}' failed at {where}: {_told(fault)}") from None
    return number if number is not None and isfinite(number) else None


def _told(fault: Exception) -> str:
    return shortened(one_line(f"{type(fault).__name__}: {fault}"), LONGEST_FAULT)
