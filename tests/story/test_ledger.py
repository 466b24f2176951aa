"""A day on the telephone: everything is written down, nothing is paid for twice, and it can all be lived again."""

import json
import re
import sqlite3
import threading
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import chain, cycle

import faults
import pytest
from default_answers import answer_to, question_of
from sample_requests import KEY
from step_texts import has_step
from stored_texts import check_texts
from waiting import PATIENCE, until

from ville.analysis.function_costs import function_costs
from ville.analysis.measures import SavedRun
from ville.assembly import client
from ville.cli import offline_command as reverie_offline
from ville.errors import CorruptFile
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Prices
from ville.llm.accounting.summaries import Calendar
from ville.llm.gateway import EMBEDDING
from ville.llm.retry import RetryPolicy
from ville.storage.folder.storage import find

DAY = 1440
MORNING = 30
"""Steps of a minute, from two minutes before all get up at six."""
SLOW = {"silent", "dripping"}
LOST = {"dropped": faults.dropped, "silent": faults.silent, "dripping": faults.dripping}
"""Answers that were sent, but never arrived."""
CHAT = faults.PASSING | faults.MALFORMED | faults.READABLE | faults.TEXTS | LOST | {"too long": faults.too_long}
EMBED = faults.VECTORS | {
    name: faults.PASSING[name] for name in ("rate limited", "out of order", "rate limit in a success", "broken JSON")
}
UNREAD = faults.PASSING.keys() | LOST.keys()
"""Answers of which the bill is not read."""


@pytest.fixture
def town(storage, server):
    """The small town, connected to the server as to OpenAI."""
    storage.settings.update(
        VILLE_PROVIDER="openai",
        VILLE_EMBEDDER="openai",
        VILLE_BASE_URL=server.url,
        OPENAI_API_KEY=KEY,
        VILLE_MAX_CONCURRENCY="25",
    )
    return storage


def kept(town, name):
    """Everything of a simulation but its ledger."""
    return {file: content for file, content in town.files(name).items() if "/ledger." not in file}


def rows(town, name, columns, which=""):
    ledger = Ledger.read(town.folder(name) / "reverie")
    found = ledger.connection.execute(f"SELECT {columns} FROM calls {which}").fetchall()  # noqa: S608
    ledger.close()
    return found


def usable_calls(town, name):
    """Calls of each function that had an answer, in both halves of a run."""
    run = SavedRun(find(town.root / "storage", name))
    with closing(Ledger.read(town.folder(name) / "reverie")) as ledger:
        costs = function_costs(ledger, Calendar(run.begins, 60))
    return {function: cost.calls - cost.errors for function, cost in costs.items() if function != EMBEDDING}


class Honest:
    """Makes each answer once for each key, and then loses every third on the way, for the first time."""

    def __init__(self, straight) -> None:
        self._straight = straight
        self._made = {}
        self._lock = threading.Lock()

    def __call__(self, request):
        key = request.headers["idempotency-key"]
        with self._lock:
            fresh = key not in self._made
            if fresh:
                self._made[key] = self._straight(request)
            lost = fresh and len(self._made) % 3 == 0
        return replace(self._made[key], cut=True) if lost else self._made[key]

    @property
    def paid(self):
        return len(self._made)


