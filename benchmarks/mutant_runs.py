"""A copy of the project in which tests run while one of its modules is wrong, each time in a process of their own.

To start quickly, that process is a fork of one that has collected the tests already, and functions get their wrong code
there. That does not show what is computed when modules are imported. So a mistake outside of functions, and one that no
test notices, is tried in a process that imports everything anew.
"""

import contextlib
import gc
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any
from zlib import crc32

from developer_packages import developer_packages
from mutants import Mutant

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "reverie/backend_server"
IMPORTED_ONCE = (
    "PIL.Image", "_hypothesis_pytestplugin", "anyio.pytest_plugin", "django.test", "django.contrib.sessions.middleware",
    "hypothesis", "numpy", "openai", "pydantic", "pytest_asyncio.plugin", "pytest_django", "regex", "scipy.stats",
    "wcwidth", "xdist.plugin", "yaml",
)  # fmt: skip
"""Packages that tests import: all these processes share them."""
OPTIONS = ("-x", "--assert=plain", "-m", "not slow")
PAUSE = 0.01
"""Seconds between two looks at a process."""
TIMES, MORE = 5, 3
"""A mistake may cost so many times the processor seconds of the tests, and so many more."""
PATIENCE = 20
"""The same on the clock, for machines that have others to serve."""
ASLEEP = 5
"""Seconds after which processes wait for ever if none has done anything, and none is ready to."""
MEMORY = 4 * 2**30
"""Bytes that a process may take: mistakes may fill lists without end."""
FOREVER = 10**6
PASSED, FAILED, TOO_LONG, UNFIT = 0, 1, -1, 99
"""Exit codes of tests; TOO_LONG stands for one if their time was over, UNFIT if the mistake needs a new process."""


@dataclass(frozen=True)
class Limit:
    """Seconds that tests may take."""

    processor: int = FOREVER
    clock: float = FOREVER

    @classmethod
    def of(cls, run: Callable[["Limit"], int]) -> "Limit | None":
        """Return the limit for tests with a mistake, from how long they take without one; None if they fail then."""
        before, began = os.times(), time.monotonic()
        if run(cls()) != PASSED:
            return None
        used = [now - earlier for now, earlier in zip(os.times(), before, strict=True)][2:4]
        return cls(int(TIMES * sum(used) + MORE), PATIENCE * (TIMES * (time.monotonic() - began) + MORE))

    def set(self) -> None:
        """Make it that of this process."""
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_CPU, (self.processor, self.processor))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


class ProjectCopy:
    """The files of the project in another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def codes(self, path: str, tests: Sequence[str], mutants: Sequence[Mutant]) -> Iterator[int]:
        """Yield the exit code of the tests with each of these mutants of a module."""
        limit: Limit | None = None
        for mutant, code in zip(mutants, self._quick_codes(path, tests, mutants), strict=True):
            if code in {PASSED, UNFIT}:
                limit = limit or Limit.of(lambda limit: in_child(limit, lambda: self._run(tests)))
                with self.written(path, mutant.source):
                    yield in_child(limit or Limit(), lambda: self._run(tests))
            else:
                yield code

    def _quick_codes(self, path: str, tests: Sequence[str], mutants: Sequence[Mutant]) -> list[int]:
        """Return the exit codes with wrong functions, or UNFIT. Ends the program if the tests fail anyway."""
        forks = Forks(self, path, mutants)
        in_child(Limit(), lambda: self._run(tests, forks))
        if not forks.codes.exists():
            output = self._output.read_text("utf-8", "replace")
            sys.exit(f"{output}\nThe tests of {path} fail without a mistake.")
        codes: list[int] = json.loads(forks.codes.read_text("utf-8"))
        forks.codes.unlink()
        return codes

    @contextmanager
    def written(self, path: str, source: str) -> Iterator[None]:
        """Change a module for some time. The age of a file stands for its content: none is taken for another."""
        file = self.folder / path
        right = file.read_text("utf-8")
        for text in (source, right):
            file.write_text(text, "utf-8")
            os.utime(file, (crc32(text.encode()),) * 2)
            if text is source:
                yield

    @property
    def _output(self) -> Path:
        return self.folder / "output.txt"

    def _run(self, tests: Sequence[str], *plugins: object) -> int:
        """Run tests in this process, which prints to a file from now on; return the exit code."""
        import pytest  # noqa: PLC0415 - a package of developers

        output = os.open(self._output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(output, stream)
        return int(pytest.main([*OPTIONS, f"--basetemp={self.folder / 'temporary'}", *tests], plugins))


class Forks:
    """Plugin of pytest that runs the collected tests once for each mutant, and keeps the exit codes in a file."""

    def __init__(self, copy: ProjectCopy, path: str, mutants: Sequence[Mutant]) -> None:
        self._copy, self._path, self._mutants = copy, path, mutants
        self.codes = copy.folder / "codes.json"

    def pytest_collection(self) -> None:
        """Let Hypothesis look for no simpler example of what fails."""
        from hypothesis import Phase, settings  # noqa: PLC0415 - a package of developers

        settings.register_profile("mutants", settings.default, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests as often as there are mutants, if they pass without a mistake."""
        limit = Limit.of(lambda limit: in_child(limit, lambda: _tested(session)))
        if limit:
            functions = functions_of(str(self._copy.folder / self._path))
            codes = [self._code(session, mutant, functions, limit) for mutant in self._mutants]
            self.codes.write_text(json.dumps(codes), "utf-8")
        return True

    def _code(self, session: Any, mutant: Mutant, functions: Sequence[FunctionType], limit: Limit) -> int:
        if not mutant.within:
            return UNFIT
        with self._copy.written(self._path, mutant.source):
            return in_child(limit, lambda: _tested(session) if adopted(functions, mutant.code) else UNFIT)


