"""The front door: sets everything up in this folder, then opens the town.

  python start.py          the environment server, the page in a browser, and the prompt on a fresh simulation
  python start.py demo     watch two recorded days; nothing to type
  python start.py test     linters, types, layers and every test; --quick, or paths and options of pytest, for a part

Only the standard library is used here: this file runs before anything is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import venv
import webbrowser
from collections.abc import Iterator  # noqa: TC003 - as FrameType below
from itertools import count
from pathlib import Path
from types import FrameType  # noqa: TC003 - nothing is saved by importing it later
from typing import BinaryIO

HOUSE = Path(__file__).resolve().parent
VENV = HOUSE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
FRONTEND = HOUSE / "environment" / "frontend_server"
BACKEND = HOUSE / "reverie" / "backend_server"
LOG = HOUSE / "artefacts" / "environment_server.log"
OLDEST_PYTHON = (3, 11)
BASE = "base_the_ville_isabella_maria_klaus"
DEMOS = ("a_day_of_three", "a_day_of_twenty_five")
DEMO_START = "2400/3"
"""The step at which a demo begins, 06:40, when the town wakes up, and its speed."""
PORT = 8000
PORTS = range(1, 65_536)
PATIENCE = 60
"""Seconds in which the environment server has to be there."""
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
INSTALLED = ("requirements.txt", "pyproject.toml")
"""What says which packages there have to be."""
RESTARTS = 5
"""How often an environment server that ended by itself is started again."""
WHERE = """
import json, sys
from ville.errors import ReverieError
from ville.settings import load_settings

try:
    told = load_settings()
except ReverieError as fault:
    sys.exit(str(fault))
