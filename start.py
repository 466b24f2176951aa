"""Set up the Ville in this folder, then open the town.

  python start.py          start a new simulation: the town in your browser, the prompt in this terminal
  python start.py demo     watch two recorded days in your browser
  python start.py test     run all checks; add --quick, or paths and options of pytest, to run some of them

Uses only the standard library, because it runs before anything is installed.
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

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
FRONTEND = ROOT / "environment" / "frontend_server"
BACKEND = ROOT / "reverie" / "backend_server"
LOG = ROOT / "artefacts" / "environment_server.log"
OLDEST_PYTHON = (3, 11)
BASE = "base_the_ville_isabella_maria_klaus"
DEMOS = ("a_day_of_three", "a_day_of_twenty_five")
DEMO_START = "2400/3"
"""First step and speed of a demo: 06:40, when the town wakes up."""
PORT = 8000
PORTS = range(1, 65_536)
SERVER_TIMEOUT = 60
"""Seconds to wait until the environment server answers."""
MAX_RESTARTS = 5
"""Restarts of an environment server that stops unexpectedly."""
TERMINATION_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
DEPENDENCY_FILES = ("requirements.txt", "pyproject.toml")
PRINT_FOLDERS = """
import json, sys
from ville.errors import ReverieError
from ville.settings import load_settings

try:
    settings = load_settings()
except ReverieError as error:
    sys.exit(str(error))
