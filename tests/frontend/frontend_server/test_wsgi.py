"""The door for other servers."""

from wsgiref.util import setup_testing_defaults

import pytest

from frontend_server.wsgi import application


@pytest.mark.usefixtures("stage", "db")
def test_another_server_can_carry_the_pages():
    """Status and body, as WSGI asks for them."""
    environ = {"PATH_INFO": "/status/", "HTTP_HOST": "localhost"}
    setup_testing_defaults(environ)
    said = []
    body = b"".join(application(environ, lambda status, _: said.append(status)))
    assert said == ["200 OK"]
    assert b'"backend": "none"' in body
