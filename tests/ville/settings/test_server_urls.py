"""Addresses in settings: which are valid, and what of them is ever shown."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.assembly.model_choice import chat_config, embedding_config
from ville.errors import BadSetting
from ville.settings import Secret, Settings
from ville.settings.server_urls import address_error, is_local, masked_url, origin_of, secrets_in

GOOD = (
    "http://localhost:8000/v1", "https://api.example.org", "https://me:secret@host:9/v1/", "http://[::1]:11434/v1",
    "http://192.168.0.7/v1", "https://xn--e1afmkfd.xn--p1ai/v1", "http://a_b-c.internal/api/v1", "HTTP://HOST/v1",
)  # fmt: skip
BAD = (
    "localhost:8000/v1", "host", "sk-proj-0123456789abcdef", "http://", "http:///v1", "http://:9/v1", "ftp://host/v1",
    "http://ho st/v1", "http://host/v 1", "http://host:abc/v1", "http://host:99999/v1", "http://host:0/v1",
    "http://[::1/v1", "http://пример.рф/v1", "http://\u202ehost/v1", "http://host\n/v1", "http://host/v1?key=sk-1",
    "http://host/v1#sk-1", "http://a..b/v1", "http://-/v1", "http://me:secret@/v1", "http:\\\\host\\v1",
    "//host/v1", "{}",
)  # fmt: skip


@pytest.mark.parametrize("address", GOOD)
def test_a_valid_address_is_accepted(address):
    """Host names, numbers, ports, and user and password."""
    assert not address_error(address)
    assert origin_of(address).startswith("http")


@pytest.mark.parametrize("address", BAD)
def test_an_invalid_address_is_one_clear_line_before_any_call(address):
    """For questions and embeddings. The address is not quoted, because it may be a key in the wrong place."""
    told = Settings(provider="compatible", base_url=address, fast_model="m", keys={"compatible": Secret("k")})
    apart = Settings(embedder="compatible", embedding_base_url=address, embedding_model="m")
    for call in (lambda: chat_config(told), lambda: embedding_config(apart)):
        with pytest.raises(BadSetting) as fault:
            call()
        assert "is invalid" in str(fault.value)
        assert "\n" not in str(fault.value)
        assert "sk-" not in str(fault.value)
        assert "secret" not in str(fault.value)


def test_an_address_is_shown_without_its_secrets():
    """Of a path only the usual words; the rest may be a key."""
    assert masked_url("https://me:secret@host:9/v1?key=secret#secret") == "https://host:9/v1"
    assert masked_url("http://127.0.0.1:8000/v1") == "http://127.0.0.1:8000/v1"
    assert masked_url("https://gateway.example/9f8e7d6c/openai/v1") == "https://gateway.example/…/openai/v1"


def test_an_address_without_a_port_has_that_of_its_scheme():
    """So both ways to write it are one server; another port is another one."""
    assert origin_of("https://host/v1") == origin_of("https://HOST:443") == "https://host:443"
    assert origin_of("http://host/v1") == origin_of("http://host:80") == "http://host:80"
    assert origin_of("https://host:8443/v1") == "https://host:8443"
    assert [origin_of(wrong) for wrong in ("http://[::1/v1", "http://", "host/v1")] == ["", "", ""]


def test_nothing_of_an_invalid_address_is_shown():
    """It may be a key."""
    assert address_error("http://host/ключ")
    readable = {"http://host/v1?key=sk-1", "http://host/v1#sk-1"}
    assert {masked_url(address) for address in {*BAD, "http://host/ключ"} - readable} == {"(an invalid address)"}
    assert {masked_url(address) for address in readable} == {"http://host/v1"}


def test_all_secrets_of_an_address_are_known_and_no_usual_word_is_one():
    """User and password together and the password alone, and what is unusual in a path."""
    assert secrets_in("https://me:hidden@host:9/api/9f8e/v1/") == ["me:hidden", "hidden", "9f8e"]
    assert secrets_in("https://token@host/v1") == ["token"]
    assert secrets_in("https://host/v1") == secrets_in("http://[::1/v1") == []


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:8000/v1", True), ("http://127.0.0.1/v1", True), ("http://192.168.0.7:1", True),
        ("http://gpu", True), ("http://nas.local/v1", True), ("http://nas.lan/v1", True),
        ("https://api.example.org/v1", False), ("https://8.8.8.8/v1", False), ("http://[::1]:9/v1", True),
    ],
)  # fmt: skip
def test_calls_cost_nothing_on_this_machine_or_in_a_private_network(address, local):
    """By a number that is private, or a name that no public server has."""
    assert is_local(address) is local


secrets = st.text("ABCXYZabcxyz0123456789+=-_.~!", min_size=4, max_size=12).filter(lambda text: not text.isdecimal())


FORMS = ("https://me:{}@host/v1", "http://{}@host", "http://host/{}/v1", "https://host/v1?k={}")


@given(secrets, st.sampled_from(FORMS))
def test_a_secret_is_never_shown(secret, form):
    """Wherever in the address it is."""
    address = form.format(quote(secret, safe=""))
    assert secret not in masked_url(address)
    if "?" not in address:
        assert quote(secret, safe="") in secrets_in(address)


def test_settings_do_not_show_an_address_either():
    """Neither in their own text nor in a message."""
    assert "secret" not in repr(Settings(base_url="http://me:secret@host", embedding_base_url="http://me:secret@host"))
