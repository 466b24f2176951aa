"""Start programs on a small town, and watch them: memory, time, tracebacks, keys in files, and files elsewhere."""

import hashlib
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from hostile_server import PRICES, HostileServer

ROOT = Path(__file__).resolve().parents[1]
BACKEND = ROOT / "reverie" / "backend_server"
FRONTEND = ROOT / "environment" / "frontend_server"
OURS = (ROOT / "reverie", ROOT / "environment", ROOT / "docs")
"""Folders that no program may change."""
MADE_BY_SERVERS = ("__pycache__", ".static_cache", ".secret_key", "db.sqlite3")
MEMORY = 2**20 * 700
"""Bytes that a program may have in memory, at most: an ordinary day takes a quarter of it."""
ROOM = 6 * 2**30
"""Bytes of addresses that a program gets, so that a mistake harms no other program."""
PATIENCE = 600
"""Seconds after which a program counts as one that does not end."""
MODEL = {
    "PROVIDER": "compatible", "FAST_MODEL": "m", "EMBEDDER": "compatible", "EMBEDDING_MODEL": "v", "SEED": "1",
    "ANSWER_TOKENS": "200", "DEADLINE": "2", "RETRY_FOR": "3", "MAX_FALLBACKS": "0",
}  # fmt: skip
"""Settings of every program. It does not wait for a browser."""
API = """\
import sys, ville, ville.errors
try:
    {}
except ville.errors.ReverieError as fault:
    sys.exit(str(fault))
"""
"""A program of a user, who sees what is wrong in a line."""
ROUNDING = 1e-9
LIMIT = 0.03
"""Dollars that each key may spend."""


@dataclass(frozen=True)
class Ended:
    """How a program has ended."""

    code: int
    output: str


@dataclass
class Row:
    """A line of the table."""

    tried: int = 0
    refused: int = 0
    """Programs or requests that said no, in a line."""
    survived: int = 0
    broken: list[str] = field(default_factory=list)
    """Laws that were broken."""