folders = ("fs_storage", "fs_temp_storage", "assets")
print(json.dumps({f"VILLE_{name.upper()}": str(getattr(settings, name)) for name in folders}))
"""
"""Runs in the Python of .venv, where the packages that read the settings are installed."""


class StartError(Exception):
    """A problem with this machine that the user can fix; the message says how."""


def main() -> int:
    options = parse_arguments()
    for number in TERMINATION_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup sets SIG_IGN
            signal.signal(number, exit_on_signal)
    try:
        install("requirements-dev.txt" if options.command == "test" else "requirements.txt")
        if options.command == "test":
            return run_script(ROOT / "tests" / "suite.py", *options.selection)
        if not options.headless and run_script(FRONTEND / "vendor.py"):
            return 1
        return play_demos(options) if options.command == "demo" else open_town(options)
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except PermissionError as error:
        print(f"No permission to write {error.filename}. Change its permissions, or clone elsewhere.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130


def exit_on_signal(number: int, _frame: FrameType | None) -> None:
    """Exit and ignore further signals, so that the child processes have time to save."""
    for each in TERMINATION_SIGNALS:
        signal.signal(each, lambda *_: None)
    sys.exit(128 + number)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default="live", choices=["live", "demo", "test"])
    parser.add_argument("--base", default=BASE, help="simulation to fork (default: %(default)s)")
    parser.add_argument("--name", help="name of the new simulation, or of an existing one to resume")
    parser.add_argument(
        "--port", type=port, help=f"port of the environment server (default: first free one from {PORT})"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address, but do not open a browser")
    parser.add_argument("--headless", action="store_true", help="only the prompt: no environment server, no browser")
    testing = sys.argv[1:2] == ["test"]
    options = parser.parse_args(sys.argv[1:2] if testing else None)
    options.selection = sys.argv[2:] if testing else []
    return options


def port(text: str) -> int:
    number = int(text)
    if number not in PORTS:
        raise argparse.ArgumentTypeError(f"{text} is not a port. Choose a number from {PORTS[0]} to {PORTS[-1]}")
    return number


def install(requirements: str) -> None:
    """Install a requirements file into .venv, unless it is installed already."""
    if sys.version_info < OLDEST_PYTHON:
        have, need = (".".join(map(str, version[:2])) for version in (sys.version_info, OLDEST_PYTHON))
        raise StartError(f"This is Python {have}. The Ville needs {need} or newer: run start.py with a newer Python.")
    stamp = VENV / f"{requirements}.sha256"
    if PYTHON.exists() and stamp.exists() and stamp.read_text("utf-8") == install_digest(requirements):
        return
    print(f"Installing {requirements} into .venv (once, about half a minute) ...", flush=True)
    if not venv_works():
        create_venv()
    command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    if subprocess.run([PYTHON, *command], cwd=ROOT, check=False).returncode:
        raise StartError(f"pip could not install {requirements}; see its message above. Is the network available?")
    stamp.write_text(install_digest(requirements), "utf-8")


def install_digest(requirements: str) -> str:
    """Return a digest of the dependencies and of this folder: the package is installed by its path."""
    files = [(ROOT / name).read_bytes() for name in (*DEPENDENCY_FILES, requirements)]
    return hashlib.sha256(b"".join([*files, os.fsencode(ROOT)])).hexdigest()


def venv_works() -> bool:
    """Check that .venv has a Python with pip. It may be incomplete after an interruption."""
    ask_pip = ["-m", "pip", "--version"]
    return PYTHON.exists() and subprocess.run([PYTHON, *ask_pip], check=False, capture_output=True).returncode == 0


def create_venv() -> None:
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except subprocess.CalledProcessError as error:
        raise StartError(
            "This Python cannot create virtual environments. Install its venv module (Debian, Ubuntu: apt install "
            "python3-venv) and try again."
        ) from error


def run_script(script: Path, *arguments: str) -> int:
    """Run a script of this project in its own folder. Return its exit code (negative: ended by a signal)."""
    process = subprocess.Popen([PYTHON, str(script), *arguments], cwd=script.parent, env=environment())
    try:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # the script receives Ctrl-C too and handles it
                return process.wait()
    finally:
        process.terminate()
        process.wait()


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}


def open_town(options: argparse.Namespace) -> int:
    """Run the prompt in this terminal and the environment server beside it, until the prompt ends."""
    settings = load_folders()
    simulations = Path(settings["VILLE_FS_STORAGE"])
    with contextlib.ExitStack() as stack:
        name = options.name or stack.enter_context(reserve_name(simulations))
        resumed = (simulations / name / "reverie" / "meta.json").exists()
        arguments = ("--origin", name if resumed else options.base, "--name", name)
        if options.headless:
            print_welcome("Running without a browser. To watch the town, leave out --headless.", resumed=resumed)
        else:
            server = stack.enter_context(EnvironmentServer(options.port, settings))
            page = f"{server.address}/simulator_home"
            print_welcome(f"Watch the town at {page}", resumed=resumed)
            open_pages(options, page)
        return report_exit(run_script(BACKEND / "reverie.py", *arguments), name)


def print_welcome(first_line: str, *, resumed: bool) -> None:
    hint = (
        "Type 'run 100' to run 100 steps" if resumed else "It is midnight: type 'run until 08:00' to see people get up"
    )
    print(first_line)
    print(f"{hint}, 'help' for all commands, 'fin' to save and quit.\n", flush=True)


def report_exit(code: int, name: str) -> int:
    """Say how to resume if a signal ended the backend. Return the exit code for this process."""
    if code < 0:
        print(f"The backend was ended by signal {-code}. To go on from the last save: python start.py --name {name}")
    return 1 if code < 0 else code


def load_folders() -> dict[str, str]:
    """Return the folders that the backend uses, as settings for the environment server (which ignores utils.py).

    Raises StartError if the settings cannot be read.
    """
    result = subprocess.run(
        [PYTHON, "-c", PRINT_FOLDERS],
        cwd=BACKEND,
        env=environment(),
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    if result.returncode:
        raise StartError(result.stderr.strip())
    folders: dict[str, str] = json.loads(result.stdout.splitlines()[-1])
    return folders


@contextlib.contextmanager
def reserve_name(simulations: Path) -> Iterator[str]:
    """Reserve the first unused name town_1, town_2, ..., also against other processes that start now."""
    names = (f"town_{number}" for number in count(1))
    name = next(name for name in names if not (simulations / name).exists() and create_lock_file(simulations, name))
    try:
        yield name
    finally:
        lock = simulations / f".{name}.lock"
        if lock.exists() and not lock.stat().st_size:  # empty: the backend never opened the simulation
            lock.unlink()


def create_lock_file(simulations: Path, name: str) -> bool:
    """Create the file that the backend will lock. Return False if it exists; leave a missing folder to the backend."""
    with contextlib.suppress(FileNotFoundError):
        try:
            (simulations / f".{name}.lock").open("x").close()
        except FileExistsError:
            return False
    return True


def play_demos(options: argparse.Namespace) -> int:
    """Show the recorded days in the browser until Ctrl-C."""
    bundled = {"VILLE_FS_COMPRESSED_STORAGE": str(FRONTEND / "compressed_storage")}
    with EnvironmentServer(options.port, bundled) as server:
        pages = [f"{server.address}/demo/{name}/{DEMO_START}/" for name in DEMOS]
        print("Two recorded days, played by the offline rules (no language model):", *pages, sep="\n  ")
        print("Press Ctrl-C to quit.", flush=True)
        open_pages(options, *pages)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    print()
    return 0


def open_pages(options: argparse.Namespace, *pages: str) -> None:
    if not options.no_browser:
        for page in pages:
            webbrowser.open(page)


class EnvironmentServer:
    """The environment server as a child process: restarted if it stops, ended with this process."""

    def __init__(self, port: int | None, settings: dict[str, str]) -> None:
        if port is not None and port_is_taken(port):
            raise StartError(f"Port {port} is in use. Choose another one, or leave out --port.")
        self._environment = environment() | settings
        self._fixed_port = port
        self._closing = False
        self._ready = threading.Event()
        self._last_line = "(no output)"

    def __enter__(self) -> EnvironmentServer:  # noqa: PYI034 - Self needs a newer Python than the one to be refused
        """Start the server. Raises StartError with its last line of output."""
        while not self._start():
            if self._fixed_port is not None or not port_is_taken(self._port):
                raise StartError(f"The environment server did not start: {self._last_line} (full output: {LOG})")
        threading.Thread(target=self._keep_running, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._stop()

    def _start(self) -> bool:
        """Start the server and wait for it. Return False if it ended, for example because its port was just taken."""
        self._port = first_free_port() if self._fixed_port is None else self._fixed_port
        self.address = f"http://127.0.0.1:{self._port}"
        self._process = self._launch()
        until = time.monotonic() + SERVER_TIMEOUT
        while self._process.poll() is None and time.monotonic() < until:
            if self._ready.wait(0.1):
                return True
        self._stop()
        self._reader.join()
        return False

    def _stop(self) -> None:
        self._process.terminate()
        self._process.wait()

    def _launch(self) -> subprocess.Popen[bytes]:
        """Launch the process, in its own process group: Ctrl-C in the terminal is meant for the prompt."""
        LOG.parent.mkdir(parents=True, exist_ok=True)
        own_group = {"creationflags": 0x200} if os.name == "nt" else {"process_group": 0}
        process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
            [PYTHON, "manage.py", "runserver", "--noreload", f"127.0.0.1:{self._port}"],
            cwd=FRONTEND,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **own_group,
        )
        self._reader = threading.Thread(target=self._read_output, args=(process, LOG.open("ab")), daemon=True)
        self._reader.start()
        return process

    def _read_output(self, process: subprocess.Popen[bytes], log: BinaryIO) -> None:
        """Log the output. The server prints its address once the port is its own: only then is it ready."""
        with log:
            for line in process.stdout or ():
                log.write(line)
                log.flush()
                self._last_line = line.decode("utf-8", errors="replace").strip() or self._last_line
                if f"{self.address}/".encode() in line:
                    self._ready.set()

    def _keep_running(self) -> None:
        """Restart the server when it stops unexpectedly, at most MAX_RESTARTS times."""
        for left in reversed(range(MAX_RESTARTS + 1)):
            code = self._process.wait()
            if self._closing:
                return
            what = "Restarting it." if left else f"Not restarting it again; see {LOG}."
            print(f"\nThe environment server stopped (exit code {code}); the simulation goes on. {what}", flush=True)
            if left:
                time.sleep(1)
                self._process = self._launch()


def first_free_port() -> int:
    """Return the first free port from PORT on, and print it if it is another one."""
    port = next(port for port in range(PORT, PORT + 1000) if not port_is_taken(port))
    if port != PORT:
        print(f"Port {PORT} is in use; using {port} instead.")
    return port


def port_is_taken(port: int) -> bool:
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