def _tested(session: Any) -> int:
    """Run the tests of a session until one fails; return the exit code."""
    for test, following in pairwise([*session.items, None]):
        session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        if session.testsfailed:
            return FAILED
    return PASSED


def functions_of(file: str) -> list[FunctionType]:
    """Return the functions that come from a file. The tests freeze all objects, which are not listed then."""
    gc.unfreeze()
    found = [each for each in gc.get_objects() if isinstance(each, FunctionType) and each.__code__.co_filename == file]
    gc.freeze()
    return found


def adopted(functions: Sequence[FunctionType], module: CodeType) -> bool:
    """Give functions the code of another version of their module; return whether that is possible."""
    codes = {(code.co_qualname, code.co_firstlineno): code for code in _codes_in(module)}
    for function in functions:
        before = function.__code__
        after = codes.get((before.co_qualname, before.co_firstlineno), before)
        if len(after.co_freevars) != len(before.co_freevars):
            return False
        function.__code__ = after
    return True


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes_in(part)


def in_child(limit: Limit, work: Callable[[], int]) -> int:
    """Do some work in a fork of this process; return its exit code, or TOO_LONG. What it has started is ended."""
    child = os.fork()
    if not child:
        code = FAILED
        try:
            os.setsid()
            limit.set()
            code = work()
        finally:
            os._exit(code)
    end, watch = time.monotonic() + limit.clock, SleepWatch(child)
    try:
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() > end or (limit.clock < FOREVER and watch.over()):
                return TOO_LONG
            time.sleep(PAUSE)
        code = os.waitstatus_to_exitcode(ended[1])
        return TOO_LONG if code == -signal.SIGXCPU else code
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)


class SleepWatch:
    """Notices that all processes of a session sleep for long, where the system tells (Linux)."""

    def __init__(self, session: int) -> None:
        self._session = session
        self._signs: set[str] = set()
        self._looked = self._awake = time.monotonic()

    def over(self) -> bool:
        """Return whether they wait for each other. Looks once a second."""
        now = time.monotonic()
        if now - self._looked >= 1:
            signs, self._looked = self._life(), now
            if signs != self._signs or not signs:
                self._signs, self._awake = signs, now
        return now - self._awake > ASLEEP

    def _life(self) -> set[str]:
        """Return a sign of each process: its processor time, and that of this look unless it sleeps."""
        found = set()
        for file in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                state, *fields = file.read_text("utf-8", "replace").rpartition(")")[2].split()
                if int(fields[2]) == self._session:
                    found.add(f"{file} {fields[10:14]} {'' if state == 'S' else self._looked}")
        return found


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
