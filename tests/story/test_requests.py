"""Other programs ask a running engine: through files, while both are killed now and then."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from outside import Outside, started, wait
from waiting import PATIENCE

SENDER = Path(__file__).resolve().parents[1] / "ville/storage/sending.py"
NAMES = ("Ada Stone", "Ben Reed", "Cleo Adams Moor")


def test_the_prompt_serves_on_beside_requests(storage):
    """It shows what came in by another door; typed commands wait for the step; `stop` saves and leaves."""
    process, outside = started(storage), Outside(storage)
    outside.ask(process, "run", "a", steps=10**6, by="Eve")
    outside.ask(process, "intervene", "b", kind="memory_add", who=NAMES[0], words="It rains")
    process.stdin.write("print persona associative memory (thought) Ada\nspeed 60\n")
    process.stdin.flush()
    paused = outside.ask(process, "pause", "c")
    file = storage.root / "temp/backend_status.json"
    wait(lambda: json.loads(file.read_text("utf-8"))["state"] == "paused", process)
    assert outside.ask(process, "stop", "d")["step"] == paused["step"]
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    said = ["[page, Eve] Running until step 1,000,000.", "[page] Ada Stone remembers: It rains", "'It rains'"]
    said += ["Speed: 60 game seconds per second.", "[page] Paused and saved: ", "[page] Saving and leaving."]
    assert [words for words in said if words not in out] == []
    saved = json.loads((storage.folder("new") / "reverie/meta.json").read_text("utf-8"))["step"]
    assert saved == paused["step"]


@pytest.mark.slow
def test_a_thousand_hostile_requests_are_refused_or_done_exactly_once(storage):
    """Twice the same id, out of order, during saves, while sender and engine are killed: the memories and the
    acknowledgements are those of the log.
    """
    storage.settings["VILLE_FSYNC"] = "0"
    lot, outside = random.Random(12), Outside(storage)  # noqa: S311 - the same requests in every run
    requests = [json.dumps(hostile(lot, number)) for number in range(1000)]
    listed = storage.root / "requests"
    listed.write_text("\n".join(requests), "utf-8")
    engine = started(storage)
    command = [sys.executable, str(SENDER), str(outside.temp), "new", str(listed)]
    for round_ in range(4):
        sender = subprocess.Popen(command, env=storage.environment | {"PYTHONPATH": str(storage.backend)})
        raw(outside.temp / "inbox/new", lot, round_)
        time.sleep(lot.uniform(0.5, 1.5))
        sender.kill()
        sender.wait()
        engine.kill()
        engine.communicate()
        engine = started(storage, "new")
    subprocess.run(command, env=storage.environment | {"PYTHONPATH": str(storage.backend)}, check=True)
    finish(storage, outside, engine)
    check(storage, outside, [json.loads(request) for request in requests])


def hostile(lot, number):
    words = f"thought {number} <script>alert(1)</script>"
    memory = {"request": "intervene", "kind": "memory_add", "who": lot.choice(NAMES), "words": words}
    requests = [
        memory, memory, memory, memory,
        {"request": "run", "steps": lot.randrange(1, 4)}, {"request": "run"}, {"request": "pause"}, {"request": "save"},
        {"request": "speed", "speed": lot.choice([60, 6000, "max", -1, "x", None])}, {"request": "until", "until": 1},
        memory | {"who": "<img src=x onerror=alert(1)>"}, memory | {"words": "x" * 100_000}, memory | {"words": 7},
        memory | {"words": f"{words}\0\x1b[2J"}, memory | {"kind": lot.choice(["", "magic", None])}, {"request": "\0"},
        memory | {"poignancy": 10**400}, {"request": "interview", "who": lot.choice(NAMES), "question": "Who?"},
    ]  # fmt: skip
    return lot.choice(requests) | {"id": f"id-{lot.randrange(number + 1) if lot.random() < 0.1 else number}"}


def raw(inbox, lot, round_):
    """Files of a program that does not keep to the rules: numbers out of order, and content that is not a request."""
    for number in lot.sample(range(1000 + 5000 * round_, 5000 * (round_ + 1)), 8):
        content = lot.choice([b"", b"\0" * 100, b"{", b"[1]", b'{"id": 1}', b'{"request": "save"}', b"\xff", b"NaN"])
        (inbox / f"{number:012}.json").write_bytes(content)


def finish(storage, outside, engine):
    """Run on until the recorded interventions have been applied again, answer what is left, and leave."""
    rows = log(storage)
    outside.ask(engine, "speed", "fast", speed="max")
    outside.ask(engine, "run", "last", steps=max([5, *(row["step"] for row in rows)]) + 5)
    wait(lambda: len(list((outside.temp / "inbox/new").glob("*.json"))) == 0, engine)
    outside.ask(engine, "stop", "leave")
    out, err = engine.communicate(timeout=PATIENCE)
    assert (engine.returncode, err, "\x1b" in out) == (0, "", False)


def log(storage):
    file = storage.folder("new") / "reverie/interventions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def check(storage, outside, requests):
    acks = [json.loads(path.read_text("utf-8")) for path in (outside.temp / "outbox/new").iterdir()]
    rows = log(storage)
    given = Counter(ack["id"] for ack in acks)
    assert {request["id"] for request in requests} <= given.keys()
    assert [name for name, times in given.items() if times > 1 and name] == []
    assert all(ack["result"] in {"applied", "done"} or len(ack["reason"].splitlines()) == 1 for ack in acks)
    applied = {ack["id"]: (ack["n"], ack["step"]) for ack in acks if ack["result"] == "applied"}
    assert applied == {row["id"]: (row["n"], row["step"]) for row in rows}
    assert len(rows) > 100
    steps = [row["step"] for row in rows]
    assert steps == sorted(steps)
    remembered = {name: thoughts(storage, name) for name in NAMES}
    for row in rows:
        assert remembered[row["who"]].count(row["words"]) == 1, row
    assert sum(map(len, remembered.values())) == len(rows)


def thoughts(storage, name):
    """The planted memories of a persona."""
    memory = storage.folder("new") / f"personas/{name}/bootstrap_memory/associative_memory/nodes.json"
    nodes = json.loads(memory.read_text("utf-8"))
    return [node["description"] for node in nodes.values() if node["description"].startswith("thought ")]


@pytest.mark.slow
def test_a_headless_run_listens_if_it_is_asked(storage):
    """Its end can be changed; `stop` saves it, and the exit code is that of a complete run."""
    outside = Outside(storage)
    process = storage.start("reverie_offline", "-o", "base", "-t", "new", "-s", 10**6, "--listen")
    wait((storage.root / "temp/inbox/new").exists, process)
    assert outside.ask(process, "until", "a", until=10**6 - 1)["until_step"] == 10**6 - 1
    done = outside.ask(process, "stop", "b")["step"]
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err, f"step {done:,}." in out) == (0, "", True)
    assert json.loads((storage.folder("new") / "reverie/meta.json").read_text("utf-8"))["step"] == done
    assert storage.run("reverie_offline", "-o", "new", "-t", "again", "--replay", "new", "--listen")[0] == 1
