"""A clone of the house in a folder of its own, and a terminal to sit at."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import threading
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
VENDOR = "environment/frontend_server/static_dirs/vendor"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", type=Path, help="folder in which users put pictures of what they see")


class Clone:
    """The project of a new user, after `git clone`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        for name in listed.stdout.splitlines():
            if (ROOT / name).is_file() and not name.startswith("tests/"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)

    def borrow_venv(self) -> None:
        """Lay out what `start.py` would install: the packages of this Python, and the package of this clone."""
        venv.create(self.root / ".venv", symlinks=os.name != "nt")
        (packages,) = (self.root / ".venv").glob("[Ll]ib/**/site-packages")
        lent = [self.root / "reverie" / "backend_server", *(path for path in sys.path if "site-packages" in path)]
        (packages / "lent.pth").write_text("".join(f"{path}\n" for path in lent), "utf-8")
        ask = [sys.executable, "-c", "import start; print(start.install_digest('requirements.txt'))"]
        digest = subprocess.run(ask, cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()
        (self.root / ".venv" / "requirements.txt.sha256").write_text(digest, "utf-8")
        if (ROOT / VENDOR).exists():
            shutil.copytree(ROOT / VENDOR, self.root / VENDOR)

    @property
    def storage(self) -> Path:
        return self.root / "environment/frontend_server/storage"

    def start(self, *options: str, **environment: str) -> "StartResult":
        """`python start.py ...`, piped, to its end."""
        done = subprocess.run(
            [sys.executable, "start.py", *options],
            cwd=self.root,
            env=os.environ | environment,
            input="",
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        return StartResult(done.returncode, done.stdout, done.stderr)


class StartResult:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.lines = [line for line in (out + err).splitlines() if line and not line.startswith("WARNING: Location")]

    def __repr__(self) -> str:
        return "\n".join([f"exit code {self.code}", *self.lines])


class PseudoTerminal:
    """A program, and what its user reads and types."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - Ctrl-C becomes a signal
            env=os.environ
            | {"TERM": "xterm", "COLUMNS": "120", "LINES": "40", "BROWSER": "true", "PROMPT_TOOLKIT_NO_CPR": "1"},
        )
        os.close(theirs)
        self.text = ""
        self._read = 0
        self._reader: threading.Thread | None = None

    def expect(self, pattern: str) -> "re.Match[str]":
        """Read on until a pattern turns up behind what was expected before."""
        until = time.monotonic() + PATIENCE
        while not (found := re.compile(pattern).search(self.text, self._read)):
            ready, _, _ = select.select([self._ours], [], [], max(0, until - time.monotonic()))
            assert ready, f"{pattern!r} did not come in:\n{self.text[-3000:]}"
            try:
                more = os.read(self._ours, 65536)
            except OSError:
                more = b""
            assert more, f"it ended before {pattern!r}:\n{self.text[-3000:]}"
            self.text += more.decode("utf-8", errors="replace")
        self._read = found.end()
        return found

    def leave_open(self) -> None:
        """Read on in the background, and never look again: a program whose output is not read comes to a stop."""

        def read() -> None:
            with suppress(OSError):
                while more := os.read(self._ours, 65536):
                    self.text += more.decode("utf-8", errors="replace")

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()

    def type(self, line: str) -> None:
        self.press(line + "\r")

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def ended(self) -> int:
        """Its exit code; whatever it still has to say is read."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < until:
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self._ours, 65536).decode("utf-8", errors="replace")
                except OSError:
                    break
        return self.process.wait(timeout=PATIENCE)

    def children(self) -> set[int]:
        """Everything that was begun from this terminal and still runs."""
        session, found = self.process.pid, set()
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z" and int(status.parent.name) != session:
                found.add(int(status.parent.name))
        return found

    def child(self, script: str) -> int:
        """The process that runs one of our scripts."""
        (found,) = [each for each in self.children() if script in Path(f"/proc/{each}/cmdline").read_text("utf-8")]
        return found

    def close(self) -> None:
        for process in self.children() | {self.process.pid}:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()
        if self._reader:
            self._reader.join(PATIENCE)
        os.close(self._ours)


@pytest.fixture
def clone(tmp_path: Path, request: pytest.FixtureRequest) -> Clone:
    """A clone in a folder that a test may name."""
    return Clone(tmp_path / getattr(request, "param", "ville"))


@pytest.fixture
def furnished(clone: Clone) -> Clone:
    """A clone with its virtual environment."""
    clone.borrow_venv()
    return clone


@pytest.fixture
def terminal(furnished: Clone) -> Iterator[Callable[..., PseudoTerminal]]:
    opened: list[PseudoTerminal] = []

    def open_one(*command: str) -> PseudoTerminal:
        opened.append(PseudoTerminal([sys.executable, *command], furnished.root))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()
