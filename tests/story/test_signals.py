"""A user ends the program, or closes its terminal: what was lived is saved, as after Ctrl-C."""

import json
import os
import signal

import faults
import pytest
from outside import wait
from sample_requests import KEY
from step_texts import has_step
from waiting import PATIENCE

SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
ANSWERED = 2
"""Questions that are answered, of three in the first step: one for each day."""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without telling it")


def saved_step(storage, name):
    return json.loads((storage.folder(name) / "reverie/meta.json").read_text("utf-8"))["step"]


def heard(process, words):
    """Read on until it says this."""
    said = ""
    while words not in said:
        more = os.read(process.stdout.fileno(), 4096).decode()
        assert more, said
        said += more


def ended(process, *numbers):
    """Exit code and what was said, after these signals."""
    for number in numbers:
        process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in out + err
    return process.returncode, out + err


def like_an_unbroken_run(storage, name):
    """Gone on with, it has the files of a run that was not ended."""
    step = saved_step(storage, name)
    for each, origin, steps in ((name, name, 5), (f"{name}_whole", "base", step + 5)):
        assert storage.run("reverie_offline", "-o", origin, "-t", each, "-s", steps)[0] == 0
    return storage.files(name) == storage.files(f"{name}_whole")


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_a_headless_run_finishes_its_step_and_saves(storage, number):
    """Though the signal comes twice, with another one: a terminal that closes and a service manager send several."""
    process = storage.start("reverie_offline", "-o", "base", "-t", "new", "-s", 10**6)
    wait(has_step(storage.folder("new"), 20), process)
    process.send_signal(number)
    heard(process, "Finishing this step")
    code, said = ended(process, *SIGNALS)
    assert code == 128 + number, said
    assert saved_step(storage, "new") >= 20
    assert like_an_unbroken_run(storage, "new")


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("typed", ["run 7\n", "run 7\nrun 1000000\n"])
def test_the_prompt_saves_and_leaves(storage, number, typed):
    """While it waits for a command, and in the midst of a run."""
    process = storage.start("reverie")
    process.stdin.write(f"base\nnew\n{typed}")
    process.stdin.flush()
    wait(has_step(storage.folder("new"), 6 if typed.count("run") == 1 else 12), process)
    code, said = ended(process, number)
    assert code == 128 + number, said
    assert saved_step(storage, "new") >= 7
    assert like_an_unbroken_run(storage, "new")


@pytest.mark.parametrize(
    ("shell", "arguments", "typed"),
    [("reverie_offline", ("-o", "base", "-t", "new", "-s", "5"), ""), ("reverie", (), "base\nnew\nrun 5\n")],
)
def test_a_run_does_not_wait_on_for_a_model(storage, server, shell, arguments, typed):
    """It ends at once, as if killed: gone on with, nothing is asked again that was answered, and the files are those of
    an unbroken run.
    """
    storage.settings.update(
        VILLE_PROVIDER="openai", VILLE_EMBEDDER="hashing", VILLE_BASE_URL=server.url, OPENAI_API_KEY=KEY,
        VILLE_DEADLINE="100000", VILLE_MAX_CONCURRENCY="1",
    )  # fmt: skip
    answers = server.chat
    server.chat = lambda request: faults.silent(request) if len(server.chats) > ANSWERED else answers(request)
    process = storage.start(shell, *arguments)
    process.stdin.write(typed)
    process.stdin.flush()
    wait(lambda: len(server.chats) > ANSWERED, process)
    code, said = ended(process, signal.SIGTERM)
    assert code == 128 + signal.SIGTERM, said
    assert "stopped while it waited for a model" in said
    server.chat, sent = answers, len(server.chats)
    assert storage.run("reverie_offline", "-o", "new", "-t", "new", "-s", 5)[0] == 0
    asked = [json.dumps(request.body, sort_keys=True) for request in server.chats]
    assert not set(asked[:ANSWERED]) & set(asked[sent:])
    assert storage.run("reverie_offline", "-o", "base", "-t", "whole", "-s", 5)[0] == 0
    new, whole = (
        {file: content for file, content in storage.files(name).items() if "/ledger." not in file}
        for name in ("new", "whole")
    )
    assert new == whole


@pytest.fixture
def unanswered(storage, server):
    """A prompt at which an interview waits for a model that gives no answer."""
    storage.settings.update(
        VILLE_PROVIDER="openai", VILLE_EMBEDDER="hashing", VILLE_BASE_URL=server.url, OPENAI_API_KEY=KEY
    )
    process = storage.start("reverie")
    process.stdin.write("base\nnew\nrun 3\n")
    process.stdin.flush()
    wait(has_step(storage.folder("new"), 2), process)
    server.chat = faults.silent
    answered = len(server.chats)
    process.stdin.write("call -- analysis Ada Stone\nHow are you?\n")
    process.stdin.flush()
    wait(lambda: len(server.chats) > answered, process)
    return process


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_whoever_waits_for_an_answer_does_not_wait_on(storage, unanswered, number):
    """An interview, with a model that gives none: it is left, and what was lived before is saved."""
    code, said = ended(unanswered, number)
    assert code == 128 + number, said
    assert saved_step(storage, "new") == 3


def test_ctrl_c_leaves_the_question_and_not_the_session(storage, unanswered):
    """The prompt is there again, and what was lived before can be saved."""
    unanswered.send_signal(signal.SIGINT)
    heard(unanswered, "Interrupted")
    unanswered.stdin.write("save\nexit\n")
    unanswered.stdin.flush()
    code, said = ended(unanswered)
    assert (code, saved_step(storage, "new")) == (0, 3), said


@pytest.mark.parametrize("number", SIGNALS)
def test_before_anything_was_lived_nothing_is_left(storage, number):
    """At the questions for the names."""
    process = storage.start("reverie")
    process.stdin.write("base\n")
    process.stdin.flush()
    heard(process, "new simulation")
    assert ended(process, number)[0] == 128 + number
    assert sorted(path.name for path in (storage.root / "storage").iterdir()) == ["base"]
