"""`python start.py` in a terminal, with a browser on the address it prints."""

import json
import os
import shutil
import signal
import socket
import urllib.request
from pathlib import Path

import pytest
from browser_flags import FLAGS
from doors import free
from page_manners import shows
from picture_rate import EIGHT_A_SECOND
from playwright.sync_api import sync_playwright
from step_texts import has_step, shown_in
from waiting import PATIENCE, comes_to, until

CHROMIUM = Path("/usr/bin/chromium")
ADDRESS = r"(http://127\.0\.0\.1:(\d+))/simulator_home"
PROMPT = r"Enter option:"
BASE = "base_the_ville_isabella_maria_klaus"


@pytest.fixture
def port(free_port) -> str:
    """A port that no other test uses: several run at the same time."""
    return str(free_port())


@pytest.fixture
def page():
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing: apt-get install chromium fonts-noto-color-emoji")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(EIGHT_A_SECOND)
        yield page
        browser.close()


def test_one_command_to_a_living_town(terminal, furnished, port, page):
    """It prints an address; a browser there shows three people who move as the engine says; `fin` leaves nothing."""
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port, "--name", "mine")
    address = here.expect(ADDRESS).group(1)
    here.expect("run until 08:00")
    here.expect(PROMPT)
    page.goto(f"{address}/simulator_home?renderer=canvas")
    page.wait_for_selector("html[data-ready=town]")
    comes_to(lambda: {*page.evaluate("ville.positions")}, {"Isabella Rodriguez", "Maria Lopez", "Klaus Mueller"})
    here.type("run 30")
    page.wait_for_function("() => ville.step >= 29")
    moves = shown_in(furnished.storage / "mine", 29)
    shows(page, "ville.positions", {name: move["movement"] for name, move in moves.items()})
    here.type("fin")
    assert here.ended() == 0, here.text
    assert not here.children()
    assert free(int(port))


def test_ctrl_c_leaves_no_process_behind(terminal, port):
    """At the prompt Ctrl-C only says how to leave; the end of the input leaves, and both servers are gone."""
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port)
    here.expect(PROMPT)
    here.press("\x03")
    here.expect("fin")
    here.expect(PROMPT)
    here.press("\x04")
    assert here.ended() == 0, here.text
    assert not here.children()
    assert free(int(port))


@pytest.mark.slow
def test_an_environment_server_that_falls_is_started_again(terminal, furnished, port):
    """The terminal says so, the run goes on, and the page is back at the same address."""
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port, "--name", "mine")
    address = here.expect(ADDRESS).group(1)
    here.expect(PROMPT)
    here.type("run 300")
    os.kill(here.child("manage.py"), signal.SIGKILL)
    here.expect("environment server stopped .*Restarting it")
    assert until(lambda: not free(int(port))), address
    assert until(has_step(furnished.storage / "mine", 299))
    here.type("fin")
    assert here.ended() == 0, here.text


@pytest.mark.slow
def test_a_killed_prompt_starts_again_from_its_last_save(terminal, furnished, port):
    """In mid-run: one line says so, and the prompt takes commands again; nothing is left running in the end."""
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port, "--name", "mine")
    here.expect(PROMPT)
    here.type("run 20")
    assert until(has_step(furnished.storage / "mine", 19))
    here.type("save")
    here.type("run 100000")
    assert until(has_step(furnished.storage / "mine", 40))
    os.kill(here.child("ville\0prompt"), signal.SIGKILL)
    here.expect("starts again from its last save")
    step = int(here.expect(r"step (\d+)").group(1))
    assert step >= 20
    assert step == json.loads((furnished.storage / "mine/reverie/meta.json").read_text("utf-8"))["step"]
    here.expect(PROMPT)
    here.type("fin")
    assert here.ended() == 0, here.text
    assert not here.children()