def test_what_was_lost_on_the_way_is_not_paid_for_again(town, server):
    """A provider that honours keys makes as many answers as were asked for, however often it is asked for them."""
    server.chat = honest = Honest(server.chat)
    town.settings["VILLE_EMBEDDER"] = "hashing"
    assert town.run("reverie_offline", "-o", "base", "-t", "new", "-s", DAY // 4)[0] == 0
    ((answered,),) = rows(town, "new", "count(DISTINCT key)", "WHERE outcome = 'answered'")
    assert answered == honest.paid
    assert len(server.chats) > honest.paid


class Moody:
    """Answers properly nine times, and the tenth time with the next fault of a list, over and over again.

    Faults that last until the client gives up come once. Nothing beyond the limit of a request is charged, however long
    the answer is.
    """

    def __init__(self, straight, moods):
        self._straight, self._moods = straight, moods
        self._names = chain(moods, cycle(name for name in moods if name not in SLOW))
        self._lock = threading.Lock()
        self.count = 0
        self.bill = 0.0
        """Dollars, added up answer by answer."""

    def __call__(self, request):
        with self._lock:
            self.count += 1
            name = next(self._names) if self.count % 10 == 0 else ""
        reply = self._moods[name](request) if name else self._straight(request)
        if name not in UNREAD:
            self._charge(request, reply)
        return reply

    def _charge(self, request, reply):
        usage = (reply.body.get("usage") if isinstance(reply.body, dict) else None) or {}
        price = Prices.load().of(request.body["model"])
        answer = min(usage.get("completion_tokens", 0), request.body.get("max_completion_tokens", 0))
        cost = usage.get("prompt_tokens", 0) * price.input + answer * price.output
        with self._lock:
            self.bill += cost / 1_000_000


@pytest.fixture
def impatient(monkeypatch, town):
    """Runs in this process, where pauses can be made short."""
    for name, value in town.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("VILLE_DEADLINE", "8")
    monkeypatch.setattr(client, "RetryPolicy", lambda patience: RetryPolicy(patience, first=0.01))
    return lambda *arguments: reverie_offline.main([str(argument) for argument in arguments])


@pytest.mark.slow
def test_a_morning_with_a_moody_provider(town, server, impatient):
    """Of 25 people; one answer of ten is one of 41 faults. The morning ends; each request is a row; the provider's bill
    is at least what was reported and at most what is booked; no fault is remembered, no text is longer than its cap or
    holds a control character, in any file; lived again from the ledger it is the same morning to the last byte, and
    no provider is called.
    """
    assert len(CHAT | EMBED) == 41
    crowd(town, 22)
    server.chat, server.embed = Moody(getting_up_at_six(server.chat), CHAT), Moody(server.embed, EMBED)
    assert impatient("-o", "base", "-t", "day", "-s", MORNING) == 0
    assert json.loads((town.folder("day") / "reverie/meta.json").read_text("utf-8"))["step"] == MORNING
    assert server.chat.count > 10 * len(CHAT)
    assert server.embed.count > 10 * len(EMBED)
    check_texts(town.folder("day"))

    assert len(rows(town, "day", "id")) == len(server.requests)
    failed = Counter(outcome for (outcome,) in rows(town, "day", "outcome", "WHERE outcome <> 'answered'"))
    assert failed.keys() >= {"RateLimited", "Unreachable", "TimedOut", "TooLong", "UnusableVectors"}
    told, booked = (rows(town, "day", "total(cost)", which)[0][0] for which in ("WHERE NOT estimated", ""))
    assert 0 < told <= server.chat.bill + server.embed.bill <= booked
    assert rows(town, "day", "count(*)", "WHERE repair > 0")[0][0] > 0

    memories = b"".join(content for file, content in kept(town, "day").items() if file.endswith(".json"))
    for trace in (
        b"language model",
        b"cannot help",
        b"proxy",
        b"Provider",
        b"think>",
        b"```",
        b"limit",
        b"engine",
        b"SPOILT",
    ):
        assert trace not in memories

    calls, connections = len(server.requests), server.connections
    assert impatient("--replay", "day", "-t", "again") == 0
    assert (len(server.requests), server.connections) == (calls, connections)
    assert kept(town, "again") == kept(town, "day")


def crowd(town, count):
    """A base with so many people more, copies of one of them, two minutes before everybody gets up."""
    base = town.folder("base")
    meta = json.loads((base / "reverie/meta.json").read_text("utf-8"))
    names = [f"Person{number:02} Stone" for number in range(count)]
    ada = {path.relative_to(base / "personas/Ada Stone"): path.read_text("utf-8")
           for path in (base / "personas/Ada Stone").rglob("*.json")}  # fmt: skip
    for name in names:
        for file, text in ada.items():
            path = base / "personas" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("Ada Stone", name).replace('"Ada', f'"{name.split()[0]}'), "utf-8")
    places = json.loads((base / "environment/0.json").read_text("utf-8"))
    places |= dict.fromkeys(names, places["Ada Stone"])
    (base / "environment/0.json").write_text(json.dumps(places), "utf-8")
    meta |= {"persona_names": meta["persona_names"] + names, "curr_time": "February 13, 2023, 05:58:00"}
    (base / "reverie/meta.json").write_text(json.dumps(meta), "utf-8")


def getting_up_at_six(straight):
    """Everybody does."""

    def chat(request):
        if question_of(request.body) == "plan_wake_up_hour":
            return faults.saying('{"wake_up_hour": 6}')(request)
        return straight(request)

    return chat


class Holding:
    """Answers so many requests, then holds all that come until it is let go; it is crowded when so many are open."""

    def __init__(self, straight, answers, full):
        self._straight, self._answers, self._full = straight, answers, full
        self._lock = threading.Lock()
        self.answered = []
        self.open = 0
        self.crowded, self.let_go = threading.Event(), threading.Event()

    def __call__(self, request):
        with self._lock:
            hold = len(self.answered) >= self._answers
            if hold:
                self.open += 1
                if self.open == self._full:
                    self.crowded.set()
            else:
                self.answered.append(json.dumps(request.body))
        if hold:
            self.let_go.wait(PATIENCE)
            return faults.out_of_order(request)
        return self._straight(request)


STEPS = 4


def answered(town, name):
    """Return the number of answers in the ledger of a simulation that may be running."""
    try:
        return len(rows(town, name, "id", "WHERE outcome = 'answered' AND question <> 'embedding'"))
    except (sqlite3.OperationalError, CorruptFile):  # it is being written
        return 0


def texts(requests):
    """Return the texts to embed, and how often each was sent."""
    return Counter(text for request in requests if "input" in request.body for text in request.body["input"])


@pytest.mark.parametrize("step", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_killed_with_25_calls_open_nothing_answered_is_asked_again(town, server, step):
    """In the middle of a step, the first one or a later one. Together, both halves ask what one run asks, request for
    request, and leave the same files. Each person has several questions of the paper, so that so many are open.
    """
    town.settings["VILLE_QUESTIONS"] = "paper"
    crowd(town, 22)
    straight = server.chat = getting_up_at_six(server.chat)
    assert town.run("reverie_offline", "-o", "base", "-t", "whole", "-s", STEPS)[0] == 0
    asked, embedded = Counter(json.dumps(request.body) for request in server.chats), texts(server.requests)
    before = rows(town, "whole", "id", f"WHERE step < {step} AND question <> 'embedding'")

    server.requests.clear()
    server.chat = held = Holding(straight, answers=len(before) + 10, full=25)
    assert town.run("reverie_offline", "-o", "base", "-t", "parts", "-s", 0)[0] == 0
    process = town.start("reverie_offline", "-o", "parts", "-t", "parts", "-s", STEPS)
    assert held.crowded.wait(PATIENCE)
    assert until(lambda: answered(town, "parts") >= len(held.answered))
    process.kill()
    process.communicate()
    held.let_go.set()

    first_half = list(server.requests)
    server.requests.clear()
    server.chat = straight
    assert town.run("reverie_offline", "-o", "parts", "-t", "parts", "-s", STEPS)[0] == 0
    assert Counter(held.answered) + Counter(json.dumps(request.body) for request in server.chats) == asked
    assert texts(first_half) + texts(server.requests) == embedded
    assert kept(town, "parts") == kept(town, "whole")
    assert rows(town, "parts", "count(*), min(estimated)", "WHERE outcome = 'killed'") == [(held.open, 1)]
    assert usable_calls(town, "parts") == usable_calls(town, "whole")


def test_a_budget_ends_a_run_and_can_be_raised(town, server):
    """Not one call more than allowed; everything saved; with a higher limit it goes on from there."""
    code, out = town.run("reverie_offline", "-o", "base", "-t", "new", "-s", DAY, "--max-calls", 40)
    assert (code, "max_calls: all 40 calls have been made." in out, "Traceback" in out) == (1, True, False)
    assert len(server.requests) == 40
    step = json.loads((town.folder("new") / "reverie/meta.json").read_text("utf-8"))["step"]
    assert 0 < step < DAY
    code, out = town.run("reverie_offline", "-o", "new", "-t", "new", "-s", 30, "--max-calls", 400)
    assert code == 0
    assert 40 < len(server.requests) <= 400


def test_what_is_spent_is_shown_and_reckoned(town):
    """While it runs, at the end, on demand at the prompt; the estimate of a new simulation leaves nothing behind."""
    town.settings["VILLE_QUESTIONS"] = "paper"  # which are enough in a morning to reckon by
    code, out = town.run("reverie", typed="base\nnew\nrun 400\nprint ledger\nestimate 1 day\nfin\n")
    assert (code, "Traceback" in out) == (0, False)
    calls = len(rows(town, "new", "id"))
    assert f" {calls} calls, " in out
    assert f"the {calls} calls of this simulation so far" in out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("all ")] == [str(calls)]
    code, out = town.run("reverie_offline", "-o", "base", "-t", "never", "-s", DAY, "--estimate")
    assert (code, "1,440 more steps of 3 people" in out) == (0, True)
    assert not town.folder("never").exists()


