"""Every bad request to every address is refused with a reason, and nothing is written outside of temp_storage."""

import json
import os
import re
from itertools import product
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from evaluation_files import write_evaluation
from kept_forms import DEEDS, KEPT

from translator.forms import CONTROL
from translator.storage.computed import computations

LONG, EMOJI, OUTSIDE = "x" * 300, "😴", "../../../outside"
NASTY = [
    "..", "../../etc/passwd", OUTSIDE, "/etc/passwd", "a\x00b", LONG, EMOJI, "-1", "1e9", "9" * 40, "%2e%2e",
    "..\\..\\a", "a b", "\n", "<script>", "' OR 1=1 --", "é" * 99,
]  # fmt: skip
STOCK = {"admin", "i18n"}
"""Django's own routes."""
EXCHANGES = ["/process_environment/", "/update_environment/", "/path_tester_update/"]
ASK, THERE = {"id": "9f3c", "request": "pause"}, {"name": "Ada", "typing": False}
RULES, KEY = {"provider": "offline"}, {"provider": "openai"}
OLD = {"id": "9f3c", "path": "old", "bring": False, "settings": False}
HAIR, CLOTHES = {"cut": "bob", "colour": "black"}, {"top": "red", "bottom": "blue"}
LOOK = {"name": "Ada Stone", "look": {"skin": "tan", "eyes": "brown", "hair": HAIR, "clothes": CLOTHES}}
ACTS = {
    "/act/<str:sim>/": ASK,
    "/engine/": ASK,
    "/visit/<str:sim>/": THERE,
    **{f"/keep/{deed}/": KEPT for deed in DEEDS},
    "/model_choice/": RULES,
    "/model_key/": KEY,
    "/migration/": OLD,
    "/migration/stop/": OLD,
    "/look_kept/": LOOK,
    "/rated/<str:evaluation>/": {"rater": "Ada", "task": "a task", "places": {}, "done": False},
}
"""Routes that change something, and what they take."""
POSTED = [*EXCHANGES, *ACTS, "/sign_in/", "/sign_out/"]
BIG = 50_000_000
"""Bytes."""


def addresses(resolver=None, prefix=""):
    """Every address of ours, with its parameters in braces, in both forms."""
    for pattern in (resolver or get_resolver()).url_patterns:
        here = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if here.strip("/") not in STOCK:
                yield from addresses(pattern, here)
        elif isinstance(pattern, URLPattern):
            yield "/" + here


ROUTES = sorted(addresses())
WITH_PARAMETERS = [route for route in ROUTES if "<" in route]
GOOD = {
    "sim": "run",
    "form": "saved",
    "step": "0",
    "first": "0",
    "last": "1",
    "play_speed": "2",
    "name": "Ada_Stone",
    "number": "1",
    "maze": "small",
    "a": "run",
    "b": "run",
    "study": "party",
    "evaluation": "party",
    "file": "runs.csv",
}
PARAMETER = re.compile(r"<str:(\w+)>")


def filled(route, **nasty):
    """The address with good values, but for the nasty ones."""
    return PARAMETER.sub(lambda found: quote({**GOOD, **nasty}[found[1]], safe=""), route)


def asked(client, route, **nasty):
    """The answer to a good request, but for the nasty values in its address."""
    body = ACTS.get(f"{route.rstrip('/')}/")
    return client.tell(filled(route, **nasty), body) if body else client.get(filled(route, **nasty))


@pytest.fixture
def nothing_is_computed(monkeypatch):
    """Let all that pages begin to compute wait until the test is over, and give it up then: the first answer says that
    it was begun, and hundreds of commands would go on beside other tests.
    """
    begun = []

    def later(args, **_):
        begun.extend(args)
        return SimpleNamespace(start=lambda: None)

    monkeypatch.setattr(computations, "Thread", later)
    yield
    for each in begun:
        each.fault = computations.STOPPED
        each.done.set()


@pytest.fixture
def run(stage, nothing_is_computed):  # noqa: ARG001 - of what is asked here, only the first answers are looked at
    """A simulation on both shelves, announced; the test house has a neighbour that may not be touched."""
    folder = stage.save("run", stage.walk(3))
    (folder / "environment" / "3.json").unlink()
    stage.compress("run", stage.walk(3))
    stage.announce("run")
    stage.plan_study("party", {"plain": {1: 2.0}})
    write_evaluation(stage.studies)
    stage.put("outside/secret.json", {"sim_code": "secret"})
    for name in ("run", None):
        stage.listen(name)
    return folder


