"""Requests of pages to the engine, and who may send them."""

import json
from itertools import product

import pytest
from kept_forms import DEEDS, KEPT

PHRASE = "the ferryman hums at noon"
PAUSE = {"id": "9f3c", "request": "pause"}
THERE = {"name": "Ada", "typing": True}
ROUTES = {
    address + slash: body
    for address, body in {
        "/act/run": PAUSE,
        "/engine": PAUSE,
        "/visit/run": THERE,
        **{f"/keep/{deed}": KEPT for deed in DEEDS},
        "/model_choice": {"provider": "offline"},
        "/model_key": {"provider": "openai"},
        "/migration": {"id": "9f3c", "path": "/srv/old", "bring": False, "settings": False},
    }.items()
    for slash in ("/", "")
}
"""Every route that changes something; test_every_route.py knows that there is no other."""
HERE, ELSEWHERE = "http://localhost:8000", "http://elsewhere.example"
JSON = "application/json"
STRANGERS = [
    {},
    {"Origin": ELSEWHERE},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://localhost"},
    {"Origin": "http://localhost:8001"},
    {"Origin": "https://localhost:8000"},
    {"Origin": "http://127.0.0.1:8000"},
    {"Origin": "http://localhost.elsewhere.example:8000"},
    {"Origin": f"{HERE}, {ELSEWHERE}"},
    {"Origin": "http://localhost:8000@elsewhere.example"},
    {"Origin": HERE, "Sec-Fetch-Site": "same-site"},
    {"Origin": HERE, "Sec-Fetch-Site": "cross-site"},
    {"Origin": HERE, "Sec-Fetch-Site": "none"},
    {"Origin": ELSEWHERE, "Host": "localhost:8000", "X-Forwarded-Host": "elsewhere.example"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Referer": f"{HERE}/simulator_home"},
]
"""Requests that no page of this server sends."""
PROXIED = [
    {"X-Forwarded-For": "10.0.0.7"},
    {"X-Forwarded-Proto": "https"},
    {"X-Forwarded-Anything": "1"},
    {"Forwarded": "for=10.0.0.7"},
    {"X-Real-IP": "10.0.0.7"},
    {"Via": "1.1 proxy"},
]
FORMS = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "application/jsonp", ""]


@pytest.mark.parametrize(("name", "post", "get"), [("run", "/act/run/", "/acts/run/"), (None, "/engine/", "/engine/")])
def test_a_request_reaches_the_engine_and_its_answer_the_page(stage, client, name, post, get):
    """Once, however often the page sends it; the server says through which door it came."""
    stage.save("run", stage.walk(2))
    engine = stage.listen(name)
    sent = [client.tell(post, PAUSE | {"door": "api"}) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [202, 202]
    number = sent[0].json()["number"]
    assert sent[1].json() == {"number": number}
    assert engine.numbers() == {number}
    asked = engine.read(number)
    assert asked.values == PAUSE | {"door": "page"}
    assert client.get(f"{get}{number}/").json() == {"number": number, "ack": None}
    ack = {"id": "9f3c", "request": "pause", "result": "done", "step": 2}
    engine.acknowledge(asked, ack)
    assert client.get(f"{get}{number}/?wait=4").json() == {"number": number, "ack": ack}


def test_where_no_engine_has_listened_nothing_can_be_asked(stage, client):
    """Neither of a simulation nor without one."""
    stage.save("run", stage.walk(2))
    before = stage.files()
    for address in ("/act/run/", "/act/nowhere/", "/engine/", "/visit/nowhere/"):
        answer = client.tell(address, PAUSE if "visit" not in address else {"name": "Ada", "typing": True})
        assert (answer.status_code, "error" in answer.json()) == (404, True)
    assert stage.files() == before


def test_a_page_says_that_it_is_there_for_a_visitor(stage, client):
    """At once when the user begins to type; without news, once a second at most."""
    stage.save("run", stage.walk(2))
    for typing in (False, True):
        assert client.tell("/visit/run/", {"name": "Ada", "typing": typing}).status_code == 204
        said = json.loads((stage.temp / "visit.json").read_text("utf-8"))
        assert said == {"sim_code": "run", "name": "Ada", "typing": typing}


def test_the_status_says_what_the_engine_is_and_who_may_act(stage, client):
    """An engine that has fallen silent is none."""
    assert client.get("/status/").json()["engine"]["state"] == "none"
    told = {"state": "open", "sim_code": "run", "copying": 0, "computing": 0}
    told |= {"fault": "", "restarted": None, "models": "rules", "last_request": 3}
    stage.put("temp/engine_status.json", told)
    status = client.get("/status/").json()
    assert (status["engine"], status["act"]) == (told, "yes")


@pytest.fixture
def run(stage):
    """An engine listens, and waits for the positions after the last step."""
    folder = stage.save("run", stage.walk(3))
    (folder / "environment" / "3.json").unlink()
    stage.announce("run")
    for name in ("run", None):
        stage.listen(name)
    return folder


def refused(stage, page, posts, more=None):
    """Number of posts, which were all refused with a reason in one line, and changed no file."""
    before = stage.files()
    for address, headers, kind in posts:
        answer = page.post(address, json.dumps(ROUTES[address]), content_type=kind, headers=headers, **more or {})
        assert answer.status_code in {400, 403}, (address, headers, kind)
        assert "\n" not in answer.json()["error"]
    assert stage.files() == before
    return len(posts)


@pytest.mark.usefixtures("run")
def test_nobody_acts_from_elsewhere(stage, client, afar, settings):
    """Another site, another port, no site, a form; no pass phrase, a wrong one, a proxy or another machine in between:
    none of hundreds of posts does anything.
    """
    own = {"Origin": HERE}
    count = refused(stage, client, [*product(ROUTES, STRANGERS, [JSON])])
    count += refused(stage, client, [*product(ROUTES, [own], FORMS)])
    count += refused(stage, client, [*product(ROUTES, [own | proxied for proxied in PROXIED], [JSON])])
    count += refused(stage, afar(), [*product(ROUTES, [own, *STRANGERS], [JSON])])
    settings.ALLOWED_HOSTS = ["*"]
    named = {"Origin": "http://elsewhere.example:8000", "Host": "elsewhere.example:8000"}
    count += refused(stage, client, [*product(ROUTES, [named], [JSON])])
    settings.CSRF_TRUSTED_ORIGINS = ["https://ville.example"]
    count += refused(stage, client, [*product(ROUTES, [own, {"Origin": "https://ville.example"}], [JSON])])
    settings.PASS, settings.CSRF_TRUSTED_ORIGINS = PHRASE, []
    for page in (client, afar()):
        count += refused(stage, page, [*product(ROUTES, [own, *STRANGERS], [JSON])])
    assert count > 400


@pytest.mark.django_db
@pytest.mark.usefixtures("run")
def test_no_cookie_is_a_pass(stage, afar, settings):
    """Guessed, old, or of another server; and a page of another site cannot sign a user in."""
    settings.PASS = PHRASE
    page = afar()
    for cookie in ("", "x" * 32, "../../x", "\x00", "1"):
        page.cookies["sessionid"] = cookie
        refused(stage, page, [*product(ROUTES, [{"Origin": HERE}], [JSON])])
    answer = afar().post("/sign_in/", {"phrase": PHRASE}, headers={"Origin": ELSEWHERE})
    assert (answer.status_code, "sessionid" in answer.cookies) == (403, False)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "patch", "options"])
