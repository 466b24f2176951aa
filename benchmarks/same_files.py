"""Run the same commands in this checkout and in another one, and compare all files that they write, byte for byte.

`python benchmarks/same_files.py OTHER` runs both at the same time, each with its own `.venv` if it has one: twenty-five
people with a past by rules, a branch with interventions, a session at the prompt, three people whose answers come from
a server on this machine, a study, requests to an engine, and replays. It prints how many files it compared and each
difference, and ends with exit code 1 if there is one. Everything happens in temporary folders. `KEPT_OUT` names what
cannot be the same, such as times of day.
"""

import argparse
import gzip
import json
import re
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from fnmatch import fnmatch
from functools import partial
from os.path import relpath
from pathlib import Path
from typing import Any

from checkout_runs import ALL, PARTS, PRINTED, ROOT, THREE, ChatServer, Checkout, Lengths

WHOLE, SMALLEST = Lengths(5000, 720), Lengths(20, 10, base=THREE)
KEPT_OUT: Mapping[str, tuple[str, ...]] = {
    "*/interventions.jsonl": ("at", "id"),
    "*/branch.json": ("request",),
    "*/ledger.sqlite3": ("began", "seconds", "id"),
    "*/interviews.sqlite3": ("began", "seconds", "id"),
    "*/replayed/reverie/checkpoints/*": ("at", "digest"),
    "*/beside/reverie/checkpoints/*": ("at", "digest", "id"),
    "*/metrics/detail_info.json": ("time",),
    "printed/interview.json": ("id",),
}
"""Keys of JSON files and columns of databases that tell of the time of day, the speed of the machine, or the code.
A replay and a branch are begun with interventions ahead, and these with the times at which they were told. Calls that
are made at the same time are numbered as they begin.
"""
UNORDERED = ("*/metrics/detail_info.json",)
"""JSON lists in the order of these numbers."""
NOT_COMPARED = ("*/metrics/function_name_time.json", "studies/*/timings.csv", "studies/*/jobs.sqlite3", "*.lock")
"""Files that tell of nothing else, or say the rest elsewhere: what jobs have as results is in the tables."""
SPEED = re.compile(rb"^.* steps?/s\b.*\n", re.MULTILINE)
"""Lines of progress, which come as often as there is time."""
DATABASE = ".sqlite3"
BASES = (THREE, ALL)


def lived(checkout: Checkout, lengths: Lengths) -> dict[str, bytes]:
    """Run everything in a checkout; return what it wrote, by the path of each file."""
    checkout.settle()
    for what, part in PARTS.items():
        part(checkout, lengths)
        print(f"{checkout.code.name}: {what}", flush=True)
    places = ("storage", "compressed", "studies", PRINTED)
    paths = [path for place in places for path in (checkout.root / place).rglob("*") if path.is_file()]
    found = {path.relative_to(checkout.root).as_posix(): path for path in sorted(paths)}
    ours = {name: path for name, path in found.items() if name.split("/")[1] not in BASES}
    return {name: content(name, path, checkout) for name, path in ours.items() if not _is_any(name, NOT_COMPARED)}


def _is_any(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def content(name: str, path: Path, checkout: Checkout) -> bytes:
    """Return a file without what is kept out, and without where the checkout is."""
    without = next((keys for pattern, keys in KEPT_OUT.items() if fnmatch(name, pattern)), ())
    if path.suffix == DATABASE:
        return json.dumps(rows_of(path, without), indent=1).encode()
    read = path.read_bytes()
    if path.suffix == ".gz":
        read = gzip.decompress(read)
    if without:
        rows = [
            stripped(json.loads(row), without) for row in (read.splitlines() if path.suffix == ".jsonl" else [read])
        ]
        if _is_any(name, UNORDERED):
            rows = sorted(rows[0], key=str)
        read = json.dumps(rows, indent=1).encode()
    read = SPEED.sub(b"", read) if name.startswith(PRINTED) else read
    for place, word in places_of(checkout).items():
        read = read.replace(place.encode(), word.encode())
    return read


def places_of(checkout: Checkout) -> dict[str, str]:
    """Return what stands for the places of a checkout. Commands name files as seen from the folder of the backend."""
    work, seen = str(checkout.root), relpath(checkout.root, checkout.code / "reverie" / "backend_server")
    return {work: "WORK", seen: "WORK", str(checkout.code): "CODE", checkout.server.url: "SERVER"}


def stripped(value: Any, without: tuple[str, ...]) -> Any:
    """Return a value of JSON without some keys, at any depth."""
    if isinstance(value, dict):
        return {key: stripped(each, without) for key, each in value.items() if key not in without}
    return [stripped(each, without) for each in value] if isinstance(value, list) else value


def rows_of(path: Path, without: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the rows of all tables of a database, sorted: calls that are made at the same time end in any order."""
    with closing(sqlite3.connect(path)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {}
        for table in sorted(tables):
            cursor = database.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name from the database itself
            kept = [number for number, column in enumerate(cursor.description) if column[0] not in without]
            found[table] = sorted(str([row[number] for number in kept]) for row in cursor)
        return found


def differences(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return a line for each file that only one has, or that differs, with the first line that does."""
    return [
        difference(name, one.get(name), other.get(name))
        for name in sorted({*one, *other})
        if one.get(name) != other.get(name)
    ]


def difference(name: str, one: bytes | None, other: bytes | None) -> str:
    if one is None or other is None:
        return f"{name[:200]}: only in {'this checkout' if other is None else 'the other'}"
    pairs = zip(re.split(rb"\n|(?<=,) ", one), re.split(rb"\n|(?<=,) ", other), strict=False)
    first = next(((mine, theirs) for mine, theirs in pairs if mine != theirs), (b"", b"(longer)"))
    return f"{name[:200]}: {' | '.join(text.decode('utf-8', 'replace').strip()[:100] for text in first)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="folder of the other checkout")
    parser.add_argument("--smallest", action="store_true", help="a few steps of three people")
    choice = parser.parse_args()
    lengths, codes = SMALLEST if choice.smallest else WHOLE, (ROOT, choice.other.resolve())
    with tempfile.TemporaryDirectory() as folder, ChatServer() as here, ChatServer() as there:
        servers = (here, there)
        checkouts = [Checkout(code, Path(folder) / str(n), servers[n]) for n, code in enumerate(codes)]
        with ThreadPoolExecutor() as both:
            one, other = both.map(partial(lived, lengths=lengths), checkouts)
    wrong = differences(one, other) + differences(*map(asked, servers))
    print(*wrong, sep="\n")
    print(f"{len(one):,} files and {len(here.requests):,} requests to the server compared, {len(wrong):,} different")
    return int(bool(wrong))


def asked(server: ChatServer) -> dict[str, bytes]:
    """Return how often each request was sent to a server."""
    counts = Counter(json.dumps(request.body, sort_keys=True) for request in server.requests)
    return {request: str(count).encode() for request, count in counts.items()}


if __name__ == "__main__":
    sys.exit(main())