@dataclass
class Day:
    """A folder with a small town, the hostile server, and everything that was seen."""

    root: Path
    server: HostileServer
    rows: defaultdict[str, Row] = field(default_factory=lambda: defaultdict(Row))
    memory: Counter[str] = field(default_factory=Counter)
    """Most bytes in memory, by program."""
    tracebacks: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    limits: dict[str, float] = field(default_factory=dict)
    """Dollars that each key may spend."""
    before: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        (self.root / "prices.toml").write_text(PRICES, "utf-8")
        for folder in ("home", "elsewhere", "work"):
            (self.root / folder).mkdir()
        (self.root / "elsewhere" / "bait.json").write_text('{"a": 1}', "utf-8")
        self.before = self._outside()

    def folder(self, name: str) -> Path:
        return self.root / "storage" / name

    def new_key(self, limit: float = LIMIT) -> str:
        """Return a new key, with the amount it may spend."""
        with self._lock:
            self.keys.append(f"sk-{secrets.token_hex(16)}")
            self.limits[self.keys[-1]] = limit
            return self.keys[-1]

    def environment(self, key: str, **settings: str) -> dict[str, str]:
        """Return what a program is told: the folders, the server, and the limits."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VILLE_")}
        places = {"FS_STORAGE": "storage", "FS_TEMP_STORAGE": "temp", "FS_COMPRESSED_STORAGE": "compressed"}
        places |= {"FS_STUDIES": "studies", "ASSETS": "assets", "PRICES": "prices.toml", "DATABASE": "temp/db.sqlite3"}
        chosen = {
            **{name: str(self.root / place) for name, place in places.items()},
            **MODEL,
            "BASE_URL": self.server.url,
            "API_KEY": key,
            "WALLET_FILE": str(self.root / "wallet.sqlite3"),
            "MAX_COST": str(LIMIT),
            **{name.upper(): value for name, value in settings.items()},
        }
        own = {
            "HOME": str(self.root / "home"),
            "PYTHONUTF8": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        return {**kept, **own, **{f"VILLE_{name}": value for name, value in chosen.items() if value}}

    def run(self, what: str, command: list[object], *, typed: str = "", **settings: str) -> Ended:
        """Run a program to its end, and write down what came of it."""
        key = settings.pop("key", "") or self.new_key()
        process = start(command, self.root / "work", self.environment(key, **settings))
        out: list[str] = []
        reader = threading.Thread(target=_read, args=(process.stdout, out), daemon=True)
        reader.start()
        with _suppressed_pipe(process) as pipe:
            pipe.write(typed)
        code, peak = _wait(process)
        reader.join(PATIENCE)
        ended = Ended(code, "".join(out))
        self.note(what, ended, program=Path(str(command[0])).stem.replace("-c", "the Python API"), peak=peak)
        return ended

    def note(self, what: str, ended: Ended, *, program: str, peak: int) -> None:
        """Write down how a program ended."""
        with self._lock:
            row = self.rows[what]
            row.tried += 1
            row.refused += ended.code != 0
            row.survived += ended.code == 0
            self.memory[program] = max(self.memory[program], peak)
            if "Traceback" in ended.output:
                self.tracebacks.append(f"{what}: {program}: {_last_words(ended.output)}")
                print(self.tracebacks[-1], file=sys.stderr, flush=True)
            if ended.code < 0:
                row.broken.append(f"{program} was ended by signal {-ended.code}")
            if peak > MEMORY:
                row.broken.append(f"{program} took {peak / 2**20:,.0f} MiB")

    def wrong(self, what: str, broken: str) -> None:
        self.rows[what].broken.append(broken)

    def changed_elsewhere(self) -> list[str]:
        """Return the files outside of the storage that have changed since the beginning."""
        now = self._outside()
        return sorted(name for name in now.keys() | self.before.keys() if now.get(name) != self.before.get(name))

    def keys_in_files(self) -> list[str]:
        """Return the files that contain a key, plain or in base64."""
        words = [form for key in self.keys for form in (key.encode(), b64encode(key.encode()).rstrip(b"="))]
        paths = [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]
        small = [path for path in paths if path.stat().st_size < ROOM // 60]
        return [str(path.relative_to(self.root)) for path in small if any(word in path.read_bytes() for word in words)]

    def overspent(self) -> dict[str, float]:
        """Return the dollars beyond the limits, by key, by the count of the server. No other key may spend anything."""
        spent = self.server.dollars
        beyond = {key: dollars - self.limits.get(key, 0.0) for key, dollars in spent.items()}
        return {key: dollars for key, dollars in beyond.items() if dollars > ROUNDING}

    def _outside(self) -> dict[str, bytes]:
        """Return a digest of what no program may change: the project, a home, a folder beside the storage."""
        places = [*OURS, self.root / "home", self.root / "elsewhere", self.root / "assets"]
        return {str(path): _digest(path) for place in places for path in _files(place)}


def start(
    command: list[object], folder: Path, environment: Mapping[str, str], log: IO[str] | None = None
) -> "subprocess.Popen[str]":
    """Start a program of the project in a folder, with a bounded memory. Without a log, its output is a pipe."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        cwd=folder,
        env=dict(environment),
        stdin=pipe,
        stdout=log or pipe,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        preexec_fn=_bound_memory,  # noqa: PLW1509 - a system call, before other threads matter
    )


def _bound_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


def peak_of(process: "subprocess.Popen[str]") -> int:
    """Return the most bytes that a running program had in memory; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{process.pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def _wait(process: "subprocess.Popen[str]") -> tuple[int, int]:
    """Wait for a program. Return its exit code, and the most bytes that it had in memory."""
    alarm = threading.Timer(PATIENCE, process.kill)
    alarm.start()
    _, status, usage = os.wait4(process.pid, 0)
    alarm.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024


@contextmanager
def _suppressed_pipe(process: "subprocess.Popen[str]") -> Iterator[IO[str]]:
    """Yield the standard input of a program, and close it; a program that has ended does not read it."""
    if process.stdin:
        with suppress(BrokenPipeError):
            yield process.stdin
            process.stdin.close()


def _read(stream: IO[str], found: list[str]) -> None:
    found.extend(stream)


def stop(process: "subprocess.Popen[str]") -> None:
    """End a program as Ctrl-C does."""
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _files(place: Path) -> Iterator[Path]:
    for path in sorted(place.rglob("*")):
        if path.is_file() and not any(name in path.as_posix() for name in MADE_BY_SERVERS):
            yield path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _digest(path: Path) -> bytes:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()


def _last_words(text: str) -> str:
    """Return where a program failed, and why."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    frames = [line for line in lines if line.startswith("File ")]
    return " / ".join([*frames[-2:], lines[-1][:200]])


def copy(origin: Path, target: Path) -> Path:
    shutil.copytree(origin, target, symlinks=True)
    return target


def until(true: object, seconds: float = PATIENCE) -> bool:
    """Wait until a call returns something; return whether it did."""
    end = time.monotonic() + seconds
    while not (there := true()) and time.monotonic() < end:  # type: ignore[operator]
        time.sleep(0.05)
    return bool(there)
