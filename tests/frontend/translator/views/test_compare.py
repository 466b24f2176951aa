"""A comparison is computed once, in a process of its own; watchers are told less of it."""

import json
import os
from threading import Event

import pytest
from waiting import PATIENCE

from translator.errors import Unavailable
from translator.storage.computed import comparisons, computations
from translator.views.compare import for_watchers

ADA = "Ada Stone"
WAIT = "wait=5"


@pytest.fixture
def runs(stage):
    """A saved run and a compressed one, in which Ada does something else in step 2."""
    stage.save("plain", stage.walk(4))
    frames = stage.walk(4)
    frames[2][ADA] = {**frames[2][ADA], "description": "singing @ the Town:Green:lawn"}
    stage.compress("sung", frames)
    return stage


def compared(client, address):
    """Ask until the comparison is there."""
    answer = client.get(address)
    while answer.status_code == 202:
        answer = client.get(address)
    return answer


def test_a_comparison_is_computed_once_and_says_what_differs(runs, client):
    """However often it is asked for, until one of the simulations is saved again. Nothing is written to them."""
    before = runs.files()
    address = f"/comparison/plain/sung/?{WAIT}"
    answer = compared(client, address)
    assert answer.status_code == 200
    found = answer.json()
    assert found["equal"]["until"] == 2
    assert [(span["first"], span["last"]) for span in found["people"][ADA]] == [(2, 2)]
    known = len(comparisons._computed)
    assert client.get(address).json() == found
    assert len(comparisons._computed) == known
    assert runs.files() == before


@pytest.mark.usefixtures("runs")
def test_the_page_names_both_runs(client):
    """With map, people and first step of each."""
    page = client.get("/compare/plain/sung/").context["page"]
    assert [(side["sim_code"], side["store"]) for side in page["sides"]] == [("plain", "saved"), ("sung", "compressed")]
    assert client.get("/compare/?a=plain&b=sung").headers["Location"] == "/compare/plain/sung/"


def test_a_run_can_be_compared_until_a_moment(runs, client):
    """The steps before it, on the page and in what is compared; any name of the same moment is the same."""
    frames = runs.walk(4)
    frames[2][ADA] = {**frames[2][ADA], "description": "humming @ the Town:Green:lawn"}
    runs.save("hummed", frames)
    sides = client.get("/compare/plain@2/hummed/").context["page"]["sides"]
    assert [(side["sim_code"], side["name"], side["until"]) for side in sides] == [
        ("plain", "plain@2", 2), ("hummed", "hummed", None)
    ]  # fmt: skip
    assert compared(client, f"/comparison/plain@2/hummed@2/?{WAIT}").json()["equal"]["until"] is None
    assert client.get("/compare/?a=plain%40end&b=hummed%403").headers["Location"] == "/compare/plain/hummed@3/"


NOWHERE = ["/compare/plain/none/", "/comparison/none/plain/", "/compare/?a=..&b=plain"]
NO_MOMENT = ["/compare/plain@0/sung/", "/comparison/plain@9/sung/", "/compare/plain@x/sung/", "/compare/sung@2/plain/"]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("address", NOWHERE + NO_MOMENT)
def test_what_does_not_exist_is_refused(client, address):
    """Unknown simulations, what cannot be the name of one, and moments that were not reached."""
    assert client.get(address).status_code in {400, 404}


@pytest.mark.usefixtures("runs")
def test_too_many_comparisons_are_refused(client, monkeypatch):
    """Until one is done: each takes memory and a processor."""
    monkeypatch.setattr(computations, "MOST_WAITING", 0)
    answer = client.get("/comparison/sung/plain/")
    assert (answer.status_code, "error" in answer.json()) == (503, True)


class Saved:
    """A simulation whose file of properties changes with each save."""

    def __init__(self, folder, code):
        self.code, self.root, self.meta_file = code, folder / code, folder / f"{code}.json"
        self.save(1)

    def save(self, time):
        self.meta_file.write_text("{}")
        os.utime(self.meta_file, (time, time))


