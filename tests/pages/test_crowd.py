"""A server with many clients, good and bad, and a run that goes on all the same: real server, real engine."""

import http.client
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest

PAGES, LOOKERS, HALVES = 60, 20, 20
STEPS = 30
WAIT = 4
START = 3200
"""The first step of the runs: that at which the recording ends."""


def connection(house):
    return closing(http.client.HTTPConnection("127.0.0.1", house.port, timeout=300))


def ask(line, method, address, body=None):
    """The status of an answer, and its content."""
    headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{line.port}"}
    line.request(method, address, json.dumps(body) if body else None, headers)
    answer = line.getresponse()
    return answer.status, json.loads(answer.read())


def follow(house):
    """Return the view of a page that shows every step and reports none: where everyone is, by step."""
    seen = {}
    with connection(house) as line:
        while len(seen) < STEPS:
            step = START + len(seen)
            _, shown = ask(line, "POST", "/update_environment/", {"step": step, "sim_code": "live", "wait": WAIT})
            if shown["<step>"] == step:
                seen[step] = {name: record["movement"] for name, record in shown["persona"].items()}
    return seen


def look(house, stop):
    """Collect what an idle tab gets of pages, as long as it is open."""
    told = set()
    with connection(house) as line:
        while not stop.wait(0.2):
            told.add(ask(line, "GET", "/status/")[1]["browser"])
    return told


@pytest.fixture
def engine(house, monkeypatch):
    """An engine that waits some seconds for pages: long enough to say so."""
    monkeypatch.setenv("VILLE_PATIENCE", "20")
    return house.engine("recorded", "live")


@pytest.mark.slow
def test_the_run_goes_on_under_a_crowd(house, engine):
    """Sixty pages that ask for every step and report none, idle tabs, and clients that send half a request: the run
    waits for a report no longer than its patience, and says so; every page is shown every step.
    """
    stop = threading.Event()
    with ExitStack() as stack, ThreadPoolExecutor(PAGES + LOOKERS) as threads:
        stack.callback(stop.set)
        for _ in range(HALVES):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", house.port)))
            half.sendall(b"POST /act/live/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{")
        pages = [threads.submit(follow, house) for _ in range(PAGES)]
        lookers = [threads.submit(look, house, stop) for _ in range(LOOKERS)]
        engine.type(f"run {STEPS}")
        seen = [page.result() for page in pages]
        stop.set()
        told = set().union(*(looker.result() for looker in lookers))
    truth = {step: house.movement("live", step) for step in range(START, START + STEPS)}
    assert all(page == truth for page in seen)
    assert "awaited" in told


@pytest.mark.slow
def test_a_request_survives_the_server(house, engine):
    """A page whose server is killed sends the request again to the next one: it is carried out once, and answered."""
    request = {"id": "9f3c", "request": "run", "steps": STEPS}
    with connection(house) as line:
        status, sent = ask(line, "POST", "/act/live/", request)
        assert status == 202
    server = house.processes[0]
    server.kill()
    server.wait()
    house.serve_pages()
    with connection(house) as line:
        assert ask(line, "POST", "/act/live/", request) == (202, sent)
        answer = {"ack": None}
        while answer["ack"] is None:
            _, answer = ask(line, "GET", f"/acts/live/{sent['number']}/?wait={WAIT}")
    assert answer["ack"] | {"id": "9f3c", "result": "done", "until_step": START + STEPS} == answer["ack"]
    engine.wait_for(START + STEPS - 1)
    assert not (house.root / "storage" / "live" / "movement" / f"{START + STEPS}.json").exists()
