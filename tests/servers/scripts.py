"""Run the scripts of the backend as a user does, without waiting for Python and its imports every time."""

import multiprocessing
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

FORKED = "forkserver" in multiprocessing.get_all_start_methods()
COMMANDS = ("compare", "compress", "ledger", "measure", "metrics", "offline", "prompt")
PRELOADED = (
    *(f"ville.cli.{name}" for name in COMMANDS),
    "openai",
    "sklearn.feature_extraction.text",
    "ville.prompt.offline_session",
    "ville.service.served_engine",
    "ville.terminal.session",
)
"""What commands import, at once or when they need it."""


class Finished(NamedTuple):
    """Exit code and output of a process."""

    code: int
    out: str
    err: str


def run_to_end(
    command: list[str], folder: Path, environment: Mapping[str, str], typed: str, seconds: float
) -> Finished:
    """Run a script to its end, in the quickest way that there is here."""
    return (run_forked if FORKED else run_new)(command, folder, environment, typed, seconds)


def run_new(command: list[str], folder: Path, environment: Mapping[str, str], typed: str, seconds: float) -> Finished:
    """Run a script in a Python of its own, to its end."""
    done = subprocess.run(
        command, cwd=folder, env=environment, input=typed, capture_output=True, text=True, check=False, timeout=seconds
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def run_forked(
    command: list[str], folder: Path, environment: Mapping[str, str], typed: str, seconds: float
) -> Finished:
    """Run a script to its end in a fork of a process that has imported the package already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*PRELOADED])
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


def _become(command, folder, environment, streams) -> None:
    """Give this process the arguments, folder, environment and streams of the script, and run it."""
    stdin, out, err = streams
    for number, stream in enumerate((stdin, out.open("wb"), err.open("wb"))):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process lives
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = command
    sys.path[0] = str(Path(command[0]).parent)
    runpy.run_path(command[0], run_name="__main__")
