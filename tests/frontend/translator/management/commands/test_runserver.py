"""The real server, a process of its own, and many pages at once."""

import http.client
import json
import select
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from socketserver import ThreadingMixIn

import pytest
from django.core.servers.basehttp import WSGIRequestHandler
from django.core.wsgi import get_wsgi_application

from translator.management.commands.runserver import Command, TownServer
from ville.simulation.interventions.catalogue import kinds

STEPS, TABS = 60, 6
BIG = 10_000_000
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
    """Ten megabytes that are really sent: 413 with a reason, nothing is written, and the server goes on."""
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
    """A name that is not ours may be an attack."""
    assert ask(port, "GET", "/status/", host="localhost")[0] == 200
    assert ask(port, "GET", "/status/", host="elsewhere.example")[0] == 400


@pytest.mark.parametrize("database", ["nowhere/db.sqlite3"])
def test_pages_do_without_a_database(port):
    """It is for `admin/` alone: where it cannot be made, all else is served."""
    assert ask(port, "GET", "/")[0] == 200


def test_admin_finds_its_database(port):
    """Made in passing at the first start."""
    assert ask(port, "GET", "/admin/login/")[0] == 200


def may_act(port, **headers):
    """Ask a real server whether this client may act."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as line:
        line.request("GET", "/status/", headers=headers)
        return json.loads(line.getresponse().read())["act"]


def test_this_machine_may_act(port):
    """If the server is bound to it; not through a proxy, nor by a header that names what only the server knows."""
    assert may_act(port) == "yes"
    assert may_act(port, **{"X-Forwarded-For": "127.0.0.1"}) == "no"


@pytest.mark.parametrize("bound", ["0.0.0.0"])  # noqa: S104 - that is the matter here
def test_a_server_that_others_reach_only_shows(port):
    """From this machine, too: what counts is the address that it is really bound to, not what is said."""
    assert may_act(port) == "no"
    for name in ("ville.loopback", "Ville-Loopback", "HTTP_ville.loopback"):
        assert may_act(port, **{name: "1"}) == "no"


@pytest.mark.parametrize("more_settings", [{"VILLE_PASS": "x"}, {"VILLE_ORIGINS": "https://ville.example"}])
def test_a_pass_phrase_or_a_proxy_ends_the_right_of_this_machine(port, more_settings):
    """Everyone then signs in, or only watches."""
    assert may_act(port) == ("sign in" if "VILLE_PASS" in more_settings else "no")


def test_what_first_requests_need_is_read_before_they_come(monkeypatch):
    """The kinds of interventions import the engine, which would take a reader half a second."""
    prepared = threading.Event()
    monkeypatch.setattr("translator.storage.static.static_copies.prepare", prepared.set)
    monkeypatch.setattr("django.core.management.commands.runserver.Command.run", lambda *_, **__: None)
    kinds.cache_clear()
    Command().run()
    assert prepared.wait(300)
    assert kinds.cache_info().currsize == 1


class Impatient(ThreadingMixIn, TownServer):
    """As `runserver` puts it together."""

    daemon_threads = True


@pytest.fixture
def impatient(stage, settings):  # noqa: ARG001 - it serves what lies there
    """A server that waits half a second for a request; its address."""
    settings.REQUEST_TIMEOUT = 0.5
    with Impatient(("127.0.0.1", 0), WSGIRequestHandler) as server:
        server.set_app(get_wsgi_application())
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server.server_address
        server.shutdown()
        thread.join()


HEAD = b"POST /path_tester_update/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = b'{"camera": {"maze": "the_ville", "x": 1, "y": 1}}'
HALVES = {
    "nothing": b"",
    "half a line": b"GET /sta",
    "half a head": HEAD,
    "half a body": HEAD + b"Content-Length: 9999\r\n\r\n" + BODY,
    "another half": b"GET /status/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /sta",
}


def heard_until_hung_up(line, drop=b""):
    """Return the answer of the server until it hangs up, while the client goes on dropping bytes."""
    line.settimeout(60)
    heard = b""
    while True:
        try:
            if drop and not select.select([line], [], [], 0.01)[0]:
                line.sendall(drop)
                continue
            text = line.recv(65_536)
        except ConnectionError:
            return heard
        if not text:
            return heard
        heard += text


@pytest.mark.parametrize("drop", [b"", b"x"], ids=["silent", "dropping"])
@pytest.mark.parametrize("half", HALVES)
def test_whoever_sends_half_a_request_is_hung_up_on(stage, impatient, half, drop):
    """Also one who sends a byte now and then, for ever. What came in time was answered, nothing is written."""
    before = stage.files()
    with socket.create_connection(impatient) as line:
        line.sendall(HALVES[half])
        heard = heard_until_hung_up(line, drop)
    assert (b"200 OK" in heard) == (half == "another half")
    assert (b"408" in heard) == (half == "half a body")
    assert stage.files() == before


def test_whoever_takes_no_answer_is_hung_up_on(stage, impatient):
    """A client that asks for more than fits into the buffers between, and reads nothing of it."""
    stage.put("temp/path_tester_out.json", {"the Town": {"x" * 100: {"y": ["z" * 30_000_000]}}})
    with socket.create_connection(impatient) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(b"GET /path_tester_out/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert line.recv(1)
        threads = threading.active_count()
        until = time.monotonic() + 300
        while threading.active_count() >= threads and time.monotonic() < until:
            time.sleep(0.02)
        assert threading.active_count() < threads


def ask(port, method, address, body=None, host="127.0.0.1"):
    """Status and text of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=300)) as line:
        line.request(method, address, body, {"Host": host})
        answer = line.getresponse()
        return answer.status, answer.read()
