"""How the sources are cut into files, in figures, beside five well-known packages.

`python benchmarks/house.py` prints a table of this project's packages and scripts of pages, and of starlette, httpx,
structlog, Mesa and Concordia, whose packages pip downloads into a temporary folder; nothing imports them. `--alone`
leaves these out, `--lists` names the files behind the figures, and `--json` prints both as JSON.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from package_figures import Sources, read_javascript, read_python

ROOT = Path(__file__).resolve().parents[1]
FRONTEND = ROOT / "environment" / "frontend_server"
REFERENCES = {
    "starlette": "starlette==1.10.0",
    "httpx": "httpx==0.28.1",
    "structlog": "structlog==26.1.0",
    "mesa": "Mesa==3.3.1",
    "concordia": "gdm-concordia==2.1.0",
}
"""Packages to compare with: what is imported, and what pip installs."""
WIDEST_LABEL = 34


def our_sources() -> dict[str, Sources]:
    """Return the sources of this project."""
    return {
        "ville": read_python(ROOT / "reverie" / "backend_server", "ville"),
        "server": read_python(FRONTEND, "translator", "frontend_server"),
        "builder": read_python(ROOT / "environment", "town_builder"),
        "pages (js)": read_javascript(FRONTEND / "static_dirs" / "js"),
    }


def their_sources(folder: Path) -> dict[str, Sources]:
    """Return the sources of the packages to compare with, which are downloaded into a folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*command, "--dest", str(folder), *REFERENCES.values()], check=True)
    for wheel in folder.glob("*.whl"):
        with ZipFile(wheel) as packed:
            packed.extractall(folder)
    return {package: read_python(folder, package) for package in REFERENCES}


def table(columns: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table with a column for each package."""
    widths = {name: max(len(name), 7) + 2 for name in columns}
    yield " " * WIDEST_LABEL + "".join(f"{name:>{width}}" for name, width in widths.items())
    for label in next(iter(columns.values())):
        cells = ("-" if figures[label] is None else f"{figures[label]:,}" for figures in columns.values())
        yield f"{label:<{WIDEST_LABEL}}" + "".join(
            f"{cell:>{widths[name]}}" for name, cell in zip(columns, cells, strict=True)
        )


def listing(package: str, lists: Mapping[str, list[tuple[str, int]]]) -> Iterator[str]:
    """Yield the lines of the lists behind the figures of a package."""
    for title, entries in lists.items():
        yield f"\n{package}: {title}"
        yield from (f"{count:>6}  {name}" for name, count in entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", action="store_true", help="only this project, without a download")
    parser.add_argument("--lists", action="store_true", help="name the files, folders and functions, too")
    parser.add_argument("--json", action="store_true", help="print figures and lists as JSON")
    choice = parser.parse_args()
    sources = our_sources()
    if not choice.alone:
        with tempfile.TemporaryDirectory() as folder:
            sources |= their_sources(Path(folder))
    figures = {package: each.figures() for package, each in sources.items()}
    lists = {package: each.lists() for package, each in sources.items()}
    if choice.json:
        print(
            json.dumps(
                {package: {"figures": figures[package], "lists": lists[package]} for package in figures}, indent=2
            )
        )
        return
    print(*table(figures), sep="\n")
    if choice.lists:
        print(*(line for package in lists for line in listing(package, lists[package])), sep="\n")


if __name__ == "__main__":
    main()
