"""The real server, a process of its own, and many pages at once."""

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

STEPS, TABS = 60, 6
BIG = 50_000_000
"""Bytes."""


class Tab:
    """A page with its own connection, which stays open."""

    def __init__(self, port):
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, address, body):
        self.line.request("POST", address, json.dumps(body))
        answer = self.line.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return text

    def live(self, stage, sim):
        """The three-phase loop of a live page, without the walking."""
        with closing(self.line):
            self.exchange(stage, sim)

    def exchange(self, stage, sim):
        for step in range(STEPS):
            question = {"step": step, "sim_code": sim}
            while (shown := json.loads(self.ask("/update_environment/", question)))["<step>"] < 0:
                time.sleep(0.002)
            report = {"step": step + 1, "sim_code": sim, "environment": stage.places(shown["persona"])}
            assert self.ask("/process_environment/", report) == b"received"


def engine(stage, sim, stop):
    """Shows a step as soon as the one before is reported; whatever it reads must be whole."""
    environment = stage.storage / sim / "environment"
    for step, frame in enumerate(stage.walk(STEPS)):
        stage.show(sim, step, frame)
        report = environment / f"{step + 1}.json"
        while not report.exists() and not stop.is_set():
            time.sleep(0.002)
        assert json.loads(report.read_text("utf-8")) == stage.places(frame)


@pytest.mark.slow
def test_many_tabs_lose_and_tear_nothing(stage, port):
    """Two simulations, several pages each, all reporting every step: the engine reads every report whole, and right."""
    sims = ("first", "second")
    for sim in sims:
        stage.save(sim)
    stop = threading.Event()
    with ThreadPoolExecutor(2 * (TABS + 1)) as threads:
        tabs = [threads.submit(Tab(port).live, stage, sim) for sim in sims for _ in range(TABS)]
        engines = [threads.submit(engine, stage, sim, stop) for sim in sims]
        try:
            for tab in tabs:
                tab.result(timeout=300)
        finally:
            stop.set()
        for one in engines:
            one.result()
    for sim in sims:
        names = {path.name for path in (stage.storage / sim / "environment").iterdir()}
        assert names == {f"{step}.json" for step in range(STEPS + 1)}


def test_a_large_body_is_answered(stage, port):
    """Fifty megabytes that are really sent: 413 with a reason, nothing is written, and the server goes on."""
    before = stage.files()
    status, text = ask(port, "POST", "/process_environment/", b"x" * BIG)
    assert status == 413
    assert "1000000" in json.loads(text)["error"]
    assert stage.files() == before
    assert ask(port, "GET", "/status/")[0] == 200


def test_static_files_are_served(port):
    """Without a second server and without collecting them first; nothing beside them is."""
    status, text = ask(port, "GET", "/static/assets/the_ville/visuals/the_ville.json")
    assert status == 200
    assert "layers" in json.loads(text)
    for address in ("/static/../manage.py", "/static/%2e%2e/manage.py", "/static//etc/passwd"):
        assert ask(port, "GET", address)[0] == 404


def test_strangers_are_sent_away(port):
    """A name that is not ours may be somebody else's trick."""
    assert ask(port, "GET", "/status/", host="localhost")[0] == 200
    assert ask(port, "GET", "/status/", host="elsewhere.example")[0] == 400


@pytest.mark.parametrize("database", ["nowhere/db.sqlite3"])
def test_pages_do_without_a_database(port):
    """It is for `admin/` alone: where it cannot be made, all else is served."""
    assert ask(port, "GET", "/")[0] == 200


def test_admin_finds_its_database(port):
    """Made in passing at the first start."""
    assert ask(port, "GET", "/admin/login/")[0] == 200


def ask(port, method, address, body=None, host="127.0.0.1"):
    """Status and text of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request(method, address, body, {"Host": host})
        answer = line.getresponse()
        return answer.status, answer.read()