@pytest.mark.slow
def test_a_taken_port_is_said_and_another_one_used(terminal):
    """Another program has the usual port: the next free one, out loud."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", 8000))
            other.listen()
        except OSError:
            pass  # another program has it already
        here = terminal("start.py", "--prompt", "--no-browser")
        here.expect("Port 8000 is in use")
        assert here.expect(ADDRESS).group(2) != "8000"
        here.expect(PROMPT)
        here.type("fin")
        assert here.ended() == 0, here.text


@pytest.mark.slow
def test_folders_moved_in_utils_are_the_pages_folders_too(terminal, furnished, port, tmp_path):
    """Both servers meet there: the page knows what runs."""
    away = tmp_path / "away"
    shutil.copytree(furnished.storage / BASE, away / "storage" / BASE)
    utils = f"fs_storage = {str(away / 'storage')!r}\nfs_temp_storage = {str(away / 'temp')!r}\n"
    (furnished.root / "reverie/backend_server/utils.py").write_text(utils, "utf-8")
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port)
    address = here.expect(ADDRESS).group(1)
    here.expect(PROMPT)
    with urllib.request.urlopen(f"{address}/status/") as page:  # noqa: S310 - our own address
        assert json.load(page)["sim_code"] == "town_1"
    here.type("run 2")
    assert until(has_step(away / "storage/town_1", 1))
    with urllib.request.urlopen(f"{address}/replay/town_1/0/") as page:  # noqa: S310
        assert page.status == 200
    here.type("fin")
    assert here.ended() == 0, here.text
    assert (away / "storage/town_1").exists()


@pytest.mark.slow
def test_two_begun_at_the_same_moment_do_not_meet(terminal, furnished):
    """Each has a simulation and a port of its own, whatever both saw free at first; both end in peace."""
    both = [terminal("start.py", "--prompt", "--no-browser") for _ in range(2)]
    ports = {here.expect(ADDRESS).group(2) for here in both}
    for here in both:
        here.expect(PROMPT)
    assert len(ports) == 2
    assert not any(free(int(port)) for port in ports)
    for here in both:
        here.type("fin")
    assert [here.ended() for here in both] == [0, 0], [here.text for here in both]
    saved = {path.name for path in furnished.storage.iterdir() if not path.name.startswith("base_")}
    assert saved == {"town_1", "town_2"}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_from_outside_it_saves_and_takes_its_children_along(terminal, furnished, port, number):
    """As a service manager ends it, or a terminal that is closed: in the midst of a run."""
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port, "--name", "mine")
    here.expect(PROMPT)
    here.type("run 1000000")
    assert until(has_step(furnished.storage / "mine", 20))
    here.process.send_signal(number)
    assert here.ended() == 128 + number, here.text
    assert until(lambda: not here.children())
    assert json.loads((furnished.storage / "mine/reverie/meta.json").read_text("utf-8"))["step"] >= 20


@pytest.mark.slow
def test_at_a_prompt_that_waits_a_signal_saves_and_leaves_the_terminal_in_order(terminal, furnished, port):
    """The backend alone is ended: its environment server goes with it."""
    here = terminal("start.py", "--prompt", "--no-browser", "--port", port, "--name", "mine")
    here.expect(PROMPT)
    here.type("run 3")
    assert until(has_step(furnished.storage / "mine", 2))
    here.expect("steps/s")
    here.expect(PROMPT)
    os.kill(here.child("ville\0prompt"), signal.SIGTERM)
    here.expect("Stopped by a signal. Saving")
    assert here.ended() == 128 + signal.SIGTERM, here.text
    assert not here.children()
    assert json.loads((furnished.storage / "mine/reverie/meta.json").read_text("utf-8"))["step"] == 3


@pytest.mark.slow
def test_the_demo_shows_the_recorded_days_wherever_simulations_are(terminal, furnished, port):
    """They come with the house: a storage folder elsewhere does not hide them. Ctrl-C ends it."""
    (furnished.root / ".env").write_text(f"VILLE_FS_STORAGE={furnished.root.parent / 'elsewhere'}\n", "utf-8")
    here = terminal("start.py", "demo", "--no-browser", "--port", port)
    address = here.expect(r"(http://\S+/demo/a_day_of_three/\S+)").group(1)
    here.expect("Ctrl-C")
    with urllib.request.urlopen(address) as page:  # noqa: S310 - our own address
        assert page.status == 200
    here.process.send_signal(signal.SIGINT)
    assert here.ended() == 0, here.text
    assert not here.children()
