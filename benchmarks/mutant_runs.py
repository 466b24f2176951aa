"""A copy of the project in which tests run while one of its modules is wrong, each time in a process of their own."""

import contextlib
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from developer_packages import developer_packages

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "reverie/backend_server"
IMPORTED_ONCE = (
    "PIL.Image", "_hypothesis_pytestplugin", "anyio.pytest_plugin", "django.test", "django.contrib.sessions.middleware",
    "hypothesis", "numpy", "openai", "pydantic", "pytest_asyncio.plugin", "pytest_django", "regex", "scipy.stats",
    "wcwidth", "xdist.plugin", "yaml",
)  # fmt: skip
"""Packages that tests import: all these processes share it."""
OPTIONS = ("-x", "--assert=plain", "-m", "not slow")
PAUSE = 0.02
"""Seconds between two looks at a process."""
MEMORY = 4 * 2**30
"""Bytes that a process may take: mistakes may fill lists without end."""
FOREVER = 10**6
PASSED, TOO_LONG = 0, -1
"""Exit code of tests that pass, and what stands for one if their time was over."""


@dataclass(frozen=True)
class Limit:
    """Seconds that tests may take."""

    processor: int = FOREVER
    clock: float = FOREVER


@dataclass(frozen=True)
class TestsEnded:
    """Tests that have ended."""

    code: int
    processor: float
    """Seconds."""
    clock: float


class ProjectCopy:
    """The files of the project in another folder. One mistake at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._output, self._temporary = folder / "output.txt", folder / "temporary"
        self._changes = 0

    @property
    def output(self) -> str:
        """The text that the last tests printed."""
        return self._output.read_text("utf-8", "replace")

    def write(self, path: str, source: str) -> None:
        """Change a module. No two versions have the same time, so that none is taken for a compiled other one."""
        self._changes += 1
        file = self.folder / path
        file.write_text(source, "utf-8")
        os.utime(file, (self._changes, self._changes))

    def test(self, tests: Sequence[str], limit: Limit) -> TestsEnded:
        """Run tests as they would be in a new process, and end all processes that they have started."""
        before, began = _processor_seconds(), time.monotonic()
        child = os.fork()
        if not child:
            self._become_tests(tests, limit)
        code = _waited(child, began + limit.clock)
        return TestsEnded(code, _processor_seconds() - before, time.monotonic() - began)

    def _become_tests(self, tests: Sequence[str], limit: Limit) -> None:
        """Run tests, and end this process."""
        import resource  # noqa: PLC0415 - not on Windows

        import pytest  # noqa: PLC0415 - a package of developers

        code = 2
        try:
            os.setsid()
            output = os.open(self._output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for stream in (1, 2):
                os.dup2(output, stream)
            resource.setrlimit(resource.RLIMIT_CPU, (limit.processor, limit.processor))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            code = pytest.main([*OPTIONS, f"--basetemp={self._temporary}", *tests])
        finally:
            os._exit(code)


def _processor_seconds() -> float:
    """Return how long the processes have computed that were children of this one, and theirs."""
    times = os.times()
    return times.children_user + times.children_system


def _waited(child: int, end: float) -> int:
    """Return the exit code of a process, or that it took too long; nothing that it has started goes on."""
    try:
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() > end:
                return TOO_LONG
            time.sleep(PAUSE)
        code = os.waitstatus_to_exitcode(ended[1])
        return TOO_LONG if code == -signal.SIGXCPU else code
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)


@contextmanager
def project_copy() -> Iterator[ProjectCopy]:
    """Copy the files of the project to a temporary folder, and be there; remove it at the end."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent).resolve() / "ville"
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        _move_to(folder)
        try:
            yield ProjectCopy(folder)
        finally:
            os.chdir(ROOT)


def _move_to(folder: Path) -> None:
    """Make a copy the project of this process and of those that it starts."""
    os.chdir(folder)
    package = str(folder / PACKAGE)
    sys.path.insert(0, package)
    os.environ["PYTHONPATH"] = package
    with developer_packages():
        for name in ("pytest", *IMPORTED_ONCE):
            importlib.import_module(name)
