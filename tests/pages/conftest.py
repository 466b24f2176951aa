"""The pages in a real browser: Debian's Chromium, a real environment server, a real engine, simulations in a folder."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from browser_flags import FLAGS
from compared_runs import write_pair
from evaluation_files import write_evaluation
from paid_wallet import write_wallet
from picture_rate import EIGHT_A_SECOND
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from recorded_calls import record_calls
from scripts import Started, start_script
from step_texts import has_step, shown_in
from study_files import finish_party, write_party
from waiting import PATIENCE, until

from ville.storage.steps.step_store import StepStore
from ville.storage.wallet.wallet_file import WalletLimits

ROOT = Path(__file__).resolve().parents[2]
BACKEND = ROOT / "reverie" / "backend_server"
FRONTEND = ROOT / "environment" / "frontend_server"
PICTURES = ROOT / "artefacts" / "pages"
CHROMIUM = Path("/usr/bin/chromium")
BASE = "base_the_ville_n25"
RECORDED = "recorded"
MORNING = 3200
"""Steps of the recording: until ten to nine, when most people are up and some have talked."""

WATCHING = """
window.trail = [];
document.addEventListener("ville:step", (event) => trail.push(event.detail));
"""
"""Notes down every step that a live page shows, with where everybody is drawn."""
INTRODUCED = 'location.protocol === "http:" && localStorage.setItem("ville.first_minute", "seen")'
"""Readers have seen the first minute, unless a test is about it."""


@dataclass(frozen=True)
class House:
    """An environment server over folders of its own."""

    root: Path
    port: int = 0
    pages: Path = FRONTEND
    """Folder of the environment server."""
    processes: list[Started] = field(default_factory=list)

    def address(self, path: str) -> str:
        mark = "&" if "?" in path else "?"
        return f"http://127.0.0.1:{self.port}{path}{mark}renderer=canvas"

    @property
    def environment(self) -> dict[str, str]:
        places = {"FS_STORAGE": "storage", "FS_TEMP_STORAGE": "temp", "FS_COMPRESSED_STORAGE": "compressed"}
        places["DATABASE"] = "db.sqlite3"
        if (self.root / "assets").exists():
            places["ASSETS"] = "assets"
        paths = {f"VILLE_{name}": str(self.root / place) for name, place in places.items()}
        return {**os.environ, "PYTHONUTF8": "1", "VILLE_SEED": "1", "VILLE_SECRET_KEY": "for a test", **paths}

    def start(self, folder: Path, *command: object) -> Started:
        log = self.root / f"{Path(str(command[0])).stem}.log"
        process = start_script([sys.executable, *map(str, command)], folder, self.environment, log)
        self.processes.append(process)
        return process

    def serve_pages(self) -> Started:
        """Start the environment server, and wait until it answers."""
        server = self.start(self.pages, "manage.py", "runserver", "--noreload", f"127.0.0.1:{self.port}")
        assert until(lambda: _answers(self.port) or server.poll() is not None), "the environment server did not start"
        assert server.poll() is None, (self.root / "manage.log").read_text("utf-8")
        return server

    def engine(self, origin: str, name: str) -> "Engine":
        engine = Engine(self, name, self.start(BACKEND, "reverie.py", "--origin", origin, "--name", name))
        assert until((self.root / "temp" / "curr_step.json").exists), "the engine did not announce itself"
        return engine

    def serve(self, *arguments: str) -> Started:
        """An engine without a prompt, which the pages tell what to do."""
        served = self.start(BACKEND, "reverie.py", "--serve", *arguments)
        ready = {"open"} if "--name" in arguments or "--reopen" in arguments else {"idle"}
        assert until(lambda: self.engine_status().get("state") in ready), "the engine did not come up"
        return served

    def engine_status(self) -> dict[str, Any]:
        """Return the status of a served engine; empty before the first."""
        try:
            told: dict[str, Any] = json.loads((self.root / "temp" / "engine_status.json").read_text("utf-8"))
        except FileNotFoundError:
            return {}
        return told

    def file(self, *address: object) -> Any:
        return json.loads((self.root / "storage" / "/".join(map(str, address))).read_text("utf-8"))

    def movement(self, name: str, step: int) -> dict[str, list[int]]:
        people = shown_in(self.root / "storage" / name, step)
        return {who: record["movement"] for who, record in people.items()}

    def close(self) -> None:
        for process in self.processes:
            process.terminate()
            process.communicate()


@dataclass(frozen=True)
class Engine:
    """reverie.py, waiting at its prompt."""

    house: House
    name: str
    process: Started

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def wait_for(self, step: int) -> None:
        """Until the movement of a step is there."""
        computed = has_step(self.house.root / "storage" / self.name, step)
        assert until(computed), f"the engine did not come to step {step}"


@pytest.fixture(scope="session")
def recording(tmp_path_factory) -> Path:
    """A morning of twenty-five people, saved and compressed: made once, even for several workers. By the questions of
    the paper, with which people who meet early talk: those of situated days mostly talk later.
    """
    root: Path = tmp_path_factory.getbasetemp()
    shared = (root.parent if os.environ.get("PYTEST_XDIST_WORKER") else root) / "recording"
    try:
        shared.mkdir()
    except FileExistsError:
        assert until((shared / "done").exists), "the recording was not made"
        return shared
    for shelf in ("storage", "temp", "compressed"):
        (shared / shelf).mkdir()
    shutil.copytree(FRONTEND / "storage" / BASE, shared / "storage" / BASE)
    house = House(shared)
    run = (BACKEND, "reverie_offline.py", "-o", BASE, "-t", RECORDED, "-s", MORNING, "--questions", "paper")
    shelves = ("--storage", shared / "storage", "--compressed", shared / "compressed")
    compress = (ROOT / "reverie", "compress_sim_storage.py", RECORDED, *shelves)
    for folder, *command in (run, compress):
        process = house.start(folder, *command)
        process.communicate()
        assert process.returncode == 0, (shared / f"{Path(str(command[0])).stem}.log").read_text()
    (shared / "done").touch()
    return shared


@pytest.fixture(scope="session")
def gallery(recording, free_port) -> Iterator[House]:
    """A server over the recording, which nothing changes."""
    with _open(recording, free_port()) as house:
        yield house


@pytest.fixture(scope="session")
def showroom(recording, tmp_path_factory, free_port) -> Iterator[House]:
    """A server over two short runs, a study and a wallet, which nothing changes: every page has something to show."""
    root = write_pair(recording, tmp_path_factory.mktemp("showroom"))
    finish_party(write_party(root))
    write_evaluation(root / "studies")
    record_calls(root / "storage/plain/reverie", ("Isabella Rodriguez", "Klaus Mueller"), 6)
    write_wallet(root / "wallet.sqlite3", WalletLimits(cost=3.0, per="day"), {"plain": 1.25})
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("VILLE_WALLET_FILE", str(root / "wallet.sqlite3"))
            patch.setenv("VILLE_WALLET", "3")
            patch.setenv("VILLE_WALLET_PER", "day")
            house = stack.enter_context(_open(root, free_port()))
        yield house


@pytest.fixture(scope="session")
def open_gallery(free_port) -> Iterator[Callable[[Path], House]]:
    """Starts servers over folders, for several tests."""
    with ExitStack() as stack:
        yield lambda root: stack.enter_context(_open(root, free_port()))


@pytest.fixture
def open_house(free_port) -> Iterator[Callable[..., House]]:
    """Starts servers over folders, of these pages or others, and ends them."""
    with ExitStack() as stack:
        yield lambda root, pages=FRONTEND: stack.enter_context(_open(root, free_port(), pages))


@pytest.fixture
def house(recording, tmp_path, open_house) -> House:
    """A server over a copy of the recording without its past: a morning to go on from."""
    root = tmp_path / "house"
    for shelf in ("temp", "compressed"):
        (root / shelf).mkdir(parents=True)
    for part in ("reverie", "personas"):
        shutil.copytree(recording / "storage" / RECORDED / part, root / "storage" / RECORDED / part)
    StepStore(recording / "storage" / RECORDED).copy(root / "storage" / RECORDED, range(MORNING - 1, MORNING))
    opened: House = open_house(root)
    return opened


@contextmanager
def _open(root: Path, port: int, pages: Path = FRONTEND) -> Iterator[House]:
    _fetch_vendored(pages)
    house = House(root, port, pages)
    try:
        house.serve_pages()
        yield house
    finally:
        house.close()


@cache
def _fetch_vendored(pages: Path) -> None:
    """Fetch what pages load of others, if it is not there."""
    subprocess.run([sys.executable, pages / "vendor.py"], check=True)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/status/", timeout=60):
            return True
    except OSError:
        return False


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing: apt-get install chromium fonts-noto-color-emoji")
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--enable-unsafe-swiftshader", *FLAGS])
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)  # other tests of this worker run loops of their own
        yield browser
        asyncio._set_running_loop(loop)
        browser.close()


@dataclass
class Window:
    """Opens pages; what they complain about fails the test that opened them."""

    browser: Browser
    complaints: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    introduced: bool = True

    def open(self, address: str, *, ready: str | None = "town", **context: Any) -> Page:
        """A page in a context of its own, once it says that it is ready."""
        context = {"viewport": {"width": 1280, "height": 720}, "locale": "en-US", **context}
        page = self.watch(self.browser.new_context(**context).new_page())
        page.goto(address)
        if ready:
            page.wait_for_selector(f"html[data-ready={ready}]")
        return page

    def watch(self, page: Page) -> Page:
        """Listen to a page that is not opened yet."""
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(EIGHT_A_SECOND)
        page.add_init_script(WATCHING)
        if self.introduced:
            page.add_init_script(INTRODUCED)
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))
        page.on("console", self._hear)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(part in message.text for part in self.expected):
            self.complaints.append(message.text)


@pytest.fixture
def window(chromium) -> Iterator[Window]:
    made = Window(chromium)
    asyncio._set_running_loop(chromium._loop)
    yield made
    for context in list(chromium.contexts):
        context.close()
    asyncio._set_running_loop(None)
    assert made.complaints == []


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where pictures of the pages are kept, to be looked at."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES
