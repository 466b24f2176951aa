"""Who may act: this machine, or whoever has signed in, from a page of this server, as JSON, and not too often."""

import pytest
from django.test import RequestFactory

from translator.errors import BadRequest, CrossSiteRequest, MayNotAct, TooManyRequests
from translator.rights import access
from translator.rights.rate_limit import RateLimit

JSON = "application/json"
PAGES = "https://ville.example"


@pytest.fixture(autouse=True)
def alone(settings):
    """A server without a pass phrase that no proxy shows, and that answers to any name."""
    settings.PASS, settings.CSRF_TRUSTED_ORIGINS, settings.ALLOWED_HOSTS = "", [], ["*"]


@pytest.fixture
def signed_in(settings, monkeypatch):
    """The server has a pass phrase; whoever says so has signed in with it."""
    settings.PASS = "the phrase"  # noqa: S105 - not a secret
    monkeypatch.setattr(access, "is_signed_in", lambda request: "signed in" in request.META)


def request(host="localhost:8000", *, kind=JSON, session="", loopback=True, **environment):
    """Return a post of a page of this server."""
    headers = {"HTTP_HOST": host, "HTTP_ORIGIN": f"http://{host}"} | environment
    found = RequestFactory().post("/act/run/", "{}", content_type=kind, **{access.LOOPBACK: loopback}, **headers)
    found.session = type("Session", (), {"session_key": session})()
    return found


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "127.8.8.8", "[::1]:8000"])
def test_this_machine_may_act(host):
    """By whichever of its names, if nothing else can reach the server."""
    assert access.right_to_act(request(host)) == "yes"
    access.check_right(request(host))
    assert access.right_to_act(request(host, loopback=False)) == "no"


ELSEWHERE = ["ville.example", "192.168.1.7:8000", "[fe80::1]", "localhost.example", "localhost:99999"]


@pytest.mark.parametrize("host", ELSEWHERE)
def test_a_name_of_another_machine_means_that_something_is_in_between(host, settings):
    """So does one that the server is not to answer to."""
    assert access.right_to_act(request(host)) == "no"
    with pytest.raises(MayNotAct, match="only shows the town"):
        access.check_right(request(host))
    settings.ALLOWED_HOSTS = ["localhost"]
    assert access.right_to_act(request(host)) == "no"


@pytest.mark.parametrize("header", ["FORWARDED", "VIA", "X_REAL_IP", "X_FORWARDED_FOR", "X_FORWARDED_PROTO"])
def test_so_does_any_header_of_a_proxy(header):
    """Whatever it says."""
    assert access.right_to_act(request(**{f"HTTP_{header}": "127.0.0.1"})) == "no"


def test_so_do_origins_of_a_proxy(settings):
    """They are set because one shows this server to others."""
    settings.CSRF_TRUSTED_ORIGINS = [PAGES]
    assert access.right_to_act(request()) == "no"


@pytest.mark.usefixtures("signed_in")
def test_with_a_pass_phrase_whoever_has_signed_in_may_act():
    """Nobody else, also on this machine; and it does not matter where that one is."""
    assert access.right_to_act(request()) == "sign in"
    with pytest.raises(MayNotAct, match="Sign in"):
        access.check_act(request())
    there = request("ville.example", loopback=False, **{"signed in": True})
    assert access.right_to_act(there) == "yes"
    access.check_act(there)
    assert access.context(there) == {"act": "yes", "owner": "", "pass_phrase": "yes"}
    assert access.context(request()) == {"act": "sign in", "owner": "", "pass_phrase": "yes"}


def test_templates_know_of_no_pass_phrase_where_there_is_none():
    assert access.context(request()) == {"act": "yes", "owner": "yes", "pass_phrase": ""}
    assert access.context(request(loopback=False)) == {"act": "no", "owner": "", "pass_phrase": ""}


@pytest.mark.usefixtures("signed_in")
def test_who_acts_from_elsewhere_does_not_choose_models():
    """Who has signed in, at this machine and by one of its names, does, whatever else can reach the server."""
    pass_given = {"signed in": True, "loopback": False}
    assert access.is_owner(request(**pass_given))
    access.check_choice(request(**pass_given))
    assert not access.is_owner(request())
    for more in ({"REMOTE_ADDR": "192.168.1.9"}, {"REMOTE_ADDR": ""}, {"HTTP_VIA": "1.1 proxy"}):
        access.check_act(request(**pass_given, **more))
        with pytest.raises(MayNotAct, match="localhost"):
            access.check_choice(request(**pass_given, **more))
    with pytest.raises(MayNotAct, match="localhost"):
        access.check_choice(request("ville.example", **pass_given))


@pytest.mark.parametrize("site", ["cross-site", "same-site", ""])
def test_private_answers_are_not_for_other_sites(site):
    """Those whose browser says that this server or its user asks are served."""
    with pytest.raises(CrossSiteRequest):
        access.check_right(request(HTTP_SEC_FETCH_SITE=site))
    for own in ("same-origin", "none"):
        access.check_right(request(HTTP_SEC_FETCH_SITE=own))


def test_only_pages_of_this_server_act(settings):
    """Or of the proxy that shows it; and they send JSON, which no form of another site can."""
    for origin in ("http://elsewhere.example", "null", "http://localhost", PAGES):
        with pytest.raises(CrossSiteRequest):
            access.check_act(request(HTTP_ORIGIN=origin))
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        with pytest.raises(BadRequest, match="JSON"):
            access.check_act(request(kind=kind))
    with pytest.raises(MayNotAct):
        access.check_act(request(loopback=False))
    access.check_act(request())
    settings.CSRF_TRUSTED_ORIGINS = [PAGES, "no address"]
    assert access.own_origins(request()) == {("http", "localhost", 8000), ("https", "ville.example", 443)}


@pytest.fixture
def twice_a_minute(monkeypatch):
    monkeypatch.setattr(access, "_acts", RateLimit(2, lambda: 0.0))


def asked(*clients):
    """Return which of these requests are too many."""
    refused = []
    for client in clients:
        try:
            access.check_act(client)
        except TooManyRequests:
            refused.append(client)
    return refused


@pytest.mark.usefixtures("twice_a_minute")
def test_requests_of_this_machine_are_counted_together():
    """Whatever its addresses, of which it has many; what is refused for another reason is not counted."""
    for wrong in (request(loopback=False), request(kind="text/plain"), request(HTTP_ORIGIN="null")):
        with pytest.raises((MayNotAct, BadRequest, CrossSiteRequest)):
            access.check_act(wrong)
    clients = [request(REMOTE_ADDR=f"127.0.0.{number}", session=f"{number}") for number in range(3)]
    assert asked(*clients) == clients[2:]


@pytest.mark.usefixtures("twice_a_minute", "signed_in")
def test_requests_of_those_who_signed_in_are_counted_by_session():
    """Many may have the address of a proxy. What has no session is counted by its address."""
    one, other = (request(session=name, REMOTE_ADDR="10.0.0.1", **{"signed in": 1}) for name in ("a", "b"))
    assert asked(one, other, one, other, one) == [one]
    here, there = (request(REMOTE_ADDR=address, **{"signed in": 1}) for address in ("10.0.0.1", "10.0.0.2"))
    assert asked(here, there, here, there, there) == [there]
