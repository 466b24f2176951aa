"""Properties of every answer."""

from contextlib import closing

import pytest


@pytest.mark.django_db  # closing an answer closes the connections to the database, too
@pytest.mark.parametrize("address", ["/", "/status/", "/nowhere", "/static/js/dom.js", "/admin/login/"])
def test_a_page_loads_nothing_from_elsewhere(client, address):
    """Every answer says so, the refusals too."""
    with closing(client.get(address)) as answer:
        policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert "unsafe-eval" not in policy


def test_a_refused_body_says_how_much_is_read(client):
    """And is not read."""
    answer = client.generic("POST", "/status/", b"", CONTENT_LENGTH="1000001")
    assert answer.status_code == 413
    assert "1000000" in answer.json()["error"]
    assert "Content-Security-Policy" in answer


def test_a_body_of_just_that_size_is_read(client):
    """It is understood, or not, for what it says."""
    answer = client.tell("/update_environment/", b" " * 1_000_000)
    assert answer.status_code == 400
