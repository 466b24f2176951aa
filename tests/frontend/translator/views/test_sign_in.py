"""Who signs in may act; everyone else may watch."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection

from translator.rights import access, pass_phrase
from translator.rights.rate_limit import MINUTE, RateLimit

PHRASE = "the ferryman hums at noon"
PAUSE = {"id": "9f3c", "request": "pause"}


@pytest.fixture
def open_to_others(stage, settings):
    """A server that other machines reach, with a pass phrase; an engine listens."""
    settings.PASS = PHRASE
    stage.save("run", stage.walk(2))
    stage.listen("run")


def entered(page, phrase, address="10.0.0.7", after="/simulator_home"):
    """The answer to a phrase that is typed into the form."""
    form = page.get("/sign_in/", REMOTE_ADDR=address)
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', form.content.decode())[1]
    body = {"csrfmiddlewaretoken": token, "phrase": phrase, "next": after}
    return page.post("/sign_in/", body, REMOTE_ADDR=address)


def acts(page):
    return page.tell("/act/run/", PAUSE).status_code == 202


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_others")
def test_the_phrase_lets_act_until_one_signs_out(afar):
    """The cookie is sent by pages of this server only, and no script reads it."""
    page = afar()
    assert (page.get("/status/").json()["act"], acts(page)) == ("sign in", False)
    answer = entered(page, PHRASE)
    assert (answer.status_code, answer["Location"]) == (302, "/simulator_home")
    cookie = answer.cookies["sessionid"]
    assert (cookie["samesite"], cookie["httponly"]) == ("Strict", True)
    assert (page.get("/status/").json()["act"], acts(page)) == ("yes", True)
    assert page.post("/sign_out/").status_code == 403
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.get("/").content.decode())[1]
    page.post("/sign_out/", {"csrfmiddlewaretoken": token})
    assert (page.get("/status/").json()["act"], acts(page)) == ("sign in", False)


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_others")
def test_another_phrase_ends_all_sessions(settings, afar):
    """That is the reason to change it."""
    page = afar()
    entered(page, PHRASE)
    settings.PASS = PHRASE.upper()
    assert not acts(page)
    settings.PASS = ""
    assert (page.get("/status/").json()["act"], acts(page)) == ("no", False)


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_others")
def test_an_account_of_admin_is_no_phrase(afar):
    """Nor is the phrase a way into `admin/`: its account has no password and is no member of the staff."""
    User.objects.create_superuser("root", password=PHRASE[::-1])
    page = afar()
    assert page.login(username="root", password=PHRASE[::-1])
    assert not acts(page)
    entered(page, PHRASE)
    account = User.objects.get(username=pass_phrase.ACCOUNT)
    assert (account.has_usable_password(), account.is_staff, account.is_superuser) == (False, False, False)
    assert PHRASE not in json.dumps(list(User.objects.values("password", "username")))
    assert page.get("/admin/").status_code == 302
    assert not page.login(username=pass_phrase.ACCOUNT, password=PHRASE)


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_others")
def test_phrases_cannot_be_tried_out(monkeypatch, afar):
    """Five a minute from an address, thirty from all; then not even the right one is heard until the minute is over."""
    now = [0.0]
    monkeypatch.setattr(pass_phrase, "_wrong", RateLimit(5, lambda: now[0]))
    monkeypatch.setattr(pass_phrase, "_all_wrong", RateLimit(30, lambda: now[0]))
    page = afar()
    tried = [entered(page, f"guess {number}").status_code for number in range(20)]
    assert tried == [403] * 5 + [429] * 15
    assert entered(page, PHRASE).status_code == 429
    others = [entered(page, "guess", f"10.0.1.{number}").status_code for number in range(40)]
    assert others == [403] * 25 + [429] * 15
    now[0] += MINUTE
    assert entered(page, PHRASE).status_code == 302
    assert [entered(afar(), PHRASE).status_code for _ in range(20)] == [302] * 20
    assert acts(page)


def test_many_at_once_have_no_more_tries():
    """A phrase counts before it is compared."""
    limit = RateLimit(5)
    with ThreadPoolExecutor(20) as threads:
        assert sum(threads.map(lambda _: limit.take("one"), range(200))) == 5


@pytest.mark.django_db
@pytest.mark.usefixtures("open_to_others")
@pytest.mark.parametrize(
    "wanted", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere", "javascript:1"]
)
def test_signing_in_leads_nowhere_else(wanted, afar):
    """The link may come from anyone."""
    assert entered(afar(), PHRASE, after=wanted)["Location"] == "/"


@pytest.mark.usefixtures("open_to_others")
def test_without_a_database_one_watches(monkeypatch, afar):
    """Signing in says what is missing, in one line; an old cookie breaks nothing."""

    def broken(*_, **__):
        raise DatabaseError("attempt to write a readonly database")

    monkeypatch.setattr(connection, "cursor", broken)
    monkeypatch.setattr(connection, "ensure_connection", broken)
    page = afar()
    page.cookies["sessionid"] = "x" * 32
    answer = entered(page, PHRASE)
    assert answer.status_code == 503
    assert "\n" not in answer.context["reason"]
    assert "database" in answer.context["reason"]
    for address in ("/", "/status/", "/replay/run/0/"):
        assert page.get(address).status_code == 200
    assert not acts(page)


@pytest.mark.django_db
def test_the_phrase_is_nowhere(stage, open_to_others, caplog, capfd, afar):  # noqa: ARG001 - both servers are up
    """In no page, no answer, no log and no file."""
    page = afar()
    heard = [entered(page, PHRASE[:-1]), entered(page, PHRASE)]
    heard += [page.get(address) for address in ("/", "/status/", "/sign_in/", "/nowhere/", "/replay/run/0/")]
    heard += [page.tell("/act/run/", "{"), page.get("/acts/run/x/")]
    texts = [answer.content.decode() for answer in heard] + [str(answer.headers) for answer in heard]
    shown = capfd.readouterr()
    texts += [caplog.text, shown.out, shown.err, *(str(content) for content in stage.files().values())]
    assert not [text for text in texts if PHRASE in text]


def test_one_client_cannot_flood_the_engine(stage, client, monkeypatch):
    """Beyond what a person does, the answer is 429 and nothing is written."""
    monkeypatch.setattr(access, "_acts", RateLimit(10))
    stage.save("run", stage.walk(2))
    engine = stage.listen("run")
    answers = [client.tell("/act/run/", PAUSE | {"id": f"a{number}"}) for number in range(30)]
    assert [answer.status_code for answer in answers] == [202] * 10 + [429] * 20
    assert "\n" not in answers[-1].json()["error"]
    assert len(engine.numbers()) == 10
