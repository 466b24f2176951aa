"""Set up the Ville in this folder, then open the town.

  python start.py          run a town from your browser
  python start.py demo     watch two recorded days in your browser
  python start.py test     run all checks; add --quick, or paths and options of pytest, to run some of them

Uses only the standard library, because it runs before anything is installed.
"""

from __future__ import annotations

import sys

try:
    import argparse
    import contextlib
    import getpass
    import hashlib
    import json
    import os
    import runpy
    import signal
    import subprocess
    import threading
    import venv
    import webbrowser
    from collections.abc import Callable, Iterator  # noqa: TC003 - as FrameType below
    from itertools import count
    from pathlib import Path
    from types import FrameType  # noqa: TC003 - nothing is saved by importing it later

    from launcher.bind import PORT, Bind, read_bind, read_port
    from launcher.engine import EngineProcess
    from launcher.environment_server import EnvironmentServer
    from launcher.project import (
        BACKEND,
        FRONTEND,
        PASS,
        PYTHON,
        ROOT,
        VENV,
        StartError,
        environment,
        pass_is_set,
        tied_by_pipe,
    )
except KeyboardInterrupt:
    sys.exit(130)

OLDEST_PYTHON = (3, 11)
BASE = "base_the_ville_isabella_maria_klaus"
DEMOS = ("a_day_of_three", "a_day_of_twenty_five")
DEMO_START = "2400/3"
"""First step and speed of a demo: 06:40, when the town wakes up."""
SHORTEST_PASS = 8
"""Characters of a pass phrase."""
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
    parser.add_argument("--base", help=f"simulation to fork and open at once (with --name alone: {BASE})")
    parser.add_argument("--name", help="name of the new simulation, or of an existing one to resume at once")
    parser.add_argument("--prompt", action="store_true", help="type commands in this terminal, too")
    parser.add_argument("--headless", action="store_true", help="only the prompt: no environment server, no browser")
    parser.add_argument("--no-browser", action="store_true", help="print the address, but do not open a browser")
    parser.add_argument(
        "--port", type=read_port, help=f"port of the environment server (default: first free one from {PORT})"
    )
    parser.add_argument(
        "--bind",
        type=read_bind,
        default=Bind(),
        metavar="HOST[:PORT]",
        help="address to serve at, for example 0.0.0.0 for everyone in your network, who may then watch",
    )
    parser.add_argument(
        "--pass",
        dest="asks_pass",
        action="store_true",
        help=f"ask for a pass phrase: who knows it may act, and not only watch (or set {PASS})",
    )
    testing = sys.argv[1:2] == ["test"]
    options = parser.parse_args(sys.argv[1:2] if testing else None)
    options.selection = sys.argv[2:] if testing else []
    if options.port is not None:
        options.bind.port = options.port
    return options


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
    with tied_by_pipe() as (command, inherited):
        process = subprocess.Popen(
            [*command, str(script), *arguments], cwd=script.parent, env=environment(), pass_fds=inherited
        )
        try:
            while True:
                with contextlib.suppress(KeyboardInterrupt):  # the script receives Ctrl-C too and handles it
                    return process.wait()
        finally:
            process.terminate()
            process.wait()


def open_town(options: argparse.Namespace) -> int:
    """Open the town as the options ask, and return the exit code."""
    settings = load_folders()
    simulations = Path(settings["VILLE_FS_STORAGE"])
    with contextlib.ExitStack() as stack:
        typed = options.prompt or options.headless
        name = options.name
        if not name and (typed or options.base):
            name = stack.enter_context(reserve_name(simulations))

        def arguments() -> tuple[str, ...]:
            """Return what to open at once: to resume if it is there, or to fork."""
            return ("--origin", name if resumed() else options.base or BASE, "--name", name) if name else ()

        def resumed() -> bool:
            return bool(name) and (simulations / name / "reverie" / "meta.json").exists()

        if options.headless:
            print("Running without a browser. To watch the town, leave out --headless.")
            return run_prompt(arguments(), name, resumed=resumed())
        server = EnvironmentServer(options.bind, settings | serving(options))
        if options.prompt:
            stack.enter_context(server)
            page = f"{server.address}/simulator_home"
            print(f"Watch the town at {page}")
            open_pages(options, page)
            return run_prompt(arguments(), name, resumed=resumed())
        return serve_town(options, server, arguments)


def serve_town(
    options: argparse.Namespace, server: EnvironmentServer, arguments: Callable[[], tuple[str, ...]]
) -> int:  # fmt: skip
    """Run the engine and the environment server, to be used from a browser, until Ctrl-C."""
    with EngineProcess(arguments) as engine, server:
        if code := engine.wait_until_ready():
            return code
        page = f"{server.address}/simulator_home" if arguments() else f"{server.address}/"
        print(f"Your town is at {page}", *reach(options), "Press Ctrl-C to save and quit.\n", sep="\n", flush=True)
        open_pages(options, page)
        return engine.run()


def reach(options: argparse.Namespace) -> list[str]:
    """Return who else can reach the server, and what they may do, in a line."""
    if options.bind.is_loopback:
        return []
    guarded = options.asks_pass or pass_is_set()
    acting = "who knows the pass phrase may act" if guarded else "no one may act (add --pass to change that)"
    return [f"Everyone who can reach {options.bind.host} may watch; {acting}."]


def serving(options: argparse.Namespace) -> dict[str, str]:
    """Return variables of the environment server. Asks for the pass phrase if need be."""
    settings = {}
    if not options.bind.is_loopback:
        settings["VILLE_BIND_NAMES"] = ",".join(options.bind.names())
    if phrase := os.environ.get(PASS):
        settings[PASS] = phrase
    elif options.asks_pass and not pass_is_set():
        settings[PASS] = ask_pass()
    return settings


def ask_pass() -> str:
    """Ask for a pass phrase at the terminal, without showing it. Raises StartError."""
    try:
        phrase = getpass.getpass("Pass phrase for everyone who may act: ")
    except EOFError:
        raise StartError(f"No pass phrase given. Set {PASS}, or type one at a terminal.") from None
    if len(phrase) < SHORTEST_PASS:
        raise StartError(f"The pass phrase is too short. Use at least {SHORTEST_PASS} characters.")
    return phrase


def run_prompt(arguments: tuple[str, ...], name: str, *, resumed: bool) -> int:
    """Run the prompt in this terminal and return the exit code; if a signal ended it, say how to go on."""
    hint = (
        "Type 'run 100' to run 100 steps" if resumed else "It is midnight: type 'run until 08:00' to see people get up"
    )
    print(f"{hint}, 'help' for all commands, 'fin' to save and quit.\n", flush=True)
    code = run_script(BACKEND / "reverie.py", *arguments)
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
    with EnvironmentServer(options.bind, bundled | serving(options)) as server:
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


if __name__ == "__main__":
    try:
        runpy.run_path(str(BACKEND / "ville" / "console.py"))["run_shell"](main)
    except KeyboardInterrupt:
        sys.exit(130)