@pytest.mark.parametrize("address", [address for address in ROUTES if address.endswith("/")])
def test_only_posts_act(stage, client, address, method):
    """A link or a picture on another page does nothing."""
    before = stage.files()
    assert getattr(client, method)(address, headers={"Origin": HERE}).status_code == 405
    assert stage.files() == before


@pytest.mark.usefixtures("run")
def test_answers_are_private(client, afar, settings):
    """Questions and answers of an interview are not for those who watch, nor for other sites."""
    for page, headers in (
        (afar(), {}),
        (client, {"X-Forwarded-For": "10.0.0.7"}),
        (client, {"Sec-Fetch-Site": "cross-site"}),
    ):
        for address in ("/acts/run/1/", "/engine/1/"):
            assert page.get(address, headers=headers).status_code == 403
    settings.PASS = PHRASE
    assert client.get("/acts/run/1/").status_code == 403


def test_watchers_are_not_told_what_the_engine_says(stage, client, afar):
    """Its lines quote what was typed, and its faults name folders; what it costs is the owner's business, too."""
    private = {
        "said": [[1, "Whispered to Ada Stone: Run for mayor"]],
        "fault": "a folder",
        "cost": {"calls": 1, "tokens": 2, "dollars": 3.0},
    }
    stage.announce("run")
    stage.put("temp/backend_status.json", {"sim_code": "run", "state": "stopped", "models": "the rules", **private})
    stage.put("temp/engine_status.json", {"state": "idle", "fault": "a folder"})
    told, watched = (page.get("/status/").json() for page in (client, afar()))
    assert {key: told[key] for key in private} == private
    assert told["engine"]["fault"] == "a folder"
    assert [watched[key] for key in private] + [watched["engine"]["fault"]] == [[], "", None, ""]
    assert (watched["models"], watched["act"], told["act"]) == ("the rules", "no", "yes")


def test_a_watcher_moves_nobody(run, stage, afar):
    """Its page may say that everyone is where the step led, and nothing else; the town is not its path tester."""
    page, there = afar(), stage.places(stage.walk(3)[2])
    before = stage.files()
    for lie in ({"x": 4}, {"y": 0}, {"maze": "another"}):
        body = {"sim_code": "run", "step": 3, "environment": there | {"Ada Stone": there["Ada Stone"] | lie}}
        assert page.tell("/process_environment/", body).status_code == 403
    assert page.tell("/path_tester_update/", {"camera": {"maze": "small", "x": 1, "y": 1}}).status_code == 403
    assert stage.files() == before
    assert page.tell("/process_environment/", {"sim_code": "run", "step": 3, "environment": there}).status_code == 200
    assert json.loads((run / "environment" / "3.json").read_text("utf-8")) == there
