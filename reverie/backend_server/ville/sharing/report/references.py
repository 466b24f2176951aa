"""Works that a report cites: the paper and this program from CITATION.cff, and those on statistics."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ville.home import SHIPPED
from ville.version import VERSION

PAPER = "park"
OWN = {PAPER: "Park et al., 2023"}


@cache
def _works() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(
        Path(__file__).with_name("references.yaml").read_text("utf-8")
    )
    return found


@cache
def _citation() -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load((SHIPPED / "CITATION.cff").read_text("utf-8"))
    return found


def cited(*keys: str) -> str:
    """Return works as they are cited in a sentence: `(Holm, 1979)`."""
    return f"({'; '.join(OWN.get(key) or _works()[key]['cited'] for key in keys)})"


def bibtex(keys: Iterable[str]) -> str:
    """Return the entries of these works as BibTeX, the paper and this program first."""
    entries = [_paper(), _program(), *(_works()[key]["bibtex"].rstrip() for key in dict.fromkeys(keys))]
    return "\n\n".join(entries) + "\n"


def _paper() -> str:
    (paper,) = _citation()["references"]
    return _entry(
        "inproceedings{park2023",
        {
            "author": _authors(paper["authors"]),
            "title": f"{{{paper['title']}}}",
            "booktitle": paper["collection-title"],
            "publisher": paper["publisher"]["name"],
            "year": paper["year"],
            "doi": paper["doi"],
        },
    )


def _program() -> str:
    found = _citation()
    return _entry(
        "software{theville",
        {
            "author": _authors(found["authors"]),
            "title": f"{{{found['title']}}}",
            "version": VERSION,
            "year": str(found["date-released"])[:4],
            "note": found["abstract"],
        },
    )


def _authors(people: Iterable[Mapping[str, str]]) -> str:
    names = (
        f"{each['family-names']}, {each['given-names']}" if "family-names" in each else f"{{{each['name']}}}"
        for each in people
    )
    return " and ".join(names)


def _entry(head: str, fields: Mapping[str, object]) -> str:
    width = max(map(len, fields))
    rows = ",\n".join(f"  {name:<{width}} = {{{value}}}" for name, value in fields.items())
    return f"@{head},\n{rows}\n}}"
