"""The pages of calls: lists that are sorted and filtered, each call with its texts; only for those who may act."""

import re
from urllib.parse import quote

import pytest
from recorded_calls import NASTY, QUESTION, record_calls

PEOPLE = ("Ada Stone", "Ben Reed")
MANY = 60


@pytest.fixture
def run(stage):
    """A saved run of a few steps with sixty calls."""
    folder = stage.save("first", stage.walk(4))
    record_calls(folder / "reverie", PEOPLE, MANY)
    return folder


def _numbers(page):
    return [int(number) for number in re.findall(r"/call/first/(\d+)/", page)]


def _page(client, query="", **headers):
    answer = client.get(f"/calls/first/{query}", headers=headers)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


@pytest.mark.usefixtures("run")
def test_calls_are_listed_in_pages_in_any_order(client):
    """Fifty at a time; the others are one link away. Filters and groups count only what they let through."""
    assert _numbers(_page(client)) == list(range(60, 10, -1))
    assert _numbers(_page(client, "?page=1")) == list(range(10, 0, -1))
    assert "page=1" in _page(client)
    assert _numbers(_page(client, "?order=slowest"))[:2] == [60, 59]
    assert _numbers(_page(client, "?order=corrected"))[:2] == [60, 57]
    own = _page(client, f"?person={quote('Ben Reed')}")
    assert set(_numbers(own)) == set(range(2, 61, 2))
    assert "<strong>30</strong>" in own
    assert _numbers(_page(client, "?person=Zoe")) == []
    assert QUESTION in _page(client, "?by=persona&order=dearest")


@pytest.mark.usefixtures("run")
def test_a_call_shows_what_was_asked_and_answered(client):
    """Its prompt as text, never as markup, corrections with their reason, and what was found in the answer."""
    page = client.get("/call/first/3/").content.decode()
    for text in (
        "&lt;script&gt;alert(1)&lt;/script&gt; 2?",
        "Nobody",
        "Write JSON.",
        "&quot;hour&quot;: 2",
        "Ada Stone",
    ):
        assert text in page
    assert NASTY not in page
    russian = client.get("/call/first/3/", headers={"Accept-Language": "ru"}).content.decode()
    assert "Запрос" in russian
    assert client.get("/call/first/61/").status_code == 404
    assert client.get("/call/first/x/").status_code == 400


@pytest.mark.usefixtures("run")
def test_prompts_and_costs_are_for_those_who_may_act(afar):
    """Others are told so, and get neither a list nor a call."""
    page = afar().get("/calls/first/").content.decode()
    assert "shown only to those who may act" in page
    assert QUESTION not in page
    assert {afar().get(f"/{address}/").status_code for address in ("call/first/3", "calls_part/first")} == {403}
    assert "<h1>Only for those who may act here</h1>" in afar().get("/call/first/3/").content.decode()


def test_a_run_by_the_rules_says_so_and_what_to_do(client, stage):
    """In a sentence, with the page on which a model is chosen; also a recording, which has no ledger."""
    stage.save("ruled", stage.walk(2))
    stage.compress("first", stage.walk(2))
    for address in ("/calls/ruled/", "/calls/first/?store=compressed"):
        page = client.get(address).content.decode()
        assert "offline rules" in page
        assert 'href="/model/"' in page
    assert client.get("/calls_part/ruled/").status_code == 404


def test_the_page_follows_a_run_and_never_locks_its_ledger(client, run):
    """Calls that are recorded between two looks are in the next one."""
    first = client.get("/calls_part/first/").json()
    record_calls(run / "reverie", PEOPLE, 5, first=MANY)
    second = client.get("/calls_part/first/").json()
    assert (_numbers(first["parts"]["list"])[0], _numbers(second["parts"]["list"])[0]) == (60, 65)
    assert not second["more"]


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "query",
    [
        "order=x",
        "by=1;",
        "page=-1",
        "page=x",
        f"person={'x' * 200}",
        "hour=12",
        "hour=2023-02-30T10:00",
        "hour=9999-12-31T23:00",
    ],
)
def test_a_wrong_query_is_refused_in_one_line(client, query):
    assert client.get(f"/calls/first/?{query}").status_code == 400
    assert "no such list of calls" in client.get(f"/calls_part/first/?{query}").json()["error"]
