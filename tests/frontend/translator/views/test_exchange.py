"""The exchange of a step, as a page sees it."""

import json

import pytest


@pytest.fixture
def run(stage):
    """Three steps; the engine waits for the positions after the last."""
    folder = stage.save("run", stage.walk(3))
    (folder / "environment" / "3.json").unlink()
    stage.announce("run")
    return folder


def test_one_round(run, stage, client):
    """The page asks, is answered, reports, and asks for the next step (docs/storage.md)."""
    answer = client.tell("/update_environment/", {"step": 2, "sim_code": "run"})
    said = json.loads((run / "movement" / "2.json").read_text("utf-8"))
    assert answer.json() == {**said, "<step>": 2}
    places = stage.places(stage.walk(3)[2])
    received = client.tell("/process_environment/", {"step": 3, "sim_code": "run", "environment": places})
    assert (received.status_code, received.content) == (200, b"received")
    assert (run / "environment" / "3.json").read_text("utf-8") == json.dumps(places, indent=2)
    assert client.tell("/update_environment/", {"step": 3, "sim_code": "run"}).json() == {"<step>": -1}


@pytest.mark.usefixtures("run")
def test_a_classic_page_sends_no_token(stage, client):
    """Nor does it name a content type; and no token is asked for."""
    body = json.dumps({"step": 2, "sim_code": "run"})
    assert client.post("/update_environment/", body, content_type="text/plain").status_code == 200
    assert (stage.temp / "last_poll.json").exists()


EXCHANGES = ("/process_environment/", "/update_environment/", "/path_tester_update/")
HERE, THERE = "http://localhost:8000", "http://elsewhere.example"
STRANGERS = [
    {"Origin": THERE},
    {"Origin": "null"},
    {"Origin": "http://localhost"},
    {"Origin": "http://localhost:8001"},
    {"Origin": "https://localhost:8000"},
    {"Origin": "http://127.0.0.1:8000"},
    {"Origin": f"{HERE}, {THERE}"},
    {"Origin": ""},
    {"Origin": HERE, "Sec-Fetch-Site": "cross-site"},
    {"Origin": THERE, "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Referer": f"{THERE}/localhost:8000/"},
    {"Referer": "http://localhost:8001/"},
    {"Referer": "http://localhost:8000@elsewhere.example/"},
]
OWN = [
    {},
    {"Origin": HERE},
    {"Origin": HERE.upper()},
    {"Origin": HERE, "Sec-Fetch-Site": "same-origin", "Referer": f"{HERE}/simulator_home"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Referer": f"{HERE}/simulator_home"},
]


def letter(stage, address):
    """A body that the exchange takes."""
    return {
        "/process_environment/": {"step": 3, "sim_code": "run", "environment": stage.places(stage.walk(3)[2])},
        "/update_environment/": {"step": 3, "sim_code": "run"},
        "/path_tester_update/": {"camera": {"maze": "the_ville", "x": 1, "y": 1}},
    }[address]


def post(client, address, body, headers):
    headers = {"Host": "localhost:8000"} | headers
    return client.post(address, json.dumps(body), content_type="text/plain", headers=headers)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("address", EXCHANGES)
@pytest.mark.parametrize("headers", STRANGERS, ids=str)
def test_another_page_cannot_speak_for_ours(stage, client, address, headers):
    """Another site, another port, another scheme, no site at all: refused, and nothing is written."""
    before = stage.files()
    assert post(client, address, letter(stage, address), headers).status_code == 403
    assert stage.files() == before


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("address", EXCHANGES)
@pytest.mark.parametrize("headers", OWN, ids=str)
def test_pages_of_ours_and_scripts_are_heard(stage, client, address, headers):
    """A script sends no header that tells where it comes from."""
    assert post(client, address, letter(stage, address), headers).status_code == 200


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("host", "origin", "heard"),
    [
        ("[::1]:8000", "http://[::1]:8000", True),
        ("[::1]:8000", "http://[::1]", False),
        ("localhost", "http://localhost:80", True),
        ("localhost:80", "http://localhost", True),
        ("localhost", "https://localhost", False),
        ("elsewhere.example", "http://elsewhere.example", False),
        ("elsewhere.example", None, False),
    ],
)
def test_origin_and_host_are_compared_as_addresses(stage, client, host, origin, heard):
    """Default ports are equal to none. A host that is not ours is refused whatever the origin: names may be rebound."""
    before = stage.files()
    headers = {"Host": host} | ({"Origin": origin} if origin else {})
    answer = post(client, "/path_tester_update/", letter(stage, "/path_tester_update/"), headers)
    assert (answer.status_code == 200) == heard
    assert (stage.files() == before) != heard


@pytest.mark.usefixtures("run")
def test_a_proxy_may_show_the_pages(stage, client, settings):
    """Under the addresses that VILLE_ORIGINS names."""
    headers = {"Origin": "https://ville.example", "Sec-Fetch-Site": "same-origin"}
    body = letter(stage, "/process_environment/")
    refused = post(client, "/process_environment/", body, headers)
    assert (refused.status_code, "VILLE_ORIGINS" in refused.json()["error"]) == (403, True)
    settings.CSRF_TRUSTED_ORIGINS = ["https://ville.example"]
    assert post(client, "/process_environment/", body, headers).status_code == 200


@pytest.mark.parametrize("address", EXCHANGES)
@pytest.mark.parametrize("method", ["get", "put", "delete", "patch", "head"])
def test_letters_are_posted(client, address, method):
    """Every other method is told which one is known."""
    answer = getattr(client, method)(address)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_an_unknown_simulation_is_named(client):
    """Both letters of it."""
    for address, body in (
        ("/update_environment/", {"step": 1, "sim_code": "nobody"}),
        ("/process_environment/", {"step": 1, "sim_code": "nobody", "environment": {}}),
    ):
        answer = client.tell(address, body)
        assert answer.status_code == 404
        assert "nobody" in answer.json()["error"]
