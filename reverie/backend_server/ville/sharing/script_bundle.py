"""Scripts of the pages as one text, for a file that can load no other: each module is a function, called in order."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ville.errors import CorruptFile

IMPORT = re.compile(r'^import\s+(?:\{(?P<names>[^}]*)\}\s+from\s+)?"(?P<path>[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const|let)\s+(?P<name>\w+))", re.MULTILINE)
COMMENT = re.compile(r"^\s*/\*\*.*?\*/\n", re.MULTILINE | re.DOTALL)
"""Of whole lines: types and explanations, which readers of the project find there."""


def bundled(entry: Path) -> str:
    """Return a script with all that it imports. Raises CorruptFile if modules import each other in a circle."""
    numbers: dict[Path, int] = {}
    texts = list(_modules(entry.resolve(), numbers, ()))
    return "\n".join(['"use strict";', *texts]) + "\n"


def _modules(path: Path, numbers: dict[Path, int], way: tuple[Path, ...]) -> Iterator[str]:
    """Yield the modules that a script needs and that are not there yet, then the script itself."""
    if path in way:
        circle = " → ".join(each.name for each in (*way, path))
        raise CorruptFile("%(file)s is imported in a circle: %(circle)s.", file=path, circle=circle)
    if path in numbers:
        return
    text = path.read_text("utf-8")
    for found in IMPORT.finditer(text):
        yield from _modules((path.parent / found["path"]).resolve(), numbers, (*way, path))
    numbers[path] = len(numbers)
    yield _wrapped(path, text, numbers)


def _wrapped(path: Path, text: str, numbers: Mapping[Path, int]) -> str:
    """Return a module as a constant: what it exports."""

    def constant(found: re.Match[str]) -> str:
        names = (found["names"] or "").replace(" as ", ": ").split()
        number = numbers[(path.parent / found["path"]).resolve()]
        return f"const {{ {' '.join(names)} }} = module{number};\n" if names else ""

    body = EXPORT.sub("", IMPORT.sub(constant, COMMENT.sub("", text)))
    exported = ", ".join(found["name"] for found in EXPORT.finditer(text))
    return f"const module{numbers[path]} = (() => {{ // {path.name}\n{body}\nreturn {{ {exported} }};\n}})();"