places = ("fs_storage", "fs_temp_storage", "assets")
print(json.dumps({f"VILLE_{name.upper()}": str(getattr(told, name)) for name in places}))
"""
"""Told to the Python of .venv: settings are read by packages that are not here."""


class SetupError(Exception):
    """Something on this machine has to be mended first; the message says what and how."""


def main() -> int:
    choice = arguments()
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as it is under nohup
            signal.signal(number, leave)
    try:
        prepare("requirements-dev.txt" if choice.command == "test" else "requirements.txt")
        if choice.command == "test":
            return run(HOUSE / "tests" / "suite.py", *choice.selection)
        if not choice.headless and run(FRONTEND / "vendor.py"):
            return 1
        return demo(choice) if choice.command == "demo" else live(choice)
    except SetupError as fault:
        print(fault, file=sys.stderr)
        return 1
    except PermissionError as fault:
        print(f"No permission to write {fault.filename}: give yourself the right, or clone elsewhere.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130


def leave(number: int, _frame: FrameType | None) -> None:
    """Somebody ends us, or closes the terminal: our children are ended on the way out, and waited for: they save."""
    for each in ENDING:
        signal.signal(each, lambda *_: None)
    sys.exit(128 + number)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default="live", choices=["live", "demo", "test"])
    parser.add_argument("--base", default=BASE, help="the simulation to fork (default: %(default)s)")
    parser.add_argument("--name", help="what the new simulation is called; an existing one is resumed")
    parser.add_argument("--port", type=port, help=f"of the environment server; the first free one from {PORT}")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--headless", action="store_true", help="the prompt alone, without environment server and page")
    testing = sys.argv[1:2] == ["test"]
    choice = parser.parse_args(sys.argv[1:2] if testing else None)
    choice.selection = sys.argv[2:] if testing else []
    return choice


def port(text: str) -> int:
    number = int(text)
    if number not in PORTS:
        raise argparse.ArgumentTypeError(f"{text} is none: choose one from {PORTS[0]} to {PORTS[-1]}")
    return number


def prepare(requirements: str) -> None:
    """A virtual environment in .venv that holds what `requirements` pins; no time is spent when nothing has changed."""
    if sys.version_info < OLDEST_PYTHON:
        have, need = (".".join(map(str, version[:2])) for version in (sys.version_info, OLDEST_PYTHON))
        raise SetupError(f"This is Python {have}; the Ville needs {need} or newer. Run start.py with a newer one.")
    stamp = VENV / f"{requirements}.sha256"
    if PYTHON.exists() and stamp.exists() and stamp.read_text("utf-8") == installed(requirements):
        return
    print(f"Installing {requirements} into .venv (half a minute, once) ...", flush=True)
    if not whole_venv():
        make_venv()
    command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    if subprocess.run([PYTHON, *command], cwd=HOUSE, check=False).returncode:
        raise SetupError(f"pip could not install {requirements}: see its message above (is the network there?).")
    stamp.write_text(installed(requirements), "utf-8")


def installed(requirements: str) -> str:
    """Return a digest of what is installed from where: the package is found by the path of this folder."""
    files = [(HOUSE / name).read_bytes() for name in (*INSTALLED, requirements)]
    return hashlib.sha256(b"".join([*files, os.fsencode(HOUSE)])).hexdigest()


def whole_venv() -> bool:
    """Whether .venv has a Python with pip: somebody may have stopped us while it was made, or removed its Python."""
    asks = ["-m", "pip", "--version"]
    return PYTHON.exists() and subprocess.run([PYTHON, *asks], check=False, capture_output=True).returncode == 0


def make_venv() -> None:
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except subprocess.CalledProcessError as fault:
        raise SetupError(
            "This Python cannot make virtual environments: install its venv module (Debian, Ubuntu: apt install "
            "python3-venv) and try again."
        ) from fault


def run(script: Path, *options: str) -> int:
    """Run one of our scripts to its end, in its own folder; its exit code, negative for a signal."""
    process = subprocess.Popen([PYTHON, str(script), *options], cwd=script.parent, env=environment())
    try:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # the script hears Ctrl-C as well, and knows what to do
                return process.wait()
    finally:
        process.terminate()
        process.wait()


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}


def live(choice: argparse.Namespace) -> int:
    """The prompt in this terminal, the page beside it; both end together."""
    settings = places()
    simulations = Path(settings["VILLE_FS_STORAGE"])
    with contextlib.ExitStack() as open_ones:
        name = choice.name or open_ones.enter_context(unused_name(simulations))
        resumed = (simulations / name / "reverie" / "meta.json").exists()
        options = ("--origin", name if resumed else choice.base, "--name", name)
        if choice.headless:
            welcome("Nothing is shown in a browser; without --headless it would be.", resumed=resumed)
        else:
            server = open_ones.enter_context(EnvironmentServer(choice.port, settings))
            page = f"{server.address}/simulator_home"
            welcome(f"Watch the town at {page}", resumed=resumed)
            show(choice, page)
        return farewell(run(BACKEND / "reverie.py", *options), name)


def welcome(first: str, *, resumed: bool) -> None:
    """What to type comes first: nobody should have to look for it."""
    hint = (
        "'run 100' lets a hundred steps pass" if resumed else "It is midnight. 'run until 08:00' lets everybody get up"
    )
    print(first)
    print(f"{hint}, 'help' lists all that can be typed, 'fin' saves and leaves.\n", flush=True)


def farewell(code: int, name: str) -> int:
    """Say how to go on after a backend that did not end by itself."""
    if code < 0:
        print(f"The backend was ended by signal {-code}. What was saved stands: python start.py --name {name}")
    return 1 if code < 0 else code


def places() -> dict[str, str]:
    """Where the backend looks, for the environment server to look there too: it reads everything but utils.py.

    Raises SetupError for settings that cannot be read.
    """
    told = subprocess.run(
        [PYTHON, "-c", WHERE], cwd=BACKEND, env=environment(), check=False, capture_output=True, encoding="utf-8"
    )
    if told.returncode:
        raise SetupError(told.stderr.strip())
    settings: dict[str, str] = json.loads(told.stdout.splitlines()[-1])
    return settings


@contextlib.contextmanager
def unused_name(simulations: Path) -> Iterator[str]:
    """The first one that there is no simulation of, for us alone, whoever else starts at this moment."""
    names = (f"town_{number}" for number in count(1))
    name = next(name for name in names if not (simulations / name).exists() and claimed(simulations, name))
    try:
        yield name
    finally:
        claim = simulations / f".{name}.lock"
        if claim.exists() and not claim.stat().st_size:  # the backend never came to it
            claim.unlink()


def claimed(simulations: Path, name: str) -> bool:
    """Make the file that the backend will lock, unless somebody else has; where there is no storage, it will say so."""
    with contextlib.suppress(FileNotFoundError):
        try:
            (simulations / f".{name}.lock").open("x").close()
        except FileExistsError:
            return False
    return True


def demo(choice: argparse.Namespace) -> int:
    """Recorded days in the browser, until Ctrl-C."""
    bundled = {"VILLE_FS_COMPRESSED_STORAGE": str(FRONTEND / "compressed_storage")}
    with EnvironmentServer(choice.port, bundled) as server:
        pages = [f"{server.address}/demo/{name}/{DEMO_START}/" for name in DEMOS]
        print("Recorded days of this town, played by rules, not by a language model:", *pages, sep="\n  ")
        print("Ctrl-C ends.", flush=True)
        show(choice, *pages)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    print()
    return 0


def show(choice: argparse.Namespace, *pages: str) -> None:
    if not choice.no_browser:
        for page in pages:
            webbrowser.open(page)


class EnvironmentServer:
    """The environment server as a child of ours: started, started again when it falls, gone when we leave."""

    def __init__(self, port: int | None, settings: dict[str, str]) -> None:
        if port is not None and taken(port):
            raise SetupError(f"Port {port} is taken by another program: choose another one, or leave --port away.")
        self._environment = environment() | settings
        self._wanted = port
        self._leaving = False
        self._there = threading.Event()
        self._last_word = "(nothing)"

    def __enter__(self) -> EnvironmentServer:  # noqa: PYI034 - Self needs a newer Python than the one to be refused
        """Raises SetupError with the last line it wrote."""
        while not self._begun():
            if self._wanted is not None or not taken(self._port):
                raise SetupError(f"The environment server does not start. Its last word, in {LOG}: {self._last_word}")
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving = True
        self._end()

    def _begun(self) -> bool:
        """Whether it came to be; not if somebody else was quicker to take the port that was free a moment ago."""
        self._port = free_port() if self._wanted is None else self._wanted
        self.address = f"http://127.0.0.1:{self._port}"
        self._process = self._started()
        until = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < until:
            if self._there.wait(0.1):
                return True
        self._end()
        self._reader.join()
        return False

    def _end(self) -> None:
        self._process.terminate()
        self._process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        """In a process group of its own: a Ctrl-C in the terminal is meant for the prompt."""
        LOG.parent.mkdir(parents=True, exist_ok=True)
        apart = {"creationflags": 0x200} if os.name == "nt" else {"process_group": 0}
        process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
            [PYTHON, "manage.py", "runserver", "--noreload", f"127.0.0.1:{self._port}"],
            cwd=FRONTEND,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **apart,
        )
        self._reader = threading.Thread(target=self._listen, args=(process, LOG.open("ab")), daemon=True)
        self._reader.start()
        return process

    def _listen(self, process: subprocess.Popen[bytes], log: BinaryIO) -> None:
        """Keep what it says. It tells its address when the port is its own: before, another may answer there."""
        with log:
            for line in process.stdout or ():
                log.write(line)
                log.flush()
                self._last_word = line.decode("utf-8", errors="replace").strip() or self._last_word
                if f"{self.address}/".encode() in line:
                    self._there.set()

    def _watch(self) -> None:
        """Start it again when it ends by itself."""
        for left in reversed(range(RESTARTS + 1)):
            code = self._process.wait()
            if self._leaving:
                return
            what = "Starting it again." if left else f"It will not be started again; see {LOG}."
            print(f"\nThe environment server has ended ({code}); the town goes on. {what}", flush=True)
            if left:
                time.sleep(1)
                self._process = self._started()


def free_port() -> int:
    """The first free port from the usual one on; said out loud when it is another."""
    port = next(port for port in range(PORT, PORT + 1000) if not taken(port))
    if port != PORT:
        print(f"Port {PORT} is taken by another program; using {port}.")
    return port


def taken(port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
        return False


if __name__ == "__main__":
    runpy.run_path(str(BACKEND / "ville" / "cli" / "console.py"))["run_shell"](main)