@pytest.mark.slow
def test_a_replay_that_has_no_recording_is_one_line(town, storage):
    """A simulation without calls cannot be replayed; neither can one that is not there."""
    offline = replace(storage, settings={"VILLE_SEED": "1", "VILLE_PROVIDER": "offline"})
    assert offline.run("reverie_offline", "-o", "base", "-t", "rules", "-s", 5)[0] == 0
    for name, says in (("rules", "ledger"), ("nowhere", "There is no simulation 'nowhere'")):
        code, out = town.run("reverie_offline", "--replay", name, "-t", "again", "-s", 5)
        assert (code, says in out, "Traceback" in out) == (1, True, False)
        assert not town.folder("again").exists()


@pytest.mark.slow
def test_a_replay_that_leaves_its_track_says_where(town):
    """Replayed from another simulation it stops at the first question that was not asked, and nothing is left of it."""
    assert town.run("reverie_offline", "-o", "base", "-t", "day", "-s", 30)[0] == 0
    assert town.run("reverie_offline", "-o", "day", "-t", "longer", "-s", 400)[0] == 0
    code, out = town.run("reverie_offline", "-o", "base", "--replay", "longer", "-t", "astray", "-s", 400)
    assert (code, "this run differs from the recorded one" in out, "Traceback" in out) == (1, True, False)
    assert not town.folder("astray").exists()


def test_a_replay_with_a_history_that_was_not_told_is_one_line(town):
    """The ledger has no answer to a whisper: nothing is left."""
    (town.root / "assets/history.csv").write_text("Name,Whisper\nAda Stone,You sing\n", "utf-8")
    assert town.run("reverie_offline", "-o", "base", "-t", "day", "-s", 5)[0] == 0
    ended = town.finish("reverie_offline", "--replay", "day", "-t", "again", "--load-history", "history.csv")
    assert (ended.code, len(ended.err.splitlines()), town.folder("again").exists()) == (1, 1, False), ended
    assert "has no answer to talk/whispers_matter" in ended.err


@pytest.mark.slow
def test_a_replay_beyond_its_recording_says_how_far_it_goes(town):
    """As far as that it can be had; what was whole before stands when it fails from there."""
    steps = 400
    assert town.run("reverie_offline", "-o", "base", "-t", "day", "-s", steps)[0] == 0
    code, out = town.run("reverie_offline", "--replay", "day", "-t", "again", "-s", steps + 300)
    assert (code, "Traceback" in out, town.folder("again").exists()) == (1, False, False)
    far = int(re.search(r"'again' has been deleted. With -s (\d+) it would be complete", out)[1])
    assert steps <= far < steps + 300
    assert town.run("reverie_offline", "--replay", "day", "-t", "again", "-s", far)[0] == 0
    assert town.run("reverie_offline", "-o", "again", "--replay", "day", "-t", "again", "-s", 300)[0] == 1
    assert has_step(town.folder("again"), far - 1)()


def test_a_second_answer_is_the_first_one_over_again():
    """The server of these tests answers the same request the same way: else nothing above would prove anything."""
    body = {"messages": [{"role": "user", "content": "At which hour does Ada get up in the morning?"}]}
    assert answer_to(body) == answer_to(body)
