"""Runs that ask a provider, over real HTTP, when it does what providers do."""

import itertools
import json
from base64 import b64encode
from collections import deque
from contextlib import closing

import faults
import pytest
from chat_server import SIZE
from sample_requests import KEY

from ville.llm.accounting.call_listing import export
from ville.llm.accounting.ledger import Ledger
from ville.llm.wire.masking import MASKED
from ville.simulation.running.run_loop import MAX_FAILED_STEPS

STEPS = 60 * 9
"""Nine hours of the small town, in which everyone plans a day, gets up, and goes about it step by step."""
DAYS_PLANNED = 9
"""Answers of three for each person after which everyone has a day; the next questions come hours later."""


@pytest.fixture
def town(storage, server):
    """The small town, with a provider that is not waited for and questions that go on all day, those of the paper."""
    storage.settings.update(
        VILLE_PROVIDER="openai", VILLE_EMBEDDER="openai", VILLE_BASE_URL=server.url, OPENAI_API_KEY=KEY,
        VILLE_RETRY_FOR="0.5", VILLE_QUESTIONS="paper",
    )  # fmt: skip
    return storage


def step_of(town, name):
    return json.loads((town.folder(name) / "reverie/meta.json").read_text("utf-8"))["step"]


def from_then_on(server, behaviour, calls=DAYS_PLANNED):
    """After so many answers, nothing but this."""
    straight = server.chat

    def chat(request):
        return straight(request) if len(server.chats) <= calls else behaviour(request)

    server.chat = chat


@pytest.mark.parametrize(
    ("fault", "says"),
    [("wrong key", "does not accept the API key"), ("no quota", "no credit left"), ("unknown model", "has no model")],
)
def test_what_cannot_pass_stops_the_run_at_the_end_of_a_step_and_saves(town, server, fault, says):
    """One line that says why, everything up to there saved, and with a working provider it goes on."""
    straight = server.chat
    from_then_on(server, faults.FINAL[fault])
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert (code, "Traceback" in out) == (1, False)
    assert says in out
    assert 0 < (stopped := step_of(town, "new")) < STEPS
    server.chat = straight
    assert town.run("reverie_offline", "-o", "new", "-t", "new", "-s", 5)[0] == 0
    assert step_of(town, "new") == stopped + 5


def test_a_provider_that_wants_an_hour_is_asked_once(town, server):
    """The run stops saved, and says in one line when to go on; no call is made in vain meanwhile."""
    town.settings.update(VILLE_MAX_CONCURRENCY="1", VILLE_EMBEDDER="hashing")
    from_then_on(server, faults.rate_limited("3600"))
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert (code, len(server.requests)) == (1, DAYS_PLANNED + 1), out
    assert "3,600 s" in out.splitlines()[-1]
    assert step_of(town, "new") > 0


def test_a_host_that_dies_is_given_some_steps_then_the_run_stops_and_saves(town, server):
    """People carry on with what they do without an answer; in the end one line names the provider."""
    from_then_on(server, faults.dropped)
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert (code, "Traceback" in out) == (1, False)
    assert "cannot be reached" in out
    assert step_of(town, "new") >= MAX_FAILED_STEPS


def test_a_key_is_nowhere(town, server):
    """Not in any file of the simulation, not in anything that is said, though the provider quotes it in every form.

    Nor is what the address holds: user, password and a token in its path.
    """
    user, token = "ada:p4ssw0rd", "t0ken-in-path"
    town.settings["VILLE_BASE_URL"] = server.url.replace("//", f"//{user}@").replace("/v1", f"/{token}/v1")
    town.settings["VILLE_EMBEDDER"] = "hashing"
    from_then_on(server, faults.Quoting(KEY))
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS, "--debug")
    assert (code, "does not accept the API key" in out) == (1, True), out
    assert any(token in request.path for request in server.requests)
    with closing(Ledger.read(town.folder("new") / "reverie")) as ledger:
        written = "".join(piece for form in ("csv", "json") for piece in export(ledger, form))
    for secret in (KEY, user, user.partition(":")[2], token):
        for form in (secret, b64encode(secret.encode()).decode().rstrip("=")):
            assert form not in out + written
            assert not [name for name, content in town.files("new").items() if form.encode() in content]
    assert MASKED in written


def vectors_kept(town, name):
    """How many numbers the vectors in memories and in the ledger have."""
    ledger = Ledger.read(town.folder(name) / "reverie")
    kept = {length // 4 for (length,) in ledger.connection.execute("SELECT length(vector) FROM vectors")}
    ledger.close()
    stores = [json.loads(path.read_text("utf-8")) for path in town.folder(name).rglob("embeddings.json")]
    return kept | {len(vector) for store in stores for vector in store.values()}


@pytest.mark.slow
def test_bad_vectors_are_asked_for_again(town, server):
    """The first answer is one that cannot be compared, and then every other one until all kinds have come. Nothing of
    them is kept, and the run goes on.
    """
    town.settings["VILLE_RETRY_FOR"] = "30"
    good = [server.embed] * len(faults.VECTORS)
    bad = [faults.VECTORS["another size"], *faults.VECTORS.values()]
    script = deque(itertools.chain.from_iterable(itertools.zip_longest(bad, good, fillvalue=server.embed)))

    def embed(request):
        return (script.popleft() if len(script) > 1 else script[0])(request)

    server.embed = embed
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert (code, len(script), "without an answer" in out) == (0, 1, False), out
    assert vectors_kept(town, "new") == {SIZE}


@pytest.mark.slow
def test_a_ledger_with_bad_vectors_heals(town):
    """Those of an older version are asked for again: a simulation that could not be resumed goes on as if they had been
    good.
    """
    assert town.run("reverie_offline", "-o", "base", "-t", "whole", "-s", STEPS)[0] == 0
    assert town.run("reverie_offline", "-o", "base", "-t", "new", "-s", 400)[0] == 0
    with (
        closing(Ledger.open(town.folder("new") / "reverie")) as ledger,
        closing(Ledger.read(town.folder("whole") / "reverie")) as whole,
    ):
        rows = whole.connection.execute("SELECT embedder, text, substr(vector, 1, 28) FROM vectors").fetchall()
        ledger.connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
    code, out = town.run("reverie_offline", "-o", "new", "-t", "new", "-s", STEPS - 400)
    assert (code, "without an answer" in out) == (0, False), out
    kept = [
        {file: text for file, text in town.files(name).items() if "/ledger." not in file} for name in ("whole", "new")
    ]
    assert kept[0] == kept[1]


def test_a_language_is_asked_for_in_every_question(town, server):
    """The first words of every request name it; the town goes on as in any language."""
    town.settings["VILLE_LANGUAGE"] = "ru"
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", STEPS)
    assert code == 0
    assert "Russian" in out
    firsts = {json.dumps(request.body["messages"][0]) for request in server.chats}
    assert len(firsts) == 1
    assert "Russian" in firsts.pop()


@pytest.mark.slow
def test_a_simulation_keeps_its_language(town, server):
    """Resumed or replayed without naming it, it goes on in the one it was begun in, and a replay makes no call."""
    assert town.run("reverie_offline", "-o", "base", "-t", "new", "-s", 5, "--language", "ru")[0] == 0
    assert town.run("reverie_offline", "-o", "new", "-t", "new", "-s", STEPS - 5)[0] == 0
    asked = len(server.requests)
    assert all("Russian" in request.body["messages"][0]["content"] for request in server.chats)
    assert town.run("reverie_offline", "-t", "again", "--replay", "new")[0] == 0
    assert len(server.requests) == asked
