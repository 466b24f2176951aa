"""Writes docs/api.md from the docstrings of everything public: `python tests/project/api_document.py`."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ville
from ville.analysis.asked_facts import AskedFact, AskedFacts
from ville.analysis.comparison.comparison import Comparison
from ville.analysis.comparison.noise import RepeatComparison, RepeatedMeasure
from ville.analysis.measures import Hearing
from ville.analysis.news import Knower, News, Telling
from ville.analysis.run import RunConversation
from ville.analysis.run_statistics import RunDifference
from ville.analysis.tables.run_tables import RunTable, RunTables
from ville.api.persona_view import MemoryTable, PersonaView
from ville.api.town_visitor import TownVisitor
from ville.assembly.undoing import Undone
from ville.persona.cognitive_modules.retrieve import RetrievedMemory
from ville.result_table import ResultTable
from ville.storage.keeping.description import Description

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "api.md"
HEAD = """\
# The Python API

The same engine as at the prompt, for scripts, notebooks and worker processes. `pip install -r requirements.txt` in the
project folder makes `import ville` work from anywhere. A first study is in
[examples/first_study.ipynb](../examples/first_study.ipynb), one of several runs in
[examples/many_runs.ipynb](../examples/many_runs.ipynb).

```python
import ville

town = ville.fork("base_the_ville_isabella_maria_klaus", "my_study", seed=1)
town.run(until="09:00")
print(town.interview("Klaus Mueller", "What are you working on?").text)
town.close()
```

Only one process may have a simulation open: close a town when you are done, or write `with ville.fork(...) as town:`
(or `async with`). With `replace=True`, a fork takes the place of an earlier simulation of its name, so that a cell can
be run again; what it replaces lies in a bin for a day, as after `ville.delete`. Notebooks show sessions, personas,
memories and comparisons as tables. Calls work in notebooks as they are; `arun`, `ainterview`, `atalk` and so on are for
code that awaits. Faults are raised as `ville.ReverieError`, with one line that says what is wrong, where, and what to
do; notebooks show only this line. Parts of minds can be classes of your own ([minds.md](minds.md)):
`ville.fork(..., minds={"retrieve": MyMemory})`.

This page is generated from the docstrings: `python tests/project/api_document.py`.
"""
MORE = (
    *(PersonaView, MemoryTable, RetrievedMemory, TownVisitor, Hearing, Comparison),
    *(RepeatComparison, RepeatedMeasure, RunDifference, ResultTable),
    *(RunConversation, News, Knower, Telling, AskedFacts, AskedFact, Description, Undone, RunTables, RunTable),
)
"""Classes of values that the public functions return."""


def document() -> str:
    """Return the text of docs/api.md."""
    public = [getattr(ville, name) for name in ville.__all__]
    functions = [each for each in public if inspect.isfunction(each)]
    classes = [each for each in public if inspect.isclass(each)]
    parts = [HEAD, "## Functions\n", *map(function, functions), "## Classes\n", *map(class_, [*classes, *MORE])]
    return "\n".join(parts).rstrip() + "\n"


def function(each: Any, prefix: str = "ville.", level: str = "###") -> str:
    name = f"{prefix}{each.__name__}"
    return f"{level} `{name}`\n\n```python\n{name}{signature(each)}\n```\n\n{prose(each)}\n"


def signature(each: Any) -> str:
    """Return the parameters without `self` and module names."""
    found = inspect.signature(each)
    parameters = [parameter for name, parameter in found.parameters.items() if name != "self"]
    text = str(found.replace(parameters=parameters))
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])|\bdatetime\.(?=datetime)", "", text).replace("'", "")


def prose(each: Any) -> str:
    """Return the docstring, with its sections as lists."""
    text = inspect.getdoc(each) or ""
    text = re.sub(r"^(Args|Attributes|Raises|Returns):$", r"**\1**\n", text, flags=re.MULTILINE)
    text = re.sub(r"^    ([\w*]+): ", r"- `\1`: ", text, flags=re.MULTILINE)
    return re.sub(r"^ {4,}", "  ", text, flags=re.MULTILINE) + "\n"


def class_(each: type) -> str:
    lines = [f"### `{each.__name__}`\n", prose(each)]
    lines += [f"- {line}" for line in attributes(each)]
    lines += ["", *(function(method, f"{each.__name__}.", "####") for method in methods(each))]
    return "\n".join(lines)


def methods(each: type) -> Iterator[Any]:
    for name, member in vars(each).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            yield member


def attributes(each: type) -> Iterator[str]:
    """Yield the fields and properties with their meanings."""
    source = inspect.getsource(each)
    fields = [field.name for field in dataclasses.fields(each)] if dataclasses.is_dataclass(each) else []
    for name in [*fields, *getattr(each, "_fields", ())]:
        told = re.search(rf'^    {name}:[^\n]*\n    """(.+?)"""', source, re.MULTILINE | re.DOTALL)
        yield f"`{name}`" + (f": {' '.join(told[1].split())}" if told else "")
    for name, member in vars(each).items():
        if isinstance(member, property) and not name.startswith("_"):
            yield f"`{name}`: {' '.join((inspect.getdoc(member) or '').split())}"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
