"""The town as it is opened: the two servers and a browser, the prompt in a terminal, or the recorded days."""

import argparse
import contextlib
import getpass
import os
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from ville.command_lines import START, typed
from ville.home import HOME, PAGES
from ville.launcher.children import PASS, StartError, environment, pass_is_set, run_tied
from ville.launcher.engine import MAX_RESTARTS, EngineProcess
from ville.launcher.environment_server import EnvironmentServer
from ville.launcher.options import BASE
from ville.settings import Settings

DEMO_START = "2400/3"
"""First step and speed of a demo: 06:40, when the town wakes up."""
SHORTEST_PASS = 8
"""Characters of a pass phrase."""
LOG = HOME.logs / "environment_server.log"
RECORDED = PAGES / "compressed_storage"


def open_town(options: argparse.Namespace, settings: Settings) -> int:
    """Open the town as the options ask, and return the exit code. Raises StartError."""
    simulations = settings.fs_storage
    with contextlib.ExitStack() as stack:
        typed = options.prompt or options.headless
        name = options.name
        if not name and (typed or options.base):
            name = stack.enter_context(_reserve_name(simulations))

        def arguments() -> tuple[str, ...]:
            """Return what to open at once: to resume if it is there, or to fork."""
            return ("--origin", name if resumed() else options.base or BASE, "--name", name) if name else ()

        def resumed() -> bool:
            return bool(name) and (simulations / name / "reverie" / "meta.json").exists()

        if options.headless:
            print("Running without a browser. To watch the town, leave out --headless.")
            return _run_prompt(arguments, name, resumed=resumed())
        server = EnvironmentServer(options.bind, _folders(settings) | _serving(options), PAGES, LOG)
        if options.prompt:
            stack.enter_context(server)
            page = f"{server.address}/simulator_home"
            print(f"Watch the town at {page}")
            _open_pages(options, page)
            return _run_prompt(arguments, name, resumed=resumed())
        return _serve_town(options, server, arguments)


def play_demos(options: argparse.Namespace) -> int:
    """Show the recorded days in the browser until Ctrl-C. Raises StartError."""
    bundled = {"VILLE_FS_COMPRESSED_STORAGE": str(RECORDED)}
    demos = sorted((folder.name for folder in RECORDED.glob("a_day_of_*")), key=len)
    about = "Recorded days, played by the offline rules (no language model):"
    return _show_pages(options, bundled, about, [f"/demo/{name}/{DEMO_START}/" for name in demos])


def show_page(options: argparse.Namespace, settings: Settings, about: str, path: str) -> int:
    """Show a page of the environment server over the folders of the settings until Ctrl-C. Raises StartError."""
    folders = _folders(settings) | {"VILLE_FS_STUDIES": str(settings.studies)}
    return _show_pages(options, folders, about, [path])


def _show_pages(options: argparse.Namespace, variables: dict[str, str], about: str, paths: Sequence[str]) -> int:
    with EnvironmentServer(options.bind, variables | _serving(options), PAGES, LOG) as server:
        pages = [f"{server.address}{path}" for path in paths]
        print(about, *pages, sep="\n  ")
        print(*_reach(options), "Press Ctrl-C to quit.", sep="\n", flush=True)
        _open_pages(options, *pages)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()
    print()
    return 0


def _folders(settings: Settings) -> dict[str, str]:
    """Return the folders of the engine as variables of the environment server: both work in the same ones."""
    return {
        f"VILLE_{name.upper()}": str(getattr(settings, name)) for name in ("fs_storage", "fs_temp_storage", "assets")
    }


def _serve_town(
    options: argparse.Namespace, server: EnvironmentServer, arguments: Callable[[], tuple[str, ...]]
) -> int:  # fmt: skip
    """Run the engine and the environment server, to be used from a browser, until Ctrl-C."""
    with EngineProcess(arguments) as engine, server, contextlib.closing(engine):  # ends before pages that it waits for
        if code := engine.wait_until_ready():
            return code
        page = f"{server.address}/simulator_home" if arguments() else f"{server.address}/"
        print(f"Your town is at {page}", *_reach(options), "Press Ctrl-C to save and quit.\n", sep="\n", flush=True)
        _open_pages(options, page)
        return engine.run()


def _reach(options: argparse.Namespace) -> list[str]:
    """Return who else can reach the server, and what they may do, in a line."""
    if options.bind.is_loopback:
        return []
    guarded = options.asks_pass or pass_is_set(HOME.env_file)
    acting = "who knows the pass phrase may act" if guarded else "no one may act (add --pass to change that)"
    return [f"Everyone who can reach {options.bind.host} may watch; {acting}."]


def _serving(options: argparse.Namespace) -> dict[str, str]:
    """Return variables of the environment server. Asks for the pass phrase if need be."""
    variables = {}
    if not options.bind.is_loopback:
        variables["VILLE_BIND_NAMES"] = ",".join(options.bind.names())
    if phrase := os.environ.get(PASS):
        variables[PASS] = phrase
    elif options.asks_pass and not pass_is_set(HOME.env_file):
        variables[PASS] = _ask_pass()
    return variables


def _ask_pass() -> str:
    """Ask for a pass phrase at the terminal, without showing it. Raises StartError."""
    try:
        phrase = getpass.getpass("Pass phrase for everyone who may act: ")
    except EOFError:
        raise StartError(f"No pass phrase given. Set {PASS}, or type one at a terminal.") from None
    if len(phrase) < SHORTEST_PASS:
        raise StartError(f"The pass phrase is too short. Use at least {SHORTEST_PASS} characters.")
    return phrase


def _run_prompt(arguments: Callable[[], tuple[str, ...]], name: str, *, resumed: bool) -> int:
    """Run the prompt in this terminal and return the exit code. One that is killed is started again from its last save;
    if that happens too often, say how to go on.
    """
    hint = (
        "Type 'run 100' to run 100 steps" if resumed else "It is midnight: type 'run until 08:00' to see people get up"
    )
    print(f"{hint}, 'help' for all commands, 'fin' to save and quit.\n", flush=True)
    for left in reversed(range(MAX_RESTARTS + 1)):
        code = run_tied(["-m", "ville", "prompt", *arguments()], variables=environment())
        if code >= 0:
            return code
        again = f"To go on from the last save: {typed(START, '--name', name)}"
        what = "It starts again from its last save; then type your last command again." if left else again
        print(f"\nThe engine was ended by signal {-code}. {what}", flush=True)
    return 1


@contextlib.contextmanager
def _reserve_name(simulations: Path) -> Iterator[str]:
    """Reserve the first unused name town_1, town_2, ..., also against other processes that start now."""
    names = (f"town_{number}" for number in count(1))
    name = next(name for name in names if not (simulations / name).exists() and _create_lock_file(simulations, name))
    try:
        yield name
    finally:
        lock = simulations / f".{name}.lock"
        if lock.exists() and not lock.stat().st_size:  # empty: the backend never opened the simulation
            lock.unlink()


def _create_lock_file(simulations: Path, name: str) -> bool:
    """Create the file that the backend will lock. Return False if it exists; leave a missing folder to the backend."""
    with contextlib.suppress(FileNotFoundError):
        try:
            (simulations / f".{name}.lock").open("x").close()
        except FileExistsError:
            return False
    return True


def _open_pages(options: argparse.Namespace, *pages: str) -> None:
    if not options.no_browser:
        for page in pages:
            webbrowser.open(page)
