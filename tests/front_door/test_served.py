"""`python start.py`: a town that is opened and run from a browser; the terminal only says where, and how to quit."""

import json
import os
import signal
import urllib.request
from pathlib import Path

import pytest
from doors import free
from outside import Outside
from step_texts import has_step
from waiting import until

from ville.storage.exchange.temp_storage import TempStorage
from ville.storage.records.lock import is_locked

BASE = "base_the_ville_isabella_maria_klaus"
READY = r"Your town is at (http://127\.0\.0\.1:\d+)(/\S*)"
QUIT = "Press Ctrl-C to save and quit"


class Page:
    """A page that sends requests, as the environment server passes them on."""

    def __init__(self, clone):
        self.root = clone.root
        self.temp = TempStorage(clone.root / "environment/frontend_server/temp_storage")
        self.sent = 0

    def ask(self, here, request, /, simulation=None, **fields):
        self.sent += 1
        assert until((self.root / "temp/engine_inbox").exists)
        return Outside(self, simulation).ask(here.process, request, f"{os.getpid()}-{self.sent}", **fields)


@pytest.fixture
def port(free_port):
    return str(free_port())


@pytest.fixture
def page(furnished):
    (furnished.root / "temp").symlink_to(furnished.root / "environment/frontend_server/temp_storage")
    return Page(furnished)


def meta(clone, name):
    return json.loads((clone.storage / name / "reverie/meta.json").read_text("utf-8"))


@pytest.mark.slow
def test_a_town_is_opened_run_and_left_without_typing(terminal, furnished, port, page):
    """Both servers start; a page opens a town and runs it; Ctrl-C saves it, and leaves no process behind."""
    here = terminal("start.py", "--no-browser", "--port", port)
    assert here.expect(READY).group(2) == "/"
    here.expect(QUIT)
    assert page.ask(here, "open", origin=BASE, name="mine")["result"] == "done"
    here.expect("Opened mine: 3 personas")
    page.ask(here, "run", "mine", steps=100_000)
    assert until(has_step(furnished.storage / "mine", 20))
    here.press("\x03")
    here.expect("Saved mine")
    assert here.ended() == 0, here.text
    assert not here.children()
    assert free(int(port))
    assert meta(furnished, "mine")["step"] >= 20


@pytest.mark.slow
def test_what_was_open_is_opened_again_after_a_kill(terminal, furnished, port, page):
    """Of either server; and both are told in the terminal."""
    here = terminal("start.py", "--no-browser", "--port", port, "--name", "mine")
    assert here.expect(READY).group(2) == "/simulator_home"
    here.expect("Opened mine")
    page.ask(here, "run", "mine", steps=20)
    assert until(lambda: page.temp.status().get("step") == 20)
    assert page.ask(here, "save", "mine")["step"] == 20
    os.kill(here.child("--serve"), signal.SIGKILL)
    here.expect("The engine stopped .* Starting it again")
    here.expect("Opened mine: .* step 20")
    here.expect("ended unexpectedly")
    os.kill(here.child("manage.py"), signal.SIGKILL)
    here.expect("environment server stopped .*Restarting it")
    assert until(lambda: not free(int(port)))
    here.process.send_signal(signal.SIGTERM)
    assert here.ended() == 128 + signal.SIGTERM, here.text
    assert until(lambda: not here.children())
    assert meta(furnished, "mine")["step"] == 20


def test_nothing_is_left_when_start_py_is_killed(terminal, furnished, port, page):
    """Both servers end, and what runs in the background; the port is free, and no simulation is locked."""
    here = terminal("start.py", "--no-browser", "--port", port, "--name", "mine")
    here.expect(QUIT)
    page.ask(here, "run", "mine", steps=100_000)
    page.ask(here, "branch", **{"from": BASE}, name="beside", until=100_000)
    assert until(has_step(furnished.storage / "beside", 5))
    os.kill(here.process.pid, signal.SIGKILL)
    assert until(lambda: not here.children())
    assert until(lambda: not is_locked(furnished.storage / "beside"))
    assert not is_locked(furnished.storage / "mine")
    assert free(int(port))


@pytest.mark.slow
def test_a_second_one_and_wrong_names_are_refused_in_a_line(terminal, furnished, port):
    """The first goes on."""
    here = terminal("start.py", "--no-browser", "--port", port)
    here.expect(QUIT)
    second = furnished.start("--no-browser")
    assert second.code == 1, second
    assert "running here already" in second.lines[-1]
    here.press("\x03")
    assert here.ended() == 0, here.text
    outcome = furnished.start("--no-browser", "--base", "nowhere")
    assert outcome.code == 1, outcome
    assert "no simulation 'nowhere'" in str(outcome)
    assert "Your town is at" not in str(outcome)


@pytest.mark.slow
def test_a_pass_phrase_reaches_the_environment_server_alone(terminal, port):
    """It is asked for without showing it; neither engine nor command lines know it. Others may then watch."""
    here = terminal("start.py", "--no-browser", "--bind", f"0.0.0.0:{port}", "--pass")
    here.expect("Pass phrase")
    here.type("correct horse battery")
    here.expect("may watch; who knows the pass phrase may act")
    here.expect(QUIT)
    knows = {script: variables(here.child(script)) for script in ("manage.py", "--serve")}
    assert b"VILLE_PASS=correct horse battery" in knows["manage.py"]
    assert b"horse" not in knows["--serve"]
    for process in (*here.children(), here.process.pid):
        assert b"horse" not in Path(f"/proc/{process}/cmdline").read_bytes()
    assert "horse" not in here.text
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/status/") as answer:
        assert json.load(answer)["engine"]["state"] == "idle"
    here.press("\x03")
    assert here.ended() == 0, here.text


def variables(process):
    return Path(f"/proc/{process}/environ").read_bytes()
