"""Run the scripts of the project as a user does, without waiting for Python and its imports every time."""

import gc
import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple, Self

FORKED = "forkserver" in multiprocessing.get_all_start_methods()
COMMANDS = ("compare", "compress", "ledger", "measure", "metrics", "offline", "prompt")
PRELOADED = (
    *(f"ville.cli.{name}_command" for name in COMMANDS),
    "django.contrib.staticfiles.management.commands.runserver",
    "openai",
    "sklearn.feature_extraction.text",
    "ville.prompt.offline_session",
    "ville.service.served_engine",
    "ville.terminal.session",
    "whitenoise.middleware",
)
"""Modules that commands import, at once or when they need them."""
PATIENCE = 500
"""Seconds for a process, on a busy machine."""


class Finished(NamedTuple):
    """Exit code and output of a process."""

    code: int
    out: str
    err: str


def run_to_end(
    command: list[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    *,
    typed: str = "",
    seconds: float = PATIENCE,
) -> Finished:
    """Run a script to its end, in the quickest way that there is here."""
    around = os.environ if environment is None else environment
    run = run_forked if _may_fork(around) else run_new
    return run(command, folder, around, typed=typed, seconds=seconds)


def run_new(
    command: list[str], folder: Path, environment: Mapping[str, str], *, typed: str = "", seconds: float = PATIENCE
) -> Finished:
    """Run a script in a Python of its own, to its end."""
    done = subprocess.run(
        command, cwd=folder, env=environment, input=typed, capture_output=True, text=True, check=False, timeout=seconds
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def run_forked(
    command: list[str], folder: Path, environment: Mapping[str, str], *, typed: str = "", seconds: float = PATIENCE
) -> Finished:
    """Run a script to its end in a fork of a process that has imported the package already."""
    context = _preloaded()
    reader, writer = context.Pipe(duplex=False)
    with TemporaryDirectory() as temporary, reader:
        out, err = (Path(temporary) / name for name in ("out", "err"))
        process = context.Process(target=_become, args=(command[1:], folder, dict(environment), (reader, out, err)))
        process.start()
        with writer:
            os.write(writer.fileno(), typed.encode())
        process.join(seconds)
        process.kill()
        process.join()
        return Finished(process.exitcode or 0, out.read_text("utf-8"), err.read_text("utf-8"))


class Forked:
    """A script that runs in a fork, with those methods of `subprocess.Popen` that tests use."""

    def __init__(
        self, command: list[str], folder: Path, environment: Mapping[str, str], log: Path | None = None
    ) -> None:
        context = _preloaded()
        (its_in, our_in), *others = (context.Pipe(duplex=False) for _ in range(1 if log else 3))
        streams = (its_in, *(its for _, its in others)) if others else (its_in, log, log)
        self._process = context.Process(target=_become, args=(command[1:], folder, dict(environment), streams))
        self._process.start()
        for end in (its_in, *(its for _, its in others)):
            end.close()
        self.stdin = os.fdopen(os.dup(our_in.fileno()), "w", encoding="utf-8")
        read = [os.fdopen(os.dup(ours.fileno()), encoding="utf-8") for ours, _ in others]
        self.stdout, self.stderr = read or (None, None)

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float = PATIENCE) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()

    def communicate(self, timeout: float = PATIENCE) -> tuple[str, str]:
        """Close its input, and return what it says until its end."""
        with suppress(BrokenPipeError):
            self.stdin.close()
        with ThreadPoolExecutor(2) as readers:
            said = [readers.submit(_rest, stream) for stream in (self.stdout, self.stderr)]
            self.wait(timeout)
            return said[0].result(), said[1].result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in filter(None, (self.stdin, self.stdout, self.stderr)):
            with suppress(BrokenPipeError):  # what was to be written comes too late
                stream.close()
        self.wait()


Started = subprocess.Popen[str] | Forked
"""A script that runs."""


def start_script(command: list[str], folder: Path, environment: Mapping[str, str], log: Path | None = None) -> Started:
    """Start a script in the quickest way that there is here. What it says is written to the log, if there is one."""
    if _may_fork(environment):
        return Forked(command, folder, environment, log)
    pipe = subprocess.PIPE
    with log.open("a", encoding="utf-8") if log else nullcontext(pipe) as out:
        return subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=out, stderr=out, text=True)


def _may_fork(environment: Mapping[str, str]) -> bool:
    """A home is found when the package is imported: a script in another one has to import it anew."""
    return FORKED and "VILLE_HOME" not in environment


def _rest(stream: IO[str] | None) -> str:
    """Return what is still to be read of a stream, and close it."""
    if stream is None or stream.closed:
        return ""
    with stream:
        return stream.read()


def _preloaded():
    """Return how processes are started here: in forks of one that has imported what commands need."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*PRELOADED])
    return context


def _become(command, folder, environment, streams) -> None:
    """Give this process the arguments, folder, environment and streams of the script, and run it. Files go on. No
    garbage collection looks at what it shares with other forks, which would copy all of it.
    """
    gc.freeze()
    for number, stream in enumerate(streams):
        opened = stream.open("ab") if isinstance(stream, Path) else stream
        os.dup2(opened.fileno(), number)
        opened.close()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process lives
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = command
    sys.path[0] = str(Path(command[0]).parent)
    runpy.run_path(command[0], run_name="__main__")
