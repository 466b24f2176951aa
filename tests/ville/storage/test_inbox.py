"""Requests to an engine, and their acknowledgements."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ville.errors import BadArgument, BadSimulationName, SimulationNotFound
from ville.storage.exchange import inbox as inbox_module
from ville.storage.exchange.inbox import LARGEST, LIFETIME, Inbox

SENDER = Path(__file__).with_name("sending.py")
BACKEND = Path(__file__).resolve().parents[3] / "reverie/backend_server"


@pytest.fixture
def boxes(tmp_path):
    """Return the two sides: the sender's and the engine's, which listens."""
    engine = Inbox(tmp_path, "town")
    engine.open()
    return Inbox(tmp_path, "town"), engine


def take_all(engine, result="done"):
    """Acknowledge everything; return the ids in the order of their numbers."""
    taken = [engine.read(number) for number in sorted(engine.numbers())]
    for received in taken:
        engine.acknowledge(received, {"id": received.id, "result": result})
    return [received.id for received in taken]


def test_requests_are_taken_in_order_and_answered_once(boxes):
    """A repeated id keeps its number, before it is answered and after; the next number is above all others."""
    outgoing, engine = boxes
    assert [outgoing.send({"id": name}) for name in ("a", "b", "a")] == [1, 2, 1]
    assert outgoing.acknowledgement(1) is None
    assert take_all(engine) == ["a", "b"]
    assert outgoing.acknowledgement(2) == {"id": "b", "result": "done"}
    assert [outgoing.send({"id": name}) for name in ("b", "c")] == [2, 3]
    assert take_all(engine) == ["c"]


@pytest.mark.parametrize("scans", [1, 2])
def test_a_request_that_is_answered_while_it_is_sent_again_keeps_its_number(boxes, monkeypatch, scans):
    """Between the looks at both boxes, or between these and the reading of the files."""
    outgoing, engine = boxes
    number = outgoing.send({"id": "a"})
    scan, seen = inbox_module._numbers, []

    def scan_then_answer(box):
        found = [*scan(box)]
        seen.append(box)
        if len(seen) == scans:
            monkeypatch.setattr(inbox_module, "_numbers", scan)
            take_all(engine)
        return iter(found)

    monkeypatch.setattr(inbox_module, "_numbers", scan_then_answer)
    assert outgoing.send({"id": "a"}) == number
    assert not engine.numbers()


def test_what_was_answered_is_known_to_the_next_engine(boxes, tmp_path):
    """If the engine is killed between answering and removing a request, its successor finds the answer."""
    outgoing, engine = boxes
    number = outgoing.send({"id": "a"})
    request = tmp_path / f"inbox/town/{number:012}.json"
    content = request.read_bytes()
    take_all(engine)
    request.write_bytes(content)
    successor = Inbox(tmp_path, "town")
    successor.open()
    assert successor.answer_to(successor.read(number)) == {"id": "a", "result": "done"}


def test_answers_live_an_hour_and_numbers_never_fall(boxes, tmp_path):
    """Whatever is removed, a number is not given twice."""
    outgoing, engine = boxes
    for name in "abc":
        outgoing.send({"id": name})
    take_all(engine)
    for path in (tmp_path / "outbox/town").iterdir():
        os.utime(path, (0, time.time() - LIFETIME - 1))
    engine.forget_old()
    assert [outgoing.acknowledgement(number) is None for number in (1, 2, 3)] == [True, True, False]
    assert outgoing.send({"id": "d"}) == 4


@pytest.mark.parametrize("number", [10**12 - 1, 10**11, 10**11 - 1])
def test_an_absurd_number_does_not_end_the_numbers(boxes, tmp_path, number):
    """The request is answered as any other is; those after it have numbers of their own, also an hour later."""
    outgoing, engine = boxes
    outgoing.send({"id": "a"})
    (tmp_path / f"inbox/town/{number:012}.json").write_text('{"id": "absurd"}', "utf-8")
    sent = [outgoing.send({"id": name}) for name in "bcd"]
    assert len({1, number, *sent}) == 5
    assert sorted(take_all(engine)) == ["a", "absurd", "b", "c", "d"]
    for path in (tmp_path / "outbox/town").iterdir():
        os.utime(path, (0, time.time() - LIFETIME - 1))
    engine.forget_old()
    last = outgoing.send({"id": "e"})
    assert last > max(each for each in (1, *sent) if each < 10**11)
    assert take_all(engine) == ["e"]
    assert outgoing.acknowledgement(last) == {"id": "e", "result": "done"}


def test_only_simulations_that_were_opened_can_be_asked(tmp_path):
    """A name cannot lead out of the folder."""
    with pytest.raises(SimulationNotFound, match="nowhere"):
        Inbox(tmp_path, "nowhere").send({"id": "a"})
    for name in ("../storage", "a/b", "", "a\0"):
        with pytest.raises(BadSimulationName):
            Inbox(tmp_path, name)


def test_what_is_not_a_request_is_refused_in_a_line(boxes, tmp_path, monkeypatch):
    """Links, folders, pipes, large files and other content; a large file is not read, and no pipe is waited for."""
    outgoing, engine = boxes
    folder = tmp_path / "inbox/town"
    (tmp_path / "secret.json").write_text('{"id": "secret"}', "utf-8")
    (folder / "000000000001.json").symlink_to(tmp_path / "secret.json")
    (folder / "000000000002.json").mkdir()
    os.mkfifo(folder / "000000000003.json")
    with (folder / "000000000004.json").open("wb") as file:
        file.truncate(100_000_000)
    for number, content in enumerate((b"\0", b"{", b"[]", b'{"a": NaN}', b"\xff", b"[" * 100_000), 5):
        (folder / f"{number:012}.json").write_bytes(content)
    (folder / "note.txt").write_text("", "utf-8")
    read = []
    monkeypatch.setattr(
        inbox_module.json, "loads", lambda text, **kwargs: read.append(len(text)) or json_loads(text, **kwargs)
    )
    received = [engine.read(number) for number in sorted(engine.numbers())]
    assert max(read) <= 100_000
    assert [each.number for each in received] == list(range(1, 11))
    assert all(each.fault and "\n" not in each.fault and str(tmp_path) not in each.fault for each in received)
    for each in received:
        engine.acknowledge(each, {"result": "refused"})
    assert engine.numbers() == set()
    assert outgoing.send({"id": "next"}) == 11
    with pytest.raises(BadArgument, match="Split it"):
        outgoing.send({"id": "large", "words": "x" * LARGEST})


json_loads = json.loads


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process that dies at a chosen point")
@pytest.mark.parametrize("links", [True, False])
def test_a_sender_that_dies_anywhere_has_sent_once_or_not_at_all(boxes, tmp_path, links, monkeypatch):
    """After each file operation in turn; sending again completes it. Also where files cannot be linked."""
    if not links:
        monkeypatch.setattr(os, "link", _unsupported)
    for operations in range(12):
        name = f"request {operations}"
        child = os.fork()
        if not child:
            _die_after(operations, str(tmp_path))
            Inbox(tmp_path, "town").send({"id": name, "words": "x" * 1000})
            os._exit(0)
        _, status = os.waitpid(child, 0)
        boxes[0].send({"id": name, "words": "x" * 1000})
    assert status == 0  # the last one was not interrupted
    assert take_all(boxes[1]) == [f"request {operations}" for operations in range(12)]


def _unsupported(*_):
    raise PermissionError


def _die_after(operations, root):
    left = [operations]

    def hook(event, arguments):
        changes = event in {"os.link", "os.rename", "os.remove"} or (
            event == "open" and arguments[1] not in {"r", None}
        )
        if changes and str(arguments[0]).startswith(root):
            left[0] -= 1
            if left[0] < 0:
                os._exit(9)

    sys.addaudithook(hook)


def test_two_senders_that_are_killed_lose_nothing_and_repeat_nothing(boxes, tmp_path):
    """They send the same requests at the same time, are killed at random moments and started again; meanwhile answers
    are given.
    """
    lot = random.Random(7)  # noqa: S311 - when they are killed
    ids = [f"id-{number}" for number in range(80)]
    (tmp_path / "all").write_text("".join(json.dumps({"id": name}) + "\n" for name in ids), "utf-8")
    command = [sys.executable, str(SENDER), str(tmp_path), "town", str(tmp_path / "all")]
    taken, kills = [], 4
    senders = []
    while kills or senders:
        senders = [sender for sender in senders if sender.poll() is None]
        while len(senders) < 2 and kills:
            senders.append(subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(BACKEND)}))
        end = time.monotonic() + lot.uniform(0.2, 0.8)
        while time.monotonic() < end and any(sender.poll() is None for sender in senders):
            taken += take_all(boxes[1])
        if kills:
            senders[0].kill()
            senders[0].wait()
            kills -= 1
    boxes[0].send({"id": ids[-1]})
    subprocess.run(command, env=os.environ | {"PYTHONPATH": str(BACKEND)}, check=True)
    taken += take_all(boxes[1])
    assert sorted(taken) == sorted(ids)
    assert {path.name for path in (tmp_path / "inbox/town").iterdir()} <= {".lock", ".draft"}


def test_a_request_is_begun_twice_at_most(boxes, tmp_path):
    """The engine may end while it carries it out, so attempts are counted on disk, until it is answered or put off."""
    outgoing, engine = boxes
    number = outgoing.send({"id": "a"})
    assert engine.may_attempt(number)
    engine.forget_attempts(number)
    assert [Inbox(tmp_path, "town").may_attempt(number) for _ in range(3)] == [True, True, False]
    take_all(engine)
    assert [path.name for path in (tmp_path / "outbox/town").iterdir()] == ["000000000001.json"]


def test_the_engine_itself_has_boxes_of_its_own(tmp_path):
    """Beside those of simulations; asked before it has listened, it is said what to start."""
    outgoing, engine = Inbox(tmp_path, None), Inbox(tmp_path, None)
    with pytest.raises(SimulationNotFound, match="start.py"):
        outgoing.send({"id": "a"})
    engine.open()
    assert outgoing.send({"id": "a"}) == 1
    assert take_all(engine) == ["a"]
    assert outgoing.acknowledgement(1) == {"id": "a", "result": "done"}
    assert {path.name for path in tmp_path.iterdir()} == {"engine_inbox", "engine_outbox"}
