"""Figures of a package's sources, without importing it: sizes, and who imports whom."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from developer_packages import developer_packages

with developer_packages():
    import grimp

SMALL = 40
"""Lines: a file with fewer is small."""
TOP = 10
"""Entries of a list of the largest."""
TESTS = re.compile(r"(^|/)(tests?/|conftest\.py|test_[^/]*\.py|[^/]*_test\.py)")
JAVASCRIPT_IMPORT = re.compile(r"""^(?:import|export)\b[^;"']*?(?:from\s*)?["']([^"']+)["'];?""", re.MULTILINE)
INITS = ("__init__.py", "__main__.py")
"""Names that Python gives, which are not counted as given twice."""


@dataclass(frozen=True)
class SourceFile:
    """Figures of one file."""

    lines: int
    import_lines: int
    anys: int = 0
    """Uses of `typing.Any`, in annotations or elsewhere."""
    functions: tuple[int, ...] = ()
    """Their lengths in lines, decorators excepted."""
    signatures: Mapping[str, int] = field(default_factory=dict)
    """Numbers of positional parameters by function, `self` and `cls` excepted."""


@dataclass(frozen=True)
class Sources:
    """The files of a package by their paths, and the files that each one imports."""

    files: Mapping[str, SourceFile]
    imports: Mapping[str, frozenset[str]]

    @property
    def readers(self) -> dict[str, list[str]]:
        """The files that import each file."""
        return {name: sorted(each for each in self.imports if name in self.imports[each]) for name in self.files}

    def figures(self) -> dict[str, Any]:
        """Return all figures: numbers, and lists of `[name, number]`."""
        files, lines = self.files.values(), sum(each.lines for each in self.files.values())
        functions = sorted(length for each in files for length in each.functions)
        return {
            "files": len(self.files),
            "lines": lines,
            "lines per file": round(lines / len(self.files)),
            f"files under {SMALL} lines": sum(each.lines < SMALL for each in files),
            "own modules imported per file": round(sum(map(len, self.imports.values())) / len(self.files), 1),
            "import lines, percent": round(100 * sum(each.import_lines for each in files) / lines, 1),
            "files read by one neighbor only": len(self.read_by_one_neighbor()),
            "file names given twice": len(self.names_twice()),
            "files of the largest folder": _largest(self._folders())[0][1],
            "fan-in, mean of the top ten": _mean(self.fan_in()),
            "fan-out, mean of the top ten": _mean(self.fan_out()),
            "most positional parameters": max((count for _, count in self.signatures()), default=None),
            "`Any` per thousand lines": round(1000 * sum(each.anys for each in files) / lines, 1),
            "function length, median": _at(functions, 0.5),
            "function length, p90": _at(functions, 0.9),
            "function length, longest": _at(functions, 1),
        }

    def lists(self) -> dict[str, list[tuple[str, int]]]:
        """Return which files, folders and functions the figures are about."""
        anys = Counter({name: each.anys for name, each in self.files.items() if each.anys})
        return {
            "largest folders": _largest(self._folders()),
            "fan-in": self.fan_in(),
            "fan-out": self.fan_out(),
            "longest signatures": self.signatures(),
            "most `Any`": _largest(anys),
            "names given twice": self.names_twice(),
            "read by one neighbor only": self.read_by_one_neighbor(),
        }

    def read_by_one_neighbor(self) -> list[tuple[str, int]]:
        """Return the files, with their lines, that only one file imports, which is in the same folder."""
        return [
            (name, self.files[name].lines)
            for name, readers in sorted(self.readers.items())
            if len(readers) == 1 and PurePosixPath(readers[0]).parent == PurePosixPath(name).parent
        ]

    def names_twice(self) -> list[tuple[str, int]]:
        """Return the names that several files have, and how many."""
        names = Counter(PurePosixPath(name).name for name in self.files)
        return [(name, count) for name, count in _largest(names, None) if count > 1 and name not in INITS]

    def fan_in(self) -> list[tuple[str, int]]:
        return _largest(Counter({name: len(readers) for name, readers in self.readers.items()}))

    def fan_out(self) -> list[tuple[str, int]]:
        return _largest(Counter({name: len(imported) for name, imported in self.imports.items()}))

    def signatures(self) -> list[tuple[str, int]]:
        """Return the functions with the most positional parameters."""
        found = {
            f"{name}: {where}": count for name, each in self.files.items() for where, count in each.signatures.items()
        }
        return _largest(Counter(found))

    def _folders(self) -> Counter[str]:
        """Return how many files lie in each folder, those below it excepted."""
        return Counter(str(PurePosixPath(name).parent) for name in self.files)


def read_python(root: Path, *packages: str) -> Sources:
    """Return the sources of packages in a folder; tests are left out."""
    sys.path.insert(0, str(root))
    try:
        graph = grimp.build_graph(*packages, cache_dir=None)
    finally:
        sys.path.remove(str(root))
    places = {module: place for module in graph.modules if not TESTS.search(place := _place(root, module))}
    found = {
        place: frozenset(places[each] for each in graph.find_modules_directly_imported_by(module) if each in places)
        for module, place in places.items()
    }
    return Sources({place: _python_file((root / place).read_text("utf-8")) for place in places.values()}, found)


def read_javascript(root: Path) -> Sources:
    """Return the modules below a folder. Functions and types are not read."""
    texts = {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in sorted(root.rglob("*.js"))}
    found = {name: list(JAVASCRIPT_IMPORT.finditer(text)) for name, text in texts.items()}
    files = {
        name: SourceFile(len(text.splitlines()), sum(each[0].count("\n") + 1 for each in found[name]))
        for name, text in texts.items()
    }
    imports = {
        name: frozenset(normpath(PurePosixPath(name).parent / each[1]) for each in found[name]) & texts.keys()
        for name in texts
    }
    return Sources(files, imports)


def _place(root: Path, module: str) -> str:
    """Return the path of a module below a folder."""
    path = Path(*module.split("."))
    return (path / "__init__.py" if (root / path).is_dir() else path.with_suffix(".py")).as_posix()


def _python_file(text: str) -> SourceFile:
    nodes = list(ast.walk(ast.parse(text)))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return SourceFile(
        lines=len(text.splitlines()),
        import_lines=sum(_length(node) for node in imports),
        anys=sum(_is_any(node) for node in nodes),
        functions=tuple(_length(node) for node in functions),
        signatures={f"{node.name}, line {node.lineno}": _positional(node) for node in functions},
    )


def _is_any(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "Any") or (isinstance(node, ast.Attribute) and node.attr == "Any")


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _positional(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    named = [*node.args.posonlyargs, *node.args.args]
    return sum(each.arg not in {"self", "cls"} for each in named)


def _largest(counts: Counter[str], most: int | None = TOP) -> list[tuple[str, int]]:
    """Return the largest counts, those that are equal by name."""
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:most]


def _mean(entries: Iterator[tuple[str, int]] | list[tuple[str, int]]) -> float | None:
    counts = [count for _, count in entries]
    return round(sum(counts) / len(counts), 1) if counts else None


def _at(ordered: list[int], share: float) -> int | None:
    """Return the smallest number that so large a share does not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else None