def refused(answer):
    """A status of the 4xx and a sentence that says why."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.content[:200])
    reason = answer.json()["error"] if "json" in answer["Content-Type"] else answer.context["reason"]
    return len(reason) > 10 and "\n" not in reason


def test_the_list_of_routes_is_complete():
    """Every address that has a name is among those that are tested here, with and without a slash."""
    for name in ("simulator_home", "path_tester", "process_environment", "update_environment", "path_tester_update"):
        assert {f"/{name}", f"/{name}/"} <= set(ROUTES)
    for name in ("demo", "replay", "replay_persona_state", "frames", "timeline", "live", "memories"):
        assert sum(route.startswith(f"/{name}/") for route in WITH_PARAMETERS) == 2


WITHOUT = {"minds": 422, "calls_part": 404, "call": 404, "ties_between": 400, "why_data": 400, "why_test": 400}
WITHOUT |= {"rate_task": 400, "rated": 400}
"""Routes of what this run does not have, checkpoints and calls, or what a query asks for; the answers say so."""


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("route", WITH_PARAMETERS)
def test_good_values_are_answered(client, route):
    """Or the refusals below would say nothing."""
    without = WITHOUT.get(route.split("/")[1])
    assert asked(client, route).status_code in ({without} if without else {200, 202, 204})


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("route", [route for route in WITH_PARAMETERS if f"{route}/" not in WITH_PARAMETERS])
def test_nasty_addresses_are_refused(stage, client, route):
    """Each in every one of the parameters; a demo's speed is any word, as it always was."""
    before = stage.files()
    for parameter, nasty in product(PARAMETER.findall(route), NASTY):
        answer = asked(client, route, **{parameter: nasty})
        if parameter == "play_speed" and answer.status_code == 200:
            assert re.fullmatch(r"[\w-]+", nasty)
        else:
            assert refused(answer), (parameter, nasty)
    assert stage.files() == before


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("nasty", [*NASTY, ""])
def test_nasty_questions_are_refused(stage, client, nasty):
    """Queries with nasty values."""
    before = stage.files()
    for address in ("/frames/run/0/1/", "/timeline/run/", "/memories/run/Ada_Stone/"):
        assert refused(client.get(address, {"store": nasty}))
    assert refused(client.get("/memories/run/Ada_Stone/", {"step": nasty}))
    assert stage.files() == before


def letters(nasty):
    """Bodies of each exchange in which one value is nasty."""
    place = {"maze": "small", "x": 1, "y": 1}
    yield "/update_environment/", {"sim_code": nasty, "step": 1}
    yield "/update_environment/", {"sim_code": "run", "step": nasty}
    yield "/update_environment/", {"sim_code": "run", "step": 1, "wait": nasty}
    yield "/process_environment/", {"sim_code": nasty, "step": 3, "environment": {"Ada Stone": place}}
    yield "/process_environment/", {"sim_code": "run", "step": nasty, "environment": {"Ada Stone": place}}
    yield "/process_environment/", {"sim_code": "run", "step": 3, "environment": nasty}
    yield "/process_environment/", {"sim_code": "run", "step": 3, "environment": {"Ada Stone": nasty}}
    yield "/process_environment/", {"sim_code": "run", "step": 3, "environment": {"Ada Stone": place | {"x": nasty}}}
    if isinstance(nasty, str):
        yield "/process_environment/", {"sim_code": "run", "step": 3, "environment": {nasty: place}}
    for box in ("/act/run/", "/engine/"):
        yield box, nasty
        yield box, {"id": nasty if re.search(r"[^!-~]", str(nasty)) else [nasty], "request": "pause"}
        yield box, {"id": "1", "request": [nasty]}
    for field in ("provider", "base_url", "model_file", "fast_model", "advanced_model", "key"):
        yield "/model_choice/", {"provider": "openai", field: [nasty]}
    yield "/model_choice/", {"provider": nasty}
    yield "/model_key/", {"provider": nasty}
    for address in ("/migration/", "/migration/stop/"):
        yield from ((address, OLD | {field: [nasty]}) for field in OLD)
    yield "/look_kept/", {**LOOK, "name": [nasty]}
    yield "/look_kept/", {**LOOK, "look": nasty}
    for part in ("skin", "hair", "clothes", "worn", "build"):
        yield "/look_kept/", {**LOOK, "look": {**LOOK["look"], part: [nasty] if nasty == {} else nasty}}
    yield "/visit/run/", {"name": "Ada", "typing": [nasty]}
    yield "/visit/run/", {"name": nasty if CONTROL.search(str(nasty)) else [nasty], "typing": True}
    yield "/path_tester_update/", {"camera": nasty}
    if nasty != -1:
        yield "/path_tester_update/", {"camera": {"maze": "the_ville", "x": nasty, "y": 1}}
    yield "/path_tester_update/", nasty


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("nasty", [*NASTY, None, True, [], {}, -1, 10**30, ["run"], {"run": 1}], ids=ascii)
def test_nasty_letters_are_refused(stage, client, nasty):
    """Wrong types and words that lead elsewhere, in every place; nothing is written at all."""
    before = stage.files()
    for address, body in letters(nasty):
        assert refused(client.tell(address, body)), body
    assert stage.files() == before


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("text", [b"", b"{", b"\x00", b"\xff\xfe", b"[" * 100_000, b'{"step": NaN}', b"step=1"])
@pytest.mark.parametrize("address", EXCHANGES)
def test_malformed_bodies_are_refused(stage, client, address, text):
    """With 400 and a reason."""
    before = stage.files()
    answer = client.tell(address, text)
    assert answer.status_code == 400
    assert refused(answer)
    assert stage.files() == before


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("route", [route for route in ROUTES if f"{route.rstrip('/')}/" not in POSTED])
def test_pages_and_data_are_read_only(stage, client, route):
    """Every other method is refused, and told which one is known."""
    before = stage.files()
    for method in (client.post, client.put, client.delete, client.patch):
        answer = method(filled(route), json.dumps({}), content_type="application/json")
        assert (answer.status_code, "GET" in answer["Allow"]) == (405, True), method
    assert stage.files() == before


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("route", ROUTES)
def test_large_bodies_are_refused(stage, client, route):
    """By every route, before they are read, with 413 and how much would have been read."""
    before = stage.files()
    answer = client.generic("POST", filled(route), b"", CONTENT_LENGTH=str(BIG))
    assert answer.status_code == 413
    assert "1000000" in answer.json()["error"]
    assert client.generic("POST", filled(route), b"", CONTENT_LENGTH="many").status_code == 400
    assert client.generic("POST", filled(route), b"", CONTENT_LENGTH="9" * 5000).status_code == 413
    assert stage.files() == before


@pytest.mark.usefixtures("stage")
@pytest.mark.parametrize("nasty", NASTY)
def test_addresses_that_no_route_knows_are_refused(client, nasty):
    """On a page that says so."""
    answer = client.get("/" + quote(nasty, safe="") + "/nowhere")
    assert answer.status_code == 404
    assert refused(answer)


MEMORIES = "/memories/run/Ada_Stone/"
ELSEWHERE = {
    "movement/1.json": "/frames/run/0/2/",
    "movement": "/frames/run/0/2/",
    "environment": "/live/run/",
    "reverie": "/live/run/",
    "reverie/meta.json": "/live/run/",
    "personas": MEMORIES,
    "personas/Ada Stone": MEMORIES,
    "personas/Ada Stone/bootstrap_memory/scratch.json": MEMORIES,
    "personas/Ada Stone/bootstrap_memory/associative_memory": MEMORIES,
}
"""Links that an archive from elsewhere may have, and where each would be shown."""


def said(answer):
    """Return the fault that an answer names: as its reason, or beside the rest of the answer."""
    values = answer.json()
    return values["error"] if answer.status_code == 422 else " ".join(values["damage"])


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
@pytest.mark.parametrize("what", ELSEWHERE)
def test_nothing_from_elsewhere_is_shown_or_written(stage, client, run, what):
    """Files and folders of a simulation lie in it; one that is a link is refused by name."""
    path, outside = run / what, stage.root / "outside" / what.rpartition("/")[2]
    path.rename(outside)
    path.symlink_to(outside)
    before = stage.files()
    answer = client.get(ELSEWHERE[what])
    assert any(f"{path.name} {words}" in said(answer) for words in ("is a link", "cannot be read"))
    report = {"sim_code": "run", "step": 3, "environment": stage.places(stage.walk(3)[2])}
    told = client.tell("/process_environment/", report)
    if what == "environment":
        assert told.status_code == 422
        assert stage.files() == before


@pytest.mark.skipif(os.name == "nt", reason="links of a Unix")
@pytest.mark.usefixtures("run")
def test_the_shelves_may_be_links(stage, client):
    """Many keep simulations on another disk."""
    stage.storage.rename(stage.root / "disk")
    stage.storage.symlink_to(stage.root / "disk")
    assert [client.get(route).status_code for route in ELSEWHERE.values()] == [200] * len(ELSEWHERE)


@pytest.mark.skipif(os.name == "nt", reason="pipes of a Unix")
@pytest.mark.usefixtures("run")
def test_a_pipe_in_place_of_a_step_holds_no_request(stage, client):
    """A storage that cannot be written: every request is answered, with what is wrong where it would be shown."""
    step = stage.storage / "run/movement/1.json"
    step.unlink()
    os.mkfifo(step)
    asked = client.tell("/update_environment/", {"step": 1, "sim_code": "run", "wait": 1})
    shown = [client.get(address) for address in ("/frames/run/0/2/", "/timeline/run/")]
    assert asked.status_code == 422
    assert all(
        "run/movement/1.json" in said(answer) or "1.json is a device" in said(answer) for answer in (asked, *shown)
    )
    assert client.get("/").status_code == 200