@pytest.fixture
def pair(tmp_path, monkeypatch):
    """Two simulations, no jobs yet, and a command that waits until it may go on: its calls, and the permission."""
    calls, go_on = [], Event()

    def command(words, _timeout, _stop):
        calls.append(words)
        go_on.wait(PATIENCE)
        return "It cannot be compared."

    monkeypatch.setattr(comparisons, "_computed", computations.Computations())
    monkeypatch.setattr(computations, "run_command", command)
    yield *(comparisons.NamedRun(code, Saved(tmp_path, code)) for code in "ab"), calls, go_on
    go_on.set()


def test_a_pair_has_one_job_however_often_it_is_saved(pair, monkeypatch):
    """The one that was begun is finished and shown; what failed is not begun again before the next save."""
    a, b, calls, go_on = pair
    monkeypatch.setattr(computations, "MOST_TRIES", 1)
    job = comparisons.comparison(a, b)
    for time in range(2, 9):
        b.simulation.save(time)
        assert comparisons.comparison(a, b) is job
    go_on.set()
    assert job.done.wait(PATIENCE)
    assert comparisons.comparison(a, b) is job
    assert len(calls) == 1
    monkeypatch.setattr(computations, "FRESH", 0.0)
    b.simulation.save(9)
    newer = comparisons.comparison(a, b)
    assert newer is not job
    assert newer.done.wait(PATIENCE)
    assert comparisons.comparison(a, b) is newer
    assert len(calls) == 2


def test_watchers_begin_one_comparison_at_a_time(pair):
    """Those who may act still can begin another one meanwhile."""
    a, b, _, go_on = pair
    job = comparisons.comparison(a, b, may_act=False)
    assert comparisons.comparison(a, b, may_act=False) is job
    with pytest.raises(Unavailable):
        comparisons.comparison(b, a, may_act=False)
    others = comparisons.comparison(b, a)
    go_on.set()
    assert job.done.wait(PATIENCE)
    assert others.done.wait(PATIENCE)


def test_unexpected_errors_are_told_in_one_general_sentence(tmp_path):
    """The lines of Python are for the log of the server."""
    (tmp_path / "crash.py").write_text("{}['Ada Stone']", "utf-8")
    fault = computations.run_command([str(tmp_path / "crash.py")])
    assert fault == computations.FAILED


def test_watchers_are_not_told_what_was_whispered_nor_what_it_cost():
    """Neither words of interventions nor cost nor commands; everything else."""
    row = {"step": 1, "kind": "whisper", "who": ADA, "words": "secret"}
    planted = {"who": ADA, "step": 1, "a": "–", "b": "a wish that is secret"}
    heard = {"who": "Ben", "step": 9, "a": "–", "b": "Ada sings"}
    own = {"memories": [{"who": ADA, "step": 1, "text": "a secret wish"}], "plans": [], "talks": []}
    spread = [{"who": ADA, "via": "intervention", "words": "secret"}, {"who": "Ben", "via": "talk", "words": "hello"}]
    side = {"name": "run", "rerun": "secret"}
    found = {
        "a": side, "b": side, "memories": [planted, heard], "only_a": own, "only_b": own,
        "prompts": [{"who": ADA, "lines": ["secret"], "answer_a": "", "answer_b": ""}],
        "set_up": {"only_a": [], "only_b": [row]}, "spread": spread,
        "outcomes": {"measures": [1], "cost_a": None, "cost_b": {"calls": "secret"}},
    }  # fmt: skip
    told = for_watchers(json.dumps(found).encode()).decode()
    assert "secret" not in told
    assert json.loads(told)["memories"][1] == heard
    assert json.loads(told)["spread"][1]["words"] == "hello"
    assert json.loads(told)["outcomes"]["measures"] == [1]
