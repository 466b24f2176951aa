"""The attacks of a folder and of a file: simulations that were tampered with or torn, and files that are none."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import cycle
from pathlib import Path
from typing import Any

from hostile_pages import get, note, serving
from hostile_watch import API, BACKEND, ROOT, Day, copy

SPARSE = 2**30 + 1
MEMORY = "personas/Ada Stone/bootstrap_memory"
FILES = (
    "reverie/meta.json", "reverie/run.json", "reverie/branch.json", "reverie/town.json", "reverie/interventions.jsonl",
    "reverie/people.json", "reverie/last_accessed/Ada Stone.json", "reverie/checkpoints/0.json.gz",
    f"{MEMORY}/scratch.json", f"{MEMORY}/spatial_memory.json", f"{MEMORY}/associative_memory/nodes.json",
    f"{MEMORY}/associative_memory/vectors.f32", f"{MEMORY}/associative_memory/kw_strength.json", "reverie/vectors.json",
    "environment/{}.json", "movement/1.json", "movement/0.pack", "reverie/ledger.sqlite3",
)  # fmt: skip
"""Files of a simulation; braces stand for its last step."""
DEEP = b"[" * 100_000 + b"]" * 100_000
CONTENTS: Mapping[str, bytes] = {
    "empty": b"",
    "null": b"null",
    "a list": b"[1]",
    "an object": b'{"a": 1}',
    "too deep": DEEP,
    "a number of 5,000 digits": b"7" * 5000,
    "NUL": bytes(1000),
    "UTF-16": '{"a": "b"}'.encode("utf-16"),
    "a database that is none": b"SQLite format 3\0" + b"\xff" * 5000,
}
BENT: Mapping[str, Any] = {
    "huge numbers": 10**400,
    "numbers below": -1,
    "numbers that are none": float("nan"),
    "endless numbers": float("inf"),
    "texts": "\ud800\0\u202e" + "x" * 5000,
    "names that lead elsewhere": "../../elsewhere/bait",
    "nothing": None,
    "lists": [[[]]],
}
LEDGER: Mapping[str, str] = {
    "negative cost": "UPDATE calls SET cost = -1000",
    "cost of all money": "UPDATE calls SET cost = 1e308",
    "cost in words": "UPDATE calls SET cost = 'free', prompt_tokens = 'none'",
    "negative tokens": "UPDATE calls SET prompt_tokens = -1000000000",
    "a trigger that forgets": "CREATE TRIGGER t AFTER UPDATE ON calls BEGIN UPDATE calls SET cost = 0; END",
    "a trigger that deletes": "CREATE TRIGGER t AFTER INSERT ON calls BEGIN DELETE FROM calls; END",
    "a view": "ALTER TABLE calls RENAME TO others; CREATE VIEW calls AS SELECT * FROM others WHERE 0",
    "no tables": "DROP TABLE calls",
    "another schema": "ALTER TABLE calls DROP COLUMN estimated",
}
SWAPPED = (
    {"swap": {"Ada Stone": "dear"}},
    {"swap": {"Ada Stone": ["m"]}},
    {"swap": 7},
    {"swap": {"Nobody": "m" * 9999}},
)

SHOWN = (
    "/", "/replay/NAME/3/", "/frames/NAME/0/9/", "/timeline/NAME/", "/feed/NAME/", "/memories/NAME/Ada_Stone/",
    "/tree/", "/replay_persona_state/NAME/3/Ada_Stone/", "/days/NAME/Ada_Stone/", "/minds/NAME/5/", "/reach/NAME/5/",
    "/comparison/NAME/town/", "/live/NAME/",
)  # fmt: skip
"""Pages and data of a simulation."""

Harm = Callable[[Path], None]
"""Does something to a copy of a simulation."""


def attack_by_folder(day: Day, *, smallest: bool) -> None:
    """Tamper with copies of a town that has run; pages show each, and one program after the other opens them."""
    day.run("an ordinary town", [BACKEND / "reverie_offline.py", "-o", "base", "-t", "town", "-s", 12, "--autosave", 4])
    programs = cycle(_programs())
    with serving(day, engine=False) as pages:
        for number, (what, harm) in enumerate(list(harms())[:: 110 if smallest else 1]):
            name = f"harmed_{number}"
            with suppress(OSError):  # not every harm can be done to every file
                harm(copy(day.folder("town"), day.folder(name)))
                for address in SHOWN:
                    note(day, f"pages that show {what}", pages, get(pages, address.replace("NAME", name)))
                command = [part.replace("NAME", name) if isinstance(part, str) else part for part in next(programs)]
                day.run(what, command)
            shutil.rmtree(day.folder(name), ignore_errors=True)


def _programs() -> tuple[list[Any], ...]:
    """Return what people do with a folder from elsewhere."""
    offline, reverie = BACKEND / "reverie_offline.py", ROOT / "reverie"
    return (
        [offline, "-o", "NAME", "-t", "NAME", "-s", 5],
        [offline, "-o", "NAME", "-t", "NAME_fork", "-s", 5],
        [reverie / "ledger.py", "NAME"],
        [offline, "-o", "NAME@4", "-t", "NAME_moment", "-s", 2],
        [reverie / "metrics.py", "NAME"],
        [offline, "-o", "NAME", "-q", "Who are you?"],
        [reverie / "measure.py", "NAME"],
        ["-c", API.format("t = ville.open('NAME'); t.run(steps=2); t.interview('Ada Stone', 'Hello?'); t.close()")],
        [reverie / "compare.py", "NAME", "town"],
        [reverie / "compress_sim_storage.py", "NAME"],
    )


def harms() -> Iterator[tuple[str, Harm]]:
    """Yield what is done, with its kind."""
    for file in FILES:
        for content in CONTENTS.values():
            yield "files that are something else", _written(file, content)
        for bent in BENT.values():
            yield "values that cannot be", _bent(file, bent)
        yield "torn files", _torn(file)
        yield "files that are missing", lambda folder, file=file: _path(folder, file).unlink()
        yield "files that never end", _instead(file, lambda path: path.symlink_to("/dev/zero"))
        yield "files that never end", _instead(file, os.mkfifo)
        yield "files that are links", _instead(file, lambda path: path.symlink_to(_bait(path)))
        yield "files that are folders", _instead(file, Path.mkdir)
        yield "sparse files", _instead(file, _sparse)
    for statement in LEDGER.values():
        yield "ledgers that were tampered with", _told(statement)
    for rules in SWAPPED:
        yield "swapped models", _written("reverie/town.json", json.dumps({"rules": rules}).encode())
    yield "folders that are links", lambda folder: _replaced(folder / "personas", _bait(folder).parent)


def _path(folder: Path, file: str) -> Path:
    return folder / file.format(json.loads((folder / "reverie/meta.json").read_text("utf-8"))["step"])


def _bait(path: Path) -> Path:
    """Return a file outside of the storage."""
    root = next(parent.parent for parent in path.parents if parent.name == "storage")
    return root / "elsewhere" / "bait.json"


def _written(file: str, content: bytes) -> Harm:
    return lambda folder: _path(folder, file).write_bytes(content) and None


def _torn(file: str) -> Harm:
    def tear(folder: Path) -> None:
        path = _path(folder, file)
        os.truncate(path, path.stat().st_size // 2)

    return tear


def _instead(file: str, make: Callable[[Path], object]) -> Harm:
    def put(folder: Path) -> None:
        path = _path(folder, file)
        path.unlink(missing_ok=True)
        make(path)

    return put


def _replaced(path: Path, target: Path) -> None:
    shutil.rmtree(path)
    path.symlink_to(target)


def _sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, SPARSE)


def _bent(file: str, value: Any) -> Harm:
    """Put a value in the place of every leaf of a file that is JSON."""

    def bend(folder: Path) -> None:
        path = _path(folder, file)
        try:
            values = json.loads(path.read_text("utf-8"))
        except ValueError as fault:
            raise FileNotFoundError(path) from fault
        path.write_text(json.dumps(_with_leaves(values, value)), "utf-8")

    return bend


def _with_leaves(values: Any, value: Any) -> Any:
    if isinstance(values, dict):
        return {key: _with_leaves(each, value) for key, each in values.items()}
    return [_with_leaves(each, value) for each in values] if isinstance(values, list) else value


def _told(statement: str) -> Harm:
    def tell(folder: Path) -> None:
        with closing(sqlite3.connect(folder / "reverie/ledger.sqlite3")) as ledger, suppress(sqlite3.Error):
            ledger.executescript(statement)
            ledger.commit()

    return tell


ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
ALIAS_ITEMS = "- &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"- &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
TEXTS: Mapping[str, bytes] = {
    **CONTENTS,
    "aliases of aliases": ALIASES.encode(),
    "a list of aliases of aliases": ALIAS_ITEMS.encode(),
    "aliases in an item": f"- {{kind: whisper, step: 1, who: Ada Stone, words: *j}}\n{ALIAS_ITEMS}".encode(),
    "an item with aliases": f"{ALIAS_ITEMS}- {{kind: *j, step: *j, who: *j, words: *j}}\n".encode(),
    "a tag that calls": b"!!python/object/apply:os.system ['touch ../elsewhere/called']",
    "formulas": b'Name,Whisper\r\n"=cmd|\'/C calc\'!A0","=1+1"\r\n@SUM(1),+1\r\n',
    "a quote without an end": b'Name,Whisper\nAda Stone,"' + b"Ben Reed,Hello\n" * 20_000,
    "a line of a million letters": b"x" * 1_000_000,
    "a million lines": b"\n" * 1_000_000,
    "Latin-1": "Name,Whisper\nAda Stone,Café\n".encode("latin-1"),
    "controls": b"Name,Whisper\nAda Stone,\x1b[2J\x00\x07\xe2\x80\xae\n",
    "deep YAML": b"- " * 5000,
    "deep keys": b"{a: " * 3000,
    "a table of huge numbers": b'"m" = { input = 1e400 }\n"v" = { input = -1 }\n',
}
PLACES: Mapping[str, Callable[[Path], object]] = {
    "devices": lambda path: path.symlink_to("/dev/zero"),
    "pipes": os.mkfifo,
    "folders": Path.mkdir,
    "sparse files": _sparse,
    "missing files": Path.exists,
    "links that turn in circles": lambda path: path.symlink_to(path),
}


def attack_by_file(day: Day, *, smallest: bool) -> None:
    """Give every program that takes a file what is none."""
    kinds = [(f"files of a user: {name}", _content(content)) for name, content in TEXTS.items()]
    kinds += [(f"files of a user: {name}", make) for name, make in PLACES.items()]
    tries = [(what, make, reader) for what, make in kinds for reader in _readers(day)]
    for what, make, (path, command, settings) in tries[:: 70 if smallest else 1]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        make(path)
        day.run(what, command, **settings)
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        shutil.rmtree(day.folder("by_file"), ignore_errors=True)


def _content(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _readers(day: Day) -> list[tuple[Path, list[Any], dict[str, str]]]:
    """Return the programs that take a file: its path, the command, and settings."""
    work, offline = day.root / "work", BACKEND / "reverie_offline.py"
    run = [offline, "-o", "base", "-t", "by_file", "-s", 2]
    csv, yaml, prices = day.root / "assets" / "small" / "own.csv", work / "own.yaml", work / "own.toml"
    return [
        (csv, [*run, "--load-history", "small/own.csv"], {}),
        (yaml, [*run, "--interventions", yaml], {}),
        (work / "own.txt", [offline, "-o", "base", "-q", work / "own.txt"], {}),
        (prices, run, {"prices": str(prices)}),
        (yaml, [ROOT / "reverie" / "study.py", "run", yaml, "--estimate"], {}),
        (yaml, [ROOT / "environment" / "build_town.py", "build", yaml, "--out", work / "built"], {}),
        (work / ".own", ["-c", API.format(f"ville.batch_run({str(work / '.own')!r})")], {}),
    ]
