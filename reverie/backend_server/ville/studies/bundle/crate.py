"""`ro-crate-metadata.json`: what a bundle holds, as RO-Crate 1.1 (Sefton et al. 2021), and `sha256sums.txt` beside it.

The metadata file is written by hand: it is one JSON document, and the specification is short.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote

from ville.json_types import Json, JsonObject
from ville.storage.files import pretty

CRATE, SUMS = "ro-crate-metadata.json", "sha256sums.txt"
SPECIFICATION = "https://w3id.org/ro/crate/1.1"
PROFILE = "#study-bundle-1"
"""Says that a crate is a bundle of ours, in its first version."""
CONTEXT: Json = [f"{SPECIFICATION}/context", {"sha256": "https://schema.org/sha256"}]
"""With the one term of schema.org that the context of the specification does not have."""
KINDS = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".yaml": "application/yaml",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".html": "text/html",
    ".txt": "text/plain",
    ".py": "text/x-python",
}
ABOUT = {
    "study/study.yaml": "The study file",
    "study/study.json": "What the study is: its measures, arms, seeds and runs",
    "study/registration.json": "What was registered before the study was run, and when",
    "tables/runs.csv": "A row for each run, with its measures",
    "tables/answers.csv": "What people answered",
    "tables/statistics.csv": "Means of arms, and their differences",
    "tables/differences.tex": "The differences as a LaTeX table",
}


@dataclass(frozen=True)
class BundledFile:
    """Name, size and digest of a file in a bundle."""

    name: str
    size: int
    sha256: str

    @classmethod
    def of(cls, name: str, content: bytes) -> "BundledFile":
        return cls(name, len(content), sha256(content).hexdigest())


@dataclass(frozen=True)
class CrateHead:
    """Description of the study as a whole."""

    name: str
    title: str
    date: str
    """Of the last run, as YYYY-MM-DD."""
    license: str
    version: str
    """Of the Ville."""


def crate_text(head: CrateHead, files: Sequence[BundledFile]) -> str:
    """Return the metadata file of a bundle with these files."""
    is_address = head.license.startswith(("http://", "https://"))
    licenses: list[Json] = [{"@id": head.license, "@type": "CreativeWork", "name": "Licence"}] if is_address else []
    software = {"@id": "#the-ville", "@type": "SoftwareApplication", "name": "The Ville", "version": head.version}
    graph: list[Json] = [
        {
            "@id": CRATE,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": SPECIFICATION},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": head.title or head.name,
            "alternateName": head.name,
            "description": "A study of simulated people: its file, runs, ledgers, tables and figures. "
            "'ville study verify FILE' computes the tables again, without a call to a model.",
            "datePublished": head.date,
            "license": {"@id": head.license} if is_address else head.license,
            "conformsTo": {"@id": PROFILE},
            "hasPart": [{"@id": _address(each.name)} for each in files],
            "mentions": {"@id": "#tables"},
        },
        {"@id": PROFILE, "@type": "CreativeWork", "name": "Bundle of a study of the Ville, version 1"},
        software,
        *licenses,
        {
            "@id": "#tables",
            "@type": "CreateAction",
            "name": "Measured runs, and computed tables and figures of them",
            "instrument": {"@id": "#the-ville"},
            "object": [{"@id": _address(each.name)} for each in files if each.name.startswith(("study/", "runs/"))],
            "result": [{"@id": _address(each.name)} for each in files if each.name.startswith(("tables/", "figures/"))],
        },
        *map(_entity, files),
    ]
    return pretty({"@context": CONTEXT, "@graph": graph}) + "\n"


def _entity(file: BundledFile) -> dict[str, Json]:
    kind = KINDS.get(PurePosixPath(file.name).suffix, "application/octet-stream")
    described = {"description": ABOUT[file.name]} if file.name in ABOUT else {}
    return {
        "@id": _address(file.name),
        "@type": "File",
        "name": file.name,
        **described,
        "encodingFormat": kind,
        "contentSize": str(file.size),
        "sha256": file.sha256,
    }


def _address(name: str) -> str:
    """Return a name as a relative address: identifiers of files are URIs."""
    return quote(name)


def sums_text(files: Sequence[BundledFile]) -> str:
    """Return the digests of files as `sha256sum --check` reads them."""
    return "".join(f"{each.sha256}  {each.name}\n" for each in files)


def crate_digests(text: str) -> dict[str, str]:
    """Return the digests of files by name, as a metadata file has them; raises ValueError if it is not of a bundle."""
    found = json.loads(text)
    graph = found.get("@graph") if isinstance(found, Mapping) else None
    entities = [each for each in graph if isinstance(each, Mapping)] if isinstance(graph, list) else []
    root = next((each for each in entities if each.get("@id") == "./"), {})
    if root.get("conformsTo") != {"@id": PROFILE}:
        raise ValueError("it is not a bundle of a study")
    files: list[JsonObject] = [each for each in entities if each.get("@type") == "File"]
    return {unquote(_text(each, "@id")): _text(each, "sha256") for each in files}


def sums_digests(text: str) -> dict[str, str]:
    """Return the digests of files by name; lines that are none are left out."""
    rows = (line.partition("  ") for line in text.splitlines())
    return {name: digest for digest, separator, name in rows if separator}


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""
